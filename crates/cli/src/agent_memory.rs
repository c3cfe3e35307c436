//! The memory of agents: what is left of the limit of the process, divided among those that play at once.

use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_play::AgentResources;

use crate::context::Context;
use crate::memory::taken;
use crate::output::print_message;
use crate::sizes::{format_needed, format_size};

/// Memory for agents that are alive at the same time.
#[derive(Debug)]
pub(crate) struct AgentMemory {
    /// Bytes that the process takes without them.
    others: u64,
    agents: u64,
    /// Bytes of one agent.
    each: u64,
    /// Set when a tree could not grow.
    full: AtomicBool,
}

impl AgentMemory {
    /// Divides the memory that is left now among the agents.
    pub(crate) fn left(context: &Context, agents: u64) -> Self {
        let (others, agents) = (taken(), agents.max(1));
        let left = context.memory.saturating_sub(others);
        Self {
            others,
            agents,
            each: left / agents,
            full: AtomicBool::new(false),
        }
    }

    /// The share of one agent.
    pub(crate) fn resources(&self) -> AgentResources<'_> {
        AgentResources {
            memory_bytes: self.each,
            exhausted: Some(&self.full),
        }
    }

    /// The error of an agent with the limit that it needs.
    pub(crate) fn explain(&self, error: hindsight_play::AgentError) -> anyhow::Error {
        match error {
            hindsight_play::AgentError::Memory { agent, least, .. } => {
                let needed = least.saturating_mul(self.agents);
                anyhow::anyhow!(
                    "{agent} needs more memory: with {} at once this takes at least {} (--memory)",
                    self.agents,
                    format_needed(needed.saturating_add(self.others))
                )
            }
            error => error.into(),
        }
    }

    /// Says once that trees would have grown further.
    pub(crate) fn tell_if_full(&self, context: &Context) {
        if self.full.load(Ordering::Relaxed) && !context.quiet {
            print_message(&format!(
                "note: search trees were full at {} each and grew no further; more --memory lets them",
                format_size(self.each)
            ));
        }
    }
}
