//! Positions and states by value.

use hindsight_core::Value;
use hindsight_run::Histogram;

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
    pub(super) fn add(&mut self, counts: &ForbiddenMoveCounts) {
        self.positions.merge(&counts.positions);
        self.states.merge(&counts.states);
        self.nontrivial.merge(&counts.nontrivial);
    }
}

/// Positions and states by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ForbiddenMoveCounts {
    /// Same as [`ForbiddenMoveSolution::positions`].
    pub positions: Histogram,
    /// Same as [`ForbiddenMoveSolution::states`].
    pub states: Histogram,
    /// Same as [`ForbiddenMoveSolution::nontrivial`].
    pub nontrivial: Histogram,
}
