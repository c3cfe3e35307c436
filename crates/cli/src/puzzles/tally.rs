//! Counts of puzzles by plies.

use anyhow::Result;
use hindsight_answers::ScannedPositions;
use hindsight_games::{AnyGame, PuzzleTheme, Value};
use hindsight_puzzles::{PuzzleCounts, PuzzleTally};
use hindsight_report::TextTable;
use serde::Serialize;

use super::request::{PuzzleRequest, scope_text};
use crate::output::{fitted, print_json, print_text};
use crate::sizes::with_commas;

/// The JSON report of `puzzles --tally`.
#[derive(Serialize)]
struct PuzzleTallyReport {
    game: String,
    theme: Option<&'static str>,
    scanned: ScannedPositions,
    rows: Vec<PuzzleTallyRow>,
    total: PuzzleTallyRow,
}

/// Counts of the puzzles of one length.
#[derive(Serialize)]
struct PuzzleTallyRow {
    /// Null for draws, and in the total.
    remoteness: Option<u16>,
    puzzles: u64,
    only_move: u64,
    only_first: u64,
    only_line: u64,
}

impl PuzzleTallyRow {
    fn new(remoteness: Option<u16>, counts: &PuzzleCounts) -> Self {
        Self {
            remoteness,
            puzzles: counts.positions,
            only_move: counts.only_move,
            only_first: counts.only_first,
            only_line: counts.only_line,
        }
    }

    /// Returns the cells of a text row; `label` stands for a missing remoteness.
    fn cells(&self, label: &str) -> Vec<String> {
        let plies = self.remoteness.map(|plies| plies.to_string());
        let counts = [self.puzzles, self.only_move, self.only_first, self.only_line];
        let plies = plies.unwrap_or(String::from(label));
        [plies].into_iter().chain(counts.map(with_commas)).collect()
    }
}

/// Prints the counts.
pub(super) fn print_tally(
    request: &PuzzleRequest<'_>,
    game: &AnyGame,
    tally: &PuzzleTally,
    scanned: ScannedPositions,
) -> Result<()> {
    let report = PuzzleTallyReport {
        game: game.spec().to_string(),
        theme: request.search.criteria.theme.map(PuzzleTheme::name),
        scanned,
        rows: tally.0.iter().map(|(&plies, counts)| PuzzleTallyRow::new(plies, counts)).collect(),
        total: PuzzleTallyRow::new(None, &tally.total()),
    };
    if request.context.json {
        return print_json(&report);
    }
    let draw = Value::Draw.to_string();
    let mut table = TextTable::new("rrrrr");
    table.push(["plies", "all", "only move", "only first", "only line"]);
    for row in &report.rows {
        table.push(row.cells(&draw));
    }
    table.push(report.total.cells("all"));
    let theme = report.theme.as_ref();
    let theme = theme.map_or(String::from("won positions"), |theme| format!("theme {theme}"));
    print_text(&format!(
        "{}: {theme}, by plies, and those with one solution ({})\n\n{}",
        report.game,
        scope_text(&report.scanned),
        fitted(&table)
    ))
}
