//! Agents that the command line names: ours, and programs.

use std::fmt;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use hindsight_bots::{BotCommand, BotError, BotPool, BotSetup};
use hindsight_play::AgentSpec;

use crate::args::ProgramArgs;
use crate::inputs::spec::{agent_error, parse_agent};
use crate::process::signals::stopped;

/// Seconds of a program for a move, unless the command line names others.
const DEFAULT_MOVE_SECONDS: f64 = 10.0;

/// Agent of a text.
#[derive(Clone, PartialEq, Debug)]
pub enum NamedAgent {
    /// An agent of ours.
    Spec(AgentSpec),
    /// A program, `cmd:..`.
    Program(BotCommand),
}

impl NamedAgent {
    pub fn parse(text: &str) -> Result<Self> {
        if BotCommand::is_named(text) {
            return text.parse().map(Self::Program).map_err(agent_error);
        }
        match parse_agent(text) {
            Err(error) if text.contains('/') => {
                bail!("{error}; a program begins with cmd:, such as cmd:{}", text.trim())
            }
            parsed => parsed.map(Self::Spec),
        }
    }

    /// Returns the agent if it is one of ours.
    pub fn spec(&self) -> Option<AgentSpec> {
        match self {
            Self::Spec(spec) => Some(*spec),
            Self::Program(_) => None,
        }
    }

    /// Returns the agent if it is a program.
    pub(crate) fn program(&self) -> Option<&BotCommand> {
        match self {
            Self::Spec(_) => None,
            Self::Program(command) => Some(command),
        }
    }

    /// Number of playouts a move, as [`AgentSpec::playouts`]; `None` for programs.
    pub(crate) fn playouts(&self) -> Option<u64> {
        self.spec().and_then(|agent| agent.playouts())
    }

    pub(crate) fn needs_values(&self) -> bool {
        self.spec().is_some_and(|agent| agent.needs_values())
    }

    pub(crate) fn uses_values(&self) -> bool {
        self.spec().is_some_and(|agent| agent.uses_values())
    }
}

impl fmt::Display for NamedAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(spec) => spec.fmt(f),
            Self::Program(command) => command.fmt(f),
        }
    }
}

/// Refuses an option for programs where no agent is one.
pub(crate) fn check_programs<'a>(
    args: &ProgramArgs,
    agents: impl IntoIterator<Item = &'a NamedAgent>,
) -> Result<()> {
    let mut programs = agents.into_iter().filter_map(NamedAgent::program);
    if args.move_seconds.is_some() && programs.next().is_none() {
        bail!("--move-seconds is for programs, agents that begin with cmd:");
    }
    Ok(())
}

/// Starts the first bot of a program for a game.
pub(crate) fn start_bots(
    command: &BotCommand,
    spec: &str,
    args: &ProgramArgs,
) -> Result<BotPool<'static>> {
    let seconds = args.move_seconds.unwrap_or(DEFAULT_MOVE_SECONDS);
    let setup = BotSetup {
        command: command.clone(),
        spec: spec.to_string(),
        move_time: Duration::from_secs_f64(seconds),
    };
    BotPool::start(setup, &stopped).map_err(|error| bot_error(command, error))
}

/// Error of a program as a sentence that names it.
pub(crate) fn bot_error(command: &BotCommand, error: BotError) -> anyhow::Error {
    match error {
        BotError::Stopped => hindsight_games::SolverError::Stopped.into(),
        error => anyhow!("'{command}' does not play: {error}"),
    }
}
