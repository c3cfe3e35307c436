//! Boards as text: pictures on a terminal that can show them, plain diagrams elsewhere.

use hindsight_core::Drawing;
use hindsight_draw::{TerminalStyle, terminal};
use hindsight_games::{AnyGame, Error, Position};

use crate::context::Context;
use crate::output::picture_columns;
use crate::shown::board_form::BoardForm;

/// Returns the board of a position in several lines, without a line break at the end.
///
/// `last_move` is the text of the move that led to the position, empty for none; a picture marks
/// its squares.
pub(crate) fn board_text(
    game: &AnyGame,
    position: &Position,
    last_move: &str,
    context: &Context,
) -> Result<String, Error> {
    let picture = match context.boards {
        BoardForm::Diagram => None,
        BoardForm::Picture { has_colors } => {
            picture(&game.drawing(position)?, last_move, has_colors)
        }
    };
    picture.map_or_else(|| game.diagram(position), Ok)
}

/// As [`board_text`], seen from the other side; `None` where boards are plain diagrams.
pub(crate) fn turned_board_text(
    game: &AnyGame,
    position: &Position,
    last_move: &str,
    context: &Context,
) -> Result<Option<String>, Error> {
    Ok(match context.boards {
        BoardForm::Diagram => None,
        BoardForm::Picture { has_colors } => {
            picture(&game.drawing(position)?.turned(), last_move, has_colors)
        }
    })
}

/// Returns a picture that fits standard output; `None` if the board is too wide.
fn picture(drawing: &Drawing, last_move: &str, has_colors: bool) -> Option<String> {
    let style = TerminalStyle { has_colors, columns: picture_columns() };
    terminal(drawing, last_move, style)
}
