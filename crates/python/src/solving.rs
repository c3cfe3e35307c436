//! Solves.

use std::path::PathBuf;

use hindsight_games::{Method, Options};
use pyo3::prelude::*;

use crate::errors::{OrRaise, exception};
use crate::game::Game;
use crate::solved::Solved;
use crate::watch::watched;

/// Solves a game, and writes a table if `out` names one.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a solve")]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Game,
    solver: &str,
    memory: Option<u64>,
    seconds: Option<f64>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
    out: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    resume: bool,
) -> PyResult<Solved> {
    let method = method_of(py, solver)?;
    let game = &game.0;
    let solved = watched(py, threads, progress.as_ref(), |watch| {
        let options = Options {
            memory,
            seconds,
            progress: Some(watch.listener()),
            checkpoint,
            resume,
            table: out,
        };
        game.solve(method, &options)
    })?;
    solved.or_raise(py).map(Solved)
}

/// Returns the method of a name, as in `hindsight solve --solver`.
fn method_of(py: Python<'_>, name: &str) -> PyResult<Method> {
    let named = Method::ALL.into_iter().find(|method| method.name() == name);
    named.ok_or_else(|| {
        let names = Method::ALL.map(Method::name).join(", ");
        let text = format!("'{name}' is no solver: it is one of {names}");
        exception(py, "SolveError", &text)
    })
}
