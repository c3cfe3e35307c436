//! Errors of the library as exceptions of the module `hindsight_games._errors`.

use std::error::Error;

use hindsight_games::{
    AgentChoiceError, AgentError, Error as GamesError, PlanError, SolverError, shown,
    without_middle,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Most characters of a message.
const MESSAGE: usize = 1000;

/// Results whose errors become exceptions. That of an agent in Python is raised again as it is.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, GamesError> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| match error {
            GamesError::Agent(AgentChoiceError::Agent(AgentError::Own(error))) => {
                let text = error.to_string();
                let raised = error.downcast::<PyErr>();
                raised.map_or_else(|_| exception(py, "AgentError", &text), |raised| *raised)
            }
            error => exception_of(py, &error),
        })
    }
}

pub(crate) fn exception_of(py: Python<'_>, error: &GamesError) -> PyErr {
    use GamesError as E;
    let text = with_causes(error);
    match error {
        E::Spec { spec, fault } => at_offset(py, "SpecError", &text, spec, fault.offset),
        E::Position { text: typed, fault } => {
            at_offset(py, "PositionError", &text, typed, fault.offset)
        }
        E::OtherGame { .. } => exception(py, "PositionError", &text),
        E::MoveText(_) | E::PlayedMove { .. } | E::IllegalMove { .. } | E::GameText(_) => {
            exception(py, "MoveError", &text)
        }
        E::Unknown { .. } => exception(py, "NotInTable", &text),
        E::NoFile(_) => exception(py, "TableNotFoundError", &text),
        E::NoCheckpoint | E::NoSecondSolve(_) | E::NoTier { .. } | E::NoRank { .. } => {
            PyValueError::new_err(text)
        }
        E::Checkpoint(_)
        | E::Output(_)
        | E::KeptElsewhere { .. }
        | E::Inconsistent
        | E::InconsistentDistances
        | E::UnknownGame(_)
        | E::OwnRules { .. }
        | E::Folder(_)
        | E::NotOrdinary(_)
        | E::Unreadable { .. }
        | E::Unwritable { .. }
        | E::NotATable(_)
        | E::Version { .. }
        | E::Damaged { .. }
        | E::KeepsValues(_)
        | E::KeepsDistances(_)
        | E::Table { .. }
        | E::DifferentGames { .. }
        | E::DifferentPositions(_) => exception(py, "TableError", &text),
        E::Agent(_) => exception(py, "AgentError", &text),
        E::Memory { .. }
        | E::VerifyMemory { .. }
        | E::TooManyPositions { .. }
        | E::LongProof(_)
        | E::Plan(
            PlanError::NeedsCheckpoint { .. }
            | PlanError::MayNotFit { .. }
            | PlanError::SearchMemory { .. },
        ) => exception(py, "LimitError", &text),
        E::Solve(SolverError::Stopped) => PyKeyboardInterrupt::new_err(()),
        E::Solve(SolverError::Store(_)) => exception(py, "TableError", &text),
        E::Solve(SolverError::Thread(_)) => exception(py, "LimitError", &text),
        E::Solve(error) if error.is_lack() => exception(py, "LimitError", &text),
        _ => exception(py, "SolveError", &text),
    }
}

/// Returns the exception of a class with a text. Of a text that names a very long file, the middle
/// is left out.
pub(crate) fn exception(py: Python<'_>, class: &str, text: &str) -> PyErr {
    let most = match class {
        // A list of many moves is whole.
        "MoveError" => usize::MAX,
        _ => MESSAGE,
    };
    new_exception(py, class, &without_middle(text, most), None)
}

/// Returns the exception of a fault at a byte of a text that was typed.
fn at_offset(py: Python<'_>, class: &str, text: &str, typed: &str, byte: usize) -> PyErr {
    let before = typed.get(..byte);
    let characters = before.map_or(byte, |before| before.chars().count());
    new_exception(py, class, text, Some(characters))
}

/// Returns what a name stands for, or an exception that lists the names.
pub(crate) fn named<T: Copy>(name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names = known.iter().map(|(name, _)| format!("'{name}'"));
        let names = names.collect::<Vec<_>>().join(", ");
        PyValueError::new_err(format!("'{}' is none of {names}", shown(name)))
    })
}

fn new_exception(py: Python<'_>, class: &str, text: &str, at: Option<usize>) -> PyErr {
    let make = || {
        let class = py.import("hindsight_games._errors")?.getattr(class)?;
        let keys = PyDict::new(py);
        if let Some(at) = at {
            keys.set_item("at", at)?;
        }
        class.call((text,), Some(&keys))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Returns the text of an error with those of its causes.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
