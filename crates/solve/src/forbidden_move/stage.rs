use hindsight_core::Value;

use super::word::MAX_CODE;

/// Ranks handled at once by one thread.
pub(super) const CHUNK_RANKS: u64 = 1 << 12;

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
