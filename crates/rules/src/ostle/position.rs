/// One ply: a piece of the side to move, or the hole, and a direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OstleMove(u8);

impl OstleMove {
    /// Creates a move from a square in a direction: up 0, down 1, left 2, right 3.
    #[inline]
    #[must_use]
    pub fn new(square: u8, direction: u8) -> Self {
        Self(square * 4 + direction)
    }

    /// The code `4 * square + direction`, in `0..100`. Algorithm 1 of the paper lists moves by
    /// ascending code.
    #[inline]
    #[must_use]
    pub fn code(self) -> u8 {
        self.0
    }

    /// Inverse of [`OstleMove::code`].
    #[inline]
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self(code)
    }

    /// Square from which the piece or the hole moves.
    #[inline]
    #[must_use]
    pub fn square(self) -> u8 {
        self.0 / 4
    }

    /// Direction: up 0, down 1, left 2, right 3.
    #[inline]
    #[must_use]
    pub fn direction(self) -> u8 {
        self.0 % 4
    }
}

/// Pieces, hole and side to move, without the move that rule 8 forbids. Bit `s` of a set is square
/// `s`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BasePosition {
    /// Pieces of the side to move.
    pub own: u32,
    /// Pieces of the other side.
    pub other: u32,
    /// Square of the hole.
    pub hole: u8,
    /// True if White is to move.
    pub white: bool,
}

impl BasePosition {
    /// Pieces of both sides.
    #[inline]
    #[must_use]
    pub fn pieces(self) -> u32 {
        self.own | self.other
    }

    /// Numbers of pieces of the side to move and of the other side.
    #[inline]
    #[must_use]
    pub fn counts(self) -> (u32, u32) {
        (self.own.count_ones(), self.other.count_ones())
    }
}

/// A [`BasePosition`] and the move that rule 8 forbids.
///
/// No move is forbidden at the start, after a move that removed a piece, or if no move leads back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OstlePosition {
    /// Pieces, hole and side to move.
    pub base: BasePosition,
    /// The move that would bring back the position of two plies before, or an image of it by
    /// [`Rule8::Paper`](super::Rule8::Paper). `None` if no move is forbidden.
    pub forbidden: Option<OstleMove>,
}
