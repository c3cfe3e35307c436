//! Games whose rules are a class in Python: exploration from the start, and the solve.
//!
//! The rules are one function of Python, `expand(position)`. It returns 1, 0 or -1 for a position
//! in which the game is over, as seen by the side to move, and else a pair of lists: the position
//! after each move, and its key. Positions with equal keys are one. Exceptions of the function end
//! the work and go to the caller.

mod explore;
mod graph;
mod key_table;
mod pace;
mod solve;
mod solved;

pub(crate) use solve::solve_own;
pub(crate) use solved::OwnSolved;

use pyo3::prelude::*;

/// Returns a `GameError` at a position, with the exception that caused it.
fn game_error(py: Python<'_>, text: &str, position: &Bound<'_, PyAny>, cause: PyErr) -> PyErr {
    if !cause.is_instance_of::<pyo3::exceptions::PyException>(py)
        || cause.is_instance_of::<pyo3::exceptions::PyMemoryError>(py)
    {
        return cause;
    }
    let error = game_fault(py, text, position);
    error.set_cause(py, Some(cause));
    error
}

/// Returns a `GameError` at a position.
fn game_fault(py: Python<'_>, text: &str, position: &Bound<'_, PyAny>) -> PyErr {
    let make = || {
        let errors = py.import("hindsight_games._errors")?;
        errors.call_method1("game_error", (text, position))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
