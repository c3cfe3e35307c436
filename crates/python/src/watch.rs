//! Long work beside a thread of Python, which reports its progress and hears of Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hindsight_foreign::catch_faults;
use hindsight_games::{Options, Progress, ProgressListener};
use pyo3::prelude::*;

use crate::exit::Call;
use crate::foreign::{Caller, Calls, exception_of_fault};
use crate::pool::{new_pool, no_thread};
use crate::wish::look;

/// Time between two looks at signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);
/// Looks at signals between two calls of the function that hears of the progress.
const LOOKS_A_REPORT: u32 = 10;
/// Time between two calls of the function that hears of the progress.
pub(crate) const REPORT_INTERVAL: Duration = SIGNAL_INTERVAL.saturating_mul(LOOKS_A_REPORT);

/// Progress of the work, and the wish that it stops.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    is_done: Arc<AtomicBool>,
    progress: Arc<Mutex<Option<Progress>>>,
}

impl Watch {
    /// Returns options of work that reports here.
    pub(crate) fn options(&self, memory: Option<u64>) -> Options {
        Options { memory, progress: Some(self.listener()), ..Options::default() }
    }

    /// Returns the flag that asks the work to stop.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns a listener for the options of the work.
    pub(crate) fn listener(&self) -> ProgressListener {
        let watch = self.clone();
        Arc::new(move |progress| {
            watch.note(progress);
            !watch.stop.load(Ordering::Relaxed)
        })
    }

    pub(crate) fn note(&self, progress: Progress) {
        if let Ok(mut latest) = self.progress.lock() {
            *latest = Some(progress);
        }
    }

    /// Calls `report` with the progress as `(phase, done, total)`, if there is new progress.
    pub(crate) fn report(&self, report: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let latest = self.progress.lock().ok().and_then(|mut latest| latest.take());
        if let (Some(report), Some(progress)) = (report, latest) {
            report.call1((progress.phase, progress.done, progress.total))?;
        }
        Ok(())
    }
}

/// Does some work in threads of its own: `threads` of them, or as many as the machine has for
/// `None`. Meanwhile other threads of Python go on, `report` is called in this one, and an
/// exception of it or of a signal stops the work.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let _call = Call::begin(py);
    let watch = Watch::default();
    let stop = Arc::clone(&watch.stop);
    let is_to_stop = move || stop.load(Ordering::Relaxed);
    let (caller, calls) = Calls::new();
    let pool = new_pool(py, threads, Some(Arc::new(is_to_stop)), Some(caller.clone()))?;
    thread::scope(|scope| {
        let (pool, shared) = (&pool, &watch);
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let _waker = Waker { caller, is_done: &shared.is_done };
            pool.install(|| catch_faults(|| work(shared)))
        });
        let worker = worker.map_err(|error| no_thread(py, &error))?;
        let heard = listen(py, &watch, &calls, report);
        if heard.is_err() {
            watch.stop.store(true, Ordering::Relaxed);
        }
        // Who waits for a call hears that it is not made.
        drop(calls);
        let joined = py.detach(|| worker.join());
        let result = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        heard?;
        result.map_err(|fault| exception_of_fault(py, fault))
    })
}

/// Wakes the thread that waits for some work, when the work ends in any way.
struct Waker<'a> {
    caller: Caller,
    is_done: &'a AtomicBool,
}

impl Drop for Waker<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Release);
        self.caller.wake();
    }
}

/// Looks at signals, reports progress and makes the calls of the work until it ends.
fn listen(
    py: Python<'_>,
    watch: &Watch,
    calls: &Calls,
    report: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let mut looked = Instant::now();
    let mut looks = 0;
    while !watch.is_done.load(Ordering::Acquire) {
        calls.make(py, SIGNAL_INTERVAL);
        if looked.elapsed() < SIGNAL_INTERVAL {
            continue;
        }
        looked = Instant::now();
        look(py)?;
        looks += 1;
        if looks % LOOKS_A_REPORT == 0 {
            watch.report(report)?;
        }
    }
    watch.report(report)
}
