use alloc::vec::Vec;

use crate::Ranked;

/// A position is an arrangement of one side, an arrangement of the other, a context and a side to move;
/// a move rearranges the side that makes it and changes the context: unlocks a solver that works on
/// planes of bits, hundreds of positions an instruction.
///
/// A side is a *leader* and some *followers* on squares of a board. A piece that moves to a square of the
/// other side captures what is there; pieces are never in each other's way. A side wins by capturing
/// the other's leader, or with its own leader on its goal. A side that cannot move changes the context
/// alone, in any of the ways its moves would.
pub trait TwoSided: Ranked {
    /// How the pieces move.
    fn two_sided_rules(&self) -> TwoSidedRules;

    /// The pieces of a position; `None` where the game is over.
    fn placement(&self, position: Self::Position) -> Option<Placement>;

    /// The position of these pieces: what [`Arrangements::arranged`] takes apart. They must be on different
    /// squares of the board, no leader on its goal.
    fn position_of(&self, arranged: Placement) -> Self::Position;
}

/// A position of a game with [`Arrangements`], piece by piece. Sides are numbered 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The side to move.
    pub mover: usize,
    /// The squares of the followers of each side, a bit each.
    pub followers: [u32; 2],
    /// The square of the leader of each side.
    pub leaders: [u8; 2],
    /// The number of the context.
    pub context: u16,
}

/// How the pieces of a game with [`Arrangements`] move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwoSidedRules {
    /// How many squares there are, at most 32.
    pub squares: u8,
    /// The most followers of a side. Every number of each side up to this one occurs.
    pub max_followers: u8,
    /// For each context the kind of move that led to it.
    pub kind_into: Vec<u8>,
    /// For each side and context the contexts that its moves lead to, each by moves of the kind that
    /// `made_by` tells.
    pub next_contexts: [Vec<Vec<u16>>; 2],
    /// For each side, kind of move and square the squares that a piece goes to, as a set. A side's own
    /// pieces bar the way to their squares, but not a piece to its own.
    pub targets: [Vec<Vec<u32>>; 2],
    /// The square where the leader of each side wins.
    pub goals: [u8; 2],
    /// For each context the one with the sides exchanged. If the order of the squares is reversed and
    /// the sides are exchanged, a position keeps its value for the side to move.
    pub exchanged_contexts: Vec<u16>,
    /// If a position also keeps its value in a mirror.
    pub mirror: Option<TwoSidedMirror>,
}

/// Left and right exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwoSidedMirror {
    /// Squares of a row of the board, which are numbered one after the other. Odd: the goals are their own
    /// images.
    pub width: u8,
    /// The image of each context.
    pub contexts: Vec<u16>,
}
