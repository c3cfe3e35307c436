//! The command `probe`: the value of a position and of each of its moves.

use anyhow::Result;
use hindsight_core::{Answer, Value};
use hindsight_games::{AnyGame, AnyRatedMove, Error, Position};
use hindsight_report::TextTable;
use serde::Serialize;

use crate::args::ProbeArgs;
use crate::context::Context;
use crate::errors::game_error;
use crate::game_with_values::values_at;
use crate::output::{fitted, print_json, print_text};
use crate::text::above_diagram;

/// The JSON report of `probe`.
#[derive(Serialize)]
struct ProbeReport {
    position: String,
    value: String,
    remoteness: Option<u16>,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    r#move: String,
    value: String,
    remoteness: Option<u16>,
    #[serde(skip)]
    text: String,
}

pub(crate) fn run(args: &ProbeArgs, context: &Context) -> Result<()> {
    let (values, position) = values_at(&args.spec, args.position.as_deref(), context)?;
    let answer = values.probe(&position).map_err(game_error)?;
    let game = values.game();
    let value = known(game, &position, answer)?;
    let rated = values.rated_moves(&position).map_err(game_error)?;
    let row = |rated: &AnyRatedMove| -> Result<MoveRow, Error> {
        let value = known(game, &rated.next, rated.value)?;
        Ok(MoveRow {
            r#move: game.format_move(&position, &rated.mv)?,
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            text: value.to_string(),
        })
    };
    let report = ProbeReport {
        position: game.format(&position)?,
        value: value.wdl().to_string(),
        remoteness: value.remoteness(),
        moves: rated.iter().map(row).collect::<Result<_, _>>()?,
    };
    if context.json {
        return print_json(&report);
    }
    print_text(&probe_text(game, &position, value, &report)?)
}

/// Returns the value of a position or of the move to it.
///
/// # Errors
/// [`Error::Unknown`] if the answer is no value with its remoteness.
fn known(game: &AnyGame, position: &Position, answer: Answer) -> Result<Value, Error> {
    match answer.exact() {
        Some(value) => Ok(value),
        None => Err(Error::Unknown {
            position: game.format(position)?,
        }),
    }
}

/// Returns the answer of `probe` as text: the position, its value, and a line for each move.
fn probe_text(
    game: &AnyGame,
    position: &Position,
    value: Value,
    report: &ProbeReport,
) -> Result<String, Error> {
    let mover = game.player_names()[game.player_to_move(position)?];
    let mut text = above_diagram(&report.position, &game.diagram(position)?);
    match value.remoteness() {
        Some(0) => text.push_str(&format!(
            "The game is over: a {} for {mover}.\n",
            value.wdl()
        )),
        _ => text.push_str(&format!("{mover} to move: {value}.\n\n")),
    }
    let mut moves = TextTable::new("lll");
    for row in &report.moves {
        moves.push(["", &row.r#move, &row.text]);
    }
    Ok(text + &fitted(&moves))
}
