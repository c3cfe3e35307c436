//! Games with their values, agents and texts, which are read before a command begins.

pub(crate) mod agent_memory;
pub(crate) mod game_with_values;
pub(crate) mod input;
pub(crate) mod kept_game;
pub(crate) mod knowledge;
pub(crate) mod named_agent;
pub(crate) mod programs_of_rules;
pub(crate) mod spec;
