//! Log of the positions that passes decide, in a checkpoint.
//!
//! Each plane has a blob for each pass that decides any of its positions: the new bits of its rows,
//! cut into segments and compressed one by one. Segments without new bits are left out. A blob is
//! written when the pass has gone over the plane, or is stopped on its way. A pass that goes on
//! adds to it. One blob more lists all others. Segments may occur twice, with bits in common: the
//! pass of a bit is the same whenever it is found.

use std::collections::BTreeMap;
use std::sync::Mutex;

use hindsight_engine::Error;
use hindsight_engine::checkpoint::bytes::{Cursor, put_text, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray, PackedBlob};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, CheckpointError};

use crate::decided::logged_plane::{
    LoggedPlane, LoggedSegments, PackedSegments, RowBuffers, buffer_bytes, lock, pack_row,
};
use crate::decided::new_bits::DecidedRow;
use crate::decided::row_passes::{DecidedPlane, DecidedPlanes, PlaneKey};
use crate::space::subproblem::{PlaneShape, Subproblem};

/// Beginning of the keys of all blobs of a log.
const PREFIX: &str = "decided-";

/// Key of the list of all other blobs of a log.
const LIST: &str = "decided-blobs";

/// Longest fields of a blob in bytes: two numbers for each segment.
const MAX_FIELDS: usize = 1 << 26;

/// Log of a solve.
pub(crate) struct PassLog<'a> {
    checkpoint: &'a Checkpoint<'a>,
    /// Bytes of a row of each plane. Index: `[mover][subproblem]`.
    row_bytes: [Vec<usize>; 2],
    /// Segments of the plane that a pass goes over.
    open: Mutex<PackedSegments>,
    /// Buffers of threads that are not in use.
    buffers: Mutex<Vec<RowBuffers>>,
}

fn key(plane: PlaneKey, pass: u8) -> String {
    let PlaneKey { mover, subproblem } = plane;
    format!("{PREFIX}{mover}-{subproblem:04}-{pass:03}")
}

impl<'a> PassLog<'a> {
    pub(crate) fn new(checkpoint: &'a Checkpoint<'a>, subproblems: &[Subproblem]) -> Self {
        let row_bytes = |mover: usize| {
            let bytes = |subproblem: &Subproblem| {
                let major = 1 - mover;
                PlaneShape { subproblem, major }.blocks_per_row() * subproblem.block_bytes
            };
            subproblems.iter().map(bytes).collect()
        };
        Self {
            checkpoint,
            row_bytes: [row_bytes(0), row_bytes(1)],
            open: Mutex::default(),
            buffers: Mutex::default(),
        }
    }

    /// Adds the new bits of a row of the plane that a pass goes over.
    pub(crate) fn add(&self, decided: &DecidedRow<'_>) {
        let packed = pack_row(decided.row, decided.new);
        lock(&self.open).extend(packed);
    }

    /// Writes the segments that a pass has added for a plane, if there are any.
    pub(crate) fn close_plane(&self, plane: PlaneKey, pass: u8) -> Result<(), Error> {
        let mut segments = std::mem::take(&mut *lock(&self.open));
        if segments.is_empty() {
            return Ok(());
        }
        // Threads add rows in any order.
        segments.sort();
        let key = key(plane, pass);
        let put = |blobs: &dyn Blobs| {
            if let Some(earlier) = read_segments(blobs, &key)? {
                segments.splice(..0, earlier.packed());
            }
            put_segments(blobs, &key, &segments)
        };
        Ok(self.checkpoint.timed_beside(put)?)
    }

    /// Stores the list of all blobs, so that a lost one is noticed.
    pub(crate) fn put_list(&self) -> Result<(), Error> {
        let put = |blobs: &dyn Blobs| {
            let keys = logged_keys(blobs)?;
            let mut fields = Vec::new();
            put_varint(&mut fields, keys.len() as u64);
            for key in &keys {
                put_text(&mut fields, key);
            }
            packed::put(blobs, LIST, &fields, PackedArray::Bytes(&[]))
        };
        Ok(self.checkpoint.timed_beside(put)?)
    }

    /// Checks that no blob of the stored list is missing.
    pub(crate) fn check_list(&self) -> Result<(), Error> {
        let check = |blobs: &dyn Blobs| -> Result<(), CheckpointError> {
            let list = packed::get(blobs, LIST, MAX_FIELDS)?;
            let list = list.ok_or_else(|| missing(blobs, LIST))?;
            let keys = logged_keys(blobs)?;
            let mut cursor = Cursor::new(&list.fields, &list.name);
            for _ in 0..cursor.count()? {
                let key = cursor.text()?;
                if keys.binary_search(&key).is_err() {
                    return Err(missing(blobs, &key));
                }
            }
            Ok(cursor.end()?)
        };
        Ok(self.checkpoint.timed_beside(check)?)
    }

    pub(crate) fn remove(&self) -> Result<(), Error> {
        let remove = |blobs: &dyn Blobs| -> Result<(), CheckpointError> {
            let keys = blobs.keys()?.into_iter();
            let mut logged = keys.filter(|key| key.starts_with(PREFIX));
            logged.try_for_each(|key| blobs.remove(&key))
        };
        Ok(self.checkpoint.timed_beside(remove)?)
    }

    /// Bytes that reading takes: the largest plane, and the buffers of each thread.
    pub(crate) fn reading_bytes(&self) -> Result<u64, Error> {
        // The list of parts grows by doubling.
        const BYTES_PER_PART: u64 = 2 * LoggedPlane::BYTES_PER_PART as u64;
        let largest = self.checkpoint.timed_beside(|blobs| {
            let mut planes = BTreeMap::<String, u64>::new();
            for key in logged_keys(blobs)? {
                let Some(blob) = packed::get(blobs, &key, MAX_FIELDS)? else {
                    continue;
                };
                let parts = take_lengths(&blob)?.into_iter();
                let bytes = parts.map(|(_, len)| u64::from(len) + BYTES_PER_PART).sum::<u64>();
                let plane = key.rsplit_once('-').map_or("", |(plane, _)| plane);
                *planes.entry(plane.to_owned()).or_default() += bytes;
            }
            Ok::<_, CheckpointError>(planes.into_values().max())
        })?;
        let longest = self.row_bytes.iter().flatten().max();
        let buffers = buffer_bytes(longest.copied().unwrap_or(0));
        Ok(largest.unwrap_or(0) + buffers * rayon::current_num_threads() as u64)
    }
}

impl DecidedPlanes for PassLog<'_> {
    fn plane(&self, plane: PlaneKey) -> Result<Box<dyn DecidedPlane + '_>, Error> {
        // The store that asks for the codes counts this time.
        let blobs = self.checkpoint.blobs();
        let read = |pass| read_segments(blobs, &key(plane, pass));
        let passes = (0..=u8::MAX).map(|pass| Ok(read(pass)?.unwrap_or_default()));
        let passes = passes.collect::<Result<Vec<_>, CheckpointError>>()?;
        let row_bytes = self.row_bytes[plane.mover][plane.subproblem];
        let logged = LoggedPlane::new(row_bytes, passes, &self.buffers);
        Ok(Box::new(logged))
    }
}

/// Keys of all blobs of planes, ascending.
fn logged_keys(blobs: &dyn Blobs) -> Result<Vec<String>, CheckpointError> {
    let keys = blobs.keys()?.into_iter();
    let logged = keys.filter(|key| key.starts_with(PREFIX) && key != LIST);
    Ok(logged.collect())
}

fn missing(blobs: &dyn Blobs, key: &str) -> CheckpointError {
    CheckpointError::damaged(&blobs.name(key), "it is missing")
}

/// Writes segments: how many, number and length of each, and their bytes.
fn put_segments(
    blobs: &dyn Blobs,
    key: &str,
    segments: &PackedSegments,
) -> Result<(), CheckpointError> {
    let mut fields = Vec::new();
    put_varint(&mut fields, segments.len() as u64);
    for (number, packed) in segments {
        put_varint(&mut fields, *number as u64);
        put_varint(&mut fields, packed.len() as u64);
    }
    let bytes: Vec<&[u8]> = segments.iter().map(|(_, packed)| &packed[..]).collect();
    packed::put(blobs, key, &fields, PackedArray::Bytes(&[&bytes.concat()]))
}

/// Reads the bytes of [`put_segments`]; `None` if there is no such blob.
fn read_segments(blobs: &dyn Blobs, key: &str) -> Result<Option<LoggedSegments>, CheckpointError> {
    let Some(blob) = packed::get(blobs, key, MAX_FIELDS)? else {
        return Ok(None);
    };
    let too_long = || CheckpointError::damaged(&blob.name, "its segments are too long");
    let lengths = take_lengths(&blob)?;
    let total = lengths.iter().map(|&(_, len)| len as usize);
    let total = total.fold(0, usize::saturating_add);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(total).map_err(|_| too_long())?;
    bytes.resize(total, 0);
    blob.read_bytes(&mut [&mut bytes])?;
    Ok(Some(LoggedSegments { key: key.to_owned(), lengths, bytes }))
}

/// Reads the number of each segment of a blob, and the length of its bytes.
fn take_lengths(blob: &PackedBlob) -> Result<Vec<(usize, u32)>, CheckpointError> {
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    let count = cursor.count()?;
    let mut lengths = Vec::with_capacity(count);
    for _ in 0..count {
        let (number, len) = (cursor.varint()?, cursor.varint()?);
        let len = u32::try_from(len).map_err(|_| cursor.fail("a segment is too long"))?;
        lengths.push((number as usize, len));
    }
    cursor.end()?;
    Ok(lengths)
}
