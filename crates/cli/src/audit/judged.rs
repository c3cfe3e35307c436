//! The result of an audit for one agent.

use hindsight_play::{AgentSpec, PlayQuality};

/// An agent and the quality of its moves.
pub(super) struct JudgedAgent {
    pub(super) agent: AgentSpec,
    pub(super) quality: PlayQuality,
}
