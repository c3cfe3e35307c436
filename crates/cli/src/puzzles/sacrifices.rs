//! Puzzles of the theme `sacrifice` in a table of states: every winning move gives up a piece.

use anyhow::Result;
use hindsight_answers::report::TextTable;
use hindsight_answers::{SacrificeRow, SacrificesAnswer, ScannedPositions};
use hindsight_core::{Game, Material};
use hindsight_games::{
    Histogram, SacrificeCounts, SacrificeTally, StateHistograms, Summary, TableInfo, Tablebase,
};

use super::request::PuzzleRequest;
use crate::output::{fitted, print_json, print_text};
use crate::shown::sizes::with_commas;

fn row(remoteness: Option<u16>, counts: &SacrificeCounts) -> SacrificeRow {
    SacrificeRow {
        remoteness,
        puzzles: counts.states,
        only_move: counts.only_move,
        only_first: counts.only_first,
        only_line: counts.only_line,
        positions: counts.positions,
        quickest: counts.quickest,
    }
}

fn cells(row: &SacrificeRow) -> Vec<String> {
    let plies = row.remoteness.map(|plies| plies.to_string());
    let counts =
        [row.puzzles, row.only_move, row.only_first, row.only_line, row.positions, row.quickest];
    let plies = plies.unwrap_or(String::from("all"));
    [plies].into_iter().chain(counts.map(with_commas)).collect()
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
    let answer = SacrificesAnswer {
        game: game.spec().to_string(),
        theme: "sacrifice",
        scanned,
        states: states.map(|states| states.all.positions()).sum(),
        won: winning_states(info, |states| &states.all),
        won_not_at_once: winning_states(info, |states| &states.nontrivial),
        rows: tally.iter().map(|(plies, counts)| row(Some(**plies), counts)).collect(),
        total: row(None, &total),
    };
    if request.context.json {
        return print_json(&answer);
    }
    let sacrifice = game.rules().material().map_or("", Material::describe_sacrifice);
    print_text(&text(&answer, sacrifice))
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

fn text(answer: &SacrificesAnswer, sacrifice: &str) -> String {
    let mut table = TextTable::new("rrrrrrr");
    table.push(HEADINGS);
    for row in answer.rows.iter().chain([&answer.total]) {
        table.push(cells(row));
    }
    format!(
        "{}: states in which the player to move wins only by a sacrifice, {sacrifice}\n\n\
         {}\n{}\n\
         Of {} states {} win, {} of them not at once. \
         Those that win at once are none of these: \
         the move that ends the game is no sacrifice.\n",
        answer.game,
        fitted(&table),
        fitted(&heading_notes()),
        with_commas(answer.states),
        with_commas(answer.won),
        with_commas(answer.won_not_at_once)
    )
}
