//! Long work in the thread of Python that asked for it, because it calls functions of Python.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use hindsight_foreign::catch_faults;
use hindsight_games::{Options, Progress, set_stop_check};
use pyo3::prelude::*;

use crate::exit::detached;
use crate::foreign::exception_of_fault;
use crate::watch::{REPORT_INTERVAL, Watch};
use crate::wish::Wish;

/// Steps of the work: what it tells and hears between them.
struct Steps {
    watch: Watch,
    wish: Wish,
    /// Function that hears of the progress.
    report: Option<Py<PyAny>>,
    last_report: Mutex<Instant>,
    /// Exception of that function or of a signal, which stops the work.
    raised: Mutex<Option<PyErr>>,
}

impl Steps {
    /// Notes the progress of a step; returns false if the work is to stop.
    fn hear(&self, progress: Progress) -> bool {
        self.watch.note(progress);
        self.goes_on()
    }

    /// Looks at signals; returns false if the work is to stop.
    fn goes_on(&self) -> bool {
        if self.raised.lock().is_ok_and(|raised| raised.is_some()) {
            return false;
        }
        let looked = Python::attach(|py| self.look(py));
        let goes_on = looked.is_ok();
        if let (Err(error), Ok(mut raised)) = (looked, self.raised.lock()) {
            raised.get_or_insert(error);
        }
        goes_on
    }

    /// Looks at signals, and reports the progress if that is due.
    fn look(&self, py: Python<'_>) -> PyResult<()> {
        self.wish.look(py)?;
        let is_due = self.last_report.lock().is_ok_and(|mut last| {
            let is_due = last.elapsed() >= REPORT_INTERVAL;
            if is_due {
                *last = Instant::now();
            }
            is_due
        });
        if is_due { self.report(py) } else { Ok(()) }
    }

    fn report(&self, py: Python<'_>) -> PyResult<()> {
        let report = self.report.as_ref().map(|report| report.bind(py));
        self.watch.report(report)
    }
}

/// Does some work in this thread, without the lock of the interpreter. Where the work tells its
/// progress, `report` is called, and an exception of it or of a signal stops the work.
pub(crate) fn watched_here<T: Send>(
    py: Python<'_>,
    memory: Option<u64>,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Options) -> T + Send,
) -> PyResult<T> {
    let steps = Arc::new(Steps {
        watch: Watch::default(),
        wish: Wish::of_thread(),
        report: report.map(|report| report.clone().unbind()),
        last_report: Mutex::new(Instant::now()),
        raised: Mutex::default(),
    });
    let heard = Arc::clone(&steps);
    let options = Options {
        memory,
        progress: Some(Arc::new(move |progress| heard.hear(progress))),
        ..Options::default()
    };
    let asked = Arc::clone(&steps);
    let result = detached(py, || {
        let before = set_stop_check(Some(Arc::new(move || !asked.goes_on())));
        let result = catch_faults(|| work(&options));
        set_stop_check(before);
        result
    });
    let raised = steps.raised.lock().ok();
    match raised.and_then(|mut raised| raised.take()) {
        Some(error) => Err(error),
        None => {
            let result = result.map_err(|fault| exception_of_fault(py, fault))?;
            steps.report(py).map(|()| result)
        }
    }
}
