use serde::Serialize;

/// Cards of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DealtCards {
    /// Card set aside.
    pub aside: String,
    /// Hand of the player who moves first.
    pub first: Vec<String>,
    /// Hand of the other player.
    pub second: Vec<String>,
}
