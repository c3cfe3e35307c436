//! Agents of matches and audits without the type of their game.

use std::error::Error;

use hindsight_play::{AgentResources, AgentSpec};

use super::ErasedValues;
use crate::positions::any_value::{AnyMove, Position};

/// Function that chooses by a seed among the legal moves of a position: it returns an index.
pub(crate) type ChooseIndex<'a> =
    dyn Fn(&Position, &[AnyMove], u64) -> Result<usize, Box<dyn Error + Send + Sync>> + Sync + 'a;

/// Agent of a game.
#[derive(Clone, Copy)]
pub(crate) enum ErasedAgent<'a> {
    Spec(AgentSpec),
    Own { name: &'a str, choose: &'a ChooseIndex<'a> },
}

impl ErasedAgent<'_> {
    /// Returns the name of the agent in the record of a game.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Spec(spec) => spec.to_string(),
            Self::Own { name, .. } => String::from(*name),
        }
    }
}

/// Means of agents that play or are judged.
#[derive(Clone, Copy)]
pub(crate) struct ErasedPlay<'a> {
    /// Values of the game.
    pub(crate) values: Option<&'a dyn ErasedValues>,
    /// Resources of each agent.
    pub(crate) resources: AgentResources<'a>,
}
