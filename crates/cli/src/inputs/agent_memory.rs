//! Memory of agents: the rest of the process's limit, divided among the agents alive at the same
//! time.

use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_games::{AgentChoiceError, Error};
use hindsight_play::AgentResources;

use crate::context::Context;
use crate::output::print_message;
use crate::shown::sizes::{format_needed, format_size};

/// Bytes of the program that agents use and nothing before them, and that is not yet in memory.
const AGENT_PROGRAM_BYTES: u64 = 1 << 20;

/// Memory shared equally by agents that are alive at the same time.
#[derive(Debug)]
pub(crate) struct AgentMemory {
    /// Bytes of the process without the agents.
    process_bytes: u64,
    /// Number of agents, at least 1.
    agents: u64,
    /// Share of each agent, in bytes.
    bytes_per_agent: u64,
    /// True once a search tree reached its share and could not grow.
    exhausted: AtomicBool,
}

impl AgentMemory {
    /// Divides the rest of the limit, as it is now, among `agents` agents.
    pub(crate) fn divide(context: &Context, agents: u64) -> Self {
        let process_bytes = context.process_bytes() + AGENT_PROGRAM_BYTES;
        let agents = agents.max(1);
        let rest = context.memory.saturating_sub(process_bytes);
        Self {
            process_bytes,
            agents,
            bytes_per_agent: rest / agents,
            exhausted: AtomicBool::new(false),
        }
    }

    /// Bytes of all agents together.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes_per_agent * self.agents
    }

    /// Flag that tells if a search tree reached its share.
    pub(crate) fn exhausted(&self) -> &AtomicBool {
        &self.exhausted
    }

    pub(crate) fn resources(&self) -> AgentResources<'_> {
        AgentResources {
            memory_bytes: self.bytes_per_agent,
            exhausted: Some(&self.exhausted),
            ..AgentResources::default()
        }
    }

    /// Turns an agent's error into a sentence, which names the limit needed for more memory.
    pub(crate) fn agent_error(&self, error: hindsight_play::AgentError) -> anyhow::Error {
        match error {
            hindsight_play::AgentError::Memory { agent, least, .. } => {
                let needed = least.saturating_mul(self.agents);
                anyhow::anyhow!(
                    "{agent} needs more memory: with {} at once this takes at least {} (--memory)",
                    self.agents,
                    format_needed(needed.saturating_add(self.process_bytes))
                )
            }
            error => error.into(),
        }
    }

    /// As [`AgentMemory::agent_error`], for the error of a player.
    pub(crate) fn player_error(&self, error: Error) -> anyhow::Error {
        match error {
            Error::Agent(AgentChoiceError::Agent(error)) => self.agent_error(error),
            error => error.into(),
        }
    }

    /// Prints a note if search trees reached their share.
    pub(crate) fn report_if_full(&self, context: &Context) {
        if self.exhausted.load(Ordering::Relaxed) && !context.quiet {
            print_message(&format!(
                "note: search trees were full at {} each and grew no further; \
                 more --memory lets them",
                format_size(self.bytes_per_agent)
            ));
        }
    }
}
