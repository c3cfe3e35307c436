//! Moves with the values of the positions to which they lead.

use hindsight_core::{Answer, RatedMove};

use super::any_value::{AnyMove, Position};

/// Move of a position, with its value for the side that makes it.
///
/// ```
/// use hindsight_games::{AnyRatedMove, Method, Options};
///
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let position = game.parse("xx./oo./...")?;
/// let solved = game.solve(Method::Auto, &Options::default())?;
/// let worst: AnyRatedMove = solved.rated_moves(&position)?.pop().expect("a move");
/// assert_eq!(worst.value.to_string(), "loss in 2 plies");
/// assert_eq!(solved.probe(&worst.next)?, solved.rated_moves(&worst.next)?[0].value);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub type AnyRatedMove = RatedMove<Answer, Position, AnyMove>;
