use std::io;

use hindsight_play::{AgentError, AgentFault};

use crate::protocol::VERSION;

/// Reason why a bot does not play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// The program cannot be started.
    #[error("cannot start '{program}': {source}")]
    Start {
        /// Name of the program.
        program: String,
        /// Cause.
        source: io::Error,
    },
    /// The bot speaks another version of the protocol.
    #[error("it speaks version {theirs} of the protocol, not {VERSION}")]
    Version {
        /// Version of the bot.
        theirs: u32,
    },
    /// The bot has a fault, by which it loses a game.
    #[error(transparent)]
    Fault(#[from] AgentFault),
    /// The host asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<BotError> for AgentError {
    fn from(error: BotError) -> Self {
        match error {
            BotError::Fault(fault) => Self::Fault(fault),
            BotError::Stopped => Self::Stopped,
            other => Self::Own(Box::new(other)),
        }
    }
}
