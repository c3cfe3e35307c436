//! Answer of `analyse` as text.

use hindsight_answers::report::TextTable;
use hindsight_answers::{AnalysisAnswer, MoveAnalysis};
use hindsight_games::Error;

use super::Subject;
use crate::context::Context;
use crate::inputs::knowledge::knowledge_text;
use crate::output::{columns, fitted};
use crate::shown::board_text::board_text;
use crate::shown::sizes::{counted, numbers_with_commas, with_commas};
use crate::shown::text::{above_board, end_text};

/// Columns between the columns of the moves.
const COLUMN_GAPS: usize = 6;

/// Returns the answer on a position as text.
pub(crate) fn analysis_text(
    answer: &AnalysisAnswer,
    subject: &Subject,
    context: &Context,
) -> Result<String, Error> {
    let board = board_text(&subject.game, &subject.position, "", context)?;
    let heading = above_board(&answer.position, &board);
    let below = text_below_diagram(answer, subject)?;
    Ok(format!("{heading}{below}"))
}

/// Returns the value and the moves as text.
pub(super) fn text_below_diagram(
    answer: &AnalysisAnswer,
    subject: &Subject,
) -> Result<String, Error> {
    let mut moves = TextTable::new("llll");
    let texts = answer.moves.iter().map(|row| knowledge_text(&row.known));
    let texts: Vec<String> = texts.collect();
    let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
    let names = widest(&mut answer.moves.iter().map(|row| row.r#move.chars().count()));
    let words = widest(&mut texts.iter().map(|text| text.chars().count()));
    let room = columns().saturating_sub(names + words + COLUMN_GAPS);
    for (row, text) in answer.moves.iter().zip(&texts) {
        moves.push(["", &row.r#move, text, &line_within(row, room)]);
    }
    let mut facts = vec![("seconds", format!("{:.2}", answer.seconds))];
    facts.push(("work", with_commas(answer.work)));
    for source in &answer.sources {
        facts.push(("source", numbers_with_commas(source)));
    }
    let (moves, facts) = (fitted(&moves), fitted(&TextTable::of_pairs(facts)));
    let outcome = outcome(answer, subject)?;
    Ok(format!("{outcome}.\n\n{moves}\n{facts}"))
}

/// Returns the value of the position as a sentence without its full stop.
fn outcome(answer: &AnalysisAnswer, subject: &Subject) -> Result<String, Error> {
    let (game, position, known) = (&subject.game, &subject.position, &answer.known);
    let (names, mover) = (game.player_names(), game.player_to_move(position)?);
    let [mover, other] = [names[mover], names[1 - mover]];
    let wins = |name: &str, plies: &str| format!("{name} wins{plies}; {mover} is to move");
    if let Some(wdl) = game.outcome(position)? {
        return Ok(end_text([mover, other], wdl));
    }
    let within = match (known.remoteness, &known.bound) {
        (Some(plies), _) => format!(" in {}", counted(plies, "ply")),
        (None, Some(bound)) => format!(" in at most {}", counted(bound.plies, "ply")),
        (None, None) => String::new(),
    };
    Ok(match (known.value, known.estimate) {
        (Some("win"), _) => wins(mover, &within),
        (Some("loss"), _) => wins(other, &within),
        (Some(_), _) => format!("Neither side can win: a draw; {mover} is to move"),
        (None, Some(estimate)) => {
            format!("Not proved; {mover} is to move, and the estimate is {estimate:+.2}")
        }
        (None, None) => format!("Not proved; {mover} is to move"),
    })
}

/// Returns the play after a move, cut off where it has no room.
fn line_within(row: &MoveAnalysis, room: usize) -> String {
    let mut text = String::new();
    for (ply, mv) in row.line.iter().enumerate().skip(1) {
        let is_last = ply + 1 == row.line.len();
        let needed = text.len() + 1 + mv.len() + if is_last { 0 } else { " ..".len() };
        if needed > room {
            text.push_str(if text.is_empty() { "" } else { " .." });
            break;
        }
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(mv);
    }
    text
}
