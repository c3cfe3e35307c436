//! Running bots of one command, for games on several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::bot_command::BotCommand;
use crate::bot_error::BotError;
use crate::bot_process::BotProcess;
use crate::pipes::StopFunction;

/// Least time for the `hello` of a bot, which may load much before.
const HELLO_TIME: Duration = Duration::from_secs(30);

/// Command of bots, their game and their time.
#[derive(Clone, Debug)]
pub struct BotSetup {
    /// The command.
    pub command: BotCommand,
    /// Spec of the games; cards may be `random`.
    pub spec: String,
    /// Time for a move. For `hello` a bot has this time, or half a minute if that is longer.
    pub move_time: Duration,
}

/// Bots of one command. A game takes a bot that is free, or starts one. A bot that had a fault, or
/// has ended by itself after a game, does not play again.
pub struct BotPool<'a> {
    setup: BotSetup,
    stop: &'a StopFunction<'a>,
    free: Mutex<Vec<BotProcess>>,
}

impl<'a> BotPool<'a> {
    /// Starts a first bot. `stop` returns true once a bot is to be waited for no longer.
    ///
    /// # Errors
    /// As [`BotError`] says.
    pub fn start(setup: BotSetup, stop: &'a StopFunction<'a>) -> Result<Self, BotError> {
        let pool = Self { setup, stop, free: Mutex::default() };
        let first = pool.take()?;
        pool.give_back(first);
        Ok(pool)
    }

    /// Returns the setup of the bots.
    #[must_use]
    pub fn setup(&self) -> &BotSetup {
        &self.setup
    }

    pub(crate) fn stop(&self) -> &StopFunction<'a> {
        self.stop
    }

    pub(crate) fn take(&self) -> Result<BotProcess, BotError> {
        let mut free = self.free();
        while let Some(bot) = free.pop() {
            if !bot.has_ended() {
                return Ok(bot);
            }
        }
        drop(free);
        let time = self.setup.move_time.max(HELLO_TIME);
        BotProcess::start(&self.setup.command, &self.setup.spec, time, self.stop)
    }

    pub(crate) fn give_back(&self, bot: BotProcess) {
        self.free().push(bot);
    }

    fn free(&self) -> MutexGuard<'_, Vec<BotProcess>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BotPool<'_> {
    fn drop(&mut self) {
        // All bots are told first, so that they end at the same time.
        self.free().iter_mut().for_each(BotProcess::quit);
    }
}

impl std::fmt::Debug for BotPool<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotPool").field("setup", &self.setup).finish_non_exhaustive()
    }
}
