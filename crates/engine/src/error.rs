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
        /// Bytes that these positions and moves need, even if no other position follows.
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
    /// The system refused memory within the limit, for example by `ulimit -v`.
    #[error(
        "the system refused {bytes} bytes of memory: give a smaller limit of memory, or more to \
         the process (see ulimit -v)"
    )]
    NoMemory {
        /// Bytes that were refused.
        bytes: u64,
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
    /// More positions or moves than 32-bit numbers leave room for. Names the kind of item.
    #[error("more than 4,294,967,294 {0}: too many for a graph in memory")]
    TooMany(&'static str),
    /// A position with more moves than this number, the most that the solver counts.
    #[error("a position has more than {0} moves: too many for this solver")]
    TooManyMoves(u16),
    /// At least 2^128 paths of this number of plies.
    #[error("more than {max} paths of {0} plies: too many to count", max = u128::MAX)]
    TooManyPaths(u32),
    /// A win or loss in more plies than this number, the most that the solver stores.
    #[error("a remoteness of more than {0} plies: too long for this solver")]
    TooLong(u16),
    /// Finished or unfinished results could not be stored or read back, or are damaged.
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
    /// Returns the error of a checkpoint that cannot be resumed, because of `fault`.
    pub fn damaged(fault: &str) -> Self {
        Self::Store(format!("the checkpoint is damaged: {fault}").into())
    }

    /// Returns true if there was only too little of something, or if the work was stopped: another
    /// way to an answer may be open.
    #[must_use]
    pub fn is_lack(&self) -> bool {
        matches!(
            self,
            Self::Memory { .. }
                | Self::TooLarge { .. }
                | Self::NoMemory { .. }
                | Self::Time { .. }
                | Self::TooMany(_)
                | Self::TooManyMoves(_)
                | Self::TooLong(_)
                | Self::Stopped
        )
    }
}
