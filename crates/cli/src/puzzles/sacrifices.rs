//! Puzzles of the theme `sacrifice` in a table of states: every winning move gives up a piece.

use anyhow::Result;
use hindsight_answers::ScannedPositions;
use hindsight_core::{Game, Material};
use hindsight_games::{Histogram, SacrificeTally, StateHistograms, Summary, TableInfo, Tablebase};
use hindsight_puzzles::SacrificeCounts;
use hindsight_report::TextTable;
use serde::Serialize;

use super::request::PuzzleRequest;
use crate::output::{fitted, print_json, print_text};
use crate::sizes::with_commas;

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

/// Returns the number of winning states by one of the table's histograms.
fn winning_states(info: &TableInfo, histogram: impl Fn(&StateHistograms) -> &Histogram) -> u64 {
    let layers = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    layers.map(|states| Summary::of(histogram(states)).wins).sum()
}

/// Prints the counts of all states that only a sacrifice wins.
pub(super) fn print_tally(
    request: &PuzzleRequest<'_>,
    table: &Tablebase,
    tally: &SacrificeTally,
    scanned: ScannedPositions,
) -> Result<()> {
    let (game, info) = (table.game(), table.info());
    let tally = tally.iter().filter(|(plies, _)| request.search.criteria.plies.contains(plies));
    let tally: Vec<_> = tally.collect();
    let mut total = SacrificeCounts::default();
    tally.iter().for_each(|(_, counts)| total.add(counts));
    let states = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    let report = SacrificeReport {
        game: game.spec().to_string(),
        theme: "sacrifice",
        scanned,
        states: states.map(|states| states.all.positions()).sum(),
        won: winning_states(info, |states| &states.all),
        won_not_at_once: winning_states(info, |states| &states.nontrivial),
        rows: tally
            .iter()
            .map(|(plies, counts)| SacrificeRow::new(Some(**plies), counts))
            .collect(),
        total: SacrificeRow::new(None, &total),
    };
    if request.context.json {
        return print_json(&report);
    }
    let sacrifice = game.rules().material().map_or("", Material::describe_sacrifice);
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
