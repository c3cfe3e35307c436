//! Estimates of all moves of a position, between -1 (lost) and 1 (won) for the side that makes the
//! move.

use std::time::Duration;

use hindsight_core::{Game, Packed, PackedGame};

use crate::agent::{AgentError, legal_moves};
use crate::alphabeta::{AlphaBeta, AlphaBetaAgent, DECIDED};
use crate::mcts::{Mcts, search_tree::SearchTree};
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;

/// Points of evaluation at which an estimate is 0.76, two and a half pieces.
const POINTS_PER_UNIT: f64 = 250.0;

/// Estimates of the legal moves in their order, and the work that they took.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveEstimates {
    /// An estimate for each legal move.
    pub moves: Vec<f64>,
    /// Playouts made, or positions searched.
    pub work: u64,
}

/// Estimates the moves by Monte Carlo tree search: a move's share of points.
///
/// # Errors
/// [`AgentError::Memory`] if the position and its moves do not fit in the memory.
pub fn estimate_by_playouts(
    game: &PackedGame,
    position: Packed,
    time: Duration,
    resources: AgentResources<'_>,
    random: &mut SeededRandom,
) -> Result<MoveEstimates, AgentError> {
    let agent = Mcts::default();
    let mut tree = SearchTree::new(game, &agent, position, resources)?;
    tree.tell_depths_apart();
    let (mut deadline, mut work) = (Deadline::new(Some(time)), 0);
    // Each move is tried once, however short the time is.
    let moves = legal_moves(game, position).len() as u64;
    while work < moves || !deadline.tick() {
        work += tree.cycle(random, &mut deadline);
    }
    let moves = tree.points_of_moves().map(|points| 2.0 * points - 1.0);
    Ok(MoveEstimates { moves: moves.collect(), work })
}

/// Estimates the moves by alpha-beta search, each with a full window: the mean of its values at the
/// two greatest depths at which all moves were searched. Whoever makes the last move of a search is
/// better off by it, so values at odd and at even depths differ.
///
/// `None` if the game has no evaluation of positions.
pub fn estimate_by_search(
    game: &PackedGame,
    position: Packed,
    time: Duration,
    resources: AgentResources<'_>,
) -> Option<MoveEstimates> {
    game.heuristics()?.evaluate(position)?;
    let mut agent = AlphaBetaAgent::new(AlphaBeta::UNLIMITED, resources);
    let (depths, work) = agent.values_of_moves(game, position, None, Deadline::new(Some(time)));
    let [last, before] = depths;
    let estimate = |value: i32| (f64::from(value) / POINTS_PER_UNIT).tanh();
    let moves = last.into_iter().zip(before).map(|(last, before)| match last.abs() > DECIDED {
        true => estimate(last),
        false => estimate(last).midpoint(estimate(before)),
    });
    Some(MoveEstimates { moves: moves.collect(), work })
}
