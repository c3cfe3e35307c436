//! Plans of the solvers of reachable positions.

use hindsight_core::{Answer, Game, Wdl};

use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds, graph_bytes, rate, rough_seconds};
use super::request::Request;
use super::solved::{SolvePlan, Solved};
use crate::{forward, graph, move_between};

fn needs(method: Method) -> SolveNeeds {
    SolveNeeds {
        method,
        choice: None,
        extent: Extent::Reachable,
        memory: 0,
        disk: DiskNeeds::default(),
        seconds: None,
        max_remoteness: None,
    }
}

/// Plans retrograde analysis of the graph from a position. `most` is the most positions that it
/// may have, if the graph must surely fit.
///
/// # Errors
/// [`PlanError::MayNotFit`] if it may not.
pub(super) fn plan_graph<'g, G: Game + 'static>(
    game: &'g G,
    start: G::Position,
    request: &Request<'_>,
    most: Option<u64>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    let limits = request.limits;
    let positions = most.unwrap_or(0);
    let needed = graph_bytes::<G>(positions);
    if needed > limits.memory {
        return Err(PlanError::MayNotFit { positions, needed, limit: limits.memory });
    }
    let needs = SolveNeeds {
        seconds: most.map(|most| rough_seconds(most, rate::GRAPH, false)),
        ..needs(Method::Reachable)
    };
    let run = move |io: SolveIo<'_>| {
        let solution = graph::solve_from(game, start, limits, io.monitor)?;
        Ok(Solved::of_graph(solution))
    };
    Ok(SolvePlan::new(needs, limits, run))
}

/// Plans the forward solver.
pub(super) fn plan_forward<'g, G: Game>(game: &'g G, request: &Request<'_>) -> SolvePlan<'g, G> {
    let (limits, variant) = (request.limits, request.forward_variant);
    let run = move |io: SolveIo<'_>| {
        let solution = forward::solve(game, variant, limits, io.monitor)?;
        let next = solution.best_successor(0).filter(|_| solution.start() != Wdl::Loss);
        let start = game.start();
        Ok(Solved {
            strategy_move: next
                .and_then(|next| move_between(game, start, solution.positions()[next])),
            ..Solved::new(Answer::Wdl(solution.start()), solution.summary())
        })
    };
    SolvePlan::new(needs(Method::Forward), limits, run)
}
