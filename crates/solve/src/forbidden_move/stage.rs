//! State of an unfinished tier.

use hindsight_core::Value;

use super::word::MAX_CODE;

/// Ranks that one thread handles at a time.
pub(super) const CHUNK_RANKS: u64 = 1 << 12;

/// State of an unfinished tier, besides its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateStage {
    /// Number of the layer.
    pub layer: u32,
    /// The only tier of the layer.
    pub tier: u64,
    /// Next step of the solve.
    pub point: ResumePoint,
    /// Values propagated so far: V0 and V1 of each position, so at most `2 * ranks`.
    pub values_propagated: u64,
    /// Values of the codes, from 1 on.
    pub values: Vec<Value>,
    /// For each 4096 ranks, a bit set of the plies at which a value may become known there.
    pub ply_marks: Vec<[u64; 8]>,
}

impl StateStage {
    /// True if this can be the state of a tier with `ranks` ranks. Only then it may be resumed.
    #[must_use]
    pub fn fits(&self, ranks: u64) -> bool {
        let chunks = ranks.div_ceil(CHUNK_RANKS);
        let ResumePoint {
            pass,
            concluded,
            chunks_done,
        } = self.point;
        // The conclusions of a ply are drawn in all chunks before any of its values is propagated.
        let is_point = if pass == 0 {
            !concluded
        } else {
            concluded || chunks_done == 0
        };
        self.ply_marks.len() as u64 == chunks
            && chunks_done <= chunks
            && pass <= MAX_PASS
            && is_point
            && self.values_propagated <= 2 * ranks
            && self.values.len() <= usize::from(MAX_CODE)
    }
}

/// One more than the pass of the last ply that has a bit.
const MAX_PASS: u32 = (1 << 9) + 1;

/// A point between two batches of chunks, from which a solve can be resumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResumePoint {
    /// Pass over all ranks: 0 looks at every position once, `n + 1` propagates the values of ply
    /// `n`.
    pub pass: u32,
    /// True once the conclusions of the ply are drawn, so that its values can be propagated.
    pub concluded: bool,
    /// Chunks of 4096 ranks done in the pass.
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
