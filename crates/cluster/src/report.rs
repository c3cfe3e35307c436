//! Progress of a solve, as one worker sees it.

use hindsight_run::{Error, Monitor, Progress};

/// Progress of all ranks. They are dealt out evenly, so the share that one worker has done stands
/// for all.
pub(crate) struct SolveReport<'a> {
    /// Hears of the progress; `None` in all workers but the first of a process.
    monitor: Option<&'a mut dyn Monitor>,
    /// Ranks of all layers.
    total: u64,
    /// Ranks of the layers before.
    done: u64,
    /// Ranks of the layer in work.
    layer: u64,
}

impl<'a> SolveReport<'a> {
    pub(crate) fn new(monitor: Option<&'a mut dyn Monitor>, total: u64) -> Self {
        Self {
            monitor,
            total,
            done: 0,
            layer: 0,
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
        let Some(monitor) = &mut self.monitor else {
            return Ok(());
        };
        let done = self.done + (share.min(1.0) * self.layer as f64) as u64;
        let total = Some(self.total);
        match monitor.report(Progress { phase, done, total }) {
            true => Ok(()),
            false => Err(Error::Stopped),
        }
    }
}
