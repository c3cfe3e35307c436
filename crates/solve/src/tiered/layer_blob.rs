//! Blob of one layer in a checkpoint, which later layers make useless.

use std::cmp::Ordering;

use hindsight_engine::checkpoint::packed::{self, PackedBlob};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};

/// Longest fields in bytes, with 256 values.
const MAX_FIELDS: usize = 1 << 12;

/// Reads the blob of a layer, whose fields `take` reads: the numbers of the layer and of its ranks,
/// and more. `None` if there is none, or if it is of an earlier layer than `wanted`: then it is
/// removed.
///
/// # Errors
/// If the blob cannot be read, or is of a later layer or of another number of ranks.
pub(super) fn layer_blob<T>(
    blobs: &dyn Blobs,
    key: &str,
    wanted: [u64; 2],
    take: impl Fn(&[u8], &str) -> Result<([u64; 2], T), Damage>,
) -> Result<Option<(PackedBlob, T)>, CheckpointError> {
    let Some(blob) = packed::get(blobs, key, MAX_FIELDS)? else {
        return Ok(None);
    };
    let ([layer, ranks], rest) = take(&blob.fields, &blob.name)?;
    let damaged = |fault| Err(CheckpointError::damaged(&blob.name, fault));
    match layer.cmp(&wanted[0]) {
        Ordering::Less => {
            // The layer was finished after it was kept.
            blobs.remove(key)?;
            Ok(None)
        }
        Ordering::Greater => damaged("it is of a later layer than was begun"),
        Ordering::Equal if ranks != wanted[1] => damaged("the layer has another number of ranks"),
        Ordering::Equal => Ok(Some((blob, rest))),
    }
}
