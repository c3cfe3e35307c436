//! Progress of a solve, as one worker sees it.

use hindsight_run::{Error, Monitor, Progress};

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
    last: Option<Progress>,
}

impl<'a> SolveReport<'a> {
    pub(crate) fn new(monitor: Option<&'a mut dyn Monitor>, total: u64) -> Self {
        Self {
            monitor,
            total,
            done: 0,
            layer: 0,
            last: None,
        }
    }

    /// Begins the next layer.
    pub(crate) fn begin_layer(&mut self, ranks: u64) {
        self.done += self.layer;
        self.layer = ranks;
    }

    /// Reports the share of the layer that is done.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the monitor says so.
    pub(crate) fn layer_share(&mut self, phase: &'static str, share: f64) -> Result<(), Error> {
        if self.monitor.is_none() {
            return Ok(());
        }
        let done = self.done + (share.min(1.0) * self.layer as f64) as u64;
        let total = Some(self.total);
        self.last = Some(Progress { phase, done, total });
        self.again()
    }

    /// Reports what was reported last.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the monitor says so.
    pub(crate) fn again(&mut self) -> Result<(), Error> {
        let (Some(monitor), Some(last)) = (&mut self.monitor, self.last) else {
            return Ok(());
        };
        match monitor.report(last) {
            true => Ok(()),
            false => Err(Error::Stopped),
        }
    }
}
