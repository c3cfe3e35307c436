use std::time::{Duration, Instant};

/// Why a solver stopped without an answer. Nothing was written.
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
        /// Bytes these need, if no other position follows.
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
    /// A position with more moves than this, the most that the solver counts.
    #[error("a position has more than {0} moves: too many for this solver")]
    TooManyMoves(u16),
    /// More paths of so many plies than a number of 128 bits can count.
    #[error("more than {max} paths of {0} plies: too many to count", max = u128::MAX)]
    TooManyPaths(u32),
    /// A win or loss of more plies than are kept.
    #[error("a remoteness of more than {0} plies: too long for this solver")]
    TooLong(u16),
    /// What was finished could not be kept or read back.
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
    /// What an earlier run kept cannot be gone on with.
    pub(crate) fn damaged(what: &str) -> Self {
        Self::Store(format!("the checkpoint is damaged: {what}").into())
    }
}

/// What a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes for positions, moves and values; the process needs a few megabytes beside.
    pub memory: u64,
    /// From the call to the answer; `None` for as long as it takes.
    pub time: Option<Duration>,
}

impl Default for Limits {
    /// No limit.
    fn default() -> Self {
        Self {
            memory: u64::MAX,
            time: None,
        }
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What it is doing, in a few words.
    pub phase: &'static str,
    /// Positions met, or decided, so far.
    pub done: u64,
    /// Positions there are, where that is known.
    pub total: Option<u64>,
}

/// Watches long work.
pub trait Monitor {
    /// Called every few milliseconds to seconds. `false` stops the work with [`Error::Stopped`].
    fn report(&mut self, progress: Progress) -> bool;
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {
    fn report(&mut self, _: Progress) -> bool {
        true
    }
}

/// Limits with the time they began to count.
pub(crate) struct Watch<'a> {
    limits: Limits,
    begin: Instant,
    monitor: &'a mut dyn Monitor,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: Limits, monitor: &'a mut dyn Monitor) -> Self {
        Self {
            limits,
            begin: Instant::now(),
            monitor,
        }
    }

    /// Bytes allowed.
    pub(crate) fn memory(&self) -> u64 {
        self.limits.memory
    }

    /// Reports, and fails if a limit is passed.
    pub(crate) fn check(
        &mut self,
        progress: Progress,
        positions: u64,
        edges: u64,
        needed: u64,
    ) -> Result<(), Error> {
        if !self.monitor.report(progress) {
            return Err(Error::Stopped);
        }
        let limit = self.limits.memory;
        if needed > limit {
            return Err(Error::Memory {
                positions,
                edges,
                needed,
                limit,
            });
        }
        match self.limits.time {
            Some(time) if self.begin.elapsed() > time => Err(Error::Time {
                positions,
                edges,
                seconds: time.as_secs_f64(),
            }),
            _ => Ok(()),
        }
    }
}
