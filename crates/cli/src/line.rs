//! The command `line`: shows a line of best play.

use anyhow::Result;
use hindsight_games::{AnyMove, Error, LinePly as GameLinePly, Position};
use hindsight_report::unbroken;
use serde::Serialize;

use crate::args::LineArgs;
use crate::board_text::board_text;
use crate::context::Context;
use crate::errors::game_error;
use crate::game_with_values::values_at;
use crate::output::{print_json, print_text};
use crate::text::{PlyText, above_board, outcome_text, plies_text};

/// The JSON report of `line`.
#[derive(Serialize)]
struct LineReport {
    game: String,
    position: String,
    value: String,
    remoteness: Option<u16>,
    line: Vec<LinePly>,
    end: String,
    /// Ply (from 1) before which the final position occurred already, in a draw by endless play.
    repeats: Option<usize>,
}

/// One ply of the line.
#[derive(Serialize)]
struct LinePly {
    position: String,
    r#move: String,
    /// Number of moves that are as good as this one, itself included.
    equally_good: usize,
}

pub(crate) fn run(args: &LineArgs, context: &Context) -> Result<()> {
    let (values, position) = values_at(&args.position, context)?;
    let game = values.game();
    let line = values.line(&position).map_err(game_error)?;
    let answer = values.probe(&position).map_err(game_error)?;
    let value = answer.exact().ok_or(Error::Inconsistent)?;
    let ply = |ply: &GameLinePly<Position, AnyMove>| -> Result<LinePly, Error> {
        Ok(LinePly {
            position: game.format(&ply.position)?,
            r#move: game.format_move(&ply.position, &ply.mv)?,
            equally_good: ply.equal,
        })
    };
    let report = LineReport {
        game: game.spec().to_string(),
        position: game.format(&position)?,
        value: value.wdl().to_string(),
        remoteness: value.remoteness(),
        line: line.plies.iter().map(ply).collect::<Result<_, _>>()?,
        end: game.format(&line.end)?,
        repeats: line.repeats.map(|ply| ply + 1),
    };
    if context.json {
        return print_json(&report);
    }
    let moves = report.line.iter().map(|ply| PlyText {
        mv: ply.r#move.clone(),
        equal: ply.equally_good,
    });
    let last = report.line.last().map_or("", |ply| &ply.r#move);
    let (names, mover) = (game.player_names(), game.player_to_move(&position)?);
    print_text(&format!(
        "{}{}.\n\n{}\nThen stands\n\n{}\n",
        above_board(&report.position, &board_text(game, &position, "", context)?),
        outcome_text([names[mover], names[1 - mover]], value),
        plies_text(&moves.collect::<Vec<_>>(), line.repeats),
        unbroken(&board_text(game, &line.end, last, context)?)
    ))
}
