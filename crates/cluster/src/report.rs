//! Progress of a solve, as one worker sees it.

use hindsight_engine::{Error, Monitor, Progress};

use crate::error::ClusterError;

/// Share of a layer that is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerShare {
    pub(crate) phase: &'static str,
    /// From 0 to 1.
    pub(crate) done: f64,
}

/// Fails if the monitor asks a process that still waits to stop.
pub(crate) fn check_stop(monitor: &mut dyn Monitor) -> Result<(), ClusterError> {
    if monitor.report(WAITING) { Ok(()) } else { Err(ClusterError::Solve(Error::Stopped)) }
}

/// Progress of a process that waits for others.
const WAITING: Progress = Progress { phase: "waiting", done: 0, total: None };

/// Progress of a solve by ranks. The deal is even, so the share of one worker stands for all.
pub(crate) struct SolveReport<'a> {
    /// Hears of the progress; `None` in all workers but the first of a process.
    monitor: Option<&'a mut dyn Monitor>,
    /// Ranks of all layers.
    total: u64,
    /// Ranks of the layers before.
    done: u64,
    /// Ranks of the layer in work.
    layer: u64,
    last: Progress,
}

impl<'a> SolveReport<'a> {
    pub(crate) fn new(monitor: Option<&'a mut dyn Monitor>) -> Self {
        Self { monitor, total: 0, done: 0, layer: 0, last: WAITING }
    }

    /// Begins a solve of `total` ranks.
    pub(crate) fn begin(&mut self, total: u64) {
        self.total = total;
    }

    pub(crate) fn begin_layer(&mut self, ranks: u64) {
        self.done += self.layer;
        self.layer = ranks;
    }

    /// Reports the share of the layer that is done.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the monitor says so.
    pub(crate) fn share(&mut self, share: LayerShare) -> Result<(), Error> {
        let LayerShare { phase, done } = share;
        let done = self.done + (done.min(1.0) * self.layer as f64) as u64;
        let total = Some(self.total);
        self.last = Progress { phase, done, total };
        self.again()
    }

    /// Reports what was reported last, so that a worker that waits can be stopped.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the monitor says so.
    pub(crate) fn again(&mut self) -> Result<(), Error> {
        let last = self.last;
        let goes_on = self.monitor.as_mut().is_none_or(|monitor| monitor.report(last));
        goes_on.then_some(()).ok_or(Error::Stopped)
    }
}
