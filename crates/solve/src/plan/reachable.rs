//! Plans of the solvers of reachable positions.

use hindsight_core::{Answer, Game, Notation, Packed, PackedGame, Wdl};

use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds, graph_bytes, rate, rough_seconds};
use super::request::Request;
use super::solved::{SolvePlan, Solved};
use crate::{forward, graph, sorted};

fn needs(method: Method) -> SolveNeeds {
    SolveNeeds {
        method,
        choice: None,
        extent: Extent::Reachable,
        memory: 0,
        position_bytes: 0,
        value_bytes: 0,
        disk: DiskNeeds::default(),
        seconds: None,
        writing_seconds: 0.0,
        max_remoteness: None,
    }
}

/// Plans retrograde analysis of the graph from a position. `most` is the most positions that it
/// may have, if the graph must surely fit.
///
/// # Errors
/// [`PlanError::MayNotFit`] if it may not.
pub(super) fn plan_graph<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
    most: Option<u64>,
) -> Result<SolvePlan<'g>, PlanError> {
    let limits = request.limits;
    let positions = most.unwrap_or(0);
    let needed = graph_bytes(game, positions);
    if needed > limits.memory {
        return Err(PlanError::MayNotFit { positions, needed, limit: limits.memory });
    }
    let needs = SolveNeeds {
        position_bytes: graph_bytes(game, 1),
        seconds: most.map(|most| rough_seconds(most, rate::GRAPH)),
        ..needs(Method::Reachable)
    };
    let later = WritingBytes::of(request);
    let run = move |io: SolveIo<'_>| {
        let later = |positions| later.of_positions(positions);
        let solution = graph::solve_before(game, start, limits, io.monitor, &later)?;
        Ok(Solved::of_graph(solution))
    };
    Ok(SolvePlan::new(needs, limits, run))
}

/// Plans the same with positions that are sorted, and moves on disk.
pub(super) fn plan_sorted<'g>(game: &'g PackedGame, request: &Request<'_>) -> SolvePlan<'g> {
    let limits = request.limits;
    let needs = SolveNeeds {
        extent: Extent::Sorted,
        position_bytes: sorted::POSITION_BYTES,
        ..needs(Method::Reachable)
    };
    // The positions are sorted when they are written: each gets a code of a byte.
    let later = WritingBytes { position: 1, ..WritingBytes::of(request) };
    let run = move |io: SolveIo<'_>| {
        let later = |positions| later.of_positions(positions);
        let checkpoint = io.checkpoint.expect("a request with a checkpoint has one");
        let solution = sorted::solve(game, limits, checkpoint, io.monitor, &later)?;
        let start = solution.value(&game.canonical(game.start()));
        Ok(Solved::of_sorted(start.expect("the start is reached"), solution))
    };
    SolvePlan::new(needs, limits, run)
}

/// Bytes of memory that a table takes while it is written.
struct WritingBytes {
    /// Numbers of positions, ascending, each with the bytes of a layer of them.
    layers: Vec<(u64, u64)>,
    position: u64,
}

impl WritingBytes {
    fn of(request: &Request<'_>) -> Self {
        let storage = request.storage;
        let largest = if storage.table { 40 } else { 0 };
        let layer = |log: u32| (1 << log, storage.layers.takes(0, 1 << log, 1));
        Self {
            layers: (10..=largest).step_by(2).map(layer).collect(),
            position: if storage.table { storage.position_bytes } else { 0 },
        }
    }

    fn of_positions(&self, positions: u64) -> u64 {
        let layer = self.layers.iter().find(|(most, _)| positions <= *most);
        layer.map_or(0, |(_, bytes)| *bytes) + self.position * positions
    }
}

/// Plans the forward solver. It sees the moves in the order of `ordered`, which is the same game.
pub(super) fn plan_forward<'g>(
    game: &'g PackedGame,
    ordered: &'g PackedGame,
    request: &Request<'_>,
) -> SolvePlan<'g> {
    let (limits, variant) = (request.limits, request.forward_variant);
    let run = move |io: SolveIo<'_>| {
        let solution = forward::solve(ordered, variant, limits, io.monitor)?;
        let best = solution.best_successor(0).filter(|_| solution.start() != Wdl::Loss);
        let next = best.map(|number| ordered.canonical(solution.positions()[number]));
        let start = ordered.start();
        let moved = |next| {
            let mut moves = Vec::new();
            ordered.moves(start, &mut moves);
            let mut moves = moves.into_iter();
            let mv = moves.find(|&mv| ordered.canonical(ordered.play(start, mv)) == next)?;
            let text = ordered.format_move(start, mv);
            Some(game.parse_move(game.start(), &text).expect("the text of a move is read back"))
        };
        Ok(Solved {
            strategy_move: next.and_then(moved),
            ..Solved::new(Answer::Wdl(solution.start()), solution.summary())
        })
    };
    SolvePlan::new(needs(Method::Forward), limits, run)
}
