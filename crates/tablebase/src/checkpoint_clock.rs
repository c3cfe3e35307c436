//! When the next checkpoint is due, and what checkpoints took.

use std::time::{Duration, Instant};

/// Counts the time since the last checkpoint, and that spent on all.
#[derive(Debug)]
pub(crate) struct CheckpointClock {
    interval: Duration,
    last: Instant,
    spent: Duration,
}

impl CheckpointClock {
    /// A checkpoint is due when so much time has gone since the last.
    pub(crate) fn new(every: Duration) -> Self {
        Self {
            interval: every,
            last: Instant::now(),
            spent: Duration::ZERO,
        }
    }

    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    /// The time it took to write and to read.
    pub(crate) fn spent(&self) -> Duration {
        self.spent
    }

    /// Writes or reads; the time until the next begins to count after it.
    pub(crate) fn timed<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = act();
        self.spent += begin.elapsed();
        self.last = Instant::now();
        done
    }
}
