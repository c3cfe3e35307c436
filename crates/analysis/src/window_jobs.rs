//! Jobs by null-window search: of the position with a best line, then of its moves. They are for
//! games in which every move uses up a ply.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hindsight_core::{Game, Packed, PackedGame, Value, Wdl};
use hindsight_engine::{Error, Limits, Monitor};
use hindsight_solve::null_window::{self, NullWindowSolution};

use crate::analysis::AnalysisSource;
use crate::decide::{Decision, DecisionTask, LongJob};
use crate::known::Known;

/// Times of the jobs, in seconds. A job that is not done by then ends.
const SECONDS: [f64; 7] = [0.1, 0.5, 2.5, 12.0, 60.0, 300.0, 1500.0];

/// Values that jobs have found, by position in its canonical form.
type FoundValues = Arc<Mutex<HashMap<Packed, NullWindowSolution>>>;

/// Returns the jobs for a position.
pub(crate) fn window_jobs(task: DecisionTask<'_>) -> Vec<LongJob<'_>> {
    let found = FoundValues::default();
    let jobs = SECONDS.map(|seconds| {
        [false, true].map(|with_moves| {
            let (time, found) = (Duration::from_secs_f64(seconds), Arc::clone(&found));
            LongJob::new(time, move |limits, monitor| {
                let end = Instant::now() + limits.time.map_or(time, |left| left.min(time));
                let memory = task.memory;
                WindowJob { game: task.game, found: &found, memory, end, nodes: 0 }
                    .run(task.position, with_moves, monitor)
                    .map(Some)
            })
        })
    });
    jobs.into_iter().flatten().collect()
}

/// Job on its way.
struct WindowJob<'a, 'f> {
    game: &'a PackedGame,
    found: &'f FoundValues,
    memory: u64,
    end: Instant,
    nodes: u64,
}

impl<'a> WindowJob<'a, '_> {
    /// Searches a position, and then its moves or along a best line of it.
    fn run(
        mut self,
        position: Packed,
        with_moves: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<Decision<'a>, Error> {
        let mut known = HashMap::new();
        let mut line = Vec::new();
        let root = self.search(position, monitor)?;
        known.insert(self.game.canonical(position), known_of(&root));
        if with_moves && root.value().is_some() {
            let mut successors = Vec::new();
            self.game.successors(position, &mut successors);
            for to in successors {
                let solution = self.search(to, monitor)?;
                known.insert(self.game.canonical(to), known_of(&solution));
            }
        } else if root.value().is_some() {
            let mut next = root.best;
            while let Some(to) = next {
                let solution = self.search(to, monitor)?;
                if line.is_empty() {
                    known.insert(self.game.canonical(to), known_of(&solution));
                }
                if solution.value().is_none() {
                    break;
                }
                line.push(self.game.canonical(to));
                next = solution.best;
            }
        }
        let game = self.game;
        Ok(Decision {
            values: Vec::new(),
            known: Some(Box::new(move |position| {
                known.get(&game.canonical(position)).copied().unwrap_or(Known::NOTHING)
            })),
            line,
            source: AnalysisSource::Search { positions: self.nodes },
            work: self.nodes,
            bytes: 0,
            followers: 0,
        })
    }

    /// Returns what is found of a position by the end of the job.
    fn search(
        &mut self,
        position: Packed,
        monitor: &mut dyn Monitor,
    ) -> Result<NullWindowSolution, Error> {
        let canonical = self.game.canonical(position);
        if let Some(solution) = lock(self.found).get(&canonical) {
            return Ok(*solution);
        }
        let countdown = self.game.countdown().expect("each move uses up a ply");
        let time = self.end.saturating_duration_since(Instant::now());
        let limits = Limits { memory: self.memory, time: Some(time) };
        let solution = null_window::solve(countdown, canonical, limits, monitor)?;
        if solution.stopped {
            return Err(Error::Stopped);
        }
        self.nodes += solution.nodes;
        if solution.value().is_some() {
            lock(self.found).insert(canonical, solution);
        }
        Ok(solution)
    }
}

fn lock(found: &FoundValues) -> std::sync::MutexGuard<'_, HashMap<Packed, NullWindowSolution>> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what bounds tell: the value, or who wins, and in how many plies at most.
fn known_of(solution: &NullWindowSolution) -> Known {
    match (solution.value(), solution.bounds) {
        (Some(value), _) => Known::exact(value),
        (None, [Value::Win(plies), _]) => Known::of_wdl(Wdl::Win, Some(plies)),
        (None, [_, Value::Loss(plies)]) => Known::of_wdl(Wdl::Loss, Some(plies)),
        _ => Known::NOTHING,
    }
}
