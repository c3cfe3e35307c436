//! The wish that work stops: a signal, the end of the interpreter, or a cancelled task.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::exit::is_exiting;

thread_local! {
    /// Wish of the task for which this thread works.
    static OF_THREAD: RefCell<Wish> = const { RefCell::new(Wish(None)) };
}

/// Wish that some work stops.
#[derive(Clone, Default)]
pub(crate) struct Wish(Option<Arc<AtomicBool>>);

impl Wish {
    /// Returns the wish that this thread hears of.
    pub(crate) fn of_thread() -> Self {
        OF_THREAD.with_borrow(Clone::clone)
    }

    /// Looks at signals and at the wish; an exception says that the work is to stop.
    pub(crate) fn look(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        let is_wished = self.0.as_ref();
        if is_exiting() || is_wished.is_some_and(|wish| wish.load(Ordering::Relaxed)) {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        Ok(())
    }
}

/// Looks at signals and at the wish of this thread; an exception says that its work is to stop.
#[pyfunction]
pub(crate) fn look(py: Python<'_>) -> PyResult<()> {
    Wish::of_thread().look(py)
}

/// Wish of a task, which another thread makes.
#[pyclass(frozen)]
pub(crate) struct StopWish(Arc<AtomicBool>);

#[pymethods]
impl StopWish {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// Wishes that the work stops.
    fn make(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Calls a function, whose long work hears of the wish and raises `KeyboardInterrupt`.
    fn heard_by(&self, function: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = function.py();
        let before = OF_THREAD.replace(Wish(Some(Arc::clone(&self.0))));
        let result = look(py).and_then(|()| function.call0());
        OF_THREAD.set(before);
        result.map(Bound::unbind)
    }
}
