//! The result of an audit for one agent.

use hindsight_play::PlayQuality;

use crate::inputs::named_agent::NamedAgent;

/// An agent and the quality of its moves.
pub(super) struct JudgedAgent {
    pub(super) agent: NamedAgent,
    pub(super) quality: PlayQuality,
}
