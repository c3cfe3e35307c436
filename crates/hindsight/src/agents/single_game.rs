//! Single games of two agents, from any position.

use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_play::{
    Agent, AgentResources, AgentSpec, BatchProbe, GameRecord, MatchOptions, Players, play_game_from,
};

use super::player::{agent_error, check_values};
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_value::Position;
use crate::values::Values;

/// A game of two agents: who plays, and how long.
#[derive(Clone, Copy, Debug)]
pub struct SingleGame<'a> {
    /// The agents. The first one moves first if the number is even.
    pub agents: [AgentSpec; 2],
    /// Number of the game in a series. With the seed it decides every random choice.
    pub number: u64,
    /// Plies after which the game is a tie.
    pub max_plies: u32,
    /// Seed of the series.
    pub seed: u64,
    /// Values of the game. Only agents that need them see them: a level searches.
    pub values: Option<&'a Values>,
    /// Bytes of memory of each agent.
    pub memory_bytes: u64,
    /// Flag that stops the game.
    pub stop: Option<&'a AtomicBool>,
}

impl SingleGame<'_> {
    /// Returns game 0 of at most 100 plies, with seed 1, without values or limits.
    #[must_use]
    pub fn new(first: AgentSpec, second: AgentSpec) -> Self {
        Self {
            agents: [first, second],
            number: 0,
            max_plies: 100,
            seed: 1,
            values: None,
            memory_bytes: u64::MAX,
            stop: None,
        }
    }
}

impl AnyGame {
    /// Plays a game from a position. Its record names the position.
    ///
    /// # Errors
    /// As [`AnyGame::play_match`], and as [`AnyGame::format`] for the position.
    ///
    /// ```
    /// use hindsight_games::SingleGame;
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let start = game.parse("xx./oo./...")?;
    /// let first = "alphabeta:depth=1".parse()?;
    /// let played = game.play_single(&start, &SingleGame::new(first, "random".parse()?))?;
    /// assert_eq!((played.winner, &*played.moves), (Some(0), &["c3".to_string()][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_single(
        &self,
        start: &Position,
        game: &SingleGame<'_>,
    ) -> Result<GameRecord, GamesError> {
        let values = game.values.map(Values::for_agents);
        check_values(self, values.as_ref())?;
        let is_set = |stop: &AtomicBool| stop.load(Ordering::Relaxed);
        let goes_on = || !game.stop.is_some_and(is_set);
        let options = MatchOptions {
            opening_plies: 0,
            max_plies: game.max_plies,
            seed: game.seed,
            keep_going: &goes_on,
        };
        let resources = AgentResources {
            memory_bytes: game.memory_bytes,
            stop: game.stop,
            ..AgentResources::default()
        };
        let probe = values.as_ref().map(|values| values as BatchProbe<'_>);
        let ready =
            |agent: AgentSpec| agent.agent(probe.filter(|_| agent.needs_values()), resources);
        let names = game.agents.map(|agent| agent.to_string());
        let start = self.named().unwrap(start)?;
        let play = || {
            let [mut first, mut second] = [ready(game.agents[0])?, ready(game.agents[1])?];
            let agents: [&mut dyn Agent; 2] = [&mut *first, &mut *second];
            let players = Players { agents, names: [&names[0], &names[1]] };
            play_game_from(self.rules(), start, players, game.number, options)
        };
        play().map_err(agent_error)
    }
}
