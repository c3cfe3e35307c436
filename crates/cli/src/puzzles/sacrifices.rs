//! Puzzles of the theme `sacrifice` in a table of states: every winning move gives up a piece.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use hindsight_answers::ScannedPositions;
use hindsight_core::{Game, Material, Notation, PackedGame, States, Tiers};
use hindsight_games::TableBytes;
use hindsight_puzzles::{SacrificeCounts, SacrificeLayers};
use hindsight_report::TextTable;
use hindsight_run::{Histogram, Monitor, Progress, Summary};
use hindsight_tablebase::{Table, TableInfo};
use serde::Serialize;

use super::request::PuzzleRequest;
use super::scan::{PuzzleScan, TakePositions, all_scanned, check_layers};
use crate::output::{fitted, print_json, print_text};
use crate::progress::ProgressDisplay;
use crate::sizes::with_commas;
use crate::tables::{check_memory, decode_state_layer, state_layer_bytes, table_error};

/// Ranks scanned between two progress reports.
const CHUNK_RANKS: u64 = 1 << 20;

/// The JSON report of `puzzles --theme sacrifice --tally` on a table of states.
#[derive(Serialize)]
struct SacrificeReport {
    game: String,
    theme: &'static str,
    scanned: ScannedPositions,
    /// All states.
    states: u64,
    /// Winning states.
    won: u64,
    /// Winning states, except those of positions that are won at once.
    won_not_at_once: u64,
    rows: Vec<SacrificeRow>,
    total: SacrificeRow,
}

/// Counts of the winning states of one length.
#[derive(Serialize)]
struct SacrificeRow {
    /// Plies to the win; null in the total.
    remoteness: Option<u16>,
    puzzles: u64,
    only_move: u64,
    only_first: u64,
    only_line: u64,
    positions: u64,
    quickest: u64,
}

impl SacrificeRow {
    fn new(remoteness: Option<u16>, counts: &SacrificeCounts) -> Self {
        Self {
            remoteness,
            puzzles: counts.states,
            only_move: counts.only_move,
            only_first: counts.only_first,
            only_line: counts.only_line,
            positions: counts.positions,
            quickest: counts.quickest,
        }
    }

    fn cells(&self) -> Vec<String> {
        let plies = self.remoteness.map(|plies| plies.to_string());
        let counts = [
            self.puzzles,
            self.only_move,
            self.only_first,
            self.only_line,
            self.positions,
            self.quickest,
        ];
        let plies = plies.unwrap_or(String::from("all"));
        [plies].into_iter().chain(counts.map(with_commas)).collect()
    }
}

/// Scans a table of states for those that only a sacrifice wins.
pub(super) struct SacrificeScan<'a> {
    pub(super) game: &'a PackedGame,
    pub(super) table: &'a Table<TableBytes>,
    pub(super) path: &'a Path,
}

impl PuzzleScan for SacrificeScan<'_> {
    fn for_each_batch(
        &self,
        request: &PuzzleRequest<'_>,
        take: TakePositions<'_>,
    ) -> Result<ScannedPositions> {
        self.for_each_chunk(request, &mut |chunk| take(&chunk.states))?;
        Ok(all_scanned(table_positions(self.table.info())))
    }
}

impl SacrificeScan<'_> {
    /// Scans layer by layer and hands the states over, one chunk of ranks at a time.
    fn for_each_chunk(
        &self,
        request: &PuzzleRequest<'_>,
        take: &mut dyn FnMut(hindsight_puzzles::SacrificeStates) -> Result<()>,
    ) -> Result<()> {
        let (game, opened, path) = (self.game, self.table, self.path);
        let (info, base) = (opened.info(), game.base());
        check_layers(path, opened, base)?;
        let needed = (0..base.layers()).map(|layer| memory_needed(opened, game, layer));
        check_memory(needed, request.context)?;
        let mut display = ProgressDisplay::new(request.context.quiet).saving_nothing();
        let total = info.layers.iter().map(|layer| layer.ranks).sum();
        let mut scanned = 0;
        for layer in 0..base.layers() {
            let states = decode_state_layer(path, opened, game, layer)?;
            let successors = base.layer_successors(layer).into_iter();
            let successors = successors.map(|layer| opened.decode_unrestricted(game, layer));
            let successors: Result<Vec<_>, _> = successors.collect();
            let layers = SacrificeLayers {
                layer: &states,
                successor_layers: &successors.map_err(|error| table_error(path, error))?,
            };
            for first in (0..states.ranks()).step_by(CHUNK_RANKS as usize) {
                let ranks = first..states.ranks().min(first + CHUNK_RANKS);
                scanned += ranks.end - ranks.start;
                let open_probe = || opened.with_states(game);
                take(hindsight_puzzles::find_sacrifices(game, layers, ranks, open_probe)?)?;
                let progress = Progress { phase: "sacrifices", done: scanned, total: Some(total) };
                if !display.report(progress) {
                    return Err(hindsight_run::Error::Stopped.into());
                }
            }
        }
        Ok(())
    }

    /// Counts all states that only a sacrifice wins, and prints the counts.
    pub(super) fn tally(&self, request: &PuzzleRequest<'_>) -> Result<()> {
        request.check_theme(self.game)?;
        let mut sum: BTreeMap<u16, SacrificeCounts> = BTreeMap::new();
        self.for_each_chunk(request, &mut |chunk| {
            for (plies, counts) in &chunk.counts {
                sum.entry(*plies).or_default().add(counts);
            }
            Ok(())
        })?;
        sum.retain(|plies, _| request.wanted.plies.contains(plies));
        print_report(request, self.game, self.table.info(), &sum)
    }
}

/// Returns the number of positions of a table.
fn table_positions(info: &TableInfo) -> u64 {
    let layers = info.layers.iter();
    layers.map(|layer| layer.histogram.positions()).sum()
}

/// Bytes of memory for a layer of states and the layers that its moves lead to.
fn memory_needed(opened: &Table<TableBytes>, game: &PackedGame, layer: u32) -> u64 {
    let successors = game.base().layer_successors(layer).into_iter();
    let successors = successors.filter_map(|layer| opened.info().layers.get(layer as usize));
    successors
        .fold(state_layer_bytes(opened, game, layer), |sum, layer| sum.saturating_add(layer.ranks))
}

/// Returns the number of winning states by one of the table's histograms.
fn winning_states(
    info: &TableInfo,
    histogram: impl Fn(&hindsight_tablebase::StateHistograms) -> &Histogram,
) -> u64 {
    let layers = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    layers.map(|states| Summary::of(histogram(states)).wins).sum()
}

/// Prints the report of a tally.
fn print_report(
    request: &PuzzleRequest<'_>,
    game: &PackedGame,
    info: &TableInfo,
    sum: &BTreeMap<u16, SacrificeCounts>,
) -> Result<()> {
    let mut total = SacrificeCounts::default();
    sum.values().for_each(|counts| total.add(counts));
    let states = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    let report = SacrificeReport {
        game: game.spec(),
        theme: "sacrifice",
        scanned: all_scanned(table_positions(info)),
        states: states.map(|states| states.all.positions()).sum(),
        won: winning_states(info, |states| &states.all),
        won_not_at_once: winning_states(info, |states| &states.nontrivial),
        rows: sum.iter().map(|(&plies, counts)| SacrificeRow::new(Some(plies), counts)).collect(),
        total: SacrificeRow::new(None, &total),
    };
    if request.context.json {
        return print_json(&report);
    }
    let sacrifice = game.material().map_or("", Material::describe_sacrifice);
    print_text(&report.text(sacrifice))
}

/// Returns what the headings mean.
fn heading_notes() -> TextTable {
    let notes = [
        "every winning move is a sacrifice; a move leads to the state",
        "of these, those with one winning move",
        "those with one quickest winning move",
        "those with one quickest move at each of the winner's plies, whatever the slowest replies",
        "as states, with nothing forbidden, whether or not a move leads there",
        "every quickest winning move is a sacrifice, others may win more slowly",
    ];
    let notes = notes.map(String::from);
    TextTable::of_pairs(HEADINGS.into_iter().skip(1).zip(notes))
}

const HEADINGS: [&str; 7] =
    ["plies", "states", "only move", "only first", "only line", "positions", "quickest"];

impl SacrificeReport {
    fn text(&self, sacrifice: &str) -> String {
        let mut table = TextTable::new("rrrrrrr");
        table.push(HEADINGS);
        for row in self.rows.iter().chain([&self.total]) {
            table.push(row.cells());
        }
        format!(
            "{}: states in which the player to move wins only by a sacrifice, {sacrifice}\n\n\
             {}\n{}\n\
             Of {} states {} win, {} of them not at once. \
             Those that win at once are none of these: \
             the move that ends the game is no sacrifice.\n",
            self.game,
            fitted(&table),
            fitted(&heading_notes()),
            with_commas(self.states),
            with_commas(self.won),
            with_commas(self.won_not_at_once)
        )
    }
}
