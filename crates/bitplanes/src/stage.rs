//! Progress of a solve in planes, and its bytes in a checkpoint.

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};

/// Longest fields in bytes: lengths of the parts, and counts of the passes.
const MAX_FIELDS: usize = 1 << 20;

/// Progress of a solve: passes that are over, and a part of the next one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaneStage {
    /// Positions decided by each pass that is over.
    pub found: Vec<u64>,
    /// Positions decided by the pass that is not over.
    pub found_so_far: u64,
    /// Planes that this pass has gone over.
    pub planes_done: u64,
    /// True if the planes of side 1 hold undecided positions instead of lost ones.
    pub holds_undecided: bool,
    /// Pass that decided the start, counted from 1; `None` while it is undecided.
    pub start_pass: Option<u16>,
}

impl PlaneStage {
    /// Key of the blob with the planes of a solve in memory.
    pub const KEY: &str = "planes";

    /// Reads the progress of a stopped solve in memory, without its planes; `None` if there is
    /// none.
    ///
    /// # Errors
    /// [`CheckpointError`] if the blob is damaged or cannot be read.
    pub fn stored(blobs: &dyn Blobs) -> Result<Option<Self>, CheckpointError> {
        let Some(blob) = packed::get(blobs, Self::KEY, MAX_FIELDS)? else {
            return Ok(None);
        };
        Ok(Some(take_fields(&blob.fields, &blob.name)?.0))
    }

    /// Stores the progress with the bytes of all planes, then of all value layers.
    pub(crate) fn put(&self, blobs: &dyn Blobs, parts: &[&[u8]]) -> Result<(), CheckpointError> {
        let mut fields = Vec::new();
        put_varint(&mut fields, parts.len() as u64);
        for part in parts {
            put_varint(&mut fields, part.len() as u64);
        }
        self.encode(&mut fields);
        packed::put(blobs, Self::KEY, &fields, PackedArray::Bytes(parts))
    }

    /// Fills the parts with those of a stopped solve, and returns its progress; `None` if there is
    /// none.
    pub(crate) fn get(
        blobs: &dyn Blobs,
        parts: &mut [&mut [u8]],
    ) -> Result<Option<Self>, CheckpointError> {
        let Some(blob) = packed::get(blobs, Self::KEY, MAX_FIELDS)? else {
            return Ok(None);
        };
        let (stage, lengths) = take_fields(&blob.fields, &blob.name)?;
        if !parts.iter().map(|part| part.len() as u64).eq(lengths) {
            let fault = "of other sizes: it was begun with other memory, or not for a table";
            return Err(CheckpointError::damaged(&blob.name, fault));
        }
        blob.read_bytes(parts)?;
        Ok(Some(stage))
    }

    /// Appends the progress as numbers.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put_varint(out, self.found.len() as u64);
        for &found in &self.found {
            put_varint(out, found);
        }
        put_varint(out, self.found_so_far);
        put_varint(out, self.planes_done);
        put_varint(out, self.holds_undecided.into());
        put_varint(out, self.start_pass.unwrap_or(0).into());
    }

    /// Reads the bytes of [`PlaneStage::encode`].
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Damage> {
        let found = take_numbers(cursor)?;
        let (found_so_far, planes_done) = (cursor.varint()?, cursor.varint()?);
        let holds_undecided = match cursor.varint()? {
            0 => false,
            1 => true,
            _ => return Err(cursor.fail("neither losses nor what is undecided")),
        };
        let start_pass =
            u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many passes"))?;
        Ok(Self {
            found,
            found_so_far,
            planes_done,
            holds_undecided,
            start_pass: (start_pass > 0).then_some(start_pass),
        })
    }

    /// Number of positions decided, of `positions` in all; `None` if the stage cannot be right.
    ///
    /// A stage is wrong if it has decided too many, or passes went on after one that found nothing.
    pub(crate) fn decided(&self, positions: u64) -> Option<u64> {
        let before = self.found.split_last().map_or(&[][..], |(_, before)| before);
        if before.contains(&0) {
            return None;
        }
        let found = self.found.iter().chain([&self.found_so_far]);
        let decided = found.fold(0, |sum: u64, &n| sum.saturating_add(n));
        let passes = self.found.len();
        let is_counted =
            usize::from(self.start_pass.unwrap_or(0)) <= passes && passes < usize::from(u16::MAX);
        (decided <= positions && is_counted).then_some(decided)
    }
}

/// Reads the progress and the lengths of the parts.
fn take_fields(fields: &[u8], name: &str) -> Result<(PlaneStage, Vec<u64>), Damage> {
    let mut cursor = Cursor::new(fields, name);
    let lengths = take_numbers(&mut cursor)?;
    let stage = PlaneStage::decode(&mut cursor)?;
    cursor.end()?;
    Ok((stage, lengths))
}

fn take_numbers(cursor: &mut Cursor<'_>) -> Result<Vec<u64>, Damage> {
    let count = cursor.count()?;
    (0..count).map(|_| cursor.varint()).collect()
}
