//! The memory of agents: what is left of the limit of the process, divided among those that play at once.

use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_play::AgentResources;

use crate::context::Context;
use crate::memory::process_bytes;
use crate::output::print_message;
use crate::sizes::{format_needed, format_size};

/// Memory for agents that are alive at the same time.
#[derive(Debug)]
pub(crate) struct AgentMemory {
    /// Bytes that the process takes without them.
    process_bytes: u64,
    agents: u64,
    /// Bytes of one agent.
    bytes_per_agent: u64,
    /// Set when a tree could not grow.
    exhausted: AtomicBool,
}

impl AgentMemory {
    /// Divides the memory that is left now among the agents.
    pub(crate) fn divide(context: &Context, agents: u64) -> Self {
        let (others, agents) = (process_bytes(), agents.max(1));
        let left = context.memory.saturating_sub(others);
        Self {
            process_bytes: others,
            agents,
            bytes_per_agent: left / agents,
            exhausted: AtomicBool::new(false),
        }
    }

    /// The share of one agent.
    pub(crate) fn resources(&self) -> AgentResources<'_> {
        AgentResources {
            memory_bytes: self.bytes_per_agent,
            exhausted: Some(&self.exhausted),
        }
    }

    /// The error of an agent with the limit that it needs.
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

    /// Says once that trees would have grown further.
    pub(crate) fn report_if_full(&self, context: &Context) {
        if self.exhausted.load(Ordering::Relaxed) && !context.quiet {
            print_message(&format!(
                "note: search trees were full at {} each and grew no further; more --memory lets them",
                format_size(self.bytes_per_agent)
            ));
        }
    }
}
