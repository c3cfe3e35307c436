//! Faults of rules as exceptions, and exceptions as faults.

use std::fmt;
use std::sync::Arc;

use hindsight_foreign::{FaultCause, RulesFault, catch_faults};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;

use crate::errors::exception;

/// Exception of Python in a fault. Its text was read where it was raised.
struct Raised {
    error: PyErr,
    text: String,
}

impl fmt::Debug for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Raised {}

/// Returns the fault of an exception of the rules.
pub(super) fn fault_of(py: Python<'_>, error: PyErr) -> RulesFault {
    let text = error.value(py).str().map_or_else(|_| String::from("?"), |text| text.to_string());
    let is_stop = error.is_instance_of::<PyKeyboardInterrupt>(py);
    let cause = FaultCause(Arc::new(Raised { error, text: text.clone() }));
    RulesFault { is_stop, cause: Some(cause), ..RulesFault::new(text) }
}

/// Returns the fault of a call that was not made, because its work is to stop.
pub(super) fn stop_fault() -> RulesFault {
    RulesFault { is_stop: true, ..RulesFault::new("stopped") }
}

/// Runs some work that may call rules; their fault becomes an exception.
pub(crate) fn catch_rules<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_faults(work).map_err(|fault| exception_of_fault(py, fault))
}

/// Returns the exception of a fault.
pub(crate) fn exception_of_fault(py: Python<'_>, fault: RulesFault) -> PyErr {
    let raised = fault.cause.as_ref().and_then(|cause| cause.0.downcast_ref::<Raised>());
    if let Some(raised) = raised {
        return raised.error.clone_ref(py);
    }
    if fault.is_stop {
        return PyKeyboardInterrupt::new_err(());
    }
    let fault = RulesFault { rules: String::new(), ..fault };
    exception(py, "GameError", &fault.to_string())
}

/// Returns a `GameError` at a position, with the exception that caused it.
pub(super) fn game_error(
    py: Python<'_>,
    text: &str,
    position: &Bound<'_, PyAny>,
    cause: Option<PyErr>,
) -> PyErr {
    if let Some(cause) = &cause
        && (!cause.is_instance_of::<PyException>(py) || cause.is_instance_of::<PyMemoryError>(py))
    {
        return cause.clone_ref(py);
    }
    let make = || {
        let errors = py.import("hindsight_games._errors")?;
        errors.call_method1("game_error", (text, position))
    };
    match make() {
        Ok(raised) => {
            let error = PyErr::from_value(raised);
            error.set_cause(py, cause);
            error
        }
        Err(error) => error,
    }
}
