//! Storage for the progress of a solve.

use std::sync::atomic::AtomicU32;

use hindsight_core::Value;
use hindsight_run::{Error, Layer, StoreError};

use super::counts::ForbiddenMoveCounts;
use super::solved_tier::SolvedStateTier;
use super::stage::StateStage;

/// Storage for the progress of a solve of every state.
pub trait StateCheckpoint {
    /// Returns the bytes of memory needed to store a tier, besides its words.
    fn takes(&self, _ranks: u64) -> u64 {
        0
    }

    /// Announces how many bytes the next call of [`StateCheckpoint::put`] may take: at least
    /// [`StateCheckpoint::takes`].
    fn allow(&mut self, _bytes: u64) {}

    /// Stores a finished tier, and drops its unfinished state.
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

    /// True if it is time to store an unfinished tier, though the solve goes on.
    fn is_due(&mut self) -> bool {
        false
    }

    /// Stores an unfinished tier, with one word per rank.
    ///
    /// # Errors
    /// Any error of the storage.
    fn put_unfinished(&mut self, _: &StateStage, _words: &[AtomicU32]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns the unfinished tier of a layer, with its number of ranks.
    ///
    /// # Errors
    /// If it cannot be read back.
    fn unfinished(
        &mut self,
        _layer: u32,
        _ranks: u64,
    ) -> Result<Option<(StateStage, Vec<AtomicU32>)>, StoreError> {
        Ok(None)
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

/// Checkpoint that only hands finished tiers over.
pub(super) struct PutOnly<'a>(pub(super) &'a mut dyn FnMut(SolvedStateTier) -> Result<(), Error>);

impl StateCheckpoint for PutOnly<'_> {
    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error> {
        (self.0)(solved)
    }
}
