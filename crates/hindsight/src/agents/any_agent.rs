//! Agents of matches and audits: those that a text names, and those of the caller.

use std::error::Error;
use std::fmt;

use hindsight_play::AgentSpec;

use crate::erased::agent::ErasedAgent;
use crate::games::game::AnyGame;
use crate::positions::any_value::{AnyMove, Position};

/// Function that chooses a move: it returns the index of one of the legal moves, or the reason why
/// there is none.
pub type ChooseMove<'a> =
    dyn Fn(&AgentTurn<'_>) -> Result<usize, Box<dyn Error + Send + Sync>> + Sync + 'a;

/// Question to an agent of the caller: a position and its moves.
#[derive(Clone, Copy, Debug)]
pub struct AgentTurn<'a> {
    /// The game.
    pub game: &'a AnyGame,
    /// The position, which is not terminal.
    pub position: &'a Position,
    /// The legal moves, at least one.
    pub moves: &'a [AnyMove],
    /// Seed for random choices, another one for each turn; it does not depend on the threads.
    pub seed: u64,
}

/// Agent of a match or an audit.
///
/// ```
/// use hindsight_games::{AgentTurn, AnyAgent};
///
/// let first_move = |_: &AgentTurn<'_>| Ok(0);
/// let agent = AnyAgent::own("first move", &first_move);
/// assert_eq!(agent.to_string(), "first move");
/// let named = AnyAgent::from("MCTS:playouts=50".parse::<hindsight_games::AgentSpec>()?);
/// assert_eq!(named.to_string(), "mcts:playouts=50");
/// # Ok::<(), hindsight_games::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub enum AnyAgent<'a> {
    /// Agent that a text names.
    Spec(AgentSpec),
    /// Agent of the caller. It is asked in the thread that called, one turn after the other.
    Own {
        /// Name in reports.
        name: &'a str,
        /// Chooses the moves.
        choose: &'a ChooseMove<'a>,
    },
}

impl<'a> AnyAgent<'a> {
    /// Returns an agent of the caller with a name for reports.
    #[must_use]
    pub fn own(name: &'a str, choose: &'a ChooseMove<'a>) -> Self {
        Self::Own { name, choose }
    }

    /// Lets `act` have the agent for a game.
    pub(super) fn in_game<T>(&self, game: &AnyGame, act: impl FnOnce(ErasedAgent<'_>) -> T) -> T {
        match *self {
            Self::Spec(spec) => act(ErasedAgent::Spec(spec)),
            Self::Own { name, choose } => {
                let choose = |position: &Position, moves: &[AnyMove], seed| {
                    choose(&AgentTurn { game, position, moves, seed })
                };
                act(ErasedAgent::Own { name, choose: &choose })
            }
        }
    }

    /// Returns the agent that a text names; `None` for one of the caller.
    #[must_use]
    pub fn spec(&self) -> Option<AgentSpec> {
        match self {
            Self::Spec(spec) => Some(*spec),
            Self::Own { .. } => None,
        }
    }
}

impl From<AgentSpec> for AnyAgent<'_> {
    fn from(spec: AgentSpec) -> Self {
        Self::Spec(spec)
    }
}

impl fmt::Display for AnyAgent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(spec) => spec.fmt(f),
            Self::Own { name, .. } => f.write_str(name),
        }
    }
}

impl fmt::Debug for AnyAgent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyAgent").field(&self.to_string()).finish()
    }
}
