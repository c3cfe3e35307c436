//! A solved layer whose storing was stopped, and its bytes in a checkpoint.
//!
//! The bytes are those in memory, which takes a fraction of the time that encoding them does.

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};
use hindsight_engine::{Layer, Palette};

use super::layer_blob::layer_blob;
use crate::value_bytes::{put_palette, take_palette};

pub(super) const KEY: &str = "unstored";

/// Keeps a solved layer.
pub(super) fn put(blobs: &dyn Blobs, layer: &Layer) -> Result<(), CheckpointError> {
    let mut fields = Vec::new();
    put_varint(&mut fields, layer.layer.into());
    put_varint(&mut fields, layer.codes.len() as u64);
    put_palette(&mut fields, &layer.palette);
    packed::put(blobs, KEY, &fields, PackedArray::Bytes(&[&layer.codes]))
}

/// Reads a layer that was kept into `layer`, an unsolved one. Returns false if there is none, or if
/// it is an earlier one, which is removed.
pub(super) fn get(blobs: &dyn Blobs, layer: &mut Layer) -> Result<bool, CheckpointError> {
    let wanted = [layer.layer.into(), layer.codes.len() as u64];
    let Some((blob, palette)) = layer_blob(blobs, KEY, wanted, take_fields)? else {
        return Ok(false);
    };
    let name = blob.name.clone();
    blob.read_bytes(&mut [&mut layer.codes])?;
    if !layer.codes.iter().all(|&code| usize::from(code) < palette.len()) {
        return Err(CheckpointError::damaged(&name, "it has a code without a value"));
    }
    layer.palette = palette;
    Ok(true)
}

/// Reads the numbers of a layer and of its ranks, and its palette.
fn take_fields(fields: &[u8], name: &str) -> Result<([u64; 2], Palette), Damage> {
    let mut cursor = Cursor::new(fields, name);
    let taken = ([cursor.varint()?, cursor.varint()?], take_palette(&mut cursor)?);
    cursor.end()?;
    Ok(taken)
}
