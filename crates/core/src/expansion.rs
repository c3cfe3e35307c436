//! Many positions expanded by one call.

use alloc::vec::Vec;

use crate::{Value, Wdl};

/// Successors of some positions, as [`Game::expand`](crate::Game::expand) appends them.
#[derive(Clone, Debug)]
pub struct Expansion<P> {
    /// Canonical members of the successors, those of the first position first.
    pub successors: Vec<P>,
    /// The positions that were expanded, in their order.
    pub positions: Vec<ExpandedPosition>,
}

impl<P> Default for Expansion<P> {
    fn default() -> Self {
        Self { successors: Vec::new(), positions: Vec::new() }
    }
}

/// One position of an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpandedPosition {
    /// The value of a terminal position, or of one that a move wins at once; else `None`.
    pub value: Option<Value>,
    /// Number of successors; 0 only for a terminal position.
    pub successors: u32,
}

/// First look at a position, without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The game is over.
    Over(Wdl),
    /// The count of [`Heuristics::safe_move_count`](crate::Heuristics::safe_move_count), or of a
    /// game from outside the number of moves.
    SafeMoves(u32),
    /// The estimate of [`Heuristics::evaluate`](crate::Heuristics::evaluate).
    Estimate(i32),
    /// The game goes on.
    Open,
}
