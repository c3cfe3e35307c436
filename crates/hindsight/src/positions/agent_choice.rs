//! Moves that agents choose.

use hindsight_play::AgentError;

use super::any_value::{AnyMove, Position};

/// Move that an agent has chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentChoice {
    /// The move.
    pub mv: AnyMove,
    /// Position after the move.
    pub to: Position,
    /// Playouts made, or positions searched; 0 for agents without a search.
    pub work: u64,
}

/// Reason why an agent chooses no move.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentChoiceError {
    /// The game is over.
    #[error("the game is over in {position}: there is no move to choose")]
    GameOver {
        /// The position.
        position: String,
    },
    /// The agent plays by known values, and there are none.
    #[error(
        "the agent '{agent}' plays by known values, and those of {game} are not known; \
         '{instead}' plays without them"
    )]
    NeedsValues {
        /// The agent.
        agent: String,
        /// Spec of the game.
        game: String,
        /// The agent that people play against if they name none.
        instead: String,
    },
    /// The agent plays by known values, and the cards of the game are drawn for each pair of games.
    #[error(
        "the agent '{agent}' plays by known values, which belong to one deal: \
         name the cards in '{spec}'"
    )]
    RandomCards {
        /// The agent.
        agent: String,
        /// Spec of the game.
        spec: String,
    },
    /// Games of an agent against itself had no position with a choice after their opening.
    #[error(
        "{games} {} had no position to judge: after {opening_plies} {} drawn at random \
         nothing was left to choose; take a shorter opening or longer games",
        if *games == 1 { "game" } else { "games" },
        if *opening_plies == 1 { "ply" } else { "plies" }
    )]
    NothingToJudge {
        /// Number of games.
        games: u64,
        /// Plies of the opening.
        opening_plies: u32,
    },
    /// The agent gives no move, for example because it has too little memory.
    #[error(transparent)]
    Agent(AgentError),
}
