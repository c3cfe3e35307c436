//! Progress of an out-of-core solve, and its bytes in a checkpoint.

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};

use crate::stage::PlaneStage;

/// Longest fields in bytes.
const MAX_FIELDS: usize = 1 << 20;

/// Most slices per side: more than any solve tries.
const MAX_SLICES: u64 = 1 << 10;

/// Most tracked positions: more than any solve needs.
pub(crate) const MAX_TRACKED: usize = 1 << 26;

/// Progress of an out-of-core solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutOfCoreStage {
    /// Slices asked for, of the sets of the most followers.
    pub slices: u64,
    /// Passes so far; [`PlaneStage::planes_done`] counts slices of rows.
    pub passes: PlaneStage,
    /// Version of each slice of rows: `2 * pass + copy`, where `copy` (0 or 1) says which of two
    /// copies is current; 0 = never written. All slices of planes come first, then the slices of
    /// side 0's frontiers.
    pub versions: Vec<u32>,
    /// 0 during sweeps. In the incremental phase, 1 + number of slices already converted to
    /// undecided planes.
    pub converted: u64,
    /// Pass that decided each tracked position, the start first; 0 while it is undecided.
    pub tracked: Vec<u16>,
}

impl OutOfCoreStage {
    /// Key of the blob with the progress of an out-of-core solve.
    pub const KEY: &str = "slices";

    /// Reads the progress of a stopped solve; `None` if there is none.
    ///
    /// # Errors
    /// [`CheckpointError`] if the blob is damaged or cannot be read.
    pub fn stored(blobs: &dyn Blobs) -> Result<Option<Self>, CheckpointError> {
        let Some(blob) = packed::get(blobs, Self::KEY, MAX_FIELDS)? else {
            return Ok(None);
        };
        let (mut stage, tracked) = take_fields(&blob.fields, &blob.name)?;
        let mut bytes = vec![0; 2 * tracked];
        blob.read_bytes(&mut [&mut bytes])?;
        let (pairs, _) = bytes.as_chunks();
        stage.tracked = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
        Ok(Some(stage))
    }

    pub(crate) fn put(&self, blobs: &dyn Blobs) -> Result<(), CheckpointError> {
        let mut fields = Vec::new();
        put_varint(&mut fields, self.slices);
        self.passes.encode(&mut fields);
        put_varint(&mut fields, self.versions.len() as u64);
        for &version in &self.versions {
            put_varint(&mut fields, version.into());
        }
        put_varint(&mut fields, self.converted);
        put_varint(&mut fields, self.tracked.len() as u64);
        let tracked = self.tracked.iter().flat_map(|pass| pass.to_le_bytes());
        let tracked: Vec<u8> = tracked.collect();
        packed::put(blobs, Self::KEY, &fields, PackedArray::Bytes(&[&tracked]))
    }
}

/// Reads the progress without its tracked positions, and their number.
fn take_fields(fields: &[u8], name: &str) -> Result<(OutOfCoreStage, usize), Damage> {
    let mut cursor = Cursor::new(fields, name);
    let slices = cursor.varint()?;
    if !(1..=MAX_SLICES).contains(&slices) {
        return Err(cursor.fail("too many slices, or none"));
    }
    let passes = PlaneStage::decode(&mut cursor)?;
    let count = cursor.count()?;
    let versions = (0..count).map(|_| {
        let version = cursor.varint()?;
        u32::try_from(version).map_err(|_| cursor.fail("too many passes"))
    });
    let versions = versions.collect::<Result<Vec<u32>, Damage>>()?;
    let converted = cursor.varint()?;
    let tracked = usize::try_from(cursor.varint()?)
        .ok()
        .filter(|&n| n <= MAX_TRACKED)
        .ok_or_else(|| cursor.fail("too many positions are watched"))?;
    cursor.end()?;
    let stage = OutOfCoreStage { passes, slices, versions, converted, tracked: Vec::new() };
    Ok((stage, tracked))
}
