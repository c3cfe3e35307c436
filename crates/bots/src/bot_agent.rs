//! Bots as agents.

use hindsight_core::{Game, Notation, Packed, PackedGame};
use hindsight_play::{Agent, AgentError, AgentFault, ChosenMove, FaultKind, SeededRandom};

use crate::bot_error::BotError;
use crate::bot_pool::BotPool;
use crate::bot_process::BotProcess;

/// A game with a bot of a pool, in texts.
#[derive(Debug)]
pub struct BotGame<'a> {
    pool: &'a BotPool<'a>,
    spec: String,
    seed: String,
    /// Bot of this game, once it was asked; none after a fault.
    bot: Option<BotProcess>,
    moves_before: u64,
}

impl<'a> BotGame<'a> {
    /// Returns a game of a spec. The seeds are those of the bot's random choices.
    #[must_use]
    pub fn new(pool: &'a BotPool<'a>, spec: String, seeds: &[u64]) -> Self {
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        Self { pool, spec, seed: seeds.join(","), bot: None, moves_before: 0 }
    }

    /// Number of moves that the bot had made before the last question, in all its games.
    #[must_use]
    pub fn moves_before(&self) -> u64 {
        self.moves_before
    }

    /// Asks for a move in a position; returns its index among the legal moves.
    ///
    /// # Errors
    /// [`BotError::Fault`] if the bot has a fault, or does not start; the next question starts
    /// another bot. [`BotError::Stopped`] if the host asked to stop.
    pub fn choose(&mut self, position: &str, moves: &[String]) -> Result<usize, BotError> {
        self.moves_before = 0;
        let mut bot = match self.bot.take() {
            Some(bot) => bot,
            None => self.begin().map_err(start_fault)?,
        };
        self.moves_before = bot.moves_made();
        let time = self.pool.setup().move_time;
        let chosen = bot.choose(position, moves, time, self.pool.stop())?;
        self.bot = Some(bot);
        Ok(chosen)
    }

    fn begin(&self) -> Result<BotProcess, BotError> {
        let mut bot = self.pool.take()?;
        let time = self.pool.setup().move_time;
        bot.new_game(&self.spec, &self.seed, time, self.pool.stop())?;
        Ok(bot)
    }
}

impl Drop for BotGame<'_> {
    fn drop(&mut self) {
        if let Some(bot) = self.bot.take() {
            self.pool.give_back(bot);
        }
    }
}

/// Turns an error of the start into a fault: an earlier bot of the pool did start.
fn start_fault(error: BotError) -> BotError {
    match error {
        BotError::Start { .. } | BotError::Version { .. } => {
            AgentFault::new(FaultKind::Crashed, error.to_string()).into()
        }
        other => other,
    }
}

/// A bot as an agent, for one game.
#[derive(Debug)]
pub struct BotAgent<'a>(pub BotGame<'a>);

impl Agent for BotAgent<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        _: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let texts = moves.iter().map(|&mv| game.format_move(position, mv));
        let texts: Vec<String> = texts.collect();
        let chosen = self.0.choose(&game.format(position), &texts)?;
        Ok(ChosenMove { mv: moves[chosen], work: 0, pruned: Vec::new() })
    }
}
