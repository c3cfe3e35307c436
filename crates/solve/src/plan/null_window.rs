//! Plan of a null-window search.

use hindsight_core::{Answer, Game, Packed, PackedGame, Value, Wdl};
use hindsight_engine::{Error, Summary};

use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds};
use super::request::Request;
use super::solved::{FoundWinner, SolvePlan, Solved};
use crate::null_window;
use crate::proof::ProofTables;

/// Bytes of a search beside its table.
const OTHER_BYTES: u64 = 1 << 20;

/// Plans a null-window search from a position.
///
/// # Errors
/// [`PlanError::NoCountdown`] for other games; [`PlanError::SearchMemory`] if even the smallest
/// table does not fit.
pub(super) fn plan_null_window<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let countdown = game.countdown().ok_or(PlanError::NoCountdown)?;
    let mut limits = request.limits;
    let needed = null_window::least_bytes(countdown, start) + OTHER_BYTES;
    if limits.memory < needed {
        return Err(PlanError::SearchMemory { needed, limit: limits.memory });
    }
    limits.memory -= OTHER_BYTES;
    let table = null_window::table_bytes(countdown, start, limits.memory);
    let needs = SolveNeeds {
        method: Method::Search,
        choice: None,
        extent: Extent::BoundedSearch,
        memory: table + OTHER_BYTES,
        position_bytes: 0,
        value_bytes: 0,
        disk: DiskNeeds::default(),
        seconds: None,
        writing_seconds: 0.0,
        max_remoteness: None,
    };
    let run = move |io: SolveIo<'_>| {
        let solution = null_window::solve(countdown, start, limits, io.monitor)?;
        if solution.stopped && solution.value().is_none() {
            return Err(Error::Stopped);
        }
        let value = solution.value().map_or(Answer::Unknown, Answer::Exact);
        let summary = Summary { positions: solution.nodes, ..Summary::default() };
        let mut solved = Solved::new(value, summary);
        solved.strategy_move = solution.best_move(game, start);
        solved.winner = Some(FoundWinner {
            wins: wins_within(solution.bounds),
            bounds: Some(solution.bounds),
            tables: ProofTables::default(),
        });
        Ok(solved)
    };
    Ok(SolvePlan::new(needs, request.limits, run))
}

/// Returns, for the side to move and for the other, true if it wins by the worst and the best value
/// that are possible; `None` if they do not tell.
fn wins_within([worst, best]: [Value; 2]) -> [Option<bool>; 2] {
    let known = |wins: [bool; 2]| (wins[0] == wins[1]).then_some(wins[0]);
    [Wdl::Win, Wdl::Loss].map(|wdl| known([worst, best].map(|value| value.wdl() == wdl)))
}
