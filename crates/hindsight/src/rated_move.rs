//! Moves with the values of the positions to which they lead.

use hindsight_core::Answer;

use crate::any_value::{AnyMove, Position};

/// Move of a position, with its value for the side that makes it.
///
/// ```
/// use hindsight_games::{Method, Options};
///
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let position = game.parse("xx./oo./...")?;
/// let solved = game.solve(Method::Auto, &Options::default())?;
/// let worst = solved.rated_moves(&position)?.pop().expect("a move");
/// assert_eq!(worst.answer.to_string(), "loss in 2 plies");
/// assert_eq!(solved.probe(&worst.to)?, solved.rated_moves(&worst.to)?[0].answer);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyRatedMove {
    /// The move.
    pub mv: AnyMove,
    /// Position after the move.
    pub to: Position,
    /// Value of the move for the side that makes it.
    pub answer: Answer,
}
