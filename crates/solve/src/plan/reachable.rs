//! Plans of the solvers of reachable positions.

use hindsight_core::{Answer, Game, Wdl};

use super::io::SolveIo;
use super::method::Method;
use super::needs::{DiskNeeds, Extent, SolveNeeds};
use super::request::Request;
use super::solved::{SolvePlan, Solved};
use crate::{forward, graph, move_between};

fn needs(method: Method) -> SolveNeeds {
    SolveNeeds {
        method,
        extent: Extent::Reachable,
        memory: 0,
        disk: DiskNeeds::default(),
        seconds: None,
        max_remoteness: None,
    }
}

/// Plans retrograde analysis of the graph.
pub(super) fn plan_graph<'g, G: Game + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> SolvePlan<'g, G> {
    let limits = request.limits;
    let run = move |io: SolveIo<'_>| {
        let solution = graph::solve(game, limits, io.monitor)?;
        Ok(Solved::of_graph(solution))
    };
    SolvePlan::new(needs(Method::Reachable), limits, run)
}

/// Plans the forward solver.
pub(super) fn plan_forward<'g, G: Game>(game: &'g G, request: &Request<'_>) -> SolvePlan<'g, G> {
    let (limits, variant) = (request.limits, request.forward_variant);
    let run = move |io: SolveIo<'_>| {
        let solution = forward::solve(game, variant, limits, io.monitor)?;
        let next = solution
            .best_successor(0)
            .filter(|_| solution.start() != Wdl::Loss);
        let start = game.start();
        Ok(Solved {
            strategy_move: next
                .and_then(|next| move_between(game, start, solution.positions()[next])),
            ..Solved::new(Answer::Wdl(solution.start()), solution.summary())
        })
    };
    SolvePlan::new(needs(Method::Forward), limits, run)
}
