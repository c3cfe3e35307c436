//! Values of the states of a game in which a move may be forbidden, tier by tier.

use hindsight_core::Value;

use crate::{Error, Histogram, Layer, NullStore, StoreError};

/// Values of the states of a position: the value with nothing forbidden; then the only best
/// forbiddable move and the value without it, if that differs.
pub type StateValues = (Value, Option<(u8, Value)>);

/// The states of a layer with one tier, from a solver or a table.
pub trait StateSource: Sync {
    /// Returns the number of the layer.
    fn layer(&self) -> u32;

    /// Returns the only tier of the layer.
    fn tier(&self) -> u64;

    /// Returns the number of ranks.
    fn ranks(&self) -> u64;

    /// Returns the value at a rank with nothing forbidden; `None` for a hole.
    fn value(&self, rank: u64) -> Option<Value>;

    /// Returns the only best forbiddable move at a rank, and the value without it. `None` if no
    /// forbidden move changes the value.
    fn exception(&self, rank: u64) -> Option<(u8, Value)>;

    /// Returns the number of states per value, if known without counting.
    fn known_counts(&self) -> Option<StateHistograms> {
        None
    }

    /// Returns the value at a rank with a move forbidden; move id 0 forbids nothing.
    fn state(&self, rank: u64, move_id: u8) -> Option<Value> {
        match self.exception(rank) {
            Some((best, without)) if move_id == best => Some(without),
            _ => self.value(rank),
        }
    }
}

/// Number of states per value. A state is a position with the move that is forbidden, if any;
/// states that no move leads to are not counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateHistograms {
    /// All states.
    pub all: Histogram,
    /// States of positions without a move that wins at once. Empty in a table of distances.
    pub nontrivial: Histogram,
}

/// Storage of finished tiers of states.
pub trait StateTierStore {
    /// Returns the bytes of memory needed to store a tier, besides its values.
    fn takes(&self, _ranks: u64) -> u64 {
        0
    }

    /// Announces how many bytes the next call of [`StateTierStore::put`] may take: at least
    /// [`StateTierStore::takes`].
    fn allow(&mut self, _bytes: u64) {}

    /// Stores a finished tier.
    ///
    /// # Errors
    /// An error that ends the solve.
    fn put(&mut self, solved: &dyn StateSource) -> Result<(), Error>;

    /// Returns the results of a tier that an earlier run finished.
    ///
    /// # Errors
    /// If it cannot be read back.
    fn finished(&mut self, layer: u32) -> Result<Option<FinishedTier>, StoreError>;

    /// Returns the values of a finished tier with nothing forbidden, one byte per rank.
    ///
    /// # Errors
    /// If they cannot be read back.
    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError>;
}

/// Results of a finished tier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedTier {
    /// Positions by their value with nothing forbidden.
    pub positions: Histogram,
    /// States by value.
    pub states: StateHistograms,
    /// Value of the start, if it is in this tier.
    pub start: Option<Value>,
}

impl StateTierStore for NullStore {
    fn put(&mut self, _: &dyn StateSource) -> Result<(), Error> {
        Ok(())
    }

    fn finished(&mut self, _: u32) -> Result<Option<FinishedTier>, StoreError> {
        Ok(None)
    }

    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }
}
