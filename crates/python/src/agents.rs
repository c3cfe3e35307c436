//! Agents: those that a text names, and functions of Python.

use std::error::Error;
use std::sync::atomic::AtomicBool;

use hindsight_games::{AgentSpec, AgentTurn, AnyAgent, Error as GamesError, Options};
use pyo3::prelude::*;

use crate::errors::{OrRaise, exception};
use crate::game::Game;
use crate::typed_text::TypedText;
use crate::watch::watched;
use crate::watch_here::watched_here;

/// Text or name of an agent, and the function that chooses its moves, if it is one of Python.
pub(crate) type AgentTuple = (TypedText, Option<Py<PyAny>>);

/// Function that chooses a move.
type OwnMove = dyn Fn(&AgentTurn<'_>) -> Result<usize, Box<dyn Error + Send + Sync>> + Send + Sync;

/// Agent of a call.
pub(crate) enum GivenAgent {
    Spec(AgentSpec),
    Own { name: String, choose: Box<OwnMove> },
}

impl GivenAgent {
    /// Reads an agent of a call.
    pub(crate) fn read(py: Python<'_>, agent: AgentTuple) -> PyResult<Self> {
        let (text, function) = agent;
        if let Some(function) = function {
            return Ok(Self::Own {
                name: text.to_string(),
                choose: Box::new(move |turn| Ok(ask(&function, turn)?)),
            });
        }
        let spec = text.parse::<AgentSpec>();
        let spec = spec.map_err(|error| exception(py, "AgentError", &error.message));
        spec.map(Self::Spec)
    }

    pub(crate) fn agent(&self) -> AnyAgent<'_> {
        match self {
            Self::Spec(spec) => AnyAgent::Spec(*spec),
            Self::Own { name, choose } => AnyAgent::Own { name, choose },
        }
    }

    fn is_own(&self) -> bool {
        matches!(self, Self::Own { .. })
    }
}

/// Asks a function for a move: `function(game, position, moves, seed)` returns its index.
fn ask(function: &Py<PyAny>, turn: &AgentTurn<'_>) -> PyResult<usize> {
    Python::attach(|py| {
        let game = turn.game;
        let position = game.format(turn.position).or_raise(py)?;
        let moves = turn
            .moves
            .iter()
            .map(|mv| game.format_move(turn.position, mv))
            .collect::<Result<Vec<_>, _>>()
            .or_raise(py)?;
        let chosen = function.call1(py, (Game::of_values(game), position, moves, turn.seed))?;
        chosen.extract(py)
    })
}

/// Lets agents play: in threads of their own, or in this one if a function of Python is among them.
pub(crate) fn play_watched<T: Send>(
    py: Python<'_>,
    agents: &[GivenAgent],
    threads: Option<usize>,
    memory: Option<u64>,
    report: Option<&Bound<'_, PyAny>>,
    play: impl FnOnce(&Options, Option<&AtomicBool>) -> Result<T, GamesError> + Send,
) -> PyResult<T> {
    let played = if agents.iter().any(GivenAgent::is_own) {
        watched_here(py, memory, report, |options| play(options, None))
    } else {
        watched(py, threads, report, |watch| play(&watch.options(memory), Some(watch.stop())))
    };
    played?.or_raise(py)
}
