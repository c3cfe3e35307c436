//! Agents in programs of their own: a protocol of lines, in both directions.
//!
//! A *host* starts programs, *bots*, and asks them for moves through their standard input and
//! output. [`BotPool`] and [`BotAgent`] are the host: any program becomes an agent. [`BotSession`]
//! is the bot: any agent becomes a program. `docs/protocol.md` has the protocol.
//!
//! Cost: a question is three short lines; the switch between the processes takes some ten
//! microseconds.
//!
//! ```
//! use hindsight_bots::BotCommand;
//!
//! let command: BotCommand = "cmd:./my-bot --depth 4 'two words'".parse()?;
//! assert_eq!(command.words(), ["./my-bot", "--depth", "4", "two words"]);
//! assert_eq!(command.to_string(), "cmd:./my-bot --depth 4 'two words'");
//! # Ok::<(), hindsight_core::ParseError>(())
//! ```
//!
//! # Trade-offs
//!
//! The bot gets a position and its legal moves with every question, so that a bot of some lines
//! needs no rules and no memory. A bot of ours (`hindsight agent`) reads its host's lines ahead, in
//! a thread of its own, so that it sees the end of the input while it searches ([`HostInput`]).
//!
//! A bot is a process group of its own. No bot outlives its [`BotPool`], unless the host is
//! killed and the bot ignores the end of its input; [`kill_bots`] is for hosts that end without
//! destructors. What a bot has started ends with it, in groups and sessions of its own too: it is
//! known by its parents, its environment, or its standard input and output.

#[cfg(target_os = "linux")]
mod answering_processor;
mod bot_agent;
mod bot_command;
mod bot_error;
mod bot_pool;
mod bot_process;
mod bot_serving;
mod descendants;
mod host_input;
mod line_process;
mod pipes;
mod process_group;
mod protocol;
mod rules;
mod shown_line;

pub use bot_agent::{BotAgent, BotGame};
pub use bot_command::BotCommand;
pub use bot_error::BotError;
pub use bot_pool::{BotPool, BotSetup};
pub use bot_serving::{BotServing, BotSession, ServingEnd};
pub use host_input::HostInput;
pub use process_group::kill_bots;
pub use protocol::{BotLine, HostLine, VERSION};
pub use rules::{RulesHello, RulesProgram, read_answer};
pub use shown_line::shown_line;
