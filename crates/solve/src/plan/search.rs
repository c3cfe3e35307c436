//! Plans of a search for the winner.

use std::time::Instant;

use hindsight_core::{Answer, Game, Packed, PackedGame, Ranked, Wdl};
use hindsight_engine::{Error, Limits, Monitor, Summary};

use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds};
use super::request::Request;
use super::solved::{FoundWinner, SolvePlan, Solved};
use crate::proof::{self, ProofProblem, ProofTables};

/// Least bytes of memory of a search.
const MIN_BYTES: u64 = 1 << 20;

/// Search for the winner of one structure of games.
pub(super) type FindWinner =
    fn(&PackedGame, Packed, Limits, &mut dyn Monitor) -> Result<FoundWithTables, Error>;

/// Solution with the tables that helped to find it.
type FoundWithTables = (proof::ProofSolution, ProofTables);

/// Plans a search for the winner from a position.
///
/// # Errors
/// [`PlanError::SearchMemory`] if even a small search does not fit.
pub(super) fn plan_search<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
    find: FindWinner,
) -> Result<SolvePlan<'g>, PlanError> {
    let limits = request.limits;
    if limits.memory < MIN_BYTES {
        return Err(PlanError::SearchMemory { needed: MIN_BYTES, limit: limits.memory });
    }
    let needs = SolveNeeds {
        method: Method::Proof,
        choice: None,
        extent: Extent::Search,
        memory: 0,
        position_bytes: 0,
        value_bytes: 0,
        disk: DiskNeeds::default(),
        seconds: None,
        writing_seconds: 0.0,
        max_remoteness: None,
    };
    let run = move |io: SolveIo<'_>| {
        if let Some(wdl) = game.terminal(start) {
            return Ok(over(wdl));
        }
        let begin = Instant::now();
        let (solution, tables) = find(game, start, limits, io.monitor)?;
        if solution.stopped && solution.value().is_none() {
            return Err(Error::Stopped);
        }
        let summary = Summary { positions: solution.expansions, ..Summary::default() };
        let start = solution.value().map_or(Answer::Unknown, Answer::Wdl);
        let mut solved = Solved::new(start, summary);
        solved.strategy_move = solution.best_move(game);
        solved.winner = Some(FoundWinner { wins: solution.wins(), bounds: None, tables });
        solved.times.solving = begin.elapsed();
        Ok(solved)
    };
    Ok(SolvePlan::new(needs, limits, run))
}

/// Returns the result of a search from a finished position.
fn over(wdl: Wdl) -> Solved {
    let mut solved = Solved::new(Answer::Wdl(wdl), Summary::default());
    solved.winner = Some(FoundWinner {
        wins: [Wdl::Win, Wdl::Loss].map(|win| Some(wdl == win)),
        bounds: None,
        tables: ProofTables::default(),
    });
    solved
}

/// Searches by the rules alone.
pub(super) fn find_by_rules(
    game: &PackedGame,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<FoundWithTables, Error> {
    let problem = ProofProblem { game, start, oracle: &|_| None };
    find(problem, limits, monitor)
}

/// Searches with the values that [`Ranked::implied_value`] gives.
pub(super) fn find_by_implied_values(
    game: &PackedGame,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<FoundWithTables, Error> {
    let problem = ProofProblem {
        game,
        start,
        oracle: &|position| game.implied_value(position).map(Into::into),
    };
    find(problem, limits, monitor)
}

fn find(
    problem: ProofProblem<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<FoundWithTables, Error> {
    let solution = proof::solve(problem, limits, monitor)?;
    Ok((solution, ProofTables::default()))
}

/// Searches with planes of few followers as leaves.
pub(super) fn find_in_stages(
    game: &PackedGame,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<FoundWithTables, Error> {
    let found = proof::solve_staged(game, start, limits, monitor)?;
    Ok((found.solution, found.tables))
}
