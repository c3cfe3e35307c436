//! The states of a table in which the player to move wins only by a sacrifice.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use anyhow::Result;
use hindsight_core::{ForbiddenMove, Material, Notation, Ranked, Wdl};
use hindsight_puzzles::{SacrificeCounts, SacrificeLayers};
use hindsight_solve::{Histogram, Monitor, Progress};
use hindsight_tablebase::{Table, TableInfo};
use serde::Serialize;

use super::PuzzleRequest;
use super::scan::{PuzzleScan, ScanScope, TakePositions, check_layers};
use crate::output::{align_columns, print, print_json, with_commas};
use crate::progress::ProgressDisplay;
use crate::tables::{check_memory, decode_state_layer, state_layer_bytes, table_error};

/// Ranks between two reports.
const CHUNK_RANKS: u64 = 1 << 20;

/// What `puzzles --theme sacrifice --tally --json` prints of a table of states.
#[derive(Serialize)]
struct SacrificeReport {
    game: String,
    theme: &'static str,
    scanned: ScanScope,
    /// All states, those that win, and those of them that do not win at once.
    states: u64,
    won: u64,
    won_not_at_once: u64,
    rows: Vec<SacrificeRow>,
    total: SacrificeRow,
}

#[derive(Serialize)]
struct SacrificeRow {
    /// Null in the total.
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

/// The states of a table in which the player wins only by a sacrifice, handed over some at a time.
pub(super) struct SacrificeScan<'a, G> {
    pub(super) game: &'a G,
    pub(super) table: &'a Table<File>,
    pub(super) path: &'a Path,
}

impl<G: ForbiddenMove<Base: Material> + Notation> PuzzleScan<G> for SacrificeScan<'_, G> {
    fn for_each_batch(
        &self,
        call: &PuzzleRequest<'_>,
        take: TakePositions<'_, G::Position>,
    ) -> Result<ScanScope> {
        self.for_each_chunk(call, &mut |given| take(&given.states))?;
        Ok(ScanScope::all(table_positions(self.table.info())))
    }
}

impl<G: ForbiddenMove<Base: Material> + Notation> SacrificeScan<'_, G> {
    /// Layer by layer, some ranks at a time.
    fn for_each_chunk(
        &self,
        call: &PuzzleRequest<'_>,
        act: &mut dyn FnMut(hindsight_puzzles::SacrificeStates<G::Position>) -> Result<()>,
    ) -> Result<()> {
        let (game, opened, path) = (self.game, self.table, self.path);
        let (info, base) = (opened.info(), game.base());
        check_layers(path, opened, base)?;
        let needed = (0..base.layers()).map(|layer| verify_memory(opened, game, layer));
        check_memory(needed, call.context)?;
        let mut display = ProgressDisplay::new(call.context.quiet);
        let total = info.layers.iter().map(|layer| layer.ranks).sum();
        let mut done = 0;
        for layer in 0..base.layers() {
            let states = decode_state_layer(path, opened, game, layer)?;
            let before = base.layer_successors(layer).into_iter();
            let before = before.map(|layer| opened.decode_unrestricted(game, layer));
            let before: Result<Vec<_>, _> = before.collect();
            let layers = SacrificeLayers {
                layer: &states,
                successor_layers: &before.map_err(|error| table_error(path, error))?,
            };
            for first in (0..states.ranks()).step_by(CHUNK_RANKS as usize) {
                let ranks = first..states.ranks().min(first + CHUNK_RANKS);
                done += ranks.end - ranks.start;
                let open = || opened.with_states(game);
                act(hindsight_puzzles::find_sacrifices(
                    game, layers, ranks, open,
                )?)?;
                let progress = Progress {
                    phase: "sacrifices",
                    done,
                    total: Some(total),
                };
                if !display.report(progress) {
                    return Err(hindsight_solve::Error::Stopped.into());
                }
            }
        }
        Ok(())
    }

    /// Counts them all.
    pub(super) fn tally(&self, call: &PuzzleRequest<'_>) -> Result<()>
    where
        G: Material,
    {
        call.check_theme(self.game)?;
        let mut sum: BTreeMap<u16, SacrificeCounts> = BTreeMap::new();
        self.for_each_chunk(call, &mut |given| {
            for (plies, counts) in &given.counts {
                sum.entry(*plies).or_default().add(counts);
            }
            Ok(())
        })?;
        sum.retain(|plies, _| call.wanted.plies.contains(plies));
        print_report(call, self.game, self.table.info(), &sum)
    }
}

/// How many positions a table has.
fn table_positions(info: &TableInfo) -> u64 {
    let layers = info.layers.iter();
    layers.map(|layer| layer.histogram.positions()).sum()
}

/// Bytes of memory for a layer and those it leads to.
fn verify_memory<G: ForbiddenMove>(opened: &Table<File>, game: &G, layer: u32) -> u64 {
    let before = game.base().layer_successors(layer).into_iter();
    let before = before.filter_map(|layer| opened.info().layers.get(layer as usize));
    before.fold(state_layer_bytes(opened, game, layer), |sum, layer| {
        sum.saturating_add(layer.ranks)
    })
}

/// How many states of a table win, by one of its histograms.
fn winning_states(
    info: &TableInfo,
    part: impl Fn(&hindsight_tablebase::StateCounts) -> &Histogram,
) -> u64 {
    let layers = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    let rows = layers.flat_map(|states| part(states).rows());
    rows.filter(|(value, _)| value.wdl() == Wdl::Win)
        .map(|(_, states)| states)
        .sum()
}

fn print_report<G: ForbiddenMove + Material + Notation>(
    call: &PuzzleRequest<'_>,
    game: &G,
    info: &TableInfo,
    sum: &BTreeMap<u16, SacrificeCounts>,
) -> Result<()> {
    let mut total = SacrificeCounts::default();
    sum.values().for_each(|counts| total.add(counts));
    let states = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    let report = SacrificeReport {
        game: game.spec(),
        theme: "sacrifice",
        scanned: ScanScope::all(table_positions(info)),
        states: states.map(|states| states.all.positions()).sum(),
        won: winning_states(info, |states| &states.all),
        won_not_at_once: winning_states(info, |states| &states.nontrivial),
        rows: sum
            .iter()
            .map(|(&plies, counts)| SacrificeRow::new(Some(plies), counts))
            .collect(),
        total: SacrificeRow::new(None, &total),
    };
    if call.context.json {
        return print_json(&report);
    }
    print(&report.text(game.sacrifice().unwrap_or("")))
}

impl SacrificeReport {
    fn text(&self, sacrifice: &str) -> String {
        let head = [
            "plies",
            "states",
            "only move",
            "only first",
            "only line",
            "positions",
            "quickest",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(self.rows.iter().map(SacrificeRow::cells));
        rows.push(self.total.cells());
        format!(
            "{}: states in which the player to move wins only by a sacrifice, {sacrifice}\n\n{}\n\
             states      every winning move is a sacrifice; a move leads to the state\n\
             only move   of these, those with one winning move\n\
             only first  those with one quickest winning move\n\
             only line   those with one quickest move at each of the winner's plies, whatever the slowest replies\n\
             positions   as states, with nothing forbidden, whether or not a move leads there\n\
             quickest    every quickest winning move is a sacrifice, others may win more slowly\n\n\
             Of {} states {} win, {} of them not at once. Those that win at once are none of these:\n\
             the move that ends the game is no sacrifice.\n",
            self.game,
            align_columns(&rows, "rrrrrrr"),
            with_commas(self.states),
            with_commas(self.won),
            with_commas(self.won_not_at_once),
        )
    }
}
