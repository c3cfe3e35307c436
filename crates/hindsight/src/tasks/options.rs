//! Options of long work.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hindsight_engine::{Limits, Monitor, Progress};

use crate::error::GamesError;
use crate::memory;

/// Listener to the progress of long work; `false` stops the work.
pub type ProgressListener = Arc<dyn Fn(Progress) -> bool + Send + Sync>;

/// Options of a solve, or of other long work. The default is 7/8 of the free memory,
/// no limit of time, and no listener.
///
/// ```
/// use std::sync::Arc;
/// use hindsight_games::{Error, Method, Options};
///
/// let options = Options {
///     memory: Some(1 << 30),
///     seconds: Some(60.0),
///     progress: Some(Arc::new(|progress| progress.done < 20)),
///     ..Options::default()
/// };
/// let stopped = hindsight_games::game("tic-tac-toe")?.solve(Method::Auto, &options);
/// assert_eq!(stopped.unwrap_err().to_string(), "stopped");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Options {
    /// Bytes of memory for positions and values, lowered to what limits of the system leave
    /// (control groups, `ulimit -v`); `None` for 7/8 of what is free when the work
    /// begins, and for no limit where the system does not tell. Who solves several games at once
    /// should set it. A checkpoint that is resumed goes on with the limit with which it was begun.
    pub memory: Option<u64>,
    /// Seconds that may pass; `None` for no limit.
    pub seconds: Option<f64>,
    /// Listener to the progress, which may stop the work.
    pub progress: Option<ProgressListener>,
    /// Folder for the checkpoint of a solve.
    pub checkpoint: Option<PathBuf>,
    /// True to go on with the checkpoint, or to begin it if the folder has none.
    pub resume: bool,
    /// File of the table that a solve writes.
    pub table: Option<PathBuf>,
    /// True if an analysis is to prove every move, and not the best one first.
    pub every_move: bool,
}

impl Options {
    /// Returns the limits; free memory is measured by this call.
    pub(crate) fn limits(&self) -> Limits {
        Limits { memory: memory::limit_of_data(self.memory), time: time_of(self.seconds) }
    }

    /// Returns the options with their limit of memory as it is now, for work that asks for it more
    /// than once.
    pub(crate) fn resolved(&self) -> Self {
        Self { memory: Some(self.limits().memory), ..self.clone() }
    }

    /// Returns a monitor that reports to the listener.
    pub(crate) fn monitor(&self) -> impl Monitor {
        ListenerMonitor(self.progress.clone())
    }
}

/// Returns a limit of time. More seconds than a clock counts are no limit.
pub(crate) fn time_of(seconds: Option<f64>) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(seconds?.max(0.0));
    time.ok()
}

/// Refuses work that does not fit in memory; `needed` yields the bytes of each step. Steps run one
/// after the other, so the largest decides.
pub(crate) fn check_memory(
    needed: impl Iterator<Item = u64>,
    limits: Limits,
) -> Result<(), GamesError> {
    let (needed, limit) = (needed.max().unwrap_or(0), limits.memory);
    if needed > limit { Err(GamesError::Memory { needed, limit }) } else { Ok(()) }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("memory", &self.memory)
            .field("seconds", &self.seconds)
            .field("checkpoint", &self.checkpoint)
            .field("resume", &self.resume)
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

/// Monitor that reports to a listener.
struct ListenerMonitor(Option<ProgressListener>);

impl Monitor for ListenerMonitor {
    fn report(&mut self, progress: Progress) -> bool {
        self.0.as_ref().is_none_or(|listener| listener(progress))
    }
}
