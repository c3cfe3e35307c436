//! Symmetry by which the positions of a checkpoint are merged.

use hindsight_core::Symmetry;
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError};

const KEY: &str = "symmetry";

/// Returns the symmetry with which a checkpoint was begun; one that begins keeps the given one.
pub(crate) fn kept_or(blobs: &dyn Blobs, symmetry: Symmetry) -> Result<Symmetry, CheckpointError> {
    let Some(blob) = packed::get(blobs, KEY, 1)? else {
        packed::put(blobs, KEY, &[symmetry as u8], PackedArray::Bytes(&[]))?;
        return Ok(symmetry);
    };
    let kept = blob.fields.first().and_then(|&code| Symmetry::of_code(code));
    kept.ok_or_else(|| CheckpointError::damaged(&blob.name, "an unknown symmetry"))
}
