use std::time::{Duration, Instant};

use hindsight_engine::{Monitor, Progress};

/// Callback of a study: receives a line about the next step and returns `false` to stop the study.
/// An empty line only asks whether to go on.
pub(crate) type StepFn<'a> = dyn FnMut(&str) -> bool + 'a;

/// Monitor of one solve that forwards its progress to the callback of a study.
pub(crate) struct StepMonitor<'a> {
    on_step: &'a mut StepFn<'a>,
    last_line: Instant,
}

/// Time between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(30);

impl<'a> StepMonitor<'a> {
    pub(crate) fn new(on_step: &'a mut StepFn<'a>) -> Self {
        Self { on_step, last_line: Instant::now() }
    }
}

impl Monitor for StepMonitor<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        if self.last_line.elapsed() < INTERVAL {
            return (self.on_step)("");
        }
        self.last_line = Instant::now();
        let Progress { phase, done, total } = progress;
        let total = total.map_or(String::new(), |total| format!(" of {total}"));
        (self.on_step)(&format!("  {phase}: {done}{total}"))
    }
}
