//! Search of one deal.

use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, PackedGame};
use hindsight_engine::{Error, Limits, Monitor, Progress};
use hindsight_solve::proof::{self, StagedProof};

use super::DealProgressFn;
use super::options::DealsOptions;
use super::result::DealResult;
use crate::rules::game_of;

/// Searches a deal. Returns `None` if the study was stopped.
pub(super) fn search_deal(
    options: &DealsOptions,
    number: u64,
    on_progress: DealProgressFn<'_>,
) -> Result<Option<DealResult>, String> {
    let spec = options.spec(number);
    let limits =
        Limits { memory: options.memory, time: Some(Duration::from_secs_f64(options.seconds)) };
    let begin = Instant::now();
    let proof = prove(&game_of(&spec), limits, &mut DealMonitor { spec: &spec, on_progress });
    let seconds = begin.elapsed().as_secs_f64();
    let result = |proof: DealProof| DealResult {
        number,
        allowed_seconds: options.seconds,
        wins: proof.wins,
        best_move: proof.best_move,
        positions: proof.positions,
        students: proof.students,
        seconds,
        spec: spec.clone(),
    };
    match proof {
        Ok(proof) => Ok(proof.map(result)),
        Err(Error::Stopped) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Result of the proof search of a deal. For the fields see [`DealResult`].
struct DealProof {
    wins: [Option<bool>; 2],
    best_move: Option<String>,
    positions: u64,
    students: u32,
}

/// Monitor that forwards the progress of one deal to the caller.
struct DealMonitor<'a, 'b> {
    spec: &'a str,
    on_progress: DealProgressFn<'b>,
}

impl Monitor for DealMonitor<'_, '_> {
    fn report(&mut self, progress: Progress) -> bool {
        (self.on_progress)(self.spec, progress)
    }
}

/// Proves the value of the start. Returns `None` if the study was stopped.
fn prove(
    game: &PackedGame,
    limits: Limits,
    monitor: &mut DealMonitor<'_, '_>,
) -> Result<Option<DealProof>, Error> {
    let StagedProof { solution, tables } =
        proof::solve_staged(game, game.start(), limits, monitor)?;
    if solution.stopped && solution.value().is_none() {
        return Ok(None);
    }
    let best = solution.best_move(game);
    Ok(Some(DealProof {
        wins: solution.wins(),
        best_move: best.map(|best| game.format_move(game.start(), best)),
        positions: solution.expansions,
        students: tables.followers,
    }))
}
