//! Games or choices of agents by number: on all threads, or one after the other in the caller's.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hindsight_engine::{Progress, parallel};

use super::any_agent::AnyAgent;
use crate::error::GamesError;
use crate::tasks::options::{Options, ProgressListener};

/// Work of agents that a listener or a flag may stop.
pub(super) struct NumberedWork<'a> {
    phase: &'static str,
    threads: u64,
    done: AtomicU64,
    stopped: AtomicBool,
    stop: Option<&'a AtomicBool>,
    listener: Option<&'a ProgressListener>,
}

impl<'a> NumberedWork<'a> {
    pub(crate) fn new<'b>(
        phase: &'static str,
        agents: impl IntoIterator<Item = &'b AnyAgent<'b>>,
        stop: Option<&'a AtomicBool>,
        options: &'a Options,
    ) -> Self {
        Self {
            phase,
            threads: threads_of(agents),
            done: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            stop,
            listener: options.progress.as_ref(),
        }
    }

    /// Returns the number of threads that work.
    pub(crate) fn threads(&self) -> u64 {
        self.threads
    }

    pub(crate) fn count(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    /// Reports the progress among `total` units; returns false if the work is to stop.
    pub(crate) fn goes_on(&self, total: Option<u64>) -> bool {
        let progress =
            Progress { phase: self.phase, done: self.done.load(Ordering::Relaxed), total };
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        if is_set(&self.stopped) || self.stop.is_some_and(is_set) {
            return false;
        }
        let goes_on = self.listener.is_none_or(|listener| listener(progress));
        self.stopped.fetch_or(!goes_on, Ordering::Relaxed);
        goes_on
    }

    /// Acts with each number below `end`, in their order, until an error or a stop.
    pub(crate) fn each(
        &self,
        end: u64,
        act: &(dyn Fn(u64) -> Result<(), GamesError> + Sync),
    ) -> Result<(), GamesError> {
        self.each_while(end, &|| !self.stopped.load(Ordering::Relaxed), act)
    }

    /// Acts with each number below `end`, in their order, while `goes_on`.
    pub(super) fn each_while(
        &self,
        end: u64,
        goes_on: &(dyn Fn() -> bool + Sync),
        act: &(dyn Fn(u64) -> Result<(), GamesError> + Sync),
    ) -> Result<(), GamesError> {
        if self.threads > 1 {
            return parallel::try_in_order(0..end, goes_on, act);
        }
        (0..end).take_while(|_| goes_on()).try_for_each(act)
    }
}

/// Returns the number of threads on which agents work: one, the caller's, if an agent is its own.
pub(super) fn threads_of<'b>(agents: impl IntoIterator<Item = &'b AnyAgent<'b>>) -> u64 {
    let has_own = agents.into_iter().any(|agent| matches!(agent, AnyAgent::Own { .. }));
    if has_own { 1 } else { rayon::current_num_threads() as u64 }
}
