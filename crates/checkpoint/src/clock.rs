//! Blobs with a schedule.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::blobs::Blobs;

/// Blobs that a solver keeps its progress in: at intervals, and when it is stopped.
///
/// Knows the time since the last blob, and the time spent on all of them.
pub struct Checkpoint<'a> {
    blobs: &'a dyn Blobs,
    interval: Duration,
    last: Cell<Instant>,
    spent: Cell<Duration>,
}

impl<'a> Checkpoint<'a> {
    /// Starts the clock: progress is due `interval` from now. [`Duration::MAX`] means only when the
    /// solve is stopped.
    #[must_use]
    pub fn new(blobs: &'a dyn Blobs, interval: Duration) -> Self {
        Self {
            blobs,
            interval,
            last: Cell::new(Instant::now()),
            spent: Cell::new(Duration::ZERO),
        }
    }

    /// Returns true if it is time to keep the progress, although nothing has stopped.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.last.get().elapsed() >= self.interval
    }

    /// Time spent on reading and writing blobs.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent.get()
    }

    /// Lets `act` use the blobs, counts its time as spent, and restarts the interval after it.
    pub fn timed<T>(&self, act: impl FnOnce(&dyn Blobs) -> T) -> T {
        let begin = Instant::now();
        let done = act(self.blobs);
        self.spent.set(self.spent.get() + begin.elapsed());
        self.last.set(Instant::now());
        done
    }
}
