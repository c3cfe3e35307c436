use hindsight_core::{DrawnPlace, MarkKind, PieceKind, PieceShape, SetupKinds};
use serde::Serialize;

/// Things that can be put into a picture from which a position is made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SetupAnswer {
    /// Kinds of pieces that can be on the board.
    pub pieces: Vec<PieceKindAnswer>,
    /// Kinds of special cells that can be moved, such as `hole`.
    pub marks: Vec<&'static str>,
    /// Most fences in the hands of players 0 and 1; null in games without.
    pub most_in_hand: Option<[u8; 2]>,
    /// True if the player to move is set; false if that follows from the board.
    pub has_turn: bool,
}

/// Kind of a piece.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PieceKindAnswer {
    /// Owner; null if nobody owns the piece.
    pub player: Option<usize>,
    /// Form: `pawn`, `leader`, `block`, `cross`, `ring`, `arrow` or `sign`.
    pub shape: &'static str,
    /// Step of an arrow: columns to the right and rows up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<(i8, i8)>,
    /// Character of a sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<char>,
}

/// Part of a picture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlaceAnswer {
    /// A cell of the board.
    Cell(String),
    /// Cards or fences in the hand of a player.
    Hand(usize),
    /// True for the cards that nobody holds.
    Aside(bool),
    /// The fence of a name.
    Fence(String),
    /// True for the player to move.
    Turn(bool),
}

impl SetupAnswer {
    /// Returns what can be put into a picture as an answer.
    #[must_use]
    pub fn new(kinds: &SetupKinds) -> Self {
        let pieces = kinds.pieces.iter().copied();
        let marks = kinds.marks.iter().copied();
        Self {
            pieces: pieces.map(PieceKindAnswer::new).collect(),
            marks: marks.map(mark_word).collect(),
            most_in_hand: kinds.most_in_hand,
            has_turn: kinds.has_turn,
        }
    }
}

impl PieceKindAnswer {
    /// Returns a kind as an answer.
    #[must_use]
    pub fn new(kind: PieceKind) -> Self {
        let (shape, step, sign) = match kind.shape {
            PieceShape::Pawn => ("pawn", None, None),
            PieceShape::Leader => ("leader", None, None),
            PieceShape::Block => ("block", None, None),
            PieceShape::Cross => ("cross", None, None),
            PieceShape::Ring => ("ring", None, None),
            PieceShape::Arrow(right, up) => ("arrow", Some((right, up)), None),
            PieceShape::Sign(sign) => ("sign", None, Some(sign)),
        };
        Self { player: kind.player, shape, step, sign }
    }
}

impl PlaceAnswer {
    /// Returns a place as an answer.
    #[must_use]
    pub fn new(place: &DrawnPlace) -> Self {
        match place {
            DrawnPlace::Cell(cell) => Self::Cell(cell.name()),
            DrawnPlace::Hand(player) => Self::Hand(*player),
            DrawnPlace::Aside => Self::Aside(true),
            DrawnPlace::Fence(name) => Self::Fence(name.clone()),
            DrawnPlace::Turn => Self::Turn(true),
        }
    }
}

/// Returns the word for a kind of special cells: `home` or `hole`.
#[must_use]
pub fn mark_word(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Home(_) => "home",
        MarkKind::Hole => "hole",
    }
}
