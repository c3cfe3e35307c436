//! The command `line`: shows a line of best play.

use anyhow::Result;
use hindsight_answers::LineAnswer;
use hindsight_answers::report::unbroken;
use hindsight_games::Error;

use crate::args::LineArgs;
use crate::context::Context;
use crate::inputs::game_with_values::values_at;
use crate::output::{print_json, print_text};
use crate::shown::board_text::board_text;
use crate::shown::text::{PlyText, above_board, outcome_text, plies_text};

pub(crate) fn run(args: &LineArgs, context: &Context) -> Result<()> {
    let (values, position) = values_at(&args.position, context)?;
    let game = values.game();
    let line = values.line(&position)?;
    let answer = values.probe(&position)?;
    let value = answer.exact().ok_or(Error::Inconsistent)?;
    let answer = LineAnswer::new(game, &position, value, &line)?;
    if context.json {
        return print_json(&answer);
    }
    let moves =
        answer.line.iter().map(|ply| PlyText { mv: ply.r#move.clone(), equal: ply.equally_good });
    let last = answer.line.last().map_or("", |ply| &ply.r#move);
    let (names, mover) = (game.player_names(), game.player_to_move(&position)?);
    print_text(&format!(
        "{}{}.\n\n{}\nThen stands\n\n{}\n",
        above_board(&answer.position, &board_text(game, &position, "", context)?),
        outcome_text([names[mover], names[1 - mover]], value),
        plies_text(&moves.collect::<Vec<_>>(), line.repeats),
        unbroken(&board_text(game, &line.end, last, context)?)
    ))
}
