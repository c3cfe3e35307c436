//! Counts of puzzles by plies.

use anyhow::Result;
use hindsight_answers::report::TextTable;
use hindsight_answers::{PuzzleTallyAnswer, PuzzleTallyRow, ScannedPositions};
use hindsight_games::{AnyGame, PuzzleCounts, PuzzleTally, PuzzleTheme, Value};

use super::request::{PuzzleRequest, scope_text};
use crate::output::{fitted, print_json, print_text};
use crate::shown::sizes::with_commas;

fn row(remoteness: Option<u16>, counts: &PuzzleCounts) -> PuzzleTallyRow {
    PuzzleTallyRow {
        remoteness,
        puzzles: counts.positions,
        only_move: counts.only_move,
        only_first: counts.only_first,
        only_line: counts.only_line,
    }
}

/// Returns the cells of a text row; `label` stands for a missing remoteness.
fn cells(row: &PuzzleTallyRow, label: &str) -> Vec<String> {
    let plies = row.remoteness.map(|plies| plies.to_string());
    let counts = [row.puzzles, row.only_move, row.only_first, row.only_line];
    let plies = plies.unwrap_or(String::from(label));
    [plies].into_iter().chain(counts.map(with_commas)).collect()
}

pub(super) fn print_tally(
    request: &PuzzleRequest<'_>,
    game: &AnyGame,
    tally: &PuzzleTally,
    scanned: ScannedPositions,
) -> Result<()> {
    let answer = PuzzleTallyAnswer {
        game: game.spec().to_string(),
        theme: request.search.criteria.theme.map(PuzzleTheme::name),
        scanned,
        rows: tally.0.iter().map(|(&plies, counts)| row(plies, counts)).collect(),
        total: row(None, &tally.total()),
    };
    if request.context.json {
        return print_json(&answer);
    }
    let draw = Value::Draw.to_string();
    let mut table = TextTable::new("rrrrr");
    table.push(["plies", "all", "only move", "only first", "only line"]);
    for row in &answer.rows {
        table.push(cells(row, &draw));
    }
    table.push(cells(&answer.total, "all"));
    let theme = answer.theme.as_ref();
    let theme = theme.map_or(String::from("won positions"), |theme| format!("theme {theme}"));
    print_text(&format!(
        "{}: {theme}, by plies, and those with one solution ({})\n\n{}",
        answer.game,
        scope_text(&answer.scanned),
        fitted(&table)
    ))
}
