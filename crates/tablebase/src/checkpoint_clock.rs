//! Schedule of checkpoints, and the time they take.

use std::time::{Duration, Instant};

/// Measures the time since the last checkpoint, and the time spent on all of them.
#[derive(Debug)]
pub(crate) struct CheckpointClock {
    interval: Duration,
    last: Instant,
    spent: Duration,
}

impl CheckpointClock {
    /// A checkpoint is due `interval` after the last one.
    pub(crate) fn new(interval: Duration) -> Self {
        Self {
            interval,
            last: Instant::now(),
            spent: Duration::ZERO,
        }
    }

    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    /// Time spent on writing and reading checkpoints.
    pub(crate) fn spent(&self) -> Duration {
        self.spent
    }

    /// Runs `act`, counts its time as spent, and restarts the interval after it.
    pub(crate) fn timed<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = act();
        self.spent += begin.elapsed();
        self.last = Instant::now();
        done
    }
}
