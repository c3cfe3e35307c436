//! Addresses of positions.

use crate::error::TableError;

/// A tier and a rank in it, ordered by tier first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Address {
    pub(crate) tier: u64,
    pub(crate) rank: u64,
}

impl Address {
    /// Error for an address of the game that no block contains.
    pub(crate) fn missing_error(self) -> TableError {
        let Self { tier, rank } = self;
        TableError::damaged(format!("tier {tier} rank {rank} is in no block"))
    }
}
