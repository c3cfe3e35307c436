//! A solve in several processes, as one of them sees it.

use std::time::Duration;

use hindsight_engine::StrongSolution;
use hindsight_tablebase::{CheckpointDir, Layout};

use crate::store::ProcessFolder;
use crate::workers::Traffic;

/// A solve of every position. All processes must be given the same, but for their files.
pub struct ClusterTask<'a> {
    /// Game, in its normal form.
    pub spec: &'a str,
    /// Layout of stored layers.
    pub layout: Layout,
    /// Bytes of memory that this process may take.
    pub memory: u64,
    /// Checkpoint of this process; `None` without one, and if it cannot be used.
    pub checkpoint: Option<&'a ProcessFolder>,
    /// Use of checkpoints.
    pub checkpoint_use: CheckpointUse,
    /// Time between two commits within a layer of whole tiers.
    pub commit_interval: Duration,
    /// True if process 0 stores the layers of a table.
    pub has_table: bool,
    /// Folder for the layers of the table, in process 0; that of its checkpoint if it has one.
    pub layers: Option<&'a CheckpointDir>,
}

/// Use of checkpoints in a solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointUse {
    /// There are none.
    Nothing,
    /// A checkpoint is begun.
    Begin,
    /// A checkpoint is continued, or begun if there is none.
    Resume,
}

/// Result of a solve in several processes. All processes get the same, but for their traffic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClusterSolution {
    /// Values of all positions, counted.
    pub solution: StrongSolution,
    /// Work of all workers, in their order.
    pub work: Vec<WorkCounts>,
    /// Bytes that went from and to this process.
    pub traffic: Traffic,
    /// Time from the moment at which all processes were there.
    pub time: Duration,
    /// Part of the time that went into the layers of the table.
    pub table_time: Duration,
}

/// Work of one worker since the start of this run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkCounts {
    /// Ranks of the worker's parts of all layers.
    pub ranks: u64,
    /// Moves that were followed.
    pub edges: u64,
    /// Those that lead to ranks of other workers.
    pub edges_away: u64,
}
