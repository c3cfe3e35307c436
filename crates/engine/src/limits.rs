use std::time::{Duration, Instant};

use crate::Error;

/// Memory and time that a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes for positions, moves and values. The process needs a few megabytes more.
    pub memory: u64,
    /// Time from the call to the answer; `None` for no limit.
    pub time: Option<Duration>,
}

impl Default for Limits {
    /// No limit.
    fn default() -> Self {
        Self { memory: u64::MAX, time: None }
    }
}

/// Progress of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Phase of the solve, in a few words.
    pub phase: &'static str,
    /// Positions met or decided so far.
    pub done: u64,
    /// Number of all positions, where it is known.
    pub total: Option<u64>,
}

/// Listener to the progress of long work.
pub trait Monitor {
    /// Receives the progress, every few milliseconds to seconds. Returning `false` stops the work
    /// with [`Error::Stopped`].
    fn report(&mut self, progress: Progress) -> bool;
}

/// Monitor that ignores progress and never stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMonitor;

impl Monitor for NoMonitor {
    fn report(&mut self, _: Progress) -> bool {
        true
    }
}

/// Limits whose clock is running, with the monitor to report to.
pub struct Budget<'a> {
    limits: Limits,
    begin: Instant,
    monitor: &'a mut dyn Monitor,
}

impl<'a> Budget<'a> {
    /// Starts the clock.
    pub fn new(limits: Limits, monitor: &'a mut dyn Monitor) -> Self {
        Self { limits, begin: Instant::now(), monitor }
    }

    /// Bytes of memory allowed.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.limits.memory
    }

    /// Reports progress, then compares `needed` bytes and the clock with the limits.
    ///
    /// `positions` and `edges` are for the error text.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the monitor says so, [`Error::Memory`] or [`Error::Time`] if a limit
    /// is passed.
    pub fn check(
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
            return Err(Error::Memory { positions, edges, needed, limit });
        }
        match self.limits.time {
            Some(time) if self.begin.elapsed() > time => {
                Err(Error::Time { positions, edges, seconds: time.as_secs_f64() })
            }
            _ => Ok(()),
        }
    }
}
