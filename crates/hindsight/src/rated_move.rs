//! Moves with the values of the positions to which they lead.

use hindsight_core::Answer;

use crate::any_value::{AnyMove, Position};

/// Move of a position, with its value for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyRatedMove {
    /// The move.
    pub mv: AnyMove,
    /// Position after the move.
    pub to: Position,
    /// Value of the move for the side that makes it.
    pub answer: Answer,
}
