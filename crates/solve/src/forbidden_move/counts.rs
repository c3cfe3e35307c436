//! Positions and states by value.

use hindsight_core::Value;
use hindsight_engine::{FinishedTier, Histogram};

/// Result of a solve of every state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForbiddenMoveSolution {
    /// Value of the start.
    pub start: Value,
    /// Positions of the base game by their value with nothing forbidden, immediate wins included.
    pub positions: Histogram,
    /// States that some move leads to, by value, immediate wins included.
    pub states: Histogram,
    /// Same as `states`, without positions that are won by a move that ends the game.
    pub nontrivial: Histogram,
}

impl ForbiddenMoveSolution {
    pub(super) fn add(&mut self, tier: &FinishedTier) {
        self.start = tier.start.unwrap_or(self.start);
        self.positions.merge(&tier.positions);
        self.states.merge(&tier.states.all);
        self.nontrivial.merge(&tier.states.nontrivial);
    }
}
