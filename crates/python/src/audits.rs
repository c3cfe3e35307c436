//! Audits of agents by known values.

use std::sync::Arc;

use hindsight_answers::AuditRow;
use hindsight_games::{AuditSource, AuditTask, Options, Progress};
use pyo3::prelude::*;

use crate::agents::{AgentTuple, GivenAgent, play_watched};
use crate::errors::{OrRaise, exception};
use crate::table::Table;
use crate::values::Values;
use crate::watch::watched;

/// Judges agents; returns the JSON of the rows of `hindsight audit`.
///
/// Positions are those of games with an opening of `games.0` plies and `games.1` plies at most, or
/// are drawn from all values for `None`. `table` has the names of the layers, if there are any.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of an audit")]
pub(crate) fn audit(
    py: Python<'_>,
    values: &Values,
    table: Option<&Table>,
    agents: Vec<AgentTuple>,
    positions: u64,
    games: Option<(u32, u32)>,
    seed: u64,
    threads: Option<usize>,
    memory: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let agents = agents
        .into_iter()
        .map(|agent| GivenAgent::read(py, agent))
        .collect::<PyResult<Vec<_>>>()?;
    let drawn = match games {
        Some(_) => None,
        None => Some(draw(py, values, positions, seed, memory)?),
    };
    let source = match (games, &drawn) {
        (Some((opening_plies, max_plies)), _) => {
            AuditSource::Games { positions, opening_plies, max_plies }
        }
        (None, drawn) => AuditSource::Positions(drawn.as_deref().unwrap_or_default()),
    };
    let mut rows = Vec::new();
    for (number, given) in (0..).zip(&agents) {
        let one = std::slice::from_ref(given);
        let report = progress.as_ref();
        let quality = play_watched(py, one, threads, memory, report, |options, stop| {
            let task = AuditTask { stop, ..AuditTask::new(source, seed) };
            let options = after_agents(options, number, agents.len() as u64);
            values.values.audit(&given.agent(), &task, &options)
        })?;
        let agent = given.agent();
        let playouts = agent.spec().and_then(|spec| spec.playouts());
        let name = |layer| {
            let name = table.and_then(|table| table.table.layer_name(layer));
            name.unwrap_or_default()
        };
        let mut row = AuditRow::new(agent.to_string(), playouts, &quality, &name);
        if table.is_none() {
            row.by_layer.clear();
        }
        rows.push(row);
    }
    Ok(serde_json::to_string(&rows).expect("texts and numbers"))
}

/// Draws positions with at least two moves.
fn draw(
    py: Python<'_>,
    values: &Values,
    count: u64,
    seed: u64,
    memory: Option<u64>,
) -> PyResult<Vec<hindsight_games::Position>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let drawn = watched(py, None, None, |watch| {
        let options = watch.options(memory);
        values.values.draw_choices(count, seed, &options)
    });
    let drawn = drawn?.or_raise(py)?;
    if drawn.is_empty() {
        let text = "no position with two moves was found among the values";
        return Err(exception(py, "SolveError", text));
    }
    Ok(drawn)
}

/// Returns options whose listener hears of the progress of all `agents`, of which some are done.
fn after_agents(options: &Options, done: u64, agents: u64) -> Options {
    let listener = options.progress.clone().map(|listener| {
        let shifted = move |progress: Progress| {
            let each = progress.total.unwrap_or(0);
            listener(Progress {
                done: done * each + progress.done,
                total: Some(agents * each),
                ..progress
            })
        };
        Arc::new(shifted) as hindsight_games::ProgressListener
    });
    Options { progress: listener, ..options.clone() }
}
