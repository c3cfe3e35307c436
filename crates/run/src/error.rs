/// Reason why a solver stopped without an answer. Nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The positions met so far need more memory than was allowed.
    #[error(
        "out of memory at {positions} positions and {edges} moves: at least {needed} bytes are needed, {limit} are allowed"
    )]
    Memory {
        /// Positions met.
        positions: u64,
        /// Moves between them.
        edges: u64,
        /// Bytes that these need, even if no other position follows.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Every position of the game needs more memory than was allowed. Nothing was begun.
    #[error("{ranks} positions need {needed} bytes of memory, {limit} are allowed")]
    TooLarge {
        /// Ranks of all tiers, holes included.
        ranks: u64,
        /// Bytes at the peak.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The time allowed is over.
    #[error("out of time after {seconds} s at {positions} positions and {edges} moves")]
    Time {
        /// Positions met.
        positions: u64,
        /// Moves between them.
        edges: u64,
        /// Seconds allowed.
        seconds: f64,
    },
    /// More positions or moves than numbers of 32 bits can tell apart.
    #[error("more than 4,294,967,294 {0}: too many for a graph in memory")]
    TooMany(&'static str),
    /// A position with more moves than this number, the most that the solver counts.
    #[error("a position has more than {0} moves: too many for this solver")]
    TooManyMoves(u16),
    /// More paths of this number of plies than 128 bits can count.
    #[error("more than {max} paths of {0} plies: too many to count", max = u128::MAX)]
    TooManyPaths(u32),
    /// A win or loss of more plies than are kept.
    #[error("a remoteness of more than {0} plies: too long for this solver")]
    TooLong(u16),
    /// A finished part could not be kept or read back.
    #[error(transparent)]
    Store(crate::StoreError),
    /// The system gave no thread to work on.
    #[error("cannot make a thread: {0}; the system's limit on memory or processes is too low")]
    Thread(std::io::Error),
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Error {
    /// The error of a checkpoint that the run cannot go on with.
    pub fn damaged(what: &str) -> Self {
        Self::Store(format!("the checkpoint is damaged: {what}").into())
    }
}
