use std::sync::atomic::AtomicU32;

use hindsight_core::Value;

use super::word::MAX_CODE;
use super::work::CHUNK_RANKS;
use super::{SolvedStateTier, StateCounts};
use crate::{Error, Layer, StoreError};

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

/// How far the solve of a tier has come, and what goes on with it beside its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateStage {
    /// Which layer it is.
    pub layer: u32,
    /// Its only tier.
    pub tier: u64,
    /// What comes next.
    pub point: ResumePoint,
    /// Values passed on so far.
    pub values_propagated: u64,
    /// The values of the codes from 1 on.
    pub values: Vec<Value>,
    /// For each 4096 ranks, the plies at which something may be decided there: a bit each.
    pub ply_marks: Vec<[u64; 8]>,
}

impl StateStage {
    /// Whether this may be of a tier of so many ranks. Nothing else may be gone on with.
    #[must_use]
    pub fn fits(&self, ranks: u64) -> bool {
        let chunks = ranks.div_ceil(CHUNK_RANKS);
        let ResumePoint {
            pass,
            concluded: ended,
            chunks_done: done,
        } = self.point;
        // A ply begins with its end in all chunks at once.
        let is_point = if pass == 0 {
            !ended
        } else {
            ended || done == 0
        };
        self.ply_marks.len() as u64 == chunks
            && done <= chunks
            && pass <= MAX_PASS
            && is_point
            && self.values_propagated <= 2 * ranks
            && self.values.len() <= usize::from(MAX_CODE)
    }
}

/// One more than the pass of the last ply that there is a bit for.
const MAX_PASS: u32 = (1 << 9) + 1;

/// A point of a solve at which nothing is half done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResumePoint {
    /// The pass over all ranks: 0 looks at every position once, n + 1 passes on what is decided at ply n.
    pub pass: u32,
    /// Whether the conclusions of the ply were drawn, so that its values can be passed on.
    pub concluded: bool,
    /// So many times 4096 ranks are done in the pass.
    pub chunks_done: u64,
}

impl ResumePoint {
    pub(super) fn of_ply(ply: u16) -> Self {
        Self {
            pass: u32::from(ply) + 1,
            ..Self::default()
        }
    }
}

/// Hands finished tiers over and keeps nothing.
pub(super) struct PutOnly<'a>(pub(super) &'a mut dyn FnMut(SolvedStateTier) -> Result<(), Error>);

impl StateCheckpoint for PutOnly<'_> {
    fn put(&mut self, solved: SolvedStateTier) -> Result<(), Error> {
        (self.0)(solved)
    }
}
