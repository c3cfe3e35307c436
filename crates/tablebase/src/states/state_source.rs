//! States of a layer from any source, and the part of them that the rules determine.

use hindsight_core::{ForbiddenMove, PackedGame, Ranked, States, Value};
use hindsight_solve::forbidden_move::SolvedStateTier;

use crate::address::Address;
use crate::format::info::StateHistograms;
use crate::layout::Layout;

/// Values of the states of a position: the value with nothing forbidden; then the only best
/// forbiddable move and the value without it, if that differs.
pub(crate) type StateValues = (Value, Option<(u8, Value)>);

/// The states of a layer with one tier, from a solver or a table.
pub(crate) trait StateSource: Sync {
    fn layer(&self) -> u32;

    fn tier(&self) -> u64;

    fn ranks(&self) -> u64;

    /// Value at a rank with nothing forbidden; `None` for a hole.
    fn value(&self, rank: u64) -> Option<Value>;

    /// The only best forbiddable move at a rank, and the value without it. `None` if no forbidden
    /// move changes the value.
    fn exception(&self, rank: u64) -> Option<(u8, Value)>;

    /// Number of states per value, if known without counting.
    fn known_counts(&self) -> Option<StateHistograms> {
        None
    }

    /// Value at a rank with a move forbidden; move id 0 forbids nothing.
    fn state(&self, rank: u64, move_id: u8) -> Option<Value> {
        match self.exception(rank) {
            Some((best, without)) if move_id == best => Some(without),
            _ => self.value(rank),
        }
    }
}

impl StateSource for SolvedStateTier {
    fn layer(&self) -> u32 {
        self.layer
    }

    fn tier(&self) -> u64 {
        self.tier
    }

    fn ranks(&self) -> u64 {
        SolvedStateTier::ranks(self)
    }

    fn value(&self, rank: u64) -> Option<Value> {
        SolvedStateTier::unrestricted_value(self, rank)
    }

    fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        SolvedStateTier::exception(self, rank)
    }

    fn known_counts(&self) -> Option<StateHistograms> {
        let counts = self.counts();
        Some(StateHistograms { all: counts.states.clone(), nontrivial: counts.nontrivial.clone() })
    }
}

/// Value of a position with a winning move that ends the game.
pub(crate) const WIN_IN_ONE: Value = Value::Win(1);

/// Content of a rank by the rules alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RankClass {
    /// No position.
    Hole,
    /// A position with a move that ends the game and wins. Such a move is never forbidden, so every
    /// state has value [`WIN_IN_ONE`].
    WinInOne,
    /// A position whose values the rules do not determine.
    Open,
}

/// Classifies a rank by the rules. `scratch` is overwritten.
///
/// Implied values of the base game do not help, since the base game forbids no moves. In a table of
/// distances the rules determine only the holes.
pub(super) fn classify_rank(
    game: &PackedGame,
    layout: Layout,
    address: Address,
    scratch: &mut Vec<(u64, u64)>,
) -> RankClass {
    let Address { tier, rank } = address;
    if layout == Layout::Distances {
        let position = game.base().unrank(tier, rank);
        return position.map_or(RankClass::Hole, |_| RankClass::Open);
    }
    scratch.clear();
    match game.summarize_moves(tier, rank, scratch) {
        None => RankClass::Hole,
        Some(summary) if summary.best == Some(WIN_IN_ONE) => RankClass::WinInOne,
        Some(_) => RankClass::Open,
    }
}
