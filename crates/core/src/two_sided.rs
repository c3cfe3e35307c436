use alloc::vec::Vec;
use core::ops::Range;

use crate::Ranked;

/// Game of two sides with one leader each, such as Onitama.
///
/// The trait unlocks the solver on bit planes, which treats hundreds of positions in one
/// instruction.
///
/// * A side has a **leader** and some **followers**, each on its own square of the board.
/// * A position consists of both sides' squares, the side to move and a **context**, which decides
///   which moves are possible. In Onitama the context is the deal of the cards.
/// * A move takes one piece of the mover to a square without another piece of the mover, and
///   changes the context. A piece of the other side on the target square is captured. Pieces jump:
///   no piece is ever in another's way.
/// * A side wins by capturing the other leader, or when its own leader reaches its goal.
/// * A side that cannot move passes. A pass leads to any context in `next_contexts`.
pub trait TwoSided: Ranked {
    /// Returns the rules as tables.
    fn two_sided_rules(&self) -> TwoSidedRules;

    /// Returns pieces, side to move and context of a position; `None` if the game is over.
    fn placement(&self, position: Self::Position) -> Option<Placement>;

    /// Returns the position of these pieces. Inverse of [`TwoSided::placement`].
    ///
    /// The pieces must be on different squares of the board, and no leader on its goal.
    fn position_of(&self, placement: Placement) -> Self::Position;

    /// Returns a tier and a range of its ranks that has every position with side 0 to move in which
    /// side 0 has these followers and this leader, and side 1 has `other` followers.
    fn ranks_beside(&self, followers: u32, leader: u8, other: u32) -> (u64, Range<u64>);
}

/// Position of a [`TwoSided`] game, piece by piece. Arrays are indexed by side, 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Side to move, 0 or 1.
    pub mover: usize,
    /// `followers[side]`: set of the followers' squares; bit `s` is square `s`.
    pub followers: [u32; 2],
    /// `leaders[side]`: square of the leader.
    pub leaders: [u8; 2],
    /// Number of the context.
    pub context: u16,
}

/// Rules of a [`TwoSided`] game as tables.
///
/// Sides are 0 and 1, squares `0..squares`, contexts `0..kind_into.len()`. Sets of squares have bit
/// `s` for square `s`. Each move has a **kind**, in Onitama the card that is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwoSidedRules {
    /// Number of squares, at most 32.
    pub squares: u8,
    /// Greatest number of followers of a side. Each smaller number occurs as well.
    pub max_followers: u8,
    /// `kind_into[context]`: kind of the moves that lead into a context.
    pub kind_into: Vec<u8>,
    /// `next_contexts[side][context]`: contexts into which a side can move. The context `next` is
    /// reached by moves of kind `kind_into[next]`.
    pub next_contexts: [Vec<Vec<u16>>; 2],
    /// `targets[side][kind][square]`: set of squares to which a piece moves, before the squares of
    /// the side's other pieces are removed. A piece may have its own square as target.
    pub targets: [Vec<Vec<u32>>; 2],
    /// `goals[side]`: square on which the side's leader wins.
    pub goals: [u8; 2],
    /// `exchanged_contexts[context]`: image of a context when the sides are exchanged.
    ///
    /// Invariant: a position keeps its value for the side to move if the sides are exchanged and
    /// each square `s` becomes `squares - 1 - s`.
    pub exchanged_contexts: Vec<u16>,
    /// Reflection that keeps the value of each position; `None` if there is none.
    pub mirror: Option<TwoSidedMirror>,
}

/// Reflection of a [`TwoSided`] game that exchanges left and right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwoSidedMirror {
    /// Squares in a row of the board, numbered consecutively from the left. Odd, so that each goal
    /// is its own image.
    pub width: u8,
    /// `contexts[context]`: image of a context.
    pub contexts: Vec<u16>,
}
