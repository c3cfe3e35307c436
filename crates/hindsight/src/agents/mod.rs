//! Agents that play any game: moves, games, matches and audits. Analyses and
//! the files of tables are not known here.

pub(crate) mod agent_values;
pub(crate) mod any_agent;
pub(crate) mod audits;
mod judged_games;
mod known_values;
pub(crate) mod matches;
mod numbered_work;
pub(crate) mod player;
pub(crate) mod single_game;
pub(crate) mod tournaments;

use hindsight_play::AgentSpec;

use crate::games::game::AnyGame;

impl AnyGame {
    /// Returns the agent that people play against if they name none.
    ///
    /// ```
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// assert_eq!(game.default_agent().to_string(), "alphabeta:nodes=100000");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn default_agent(&self) -> AgentSpec {
        AgentSpec::opponent_for(self.rules())
    }
}
