//! Solves.

use std::path::PathBuf;

use hindsight_games::{Method, Options};
use pyo3::prelude::*;

use crate::errors::{OrRaise, named};
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
    let method = named(
        py,
        solver,
        &Method::ALL.map(|method| (method.name(), method)),
    )?;
    let game = &game.game;
    let solved = watched(py, threads, progress.as_ref(), |watch| {
        let options = Options {
            seconds,
            checkpoint,
            resume,
            table: out,
            ..watch.options(memory)
        };
        game.solve(method, &options)
    })?;
    solved.or_raise(py).map(Solved)
}
