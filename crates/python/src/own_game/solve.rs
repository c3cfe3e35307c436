//! Solves of games in Python.

use std::time::Duration;

use hindsight_games::{Limits, Monitor, PackedGame, Progress, ProgressListener, memory};
use hindsight_solve::graph;
use pyo3::prelude::*;

use super::explore::{Explored, Explorer, KeptPositions, MAX_NUMBER};
use super::pace::{ExploreLimits, Pace};
use super::solved::OwnSolved;
use crate::errors::OrRaise;
use crate::exit::Call;
use crate::watch::watched;

/// Explores and solves a game. `kept` is 0 if each position is its own key, 1 to keep the first
/// position of each key, 2 to keep none.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a solve")]
pub(crate) fn solve_own<'py>(
    py: Python<'py>,
    start: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    expand: &Bound<'py, PyAny>,
    kept: u8,
    max_positions: u64,
    memory: Option<u64>,
    seconds: Option<f64>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<OwnSolved> {
    let _call = Call::begin(py);
    let limits = ExploreLimits {
        positions: max_positions.min(MAX_NUMBER),
        memory: memory::limit(memory),
        time: seconds.and_then(|s| Duration::try_from_secs_f64(s.max(0.0)).ok()),
    };
    let kept = match kept {
        0 => KeptPositions::AreKeys,
        1 => KeptPositions::All,
        _ => KeptPositions::Waiting,
    };
    let mut pace = Pace::new(limits, progress.as_ref());
    let explored = Explorer::new(expand, kept, limits.positions).run(start, key, &mut pace)?;
    let Explored { keys, positions, graph } = explored;
    let moves = graph.move_counts();
    let bytes = keys.bytes() + graph.bytes() + size_of_val(&*moves) as u64;
    let limits = Limits {
        memory: limits.memory.saturating_sub(bytes),
        time: limits.time.map(|time| time.saturating_sub(pace.elapsed())),
    };
    let game = PackedGame::new(graph);
    let solved = watched(py, threads, progress.as_ref(), |watch| {
        graph::solve(&game, limits, &mut ListenerOf(watch.listener()))
    })?;
    let solved = solved.map_err(hindsight_games::Error::from).or_raise(py)?;
    Ok(OwnSolved::new(keys, positions, moves, &game, &solved))
}

/// Monitor that reports to a listener.
struct ListenerOf(ProgressListener);

impl Monitor for ListenerOf {
    fn report(&mut self, progress: Progress) -> bool {
        (self.0)(progress)
    }
}
