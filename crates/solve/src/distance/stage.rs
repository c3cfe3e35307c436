//! State of a search, and its bytes in a checkpoint.

use std::sync::atomic::AtomicU32;

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};

/// Key of the blob of a stopped search.
const KEY: &str = "stopped";

/// Longest fields in bytes: the number of states per tier and distance.
const MAX_FIELDS: usize = 1 << 24;

/// Ranks that one thread handles at a time.
pub(super) const CHUNK_RANKS: u64 = 1 << 13;

/// Limit of the distance, in plies: the greatest that fits a byte beside the mark of an unreached
/// position. A search that reaches a state at this distance ends with
/// [`Error::TooLong`](hindsight_engine::Error::TooLong).
pub const MAX_DISTANCE: u16 = 254;

/// State of a search between two batches of chunks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DistanceStage {
    /// Distance of the positions that are expanded.
    pub(super) distance: u16,
    /// Chunks of 8192 ranks done at this distance.
    pub(super) chunks_done: u64,
    pub(super) changed_words: u64,
    /// Positions expanded so far.
    pub(super) expanded: u64,
    /// For each tier, its number of states at each distance, from 0.
    pub(super) states_by_tier: Vec<Vec<u64>>,
}

impl DistanceStage {
    /// True if this can be the state of a search over `ranks` ranks in `tiers` tiers. Only then it
    /// may be resumed.
    pub(super) fn fits(&self, ranks: u64, tiers: usize) -> bool {
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
            && self.states_by_tier.iter().all(|tier| tier.len() <= next + 1)
    }

    /// Stores the state, with one word per rank.
    pub(super) fn put(
        &self,
        blobs: &dyn Blobs,
        words: &[AtomicU32],
    ) -> Result<(), CheckpointError> {
        let mut fields = Vec::new();
        for number in [
            words.len() as u64,
            self.distance.into(),
            self.chunks_done,
            self.changed_words,
            self.expanded,
            self.states_by_tier.len() as u64,
        ] {
            put_varint(&mut fields, number);
        }
        for tier in &self.states_by_tier {
            put_varint(&mut fields, tier.len() as u64);
            for &states in tier {
                put_varint(&mut fields, states);
            }
        }
        packed::put(blobs, KEY, &fields, PackedArray::Words(words))
    }

    /// Reads the state of an earlier run over the same number of ranks; `None` if there is none.
    pub(super) fn get(
        blobs: &dyn Blobs,
        ranks: u64,
    ) -> Result<Option<(Self, Vec<AtomicU32>)>, CheckpointError> {
        let Some(blob) = packed::get(blobs, KEY, MAX_FIELDS)? else {
            return Ok(None);
        };
        let (stage, stored_ranks) = take_fields(&blob.fields, &blob.name)?;
        if stored_ranks != ranks {
            let fault = "the game has another number of ranks";
            return Err(CheckpointError::damaged(&blob.name, fault));
        }
        Ok(Some((stage, blob.read_words(ranks)?)))
    }
}

/// Reads a state, and the number of its ranks.
fn take_fields(fields: &[u8], name: &str) -> Result<(DistanceStage, u64), Damage> {
    let mut cursor = Cursor::new(fields, name);
    let ranks = cursor.varint()?;
    let distance = u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many plies"))?;
    let (chunks_done, changed_words) = (cursor.varint()?, cursor.varint()?);
    let expanded = cursor.varint()?;
    let mut states_by_tier = Vec::new();
    for _ in 0..cursor.count()? {
        let tier = (0..cursor.count()?).map(|_| cursor.varint());
        states_by_tier.push(tier.collect::<Result<Vec<u64>, Damage>>()?);
    }
    cursor.end()?;
    let stage = DistanceStage { distance, chunks_done, changed_words, expanded, states_by_tier };
    Ok((stage, ranks))
}
