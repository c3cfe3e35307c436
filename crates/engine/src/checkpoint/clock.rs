//! Blobs with a schedule.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::checkpoint::blobs::Blobs;

/// Blobs in which a solver keeps its progress.
///
/// The clock measures the time since their last use, and the time spent on all uses.
pub struct Checkpoint<'a> {
    blobs: &'a dyn Blobs,
    interval: Duration,
    times: Mutex<BlobTimes>,
}

/// End of the last use of the blobs, and the time spent on all.
struct BlobTimes {
    last: Instant,
    spent: Duration,
}

impl<'a> Checkpoint<'a> {
    /// Starts the clock: progress is due `interval` from now. [`Duration::MAX`] means only when the
    /// solve is stopped.
    #[must_use]
    pub fn new(blobs: &'a dyn Blobs, interval: Duration) -> Self {
        let times = BlobTimes { last: Instant::now(), spent: Duration::ZERO };
        Self { blobs, interval, times: Mutex::new(times) }
    }

    /// Returns true if it is time to keep the progress, although nothing has stopped.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.times().last.elapsed() >= self.interval
    }

    /// Time spent on reading and writing blobs.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.times().spent
    }

    /// Lets `act` use the blobs, counts its time as spent, and restarts the interval after it.
    pub fn timed<T>(&self, act: impl FnOnce(&dyn Blobs) -> T) -> T {
        let begin = Instant::now();
        let done = act(self.blobs);
        let mut times = self.times();
        times.spent += begin.elapsed();
        times.last = Instant::now();
        done
    }

    /// As [`Checkpoint::timed`], for blobs beside the progress: the interval goes on.
    pub fn timed_beside<T>(&self, act: impl FnOnce(&dyn Blobs) -> T) -> T {
        let begin = Instant::now();
        let done = act(self.blobs);
        self.times().spent += begin.elapsed();
        done
    }

    /// The blobs, for a use whose time is counted elsewhere.
    #[must_use]
    pub fn blobs(&self) -> &'a dyn Blobs {
        self.blobs
    }

    fn times(&self) -> MutexGuard<'_, BlobTimes> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
