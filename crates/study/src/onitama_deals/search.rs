//! Search of one deal.

use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, PackedGame, Wdl};
use hindsight_engine::{Error, Limits, Monitor, Progress};
use hindsight_rules::onitama::{ProvedDeal, deal_spec};
use hindsight_solve::proof::{self, StagedProof};

use super::options::DealsOptions;
use super::result::DealResult;
use crate::rules::game_of;

/// Callback that receives the spec of the current deal and the progress of its search. Returns
/// `false` to stop the study.
pub type DealProgressFn<'a> = &'a mut dyn FnMut(&str, Progress) -> bool;

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
        plies: proof.plies,
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
    plies: Option<u16>,
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
        plies: solution.plies(),
        positions: solution.expansions,
        students: tables.followers,
    }))
}

/// Searches a proved deal again: the position after its first move, or the start if the player who
/// moves first loses. Returns the value for that player, or `None` if it was not found in time.
///
/// # Errors
/// [`Error::Stopped`] if it was stopped; [`Error::Thread`] if no thread can be started.
///
/// # Panics
/// If the first move is none.
pub fn prove_again(
    deal: &ProvedDeal,
    limits: Limits,
    on_progress: DealProgressFn<'_>,
) -> Result<Option<Wdl>, Error> {
    let spec = deal_spec(deal.cards);
    let game = game_of(&spec);
    let start = game.start();
    let from = deal.best_move.as_ref().map_or(start, |text| {
        let mv = game.parse_move(start, text).expect("a first move");
        game.play(start, mv)
    });
    let mut monitor = DealMonitor { spec: &spec, on_progress };
    let StagedProof { solution, .. } = proof::solve_staged(&game, from, limits, &mut monitor)?;
    let value = solution.value();
    if solution.stopped && value.is_none() {
        return Err(Error::Stopped);
    }
    Ok(if from == start { value } else { value.map(Wdl::before) })
}
