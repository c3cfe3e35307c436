//! State of an unfinished tier, and its bytes in a checkpoint.

use std::cmp::Ordering;
use std::sync::atomic::AtomicU32;

use hindsight_core::Value;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};

use super::word::MAX_CODE;
use crate::value_bytes::{put_value, take_value};

/// Key of the blob of an unfinished tier.
pub(super) const KEY: &str = "stopped";

/// Ranks that one thread handles at a time.
pub(super) const CHUNK_RANKS: u64 = 1 << 12;

/// State of an unfinished tier, besides its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StateStage {
    pub(super) layer: u32,
    /// The only tier of the layer.
    pub(super) tier: u64,
    /// Next step of the solve.
    pub(super) point: ResumePoint,
    /// Values propagated so far: V0 and V1 of each position, so at most `2 * ranks`.
    pub(super) values_propagated: u64,
    /// Values of the codes, from 1 on.
    pub(super) values: Vec<Value>,
    /// For each 4096 ranks, a bit set of the plies at which a value may become known there.
    pub(super) ply_marks: Vec<[u64; 8]>,
}

impl StateStage {
    /// True if this can be the state of a tier with `ranks` ranks. Only then it may be resumed.
    pub(super) fn fits(&self, ranks: u64) -> bool {
        let chunks = ranks.div_ceil(CHUNK_RANKS);
        let ResumePoint { pass, concluded, chunks_done } = self.point;
        // The conclusions of a ply are drawn in all chunks before any of its values is propagated.
        let is_point = if pass == 0 { !concluded } else { concluded || chunks_done == 0 };
        self.ply_marks.len() as u64 == chunks
            && chunks_done <= chunks
            && pass <= MAX_PASS
            && is_point
            && self.values_propagated <= 2 * ranks
            && self.values.len() <= usize::from(MAX_CODE)
    }

    /// Stores the tier, with one word per rank.
    pub(super) fn put(
        &self,
        blobs: &dyn Blobs,
        words: &[AtomicU32],
    ) -> Result<(), CheckpointError> {
        let fields = self.fields(words.len() as u64);
        packed::put(blobs, KEY, &fields, PackedArray::Words(words))
    }

    /// Reads a stored tier. `None` if there is none, or if it belongs to an earlier layer. `ranks`
    /// is the number of ranks of `layer`.
    pub(super) fn get(
        blobs: &dyn Blobs,
        layer: u32,
        ranks: u64,
    ) -> Result<Option<(Self, Vec<AtomicU32>)>, CheckpointError> {
        let max_fields = 64 * ranks.div_ceil(CHUNK_RANKS) as usize + (1 << 12);
        let Some(blob) = packed::get(blobs, KEY, max_fields)? else {
            return Ok(None);
        };
        let (stage, stored_ranks) = take_fields(&blob.fields, &blob.name)?;
        match stage.layer.cmp(&layer) {
            // The solve was killed after the tier was finished, but before this blob was removed.
            Ordering::Less => return Ok(None),
            Ordering::Equal => {}
            Ordering::Greater => {
                let fault = "it is of a later layer than was begun";
                return Err(CheckpointError::damaged(&blob.name, fault));
            }
        }
        if stored_ranks != ranks || !stage.fits(ranks) {
            let fault = "the tier has another number of ranks";
            return Err(CheckpointError::damaged(&blob.name, fault));
        }
        Ok(Some((stage, blob.read_words(ranks)?)))
    }

    fn fields(&self, ranks: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let numbers = [
            self.layer.into(),
            self.tier,
            ranks,
            self.point.pass.into(),
            self.point.concluded.into(),
            self.point.chunks_done,
            self.values_propagated,
            self.values.len() as u64,
        ];
        for number in numbers {
            put_varint(&mut out, number);
        }
        for &value in &self.values {
            put_value(&mut out, value);
        }
        for word in self.ply_marks.iter().flatten() {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out
    }
}

/// Reads a state, and the number of its ranks.
fn take_fields(fields: &[u8], name: &str) -> Result<(StateStage, u64), Damage> {
    let mut cursor = Cursor::new(fields, name);
    let number = |cursor: &mut Cursor<'_>| {
        let number = cursor.varint()?;
        u32::try_from(number).map_err(|_| cursor.fail("too many layers or passes"))
    };
    let layer = number(&mut cursor)?;
    let (tier, ranks) = (cursor.varint()?, cursor.varint()?);
    let pass = number(&mut cursor)?;
    let concluded = match cursor.varint()? {
        0 => false,
        1 => true,
        _ => return Err(cursor.fail("neither concluded nor open")),
    };
    let (chunks_done, values_propagated) = (cursor.varint()?, cursor.varint()?);
    let values = (0..cursor.count()?).map(|_| take_value(&mut cursor));
    let values = values.collect::<Result<_, _>>()?;
    let mut ply_marks = Vec::new();
    while cursor.remaining() > 0 {
        let mut marks = [0; 8];
        for word in &mut marks {
            *word = cursor.u64()?;
        }
        ply_marks.push(marks);
    }
    let point = ResumePoint { pass, concluded, chunks_done };
    let stage = StateStage { layer, tier, point, values_propagated, values, ply_marks };
    Ok((stage, ranks))
}

/// One more than the pass of the last ply that has a bit.
const MAX_PASS: u32 = (1 << 9) + 1;

/// A point between two batches of chunks, from which a solve can be resumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ResumePoint {
    /// Pass over all ranks: 0 looks at every position once, `n + 1` propagates the values of ply
    /// `n`.
    pub(super) pass: u32,
    /// True once the conclusions of the ply are drawn, so that its values can be propagated.
    pub(super) concluded: bool,
    /// Chunks of 4096 ranks done in the pass.
    pub(super) chunks_done: u64,
}

impl ResumePoint {
    pub(super) fn of_ply(ply: u16) -> Self {
        Self { pass: u32::from(ply) + 1, ..Self::default() }
    }
}
