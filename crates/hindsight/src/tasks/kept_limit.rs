//! Limit of memory with which a checkpoint was begun. A resume that takes it is let in again,
//! whatever else takes memory then, and plans the same solve.

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError};

use crate::memory;

const KEY: &str = "memory";

/// Longest fields in bytes.
const MAX_FIELDS: usize = 64;

/// Keeps the limit of a checkpoint that begins, in bytes.
pub(crate) fn keep(blobs: &dyn Blobs, memory: u64) -> Result<(), CheckpointError> {
    let mut fields = Vec::new();
    put_varint(&mut fields, memory);
    packed::put(blobs, KEY, &fields, PackedArray::Bytes(&[]))
}

/// Returns the limit of a checkpoint, lowered to what the system allows the process at most; `None`
/// if it is not known.
pub(crate) fn kept(blobs: &dyn Blobs) -> Option<u64> {
    // Nothing but the plan depends on it, so damage is no reason to refuse the checkpoint.
    let blob = packed::get(blobs, KEY, MAX_FIELDS).ok()??;
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    let kept = cursor.varint().ok()?;
    cursor.end().ok()?;
    Some(memory::limit(Some(kept)))
}

#[cfg(test)]
mod tests {
    use hindsight_engine::checkpoint::{Blobs, MemoryBlobs};

    use super::{KEY, keep, kept};

    #[test]
    fn a_limit_is_read_back_and_damage_is_none() {
        let blobs = MemoryBlobs::default();
        assert_eq!(kept(&blobs), None);
        keep(&blobs, 1 << 20).expect("room");
        assert_eq!(kept(&blobs), Some(1 << 20));
        let half = blobs.put(KEY, &mut |out| out.write_all(b"HSBL"));
        half.expect("room");
        assert_eq!(kept(&blobs), None);
    }
}
