//! The reachable state graph with its positions sorted and compressed, and its moves on disk: what
//! [`graph`](crate::graph) does, where that does not fit in memory.
//!
//! Exploration works portion by portion: successors of the next positions are sorted, those that
//! are known are taken away, and the rest becomes a set of its own, in memory and in a blob. At the
//! end all sets are merged. A position's number is its place among them, so the moves of open
//! positions are written as numbers, and retrograde analysis reads them once for each ply.
//! Positions that are decided leave their moves behind, and these are written anew when they have
//! become half as many.
//!
//! # Cost
//! Memory: one to two bytes a position for its key, twice while sets are merged, two for its
//! value, and some ten megabytes a thread for chunks of moves. Disk: one byte a position, two for
//! its first value, and 3 to 5 for each move of an open position. Each ply reads all moves that
//! are left.
//!
//! The result depends on neither memory nor threads. A solve that is stopped keeps what it has: the
//! portion, the chunk of moves, or all values.

mod blob;
mod explore;
mod moves;
mod sweeps;

use std::sync::Arc;

use hindsight_core::{Packed, PackedGame, Value};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, CheckpointError};
use hindsight_engine::keys::KeySet;
use hindsight_engine::{Budget, Error, Histogram, Limits, Monitor, Summary};

use self::explore::explore;
use crate::retrograde::GraphCode;

/// Bytes of memory that a position takes, about.
pub const POSITION_BYTES: u64 = 6;

/// Every position reachable from the start, sorted, with its value.
pub struct SortedSolution {
    /// The positions.
    pub keys: Arc<KeySet>,
    /// Their values in the same order.
    values: Vec<GraphCode>,
    /// Totals.
    pub summary: Summary,
    /// Positions by value.
    pub histogram: Histogram,
}

impl SortedSolution {
    /// Returns the value of a canonical position; `None` if it was not reached.
    #[must_use]
    pub fn value(&self, position: &Packed) -> Option<Value> {
        Some(self.value_of(self.keys.find(position)?))
    }

    /// Returns the value of a position by its number.
    #[must_use]
    pub fn value_of(&self, number: u64) -> Value {
        self.values[number as usize].value()
    }

    /// Returns the bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.keys.bytes() + GraphCode::BYTES * self.keys.len()
    }
}

/// Returns true if a checkpoint was begun by [`solve`].
///
/// # Errors
/// Any error of the blobs.
pub fn has_begun(blobs: &dyn Blobs) -> Result<bool, CheckpointError> {
    Ok(blobs.get(&explore::blob_key(0))?.is_some())
}

/// Explores from the start, with positions merged by [`hindsight_core::Game::canonical`], and
/// solves the graph. Goes on with the work that the checkpoint holds, which must be of the same
/// game and symmetry.
///
/// `later` has the bytes of memory that other work takes beside the result, for a number of
/// positions.
///
/// # Errors
/// Any [`Error`] of a limit or of the checkpoint, and [`Error::Stopped`] if the monitor stops the
/// work.
pub fn solve(
    game: &PackedGame,
    limits: Limits,
    checkpoint: &Checkpoint<'_>,
    monitor: &mut dyn Monitor,
    later: &(dyn Fn(u64) -> u64 + Sync),
) -> Result<SortedSolution, Error> {
    let mut budget = Budget::new(limits, monitor);
    let keys = explore(game, checkpoint, &mut budget, later)?;
    let (values, edges) = sweeps::decide(game, &keys, checkpoint, &mut budget)?;
    let histogram = GraphCode::histogram(&values);
    let summary = Summary { edges, ..Summary::of(&histogram) };
    Ok(SortedSolution { keys: Arc::new(keys), values, summary, histogram })
}
