//! Agents of matches and audits: those that a text names, and those of the caller.

use std::error::Error;
use std::fmt;

use hindsight_core::{Game, Packed, PackedGame, Random};
use hindsight_play::{
    Agent, AgentError, AgentResources, AgentSpec, BatchProbe, ChosenMove, SeededRandom,
};

use crate::games::game::AnyGame;
use crate::positions::any_value::{AnyMove, Position};

/// Function that chooses a move: it returns the index of one of the legal moves, or the reason why
/// there is none.
pub type ChooseMove<'a> =
    dyn Fn(&AgentTurn<'_>) -> Result<usize, Box<dyn Error + Send + Sync>> + Sync + 'a;

/// Maker of agents for the games of a match.
pub trait MakeAgent: Sync {
    /// Makes an agent for a game, by its spec, with any random deal resolved, and the seeds of the
    /// agent's choices.
    fn make(&self, spec: &str, seeds: &[u64]) -> Box<dyn Agent + '_>;
}

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
    /// Agents of the caller, one for each game. They play on all threads.
    Made {
        /// Name in reports.
        name: &'a str,
        /// Makes the agent of a game.
        make: &'a dyn MakeAgent,
    },
}

impl<'a> AnyAgent<'a> {
    /// Returns an agent of the caller with a name for reports.
    #[must_use]
    pub fn own(name: &'a str, choose: &'a ChooseMove<'a>) -> Self {
        Self::Own { name, choose }
    }

    /// Returns the agent, ready to play a game with seeds for its random choices.
    ///
    /// # Errors
    /// The agent needs values and `probe` is `None`, or it needs more memory.
    pub(super) fn in_game(
        &self,
        game: &'a AnyGame,
        probe: Option<BatchProbe<'a>>,
        resources: AgentResources<'a>,
        seeds: &[u64],
    ) -> Result<Box<dyn Agent + 'a>, AgentError> {
        match *self {
            Self::Spec(spec) => spec.agent(probe, resources),
            Self::Own { choose, .. } => Ok(Box::new(OwnAgent { game, choose })),
            Self::Made { make, .. } => Ok(make.make(game.spec(), seeds)),
        }
    }

    /// Returns the agent that a text names; `None` for one of the caller.
    #[must_use]
    pub fn spec(&self) -> Option<AgentSpec> {
        match self {
            Self::Spec(spec) => Some(*spec),
            Self::Own { .. } | Self::Made { .. } => None,
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
            Self::Own { name, .. } | Self::Made { name, .. } => f.write_str(name),
        }
    }
}

impl fmt::Debug for AnyAgent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyAgent").field(&self.to_string()).finish()
    }
}

/// Agent of the caller in a game.
struct OwnAgent<'a> {
    game: &'a AnyGame,
    choose: &'a ChooseMove<'a>,
}

impl Agent for OwnAgent<'_> {
    fn choose(
        &mut self,
        rules: &PackedGame,
        packed: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let named = self.game.named();
        let mut moves = Vec::new();
        rules.moves(packed, &mut moves);
        let listed: Vec<AnyMove> = moves.iter().map(|&mv| named.wrap_move(packed, mv)).collect();
        let (position, seed) = (named.wrap(packed), random.bits());
        let turn = AgentTurn { game: self.game, position: &position, moves: &listed, seed };
        let chosen = (self.choose)(&turn).map_err(AgentError::Own)?;
        let mv = moves.get(chosen).copied().ok_or_else(|| {
            let legal = moves.len();
            let text = format!("an agent chose move {chosen}, and they are 0 to {}", legal - 1);
            AgentError::Own(text.into())
        })?;
        Ok(ChosenMove { mv, work: 0, pruned: Vec::new() })
    }
}
