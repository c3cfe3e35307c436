//! Values that agents play by, where no table has them.

use hindsight_core::Symmetry;
use hindsight_solve::plan::Method;

use super::any_agent::AnyAgent;
use crate::error::GamesError;
use crate::games::game::{AnyGame, game_with_symmetry};
use crate::solving::solved::SolvedGame;
use crate::tasks::options::Options;
use crate::values::Values;

/// Most seconds, by a rough estimate, of a solve for agents that can play without values.
const QUICK_SECONDS: f64 = 3.0;
/// Most seconds, by a rough estimate, of a solve of every position for agents that need values.
const EVERY_POSITION_SECONDS: f64 = 60.0;

impl AnyGame {
    /// Solves the game for agents that play by values. `None` if none does, or if those that do can
    /// play without them and a solve would take more than some seconds.
    ///
    /// For agents that need values, every position is solved if that takes about a minute at most,
    /// else those that can be reached from the start.
    ///
    /// # Errors
    /// As [`AnyGame::solve`].
    ///
    /// ```
    /// use hindsight_games::{AgentSpec, AnyAgent, Options};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let values = |agent: &str| {
    ///     let agent: AgentSpec = agent.parse().expect("an agent");
    ///     game.values_for(&[AnyAgent::from(agent)], &Options::default())
    /// };
    /// assert!(values("perfect")?.is_some() && values("random")?.is_none());
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn values_for(
        &self,
        agents: &[AnyAgent<'_>],
        options: &Options,
    ) -> Result<Option<Values>, GamesError> {
        let specs: Vec<_> = agents.iter().filter_map(AnyAgent::spec).collect();
        if !specs.iter().any(|agent| agent.uses_values()) {
            return Ok(None);
        }
        let options = &options.resolved();
        let are_needed = specs.iter().any(|agent| agent.needs_values());
        let seconds = if are_needed { EVERY_POSITION_SECONDS } else { QUICK_SECONDS };
        let within = Options { seconds: Some(seconds), ..options.clone() };
        let game = game_with_symmetry(self.spec(), Symmetry::All)?;
        let mut solved = None;
        if game.is_quick(&within) {
            let every_position = game.solve(Method::Tiered, options)?;
            solved = Some(every_position).filter(SolvedGame::has_values);
        }
        if solved.is_none() && are_needed {
            solved = Some(game.solve(Method::Reachable, options)?);
        }
        Ok(solved.map(|solved| solved.values().clone()))
    }
}
