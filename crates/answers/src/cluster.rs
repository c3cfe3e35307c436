use crate::report::HistogramRow;
use serde::Serialize;

use crate::solve::{StartAnswer, TableFileAnswer};

/// Result of a solve by several processes.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// `all`.
    pub scope: &'static str,
    /// `tiered`.
    pub solver: &'static str,
    /// Processes.
    pub processes: usize,
    /// Threads of each process.
    pub threads: usize,
    /// The start.
    pub start: StartAnswer,
    /// Positions.
    pub positions: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions by value and plies.
    pub histogram: Vec<HistogramRow>,
    /// Time of the solve in seconds, without that of writing.
    pub seconds: f64,
    /// Time of writing in seconds.
    pub table_seconds: f64,
    /// Peak of the resident memory of process 0; null if the system does not tell it.
    pub peak_memory_bytes: Option<u64>,
    /// Work of each thread of all processes.
    pub work: Vec<ThreadWork>,
    /// Bytes that process 0 sent.
    pub sent_bytes: u64,
    /// Bytes that process 0 received.
    pub received_bytes: u64,
    /// Counts and hash by which solves of the same set are compared.
    pub signature: String,
    /// The table that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFileAnswer>,
}

/// Work of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ThreadWork {
    /// Ranks of its share.
    pub ranks: u64,
    /// Moves.
    pub edges: u64,
    /// Moves that led to shares of other threads.
    pub edges_away: u64,
}
