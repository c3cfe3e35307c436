//! Distances from the start over ranks: the fewest plies to each state of a game with forbidden
//! moves.
//!
//! Breadth first, ply by ply, as Algorithm 9 of H. Takizawa, "Strongly solved Ostle" (2023). One
//! word per position replaces one number per state: a state forbids at most one move, so only two
//! distances of a position matter to others. These are the least of all its states, and the least
//! of a state that does not forbid the same move.
//!
//! A position is expanded when it is first reached, except for the move that is forbidden there.
//! The forbidden move is expanded when a state is reached that allows it.
//!
//! A [`DistanceReader`] derives distances of single states and shortest lines, in memory or from a
//! table. A table keeps distance `n` as the value `Loss(n)`.

mod distances;
mod line;
mod nearest;
mod search;
mod stage;
mod word;

use std::sync::Arc;

use hindsight_core::{PackedGame, States, Tiers};
use hindsight_engine::checkpoint::{Blobs, Checkpoint};
use hindsight_engine::{Budget, Error, Limits, Monitor, StateSource};

use crate::tiered::TierPlan;

pub use distances::Distances;
pub use line::{DistanceReader, ProbeDistances};
pub use nearest::{NearestDistances, NextStates};
use search::DistanceSearch;
use stage::DistanceStage;
pub use stage::MAX_DISTANCE;

/// Returns the bytes of memory that a search needs.
#[must_use]
pub fn peak(game: &PackedGame) -> u64 {
    4 * TierPlan::new(game.base()).ranks()
}

/// Finds the distances of all states from the start.
///
/// # Errors
/// [`Error::TooLarge`], before the start, if more memory is needed than is allowed. Any error of
/// the monitor or the clock. [`Error::TooLong`] if a state is [`MAX_DISTANCE`] plies away or more.
pub fn solve(
    game: &PackedGame,
    next_states: NextStates,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Arc<Distances>, Error> {
    solve_from(game, next_states, None, limits, monitor)
}

/// Returns the distances that [`solve`] finds by the rules, layer by layer.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_layers(
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Vec<Box<dyn StateSource>>, Error> {
    let layers = solve(game, NextStates::Allowed, limits, monitor)?.layers(game).into_iter();
    Ok(layers.map(|layer| Box::new(layer) as Box<dyn StateSource>).collect())
}

/// Same as [`solve`], with a checkpoint. Resumes from the state of an earlier run. Stores its state
/// when the checkpoint is due, or when the monitor or the clock stops it.
///
/// # Errors
/// Same as [`solve`], and any error of the checkpoint.
pub fn solve_from(
    game: &PackedGame,
    next_states: NextStates,
    checkpoint: Option<&Checkpoint<'_>>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Arc<Distances>, Error> {
    let base = game.base();
    let plan = TierPlan::new(base);
    let (ranks, needed) = (plan.ranks(), peak(game));
    if needed > limits.memory {
        let limit = limits.memory;
        return Err(Error::TooLarge { ranks, needed, limit });
    }
    let mut tiers: Vec<(u64, u64)> = Vec::new();
    let mut begin = 0;
    for tier in (0..base.layers()).flat_map(|layer| plan.tiers(layer)) {
        tiers.push((*tier, begin));
        begin += base.tier_len(*tier);
    }
    let mut budget = Budget::new(limits, monitor);
    let get = |blobs: &dyn Blobs| DistanceStage::get(blobs, ranks);
    let resumed = checkpoint.map(|checkpoint| checkpoint.timed(get));
    let mut search = match resumed.transpose()?.flatten() {
        Some((stage, words)) => DistanceSearch::resumed(game, next_states, tiers, stage, words)?,
        None => DistanceSearch::new(game, next_states, tiers, &mut budget)?,
    };
    while search.run_ply(checkpoint, &mut budget)? {
        if search.stage.distance >= MAX_DISTANCE {
            return Err(Error::TooLong(MAX_DISTANCE));
        }
    }
    search.distances.states_by_tier = search.stage.states_by_tier;
    Ok(Arc::new(search.distances))
}
