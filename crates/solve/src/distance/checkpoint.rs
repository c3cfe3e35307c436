use std::sync::atomic::AtomicU32;

use hindsight_run::StoreError;

/// Ranks handled at once by one thread.
pub(super) const CHUNK_RANKS: u64 = 1 << 13;
/// The greatest distance.
pub const MAX_DISTANCE: u16 = 254;

/// Where a search for distances keeps how far it has come.
pub trait DistanceCheckpoint {
    /// Whether it is time to keep it, though nothing stops.
    fn is_due(&mut self) -> bool;

    /// Takes it, with a word a rank.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn put(&mut self, stage: &DistanceStage, words: &[AtomicU32]) -> Result<(), StoreError>;

    /// What an earlier run kept of so many ranks.
    ///
    /// # Errors
    /// When it cannot be read back.
    fn get(&mut self, ranks: u64) -> Result<Option<(DistanceStage, Vec<AtomicU32>)>, StoreError>;
}

/// How far a search has come, at a moment when nothing is half done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DistanceStage {
    /// The distance of the positions that are passed on.
    pub distance: u16,
    /// So many times 8192 ranks are done with.
    pub chunks_done: u64,
    /// Words that changed at this distance.
    pub changed_words: u64,
    /// Positions passed on so far.
    pub expanded: u64,
    /// For each tier how many of its states have each distance, from 0.
    pub states_by_tier: Vec<Vec<u64>>,
}

impl DistanceStage {
    /// Whether this may be of so many ranks and tiers. Nothing else may be gone on with.
    #[must_use]
    pub fn fits(&self, ranks: u64, tiers: usize) -> bool {
        let next = usize::from(self.distance) + 1;
        let states = self.states_by_tier.iter().flatten();
        let states = states.fold(0, |sum: u64, &n| sum.saturating_add(n));
        // A state forbids one of 127 ways, or none.
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

/// Keeps nothing.
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
