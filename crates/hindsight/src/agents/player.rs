//! Agents that play a game move by move.

use std::fmt;

use hindsight_core::Game;
use hindsight_engine::Error;
use hindsight_play::{Agent, AgentError, AgentResources, AgentSpec, SeededRandom};

use super::agent_values::AgentValues;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::agent_choice::{AgentChoice, AgentChoiceError};
use crate::positions::any_value::Position;

/// Agent in a game. It keeps its random numbers, its table and the blocks that it has read from
/// move to move.
///
/// ```
/// use hindsight_games::{AgentResources, Method, Options, Player};
///
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let position = game.parse("xx./oo./...")?;
/// let solved = game.solve(Method::Auto, &Options::default())?;
/// let values = solved.values().for_agents();
/// let perfect = "perfect".parse()?;
/// let mut player = Player::new(&game, &perfect, Some(&values), AgentResources::default(), &[1])?;
/// let choice = player.choose(&position)?;
/// assert_eq!(game.format_move(&position, &choice.mv)?, "c3");
///
/// let agent = game.default_agent();
/// let mut player = Player::new(&game, &agent, None, AgentResources::default(), &[1])?;
/// assert_eq!(game.format(&player.choose(&position)?.to)?, "xxx/oo./...");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Player<'a> {
    game: &'a AnyGame,
    agent: Box<dyn Agent + 'a>,
    random: SeededRandom,
}

impl<'a> Player<'a> {
    /// Returns an agent at the beginning of a game. The same seeds give the same moves, unless a
    /// limit of time ends a search.
    ///
    /// # Errors
    /// [`Error::Agent`](crate::Error::Agent) if the agent needs values and there are none, or if it
    /// needs more memory; [`Error::OtherGame`](crate::Error::OtherGame) for values of another game.
    pub fn new(
        game: &'a AnyGame,
        agent: &AgentSpec,
        values: Option<&'a AgentValues<'_>>,
        resources: AgentResources<'a>,
        seeds: &[u64],
    ) -> Result<Self, GamesError> {
        check_values(game, values)?;
        if agent.needs_values() && values.is_none() {
            return Err(AgentChoiceError::NeedsValues {
                agent: agent.to_string(),
                game: game.spec().to_string(),
                instead: game.default_agent().to_string(),
            }
            .into());
        }
        let agent =
            agent.agent(values.map(|values| values as _), resources).map_err(agent_error)?;
        Ok(Self { game, agent, random: SeededRandom::new(seeds) })
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::Agent`](crate::Error::Agent) if the game is over;
    /// [`Error::Unknown`](crate::Error::Unknown) if the agent needs a value that is not known; as
    /// [`Values::probe`](crate::Values::probe) if a value cannot be read.
    pub fn choose(&mut self, position: &Position) -> Result<AgentChoice, GamesError> {
        let named = self.game.named();
        let (rules, packed) = (self.game.rules(), named.unwrap(position)?);
        if rules.terminal(packed).is_some() {
            let position = self.game.format(position)?;
            return Err(AgentChoiceError::GameOver { position }.into());
        }
        let chosen = self.agent.choose(rules, packed, &mut self.random).map_err(agent_error)?;
        Ok(AgentChoice {
            to: named.wrap(rules.play(packed, chosen.mv)),
            mv: named.wrap_move(packed, chosen.mv),
            work: chosen.work,
        })
    }
}

impl fmt::Debug for Player<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("game", &self.game).finish_non_exhaustive()
    }
}

/// Refuses values of another game.
pub(super) fn check_values(
    game: &AnyGame,
    values: Option<&AgentValues<'_>>,
) -> Result<(), GamesError> {
    let owners = values.map(|values| values.values().game());
    match owners.filter(|owner| !owner.has_rules_of(game)) {
        Some(other) => Err(GamesError::OtherGame { game: other.spec().to_string() }),
        None => Ok(()),
    }
}

/// Returns the error of an agent as one of the library.
pub(super) fn agent_error(error: AgentError) -> GamesError {
    match error {
        AgentError::Stopped => Error::Stopped.into(),
        AgentError::Unknown(position) => GamesError::Unknown { position },
        AgentError::Probe(error) => match error.downcast::<GamesError>() {
            Ok(error) => *error,
            Err(error) => AgentChoiceError::Agent(AgentError::Probe(error)).into(),
        },
        error => AgentChoiceError::Agent(error).into(),
    }
}
