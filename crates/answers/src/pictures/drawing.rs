use hindsight_core::{Drawing, MarkKind};
use hindsight_core::{DrawnCard, DrawnFence, DrawnMark, DrawnPiece, DrawnSeat};
use serde::Serialize;

use crate::pictures::drawn_setup::{PieceKindAnswer, mark_word};

/// Picture of a position as data. Cells have names, such as `b3`; players are 0 and 1.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardAnswer {
    /// Number of columns; the first is `a`, at the left.
    pub columns: u8,
    /// Number of rows; the first is 1, at the bottom.
    pub rows: u8,
    /// Pieces on the board.
    pub pieces: Vec<PieceAnswer>,
    /// Special cells.
    pub marks: Vec<MarkAnswer>,
    /// Fences on the board.
    pub fences: Vec<FenceAnswer>,
    /// True if fences can stand between the cells.
    pub has_fences: bool,
    /// Players 0 and 1.
    pub seats: [SeatAnswer; 2],
    /// Cards that nobody holds.
    pub cards_aside: Vec<CardAnswer>,
    /// Player to move; null if the game is over.
    pub player_to_move: Option<usize>,
    /// Words below the board; empty for none.
    pub note: String,
}

/// A piece.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PieceAnswer {
    /// Place of the piece.
    pub cell: String,
    /// Owner and form.
    #[serde(flatten)]
    pub kind: PieceKindAnswer,
}

/// A special cell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MarkAnswer {
    /// Place of the mark.
    pub cell: String,
    /// Kind: `home` or `hole`.
    pub kind: &'static str,
    /// Player whose home it is; null for holes.
    pub player: Option<usize>,
}

/// A fence of two cells' length.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FenceAnswer {
    /// Name of the fence in the texts of moves.
    pub name: String,
    /// Cell south-west of the middle of the fence.
    pub cell: String,
    /// True for a fence between columns, false for one between rows.
    pub is_vertical: bool,
}

/// A player beside the board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatAnswer {
    /// Name of the player.
    pub name: String,
    /// True if the player sits at the top of the board.
    pub is_at_top: bool,
    /// True if the pieces of the player are dark.
    pub is_dark: bool,
    /// Cards of the player.
    pub cards: Vec<CardAnswer>,
    /// Words for what the player has in hand; empty for nothing.
    pub stock: String,
    /// Number of fences that the player has in hand; null in games without.
    pub in_hand: Option<u8>,
}

/// A card with moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CardAnswer {
    /// Name of the card.
    pub name: String,
    /// Steps to the right and forward, as the holder sees them.
    pub steps: Vec<(i8, i8)>,
}

impl BoardAnswer {
    /// Returns a drawing as an answer. The board is not turned, whatever the drawing says.
    #[must_use]
    pub fn new(drawing: &Drawing) -> Self {
        Self {
            columns: drawing.columns,
            rows: drawing.rows,
            pieces: drawing.pieces.iter().map(PieceAnswer::new).collect(),
            marks: drawing.marks.iter().map(MarkAnswer::new).collect(),
            fences: drawing.fences.iter().map(FenceAnswer::new).collect(),
            has_fences: drawing.has_fences,
            seats: [0, 1].map(|player| SeatAnswer::new(&drawing.seats[player])),
            cards_aside: drawing.cards_aside.iter().map(CardAnswer::new).collect(),
            player_to_move: drawing.player_to_move,
            note: drawing.note.clone(),
        }
    }
}

impl PieceAnswer {
    fn new(piece: &DrawnPiece) -> Self {
        Self { cell: piece.cell.name(), kind: PieceKindAnswer::new(piece.kind()) }
    }
}

impl MarkAnswer {
    fn new(mark: &DrawnMark) -> Self {
        let player = match mark.kind {
            MarkKind::Home(player) => Some(player),
            MarkKind::Hole => None,
        };
        Self { cell: mark.cell.name(), kind: mark_word(mark.kind), player }
    }
}

impl FenceAnswer {
    pub(crate) fn new(fence: &DrawnFence) -> Self {
        Self { name: fence.name.clone(), cell: fence.cell.name(), is_vertical: fence.is_vertical }
    }
}

impl SeatAnswer {
    fn new(seat: &DrawnSeat) -> Self {
        Self {
            name: seat.name.clone(),
            is_at_top: seat.is_at_top,
            is_dark: seat.is_dark,
            cards: seat.cards.iter().map(CardAnswer::new).collect(),
            stock: seat.stock.clone(),
            in_hand: seat.in_hand,
        }
    }
}

impl CardAnswer {
    fn new(card: &DrawnCard) -> Self {
        Self { name: card.name.clone(), steps: card.steps.clone() }
    }
}
