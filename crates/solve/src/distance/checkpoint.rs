//! State of a search, and its storage.

use std::sync::atomic::AtomicU32;

use hindsight_run::StoreError;

/// Ranks that one thread handles at a time.
pub(super) const CHUNK_RANKS: u64 = 1 << 13;
/// Limit of the distance, in plies: the greatest that fits a byte beside the mark of an unreached
/// position. A search that reaches a state at this distance ends with
/// [`Error::TooLong`](hindsight_run::Error::TooLong).
pub const MAX_DISTANCE: u16 = 254;

/// Storage for the state of a search for distances.
pub trait DistanceCheckpoint {
    /// True if it is time to store the state, though the search goes on.
    fn is_due(&mut self) -> bool;

    /// Stores the state, with one word per rank.
    ///
    /// # Errors
    /// Any error of the storage.
    fn put(&mut self, stage: &DistanceStage, words: &[AtomicU32]) -> Result<(), StoreError>;

    /// Returns the state of an earlier run over the same number of ranks.
    ///
    /// # Errors
    /// If it cannot be read back.
    fn get(&mut self, ranks: u64) -> Result<Option<(DistanceStage, Vec<AtomicU32>)>, StoreError>;
}

/// State of a search between two batches of chunks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DistanceStage {
    /// Distance of the positions that are expanded.
    pub distance: u16,
    /// Chunks of 8192 ranks done at this distance.
    pub chunks_done: u64,
    /// Words changed at this distance.
    pub changed_words: u64,
    /// Positions expanded so far.
    pub expanded: u64,
    /// For each tier, its number of states at each distance, from 0.
    pub states_by_tier: Vec<Vec<u64>>,
}

impl DistanceStage {
    /// True if this can be the state of a search over `ranks` ranks in `tiers` tiers. Only then it
    /// may be resumed.
    #[must_use]
    pub fn fits(&self, ranks: u64, tiers: usize) -> bool {
        let next = usize::from(self.distance) + 1;
        let states = self.states_by_tier.iter().flatten();
        let states = states.fold(0, |sum: u64, &n| sum.saturating_add(n));
        // A state forbids one of 127 moves, or none.
        let most = ranks.saturating_mul(1 << 7);
        self.distance < MAX_DISTANCE
            && self.chunks_done <= ranks.div_ceil(CHUNK_RANKS)
            && self.expanded <= ranks
            && self.changed_words <= most
            && states <= most
            && self.states_by_tier.len() == tiers
            && self
                .states_by_tier
                .iter()
                .all(|tier| tier.len() <= next + 1)
    }
}

/// Checkpoint that stores nothing.
pub(super) struct NoDistanceCheckpoint;

impl DistanceCheckpoint for NoDistanceCheckpoint {
    fn is_due(&mut self) -> bool {
        false
    }

    fn put(&mut self, _: &DistanceStage, _: &[AtomicU32]) -> Result<(), StoreError> {
        Ok(())
    }

    fn get(&mut self, _: u64) -> Result<Option<(DistanceStage, Vec<AtomicU32>)>, StoreError> {
        Ok(None)
    }
}
