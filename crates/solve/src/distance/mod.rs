//! Distances from the start over ranks: in how few plies each state of a game can be reached in which a
//! move may be forbidden.
//!
//! Breadth first, ply by ply, as Algorithm 9 of H. Takizawa, "Strongly solved Ostle" (2023), from one
//! word a position instead of a number a state. A state forbids one move at most, so of the states of a
//! position only two distances matter to others: the least, and the least of a state that does not
//! forbid the same move. A position is passed on when it is first reached, all but the move that is
//! forbidden there, and that move when a state is reached that allows it.

mod checkpoint;
mod distances;
mod line;
mod nearest;
mod search;
mod word;

use hindsight_core::{ForbiddenMove, Ranked};
use hindsight_run::{Budget, Error, Limits, Monitor};

use crate::tiered::TierPlan;

use checkpoint::NoDistanceCheckpoint;
pub use checkpoint::{DistanceCheckpoint, DistanceStage, MAX_DISTANCE};
pub use distances::Distances;
pub use line::{DistanceReader, ShortestLine};
pub use nearest::{DistanceProbe, NearestDistances, NextStates};
use search::DistanceSearch;

/// Bytes that are needed.
#[must_use]
pub fn peak<G: ForbiddenMove>(game: &G) -> u64 {
    4 * TierPlan::new(game.base()).ranks()
}

/// Finds the distances of all states from the start.
///
/// # Errors
/// Before it starts, [`Error::TooLarge`] if more memory is needed than is allowed; then what the monitor
/// or the clock say; [`Error::TooLong`] for a distance beyond 254.
pub fn solve<G: ForbiddenMove>(
    game: &G,
    following: NextStates,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, Error> {
    solve_from(game, following, &mut NoDistanceCheckpoint, limits, monitor)
}

/// As [`solve`], with checkpoints: goes on with what an earlier run kept, and keeps what it has when it is
/// time, or when the monitor or the clock stop it.
///
/// # Errors
/// As [`solve`], and what the checkpoint says.
pub fn solve_from<G: ForbiddenMove>(
    game: &G,
    following: NextStates,
    checkpoint: &mut dyn DistanceCheckpoint,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, Error> {
    let base = game.base();
    let plan = TierPlan::new(base);
    let (ranks, needed) = (plan.ranks(), peak(game));
    if needed > limits.memory {
        let limit = limits.memory;
        return Err(Error::TooLarge {
            ranks,
            needed,
            limit,
        });
    }
    let mut tiers: Vec<(u64, u64)> = Vec::new();
    let mut begin = 0;
    for tier in (0..base.layers()).flat_map(|layer| plan.tiers(layer)) {
        tiers.push((*tier, begin));
        begin += base.tier_len(*tier);
    }
    let mut budget = Budget::new(limits, monitor);
    let mut search = match checkpoint.get(ranks).map_err(Error::Store)? {
        Some((stage, words)) => DistanceSearch::resumed(game, following, tiers, stage, words)?,
        None => DistanceSearch::new(game, following, tiers, ranks),
    };
    while search.run_ply(checkpoint, &mut budget)? {
        if search.stage.distance >= MAX_DISTANCE {
            return Err(Error::TooLong(MAX_DISTANCE));
        }
    }
    search.distances.states_by_tier = search.stage.states_by_tier;
    Ok(search.distances)
}
