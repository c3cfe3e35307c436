use hindsight_core::Value;
use hindsight_run::Histogram;

/// What a solve of every state found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForbiddenMoveSolution {
    /// The value of the start.
    pub start: Value,
    /// Positions of the base by their value with nothing forbidden, those won at once included.
    pub positions: Histogram,
    /// States that a move leads to by value, those of positions won at once included.
    pub states: Histogram,
    /// The same without states of positions that are won by a move that ends the game.
    pub nontrivial: Histogram,
}

impl ForbiddenMoveSolution {
    pub(super) fn add(&mut self, counts: &StateCounts) {
        self.positions.merge(&counts.positions);
        self.states.merge(&counts.states);
        self.nontrivial.merge(&counts.nontrivial);
    }
}

/// Positions and states by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateCounts {
    /// As in [`Outcome::positions`].
    pub positions: Histogram,
    /// As in [`Outcome::states`].
    pub states: Histogram,
    /// As in [`Outcome::nontrivial`].
    pub nontrivial: Histogram,
}
