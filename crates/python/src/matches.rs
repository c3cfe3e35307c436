//! Matches between two agents.

use std::time::Instant;

use hindsight_answers::{GamesDescription, MatchAnswer};
use hindsight_games::{MatchTask, PlayTask};
use pyo3::prelude::*;
use serde_json::json;

use crate::agents::{AgentTuple, GivenAgent, play_watched};
use crate::errors::{OrRaise, exception};
use crate::typed_text::TypedText;
use crate::values::Values;
use crate::watch::watched;

/// Plays a match; returns its JSON with the share of the points and all games.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a match")]
pub(crate) fn play_match(
    py: Python<'_>,
    spec: TypedText,
    first: AgentTuple,
    second: AgentTuple,
    values: Option<&Values>,
    games: u64,
    seed: u64,
    max_turns: u32,
    opening: u32,
    threads: Option<usize>,
    memory: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let agents = [first, second].map(|agent| GivenAgent::read(py, agent));
    let [first, second] = agents;
    let agents = [first?, second?];
    let begin = Instant::now();
    let spec = &*spec;
    let values = values_for(py, spec, values, &agents, threads, memory)?;
    let both = || [agents[0].agent(), agents[1].agent()];
    let played = play_watched(py, &agents, threads, memory, progress.as_ref(), |options, stop| {
        let [first, second] = both();
        let task = MatchTask {
            games,
            play: PlayTask {
                max_plies: max_turns,
                opening_plies: opening,
                seed,
                values: values.as_ref(),
                stop,
                exhausted: None,
            },
            ..MatchTask::new(first, second)
        };
        hindsight_games::play_match(spec, &task, options)
    })?;
    let described = GamesDescription {
        game: played.game,
        max_turns,
        opening,
        seed,
        seconds: begin.elapsed().as_secs_f64(),
    };
    let json = json!({
        "answer": MatchAnswer::new(
            described,
            both().map(|agent| agent.to_string()),
            &played.score,
        ),
        "share": played.score.share(),
        "share_interval": played.score.share_interval(),
        "records": played.records,
    });
    Ok(json.to_string())
}

/// Returns the values that agents play by: those of a table, which must be of the game, or of a
/// solve. Random cards have none.
fn values_for(
    py: Python<'_>,
    spec: &str,
    table: Option<&Values>,
    agents: &[GivenAgent; 2],
    threads: Option<usize>,
    memory: Option<u64>,
) -> PyResult<Option<hindsight_games::Values>> {
    let is_random = hindsight_games::deal(spec, 0, 0).or_raise(py)?.is_some();
    if let Some(table) = table {
        let of = table.values.game();
        if is_random || !hindsight_games::game(spec).or_raise(py)?.has_rules_of(of) {
            let of = of.spec();
            let text = format!("the table is of {of}, not of {spec}");
            return Err(exception(py, "TableError", &text));
        }
        return Ok(Some(table.values.clone()));
    }
    if is_random {
        return Ok(None);
    }
    let game = hindsight_games::game(spec).or_raise(py)?;
    let solved = watched(py, threads, None, |watch| {
        let agents = [agents[0].agent(), agents[1].agent()];
        game.values_for(&agents, &watch.options(memory))
    });
    solved?.or_raise(py)
}
