//! Agents that play any game, without its type: choices, games, matches and audits. Analyses and
//! the files of tables are not known here.

pub(crate) mod any_agent;
pub(crate) mod audits;
mod judged_games;
mod known_values;
pub(crate) mod matches;
mod numbered_work;
pub(crate) mod single_game;

use std::sync::atomic::AtomicBool;

use hindsight_play::AgentSpec;

use crate::erased::ErasedMeans;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::agent_choice::AgentChoice;
use crate::positions::any_value::Position;
use crate::tasks::options::time_of;
use crate::values::Values;

/// Means of an agent. The default: no values, no limits, seed 0.
#[derive(Clone, Copy, Debug)]
pub struct AgentMeans<'a> {
    /// Values of the game, by which some agents play.
    pub values: Option<&'a Values>,
    /// Bytes of memory that a search may take.
    pub memory_bytes: u64,
    /// Seed. The same seed gives the same move, unless a limit of time ends the search.
    pub seed: u64,
    /// Seconds for the move, beside those of the agent itself; `None` for no limit. A search that
    /// they end plays the best move so far.
    pub seconds: Option<f64>,
    /// Flag that ends the search as well.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for AgentMeans<'_> {
    fn default() -> Self {
        Self { values: None, memory_bytes: u64::MAX, seed: 0, seconds: None, stop: None }
    }
}

impl AnyGame {
    /// Lets an agent choose a move.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::Agent`](crate::Error::Agent) if the game is over, if the
    /// agent needs values and there are none, or if it needs more memory;
    /// [`Error::Unknown`](crate::Error::Unknown) if the agent needs a value that is not known; as
    /// [`Values::probe`] if a value cannot be read.
    ///
    /// ```
    /// use hindsight_games::{AgentMeans, Method, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let position = game.parse("xx./oo./...")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let means = AgentMeans {
    ///     values: Some(solved.values()),
    ///     ..AgentMeans::default()
    /// };
    /// let choice = game.choose(&position, &"perfect".parse()?, means)?;
    /// assert_eq!(game.format_move(&position, &choice.mv)?, "c3");
    ///
    /// let choice = game.choose(&position, &game.default_agent(), AgentMeans::default())?;
    /// assert_eq!(game.format(&choice.to)?, "xxx/oo./...");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose(
        &self,
        position: &Position,
        agent: &AgentSpec,
        means: AgentMeans<'_>,
    ) -> Result<AgentChoice, GamesError> {
        let other_game = means.values.filter(|values| !values.game().has_rules_of(self));
        if let Some(values) = other_game {
            return Err(GamesError::OtherGame { game: values.game().spec().to_string() });
        }
        let means = ErasedMeans {
            values: means.values.map(Values::source),
            memory_bytes: means.memory_bytes,
            seed: means.seed,
            time: time_of(means.seconds),
            stop: means.stop,
        };
        self.erased().choose(position, agent, means)
    }

    /// Returns the agent that people play against if they name none.
    ///
    /// ```
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// assert_eq!(game.default_agent().to_string(), "alphabeta:nodes=100000");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn default_agent(&self) -> AgentSpec {
        self.erased().default_agent()
    }
}
