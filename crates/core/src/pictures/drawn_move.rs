use alloc::string::String;
use alloc::vec::Vec;

use crate::{BoardCell, DrawnFence};

/// Move as a change of the picture of its position.
///
/// Cells are those before the move. All that the move does not name stays as it is.
///
/// # Laws
/// `hindsight_testkit::check_notation` makes these changes on the picture before the move, and
/// compares it with the picture after it:
///
/// * The pieces on `removed` leave the board, those on `pushed` go the step that the mover goes.
/// * What stands on `from`, a piece or else the hole, goes to `to`. A piece that leaves the board
///   is on `removed`, and `leaves` is its step.
/// * Without `from`, the mover puts a new piece on `to`.
/// * The mover takes the fence out of the hand, and exchanges the card for the one aside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnMove {
    /// Cell of the piece or hole that moves; `None` if none does.
    pub from: Option<BoardCell>,
    /// Cell to which it goes, or on which a new piece is put; `None` if it leaves the board, and
    /// without a piece.
    pub to: Option<BoardCell>,
    /// Step of a piece that leaves the board by moving: columns to the right and rows up.
    pub leaves: Option<(i8, i8)>,
    /// Fence that is built.
    pub fence: Option<DrawnFence>,
    /// Name of the card that is used.
    pub card: Option<String>,
    /// Cells of the pieces that are pushed, the nearest first.
    pub pushed: Vec<BoardCell>,
    /// Cells of the pieces that are no longer on the board after the move.
    pub removed: Vec<BoardCell>,
}
