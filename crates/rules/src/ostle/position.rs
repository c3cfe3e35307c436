/// One ply: a piece of the side to move, or the hole, and a direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OstleMove(u8);

impl OstleMove {
    /// From a square in a direction: up 0, down 1, left 2, right 3.
    #[inline]
    #[must_use]
    pub fn new(square: u8, direction: u8) -> Self {
        Self(square * 4 + direction)
    }

    /// Four times the square, and the direction; less than 100. Ascending codes are the order of
    /// Algorithm 1.
    #[inline]
    #[must_use]
    pub fn code(self) -> u8 {
        self.0
    }

    /// The move of a code.
    #[inline]
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self(code)
    }

    /// The square of the piece or of the hole that moves.
    #[inline]
    #[must_use]
    pub fn square(self) -> u8 {
        self.0 / 4
    }

    /// Up 0, down 1, left 2, right 3.
    #[inline]
    #[must_use]
    pub fn direction(self) -> u8 {
        self.0 % 4
    }
}

/// Where everything is and whose turn it is, without the move that rule 8 forbids. Bit `s` of a set of
/// pieces is square `s`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BasePosition {
    /// The pieces of the side to move.
    pub own: u32,
    /// The pieces of the other side.
    pub other: u32,
    /// The square of the hole.
    pub hole: u8,
    /// Whether White is to move.
    pub white: bool,
}

impl BasePosition {
    /// The pieces of both sides.
    #[inline]
    #[must_use]
    pub fn pieces(self) -> u32 {
        self.own | self.other
    }

    /// How many pieces the side to move has, and the other side.
    #[inline]
    #[must_use]
    pub fn counts(self) -> (u32, u32) {
        (self.own.count_ones(), self.other.count_ones())
    }
}

/// What a player sees, and the move that rule 8 forbids. No move is forbidden at the start, after one
/// that removed a piece, or where none leads back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OstlePosition {
    /// Where everything is and whose turn it is.
    pub base: BasePosition,
    /// The move that would bring back the position of two plies before.
    pub forbidden: Option<OstleMove>,
}
