use hindsight_core::{Game, Random, Wdl};

use crate::seeded_random::SeededRandom;

/// Chooses moves.
pub trait Agent<G: Game> {
    /// A legal move of a position that is not over.
    ///
    /// # Errors
    /// When the agent asks something that cannot be answered, such as a table without the position.
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError>;
}

/// A move, and what went into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMove<M> {
    /// The move.
    pub mv: M,
    /// Playouts, or nodes of a search.
    pub work: u64,
    /// For each option that was pruned, the playouts that were left.
    pub pruned: Vec<u64>,
}

impl<M> ChosenMove<M> {
    pub(crate) fn new(mv: M, work: u64) -> Self {
        Self {
            mv,
            work,
            pruned: Vec::new(),
        }
    }
}

/// Why an agent has no move to play.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The solution does not know the position.
    #[error("the solution does not know every position of the game: '{0}'")]
    Unknown(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// The agent plays by values, and there are none.
    #[error("the game has no solution to play by")]
    NoValues,
    /// The agent cannot do with so little memory.
    #[error("{agent} takes at least {least} bytes of memory, and may use only {memory}")]
    Memory {
        /// The name of the agent.
        agent: &'static str,
        /// Bytes that are enough.
        least: u64,
        /// Bytes that it may use.
        memory: u64,
    },
    /// The solution could not be read.
    #[error("{0}")]
    Probe(String),
}

/// Plays any legal move, each with the same chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let moves = legal_moves(game, position);
        let drawn = random.below(moves.len() as u32) as usize;
        Ok(ChosenMove::new(moves[drawn], 0))
    }
}

pub(crate) fn legal_moves<G: Game>(game: &G, position: G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// How a random game from a position ends for the side to move there, `None` if it is cut off, and after how
/// many plies.
pub(crate) fn playout_result<G: Game>(
    game: &G,
    position: G::Position,
    length: u32,
    random: &mut SeededRandom,
) -> (Option<Wdl>, u32) {
    let (last, plies) = game.playout(position, length, random);
    let wdl = game.terminal(last);
    let own = plies.is_multiple_of(2);
    (wdl.map(|wdl| if own { wdl } else { wdl.before() }), plies)
}
