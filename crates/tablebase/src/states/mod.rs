//! Tables of the value of every state of a game in which a move may be forbidden.
//!
//! A rank has three symbols: the value with nothing forbidden; which of its ways is the only best, counted
//! from 1, or 0 if forbidding one changes nothing; the value without that way.

mod counts;
mod decode;
mod distances;
mod encode;
mod read;
mod recheck;
mod store;
#[cfg(test)]
mod tests;
mod unfinished_tier;
mod verify;

use hindsight_core::{ForbiddenMove, Ranked, Value};
use hindsight_solve::forbidden_move::SolvedStateTier;

use crate::{Layout, StateCounts};

pub use decode::StateLayer;
pub use distances::{DistancesStore, TableDistancesReader, verify_distances};
pub use read::TableStatesReader;
pub use store::StateStore;
pub use verify::verify_states;

pub(crate) use decode::StateFields;
pub(crate) use distances::LayerDistances;
pub(crate) use encode::write_states;

/// The states of a layer that has one tier.
pub(crate) trait StateSource: Sync {
    fn layer(&self) -> u32;

    fn tier(&self) -> u64;

    fn ranks(&self) -> u64;

    /// The value at a rank with nothing forbidden; `None` for a hole.
    fn value(&self, rank: u64) -> Option<Value>;

    /// The only best way at a rank and the value without it, where that differs.
    fn exception(&self, rank: u64) -> Option<(u8, Value)>;

    /// How many states have each value, if that is known already.
    fn known_counts(&self) -> Option<StateCounts> {
        None
    }

    /// The value at a rank when a way is forbidden (0: nothing).
    fn state(&self, rank: u64, way: u8) -> Option<Value> {
        match self.exception(rank) {
            Some((best, without)) if way == best => Some(without),
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

    fn known_counts(&self) -> Option<StateCounts> {
        let counts = self.counts();
        Some(StateCounts {
            all: counts.states.clone(),
            nontrivial: counts.nontrivial.clone(),
        })
    }
}

/// What a table says of a win at once.
const WIN_IN_ONE: Value = Value::Win(1);

/// What the rules say of a rank without a look at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RankClass {
    /// It has no position.
    Hole,
    /// A move that ends the game wins. Such moves are never forbidden, so every state is won so.
    WinInOne,
    /// Nothing.
    Open,
}

/// What the rules say of a rank. (Values that are obvious or implied in the base game are no good here:
/// they are those of a game in which nothing is ever forbidden.) Nothing is given of distances. `outside` is
/// overwritten.
fn classify_rank<G: ForbiddenMove>(
    game: &G,
    layout: Layout,
    (tier, rank): (u64, u64),
    outside: &mut Vec<(u64, u64)>,
) -> RankClass {
    if layout == Layout::Distances {
        let position = game.base().unrank(tier, rank);
        return position.map_or(RankClass::Hole, |_| RankClass::Open);
    }
    outside.clear();
    match game.summarize_moves(tier, rank, outside) {
        None => RankClass::Hole,
        Some(outlook) if outlook.best == Some(WIN_IN_ONE) => RankClass::WinInOne,
        Some(_) => RankClass::Open,
    }
}
