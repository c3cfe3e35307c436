//! Search of one deal.

use std::time::{Duration, Instant};

use hindsight_core::{Notation, Retro, TwoSided};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::{Error, Limits, Monitor, Progress};
use hindsight_solve::proof::{self, StagedProof};

use super::DealProgressFn;
use super::options::DealsOptions;
use super::result::DealResult;

/// Searches a deal. Returns `None` if the study was stopped.
pub(super) fn search_deal(
    options: &DealsOptions,
    number: u64,
    on_progress: DealProgressFn<'_>,
) -> Result<Option<DealResult>, String> {
    let spec = options.spec(number);
    let visitor = ProofVisitor {
        limits: Limits {
            memory: options.memory,
            time: Some(Duration::from_secs_f64(options.seconds)),
        },
        monitor: DealMonitor { spec: &spec, on_progress },
    };
    let begin = Instant::now();
    let proof = by_name(&spec, &Setup::default(), visitor);
    let proof = proof.expect("a board and five cards");
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

/// Visitor that proves the value of the start.
struct ProofVisitor<'a, 'b> {
    limits: Limits,
    monitor: DealMonitor<'a, 'b>,
}

impl Visitor for ProofVisitor<'_, '_> {
    type Output = Result<Option<DealProof>, Error>;

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        unreachable!("{} has at most 32 squares", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(mut self, game: G) -> Self::Output {
        let (start, limits) = (game.start(), self.limits);
        let staged = proof::solve_staged(&game, start, limits, &mut self.monitor)?;
        let StagedProof { solution, tables } = staged;
        if solution.stopped && solution.value().is_none() {
            return Ok(None);
        }
        let best = solution.best_move(&game);
        Ok(Some(DealProof {
            wins: solution.wins(),
            best_move: best.map(|best| game.format_move(game.start(), best)),
            positions: solution.expansions,
            students: tables.followers,
        }))
    }
}
