//! Solution of a position, as far as searches have found it.

use hindsight_core::{Packed, PackedGame, PackedMove, Wdl};

use crate::line::move_between;

/// Result of the search for the wins of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SideResult {
    /// True if the side wins from the start; `None` if that was not found.
    pub(super) wins: Option<bool>,
    /// First move by which the side to move wins, or prevents that the other side wins.
    pub(super) best: Option<Packed>,
    /// Most plies of the win of the side.
    pub(super) plies: Option<u16>,
}

impl SideResult {
    pub(super) const UNKNOWN: Self = Self { wins: None, best: None, plies: None };
}

/// Result for the position that a search starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofSolution {
    /// The position.
    pub start: Packed,
    pub(super) found: [SideResult; 2],
    /// Positions expanded, where repeated expansions count.
    pub expansions: u64,
    /// True if the monitor stopped the search.
    pub stopped: bool,
}

impl ProofSolution {
    /// Returns, for the side to move at the start and for the other, true if it wins; `None` if
    /// that was not found.
    #[must_use]
    pub fn wins(&self) -> [Option<bool>; 2] {
        match self.found.map(|found| found.wins) {
            [Some(true), _] => [Some(true), Some(false)],
            [_, Some(true)] => [Some(false), Some(true)],
            wins => wins,
        }
    }

    /// Returns the value of the start; `None` if it was not found.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        value_of_wins(self.wins())
    }

    /// Returns the most plies that the proved win or loss takes, if a bound is known.
    #[must_use]
    pub fn plies(&self) -> Option<u16> {
        let [first, second] = self.found;
        match self.value()? {
            Wdl::Win => first.plies,
            Wdl::Draw => None,
            Wdl::Loss => second.plies,
        }
    }

    /// Returns the successor of a best first move, up to symmetry: it wins, or else holds the draw.
    #[must_use]
    pub fn best(&self) -> Option<Packed> {
        let [first, second] = self.found;
        match self.value()? {
            Wdl::Win => first.best,
            Wdl::Draw => second.best,
            Wdl::Loss => None,
        }
    }

    /// Returns a best first move, as in [`ProofSolution::best`].
    #[must_use]
    pub fn best_move(&self, game: &PackedGame) -> Option<PackedMove> {
        move_between(game, self.start, self.best()?)
    }
}

/// Knowledge of a first move, by the positions that both searches have decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveProof {
    /// Position after the move, up to symmetry.
    pub to: Packed,
    /// For the side to move at the start and for the other, true if it wins after the move; `None`
    /// if that was not found.
    pub wins: [Option<bool>; 2],
    /// Most plies of a win or loss after the move, if a bound is known.
    pub plies: Option<u16>,
    /// Play after the move to the winner's goal, up to symmetry, as far as the search knows it.
    pub line: Vec<Packed>,
}

impl MoveProof {
    /// Returns the value of the move for the side that makes it; `None` if it was not found.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        value_of_wins(self.wins)
    }
}

/// Returns the value for a side, by what is known of its win and of the other side's; `None` if
/// that does not decide it.
#[must_use]
pub fn value_of_wins(wins: [Option<bool>; 2]) -> Option<Wdl> {
    match wins {
        [Some(true), _] => Some(Wdl::Win),
        [_, Some(true)] => Some(Wdl::Loss),
        [Some(false), Some(false)] => Some(Wdl::Draw),
        _ => None,
    }
}
