//! Agents from the command line, and errors that name a spec.

use anyhow::{Result, anyhow};
use hindsight_play::AgentSpec;

/// Agent of a text from the command line.
pub(crate) fn parse_agent(text: &str) -> Result<AgentSpec> {
    text.parse().map_err(agent_error)
}

/// Error in the text of an agent, without the offset.
pub(crate) fn agent_error(error: hindsight_core::ParseError) -> anyhow::Error {
    anyhow!(error.message)
}

/// Error of a spec, with the spec in front.
pub fn spec_error(spec: &str, error: &hindsight_core::ParseError) -> anyhow::Error {
    anyhow!("'{spec}': {}", error.message)
}

/// Error of an argument that names neither a file nor a game.
pub(crate) fn file_or_spec_error(name: &str, error: &hindsight_core::ParseError) -> anyhow::Error {
    // A name with an extension and no colon is most likely a mistyped file name.
    match std::path::Path::new(name).extension() {
        Some(_) if !name.contains(':') => anyhow!("there is no file '{name}'"),
        _ => spec_error(name, error),
    }
}
