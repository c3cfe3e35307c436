use hindsight_core::{BoardCell, DrawnMove};
use serde::Serialize;

use crate::pictures::drawing::FenceAnswer;

/// A move as a change of the picture. Cells are those before the move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DrawnMoveAnswer {
    /// Cell of the piece or hole that moves; null if none does.
    pub from: Option<String>,
    /// Cell to which it goes, or on which a new piece is put; null if it leaves the board, and
    /// without a piece.
    pub to: Option<String>,
    /// Step of a piece that leaves the board by moving: columns to the right and rows up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<(i8, i8)>,
    /// Fence that is built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fence: Option<FenceAnswer>,
    /// Name of the card that is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Cells of the pieces that are pushed, the nearest first.
    pub pushed: Vec<String>,
    /// Cells of the pieces that are no longer on the board after the move.
    pub removed: Vec<String>,
}

impl DrawnMoveAnswer {
    /// Returns a drawn move as an answer.
    #[must_use]
    pub fn new(drawn: &DrawnMove) -> Self {
        let names = |cells: &[BoardCell]| cells.iter().map(|cell| cell.name()).collect();
        Self {
            from: drawn.from.map(BoardCell::name),
            to: drawn.to.map(BoardCell::name),
            leaves: drawn.leaves,
            fence: drawn.fence.as_ref().map(FenceAnswer::new),
            card: drawn.card.clone(),
            pushed: names(&drawn.pushed),
            removed: names(&drawn.removed),
        }
    }
}
