use hindsight_core::{Game, Packed, PackedGame, PackedMove, Random, Wdl};

use crate::agent_fault::AgentFault;
use crate::perfect::ProbeError;
use crate::seeded_random::SeededRandom;

/// A player of a game.
pub trait Agent {
    /// Chooses a legal move in a position that is not terminal.
    ///
    /// # Errors
    /// The agent cannot answer, for example because its table lacks the position.
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError>;
}

/// A move and the work that led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// The move.
    pub mv: PackedMove,
    /// Playouts made, or positions searched; 0 for agents without a search.
    pub work: u64,
    /// For each move that the search pruned, the playouts left of its budget at that time.
    pub pruned: Vec<u64>,
}

impl ChosenMove {
    pub(crate) fn new(mv: PackedMove, work: u64) -> Self {
        Self { mv, work, pruned: Vec::new() }
    }
}

/// Reason why an agent gives no move.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The solution lacks the position given here.
    #[error("the solution does not know every position of the game: '{0}'")]
    Unknown(String),
    /// The agent loses its game by a fault.
    #[error(transparent)]
    Fault(#[from] AgentFault),
    /// The game or audit was stopped by the caller.
    #[error("stopped")]
    Stopped,
    /// The agent plays by known values, but none were given.
    #[error("the game has no solution to play by")]
    NoValues,
    /// The memory limit is below the minimum of the agent.
    #[error("{agent} takes at least {least} bytes of memory, and may use only {memory}")]
    Memory {
        /// Name of the agent.
        agent: &'static str,
        /// Minimum in bytes.
        least: u64,
        /// Limit in bytes.
        memory: u64,
    },
    /// The solution could not be read.
    #[error("{}", with_sources(&**.0))]
    Probe(ProbeError),
    /// An agent of the caller's own gives no move; the reason is the caller's.
    #[error(transparent)]
    Own(Box<dyn std::error::Error + Send + Sync>),
}

/// Returns the text of an error with those of its sources.
fn with_sources(error: &dyn std::error::Error) -> String {
    let sources = std::iter::successors(error.source(), |error| error.source());
    sources.fold(error.to_string(), |text, source| format!("{text}: {source}"))
}

/// An agent that plays a uniformly random legal move.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl Agent for RandomAgent {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let moves = legal_moves(game, position);
        let drawn = random.below(moves.len() as u32) as usize;
        Ok(ChosenMove::new(moves[drawn], 0))
    }
}

pub(crate) fn legal_moves(game: &PackedGame, position: Packed) -> Vec<PackedMove> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Plays a random game of at most `max_plies` plies from `position`.
///
/// Returns the result for the side to move in `position`, and the plies played. The result is
/// `None` if the playout was cut off.
pub(crate) fn playout_result(
    game: &PackedGame,
    position: Packed,
    max_plies: u32,
    random: &mut SeededRandom,
) -> (Option<Wdl>, u32) {
    let (last, plies) = game.random_playout(position, max_plies, random);
    (result_for_start(game, last, plies), plies)
}

/// Returns the result of a game for the side that moved first, `plies` plies before the last
/// position; `None` if the game goes on.
pub(crate) fn result_for_start(game: &PackedGame, last: Packed, plies: u32) -> Option<Wdl> {
    let wdl = game.terminal(last)?;
    Some(if plies.is_multiple_of(2) { wdl } else { wdl.before() })
}
