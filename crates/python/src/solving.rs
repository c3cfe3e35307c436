//! Solves.

use std::path::PathBuf;

use hindsight_games::{AnyGame, Method, Options, SolvedGame};
use pyo3::prelude::*;

use crate::errors::{OrRaise, exception, named};
use crate::game::Game;
use crate::solved::Solved;
use crate::typed_text::TypedText;
use crate::watch::watched;

/// Solves a game, and writes a table if `out` names one.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a solve")]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Game,
    solver: TypedText,
    memory: Option<u64>,
    seconds: Option<f64>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
    out: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    resume: bool,
) -> PyResult<Solved> {
    let method = named(&solver, &Method::ALL.map(|method| (method.name(), method)))?;
    let game = &game.game;
    let has_limit = seconds.is_some();
    let solved = watched(py, threads, progress.as_ref(), |watch| {
        let options = Options { seconds, checkpoint, resume, table: out, ..watch.options(memory) };
        game.solve(method, &options)
    })?;
    finished(py, game, solved.or_raise(py)?, has_limit)
}

/// Returns a solve, or the error of a search that has not found the value of the start.
pub(crate) fn finished(
    py: Python<'_>,
    game: &AnyGame,
    solved: SolvedGame,
    has_limit: bool,
) -> PyResult<Solved> {
    match solved.winner() {
        Some(winner) if solved.start_value().wdl().is_none() => {
            let text = undecided(game, winner.wins, has_limit);
            Err(exception(py, "LimitError", &text))
        }
        _ => Ok(Solved::new(solved)),
    }
}

/// Returns the sentence on a search that has not found the value of the start. `wins` says, for the
/// side to move and for the other, if it can win.
fn undecided(game: &AnyGame, wins: [Option<bool>; 2], has_limit: bool) -> String {
    let mover = game.player_to_move(&game.start()).unwrap_or_default();
    let names = game.player_names();
    let players = [names[mover], names[1 - mover]];
    let cannot_win = players.iter().zip(wins).find(|(_, wins)| *wins == Some(false));
    let known = cannot_win
        .map_or(String::new(), |(name, _)| format!(": {name} cannot win, and no more is known"));
    let more = if has_limit { "a greater seconds=.. or memory=.." } else { "a greater memory=.." };
    format!(
        "the value of the start of {} is not found within the limits{known}; {more} allows more",
        game.spec()
    )
}
