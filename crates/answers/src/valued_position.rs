use hindsight_core::Value;
use hindsight_games::{PositionValue, Tablebase};
use serde::Serialize;

use crate::known_value::wdl_word;

/// A position with its value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ValuedPosition {
    /// Value for the side to move.
    pub value: &'static str,
    /// Plies to the end; null for draws.
    pub remoteness: Option<u16>,
    /// The position.
    pub position: String,
}

impl ValuedPosition {
    /// Returns a position with its value.
    #[must_use]
    pub fn new(position: String, value: Value) -> Self {
        Self { value: wdl_word(value.wdl()), remoteness: value.remoteness(), position }
    }

    /// Returns an example of a table; by tier and rank if the game has no position there.
    #[must_use]
    pub fn example(table: &Tablebase, example: PositionValue) -> Self {
        let PositionValue { tier, rank, value } = example;
        let position = table.position_at(tier, rank);
        let text = position.and_then(|position| table.game().format(&position).ok());
        let text = text.unwrap_or_else(|| format!("(no position: tier {tier}, rank {rank})"));
        Self::new(text, value)
    }
}
