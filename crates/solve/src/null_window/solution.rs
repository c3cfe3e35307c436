//! Solution of a position, as far as the search has found it.

use hindsight_core::{Packed, PackedGame, PackedMove, Value};

use crate::line::move_between;

/// Result for the position that a search starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullWindowSolution {
    /// Worst and best value that the position may have, for the side to move. They are equal once
    /// the value is known.
    pub bounds: [Value; 2],
    /// Position after a best move, or after the best one that was found; `None` if the game is
    /// over.
    pub best: Option<Packed>,
    /// Positions searched, where repeated searches count.
    pub nodes: u64,
    /// True if the monitor stopped the search.
    pub stopped: bool,
}

impl NullWindowSolution {
    pub(super) fn known(value: Value, best: Option<Packed>) -> Self {
        Self { bounds: [value; 2], best, nodes: 0, stopped: false }
    }

    /// Returns the value; `None` if the search ended before it was known.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        let [worst, best] = self.bounds;
        (worst == best).then_some(best)
    }

    /// Returns a best move from `start`, the position of the search; `None` if the value is not
    /// known, or the game is over.
    #[must_use]
    pub fn best_move(&self, game: &PackedGame, start: Packed) -> Option<PackedMove> {
        self.value()?;
        move_between(game, start, self.best?)
    }
}
