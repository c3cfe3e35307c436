use std::sync::atomic::AtomicU32;

use hindsight_core::Value;
use hindsight_run::{Error, Layer, StoreError};

use super::counts::StateCounts;
use super::solved_tier::SolvedStateTier;
use super::stage::StateStage;

/// Where a solve of every state puts what it has, and finds what an earlier run had.
pub trait StateCheckpoint {
    /// Bytes of memory that it takes to put a tier of so many ranks, beside its words.
    fn takes(&self, _ranks: u64) -> u64 {
        0
    }

    /// Tells how many bytes the next tier that is put may take: at least what [`Checkpoint::takes`] says.
    fn allow(&mut self, _bytes: u64) {}

    /// Takes a finished tier; what was kept of it unfinished is not needed any more.
    ///
    /// # Errors
    /// What the solve shall end with.
    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error>;

    /// What is known of a tier that an earlier run finished.
    ///
    /// # Errors
    /// When it cannot be read back.
    fn finished(&mut self, _layer: u32) -> Result<Option<FinishedTier>, StoreError> {
        Ok(None)
    }

    /// The values of such a tier with nothing forbidden, as [`Solved::values`] has them.
    ///
    /// # Errors
    /// When they cannot be read back.
    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }

    /// Whether it is time to keep an unfinished tier, though nothing stops.
    fn is_due(&mut self) -> bool {
        false
    }

    /// Takes an unfinished tier, with a word a rank.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn put_unfinished(&mut self, _: &StateStage, _words: &[AtomicU32]) -> Result<(), StoreError> {
        Ok(())
    }

    /// An unfinished tier of this layer, which has so many ranks.
    ///
    /// # Errors
    /// When it cannot be read back.
    fn unfinished(
        &mut self,
        _layer: u32,
        _ranks: u64,
    ) -> Result<Option<(StateStage, Vec<AtomicU32>)>, StoreError> {
        Ok(None)
    }
}

/// What the outcome needs of a finished tier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedTier {
    /// [`Solved::counts`]
    pub counts: StateCounts,
    /// The value of the start, if it is of this tier.
    pub start: Option<Value>,
}

/// Hands finished tiers over and keeps nothing.
pub(super) struct PutOnly<'a>(pub(super) &'a mut dyn FnMut(SolvedStateTier) -> Result<(), Error>);

impl StateCheckpoint for PutOnly<'_> {
    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error> {
        (self.0)(solved)
    }
}
