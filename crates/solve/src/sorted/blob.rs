//! Blobs of some numbers and some bytes.

use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};
use hindsight_engine::{Error, memory};

/// Longest fields in bytes.
const MAX_FIELDS: usize = 1 << 7;

/// Numbers and parts of a blob.
pub(super) struct SortedBlob<const F: usize, const P: usize> {
    pub(super) numbers: [u64; F],
    pub(super) parts: [Vec<u8>; P],
    /// Name of the blob in error messages.
    pub(super) name: String,
}

impl<const F: usize, const P: usize> SortedBlob<F, P> {
    /// Returns the error of a blob with a fault.
    pub(super) fn damaged(&self, fault: &str) -> CheckpointError {
        CheckpointError::damaged(&self.name, fault)
    }
}

pub(super) fn put<const F: usize, const P: usize>(
    blobs: &dyn Blobs,
    key: &str,
    numbers: [u64; F],
    parts: [&[u8]; P],
) -> Result<(), Error> {
    let mut fields = Vec::new();
    let lengths = parts.iter().map(|part| part.len() as u64);
    numbers.into_iter().chain(lengths).for_each(|number| put_varint(&mut fields, number));
    Ok(packed::put(blobs, key, &fields, PackedArray::Bytes(&parts))?)
}

/// Reads a blob; `None` if there is none.
pub(super) fn get<const F: usize, const P: usize>(
    blobs: &dyn Blobs,
    key: &str,
) -> Result<Option<SortedBlob<F, P>>, Error> {
    let Some(blob) = packed::get(blobs, key, MAX_FIELDS).map_err(Error::from)? else {
        return Ok(None);
    };
    let name = blob.name.clone();
    let read = || -> Result<([u64; F], [u64; P]), Damage> {
        let mut cursor = Cursor::new(&blob.fields, &name);
        let (mut numbers, mut lengths) = ([0; F], [0; P]);
        for number in numbers.iter_mut().chain(&mut lengths) {
            *number = cursor.varint()?;
        }
        cursor.end()?;
        Ok((numbers, lengths))
    };
    let (numbers, lengths) = read().map_err(CheckpointError::from)?;
    memory::ask(lengths.iter().fold(0, |sum: u64, &length| sum.saturating_add(length)))?;
    let mut parts = lengths.map(|length| vec![0; length as usize]);
    let mut slices = parts.each_mut().map(|part| &mut part[..]);
    blob.read_bytes(&mut slices)?;
    Ok(Some(SortedBlob { numbers, parts, name }))
}
