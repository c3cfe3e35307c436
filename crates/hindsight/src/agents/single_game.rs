//! Single games of two agents, from any position.

use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_play::{AgentResources, AgentSpec, GameRecord, MatchOptions};

use crate::erased::agent::ErasedPlay;
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
        let other = |values: &&Values| !values.game().has_rules_of(self);
        if let Some(values) = game.values.filter(other) {
            return Err(GamesError::OtherGame { game: values.game().spec().to_string() });
        }
        let is_set = |stop: &AtomicBool| stop.load(Ordering::Relaxed);
        let goes_on = || !game.stop.is_some_and(is_set);
        let options = MatchOptions {
            opening_plies: 0,
            max_plies: game.max_plies,
            seed: game.seed,
            keep_going: &goes_on,
        };
        let play = ErasedPlay {
            values: game.values.map(Values::source),
            resources: AgentResources {
                memory_bytes: game.memory_bytes,
                stop: game.stop,
                ..AgentResources::default()
            },
        };
        let erased = self.erased();
        erased.play_from(start, game.agents, game.number, options, &play)
    }
}
