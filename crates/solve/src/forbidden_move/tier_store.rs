//! Storage of finished tiers.

use hindsight_core::Value;
use hindsight_run::{Error, Layer, StoreError};

use super::counts::ForbiddenMoveCounts;
use super::solved_tier::SolvedStateTier;

/// Storage of finished tiers of states.
pub trait StateTierStore {
    /// Returns the bytes of memory needed to store a tier, besides its words.
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
    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error>;

    /// Returns the results of a tier that an earlier run finished.
    ///
    /// # Errors
    /// If it cannot be read back.
    fn finished(&mut self, _layer: u32) -> Result<Option<FinishedTier>, StoreError> {
        Ok(None)
    }

    /// Returns the values of a finished tier with nothing forbidden, as
    /// [`SolvedStateTier::unrestricted_layer`] gives them.
    ///
    /// # Errors
    /// If they cannot be read back.
    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }
}

/// Results of a finished tier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedTier {
    /// Counts, as from [`SolvedStateTier::counts`].
    pub counts: ForbiddenMoveCounts,
    /// Value of the start, if it is in this tier.
    pub start: Option<Value>,
}

/// Store that only hands finished tiers over.
pub(super) struct PutOnly<'a>(pub(super) &'a mut dyn FnMut(SolvedStateTier) -> Result<(), Error>);

impl StateTierStore for PutOnly<'_> {
    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error> {
        (self.0)(solved)
    }
}
