//! Bytes of the encoded blocks of a run, on their way to the process that writes the file.

use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};

use crate::error::TableError;

/// Returns the blocks of a run as bytes: numbers of layer and run; length and bytes of each block;
/// checksum.
pub(super) fn put_run<'a>(
    layer: u32,
    run: u64,
    blocks: impl Iterator<Item = &'a Vec<u8>>,
) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, u64::from(layer));
    put_varint(&mut out, run);
    for block in blocks {
        put_varint(&mut out, block.len() as u64);
        out.extend_from_slice(block);
    }
    push_checksum(&mut out, 0);
    out
}

/// Reads the bytes of [`put_run`]: `count` blocks of at most `max_block_bytes` each.
pub(super) fn take_run(
    bytes: &[u8],
    layer: u32,
    run: u64,
    count: usize,
    max_block_bytes: u64,
) -> Result<Vec<&[u8]>, TableError> {
    let subject = "the blocks of a run";
    let mut cursor = Cursor::new(split_checksum(bytes, subject)?, subject);
    if (cursor.varint()?, cursor.varint()?) != (u64::from(layer), run) {
        return Err(cursor.fail("it is another run").into());
    }
    let mut blocks = Vec::with_capacity(count);
    for _ in 0..count {
        let length = cursor.count()?;
        if length == 0 || length as u64 > max_block_bytes {
            return Err(cursor.fail("a block of a length that none has").into());
        }
        blocks.push(cursor.take(length)?);
    }
    cursor.end()?;
    Ok(blocks)
}
