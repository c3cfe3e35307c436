use std::time::{Duration, Instant};

use hindsight_solve::{Monitor, Progress};

/// Hands on whether the study was stopped, and tells now and then how far a solve is.
pub(crate) struct Stop<'a> {
    watch: &'a mut dyn FnMut(&str) -> bool,
    told: Instant,
}

/// Between two lines.
const INTERVAL: Duration = Duration::from_secs(30);

impl<'a> Stop<'a> {
    pub(crate) fn new(watch: &'a mut dyn FnMut(&str) -> bool) -> Self {
        Self {
            watch,
            told: Instant::now(),
        }
    }
}

impl Monitor for Stop<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        if self.told.elapsed() < INTERVAL {
            return (self.watch)("");
        }
        self.told = Instant::now();
        let Progress { phase, done, total } = progress;
        let total = total.map_or(String::new(), |total| format!(" of {total}"));
        (self.watch)(&format!("  {phase}: {done}{total}"))
    }
}
