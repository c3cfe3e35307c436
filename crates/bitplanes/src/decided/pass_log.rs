//! Log of the positions that passes decide, in a checkpoint.
//!
//! Each plane has a blob for each pass that decides any of its positions: the new bits of its rows,
//! compressed row by row. A blob is written when the pass has gone over the plane, or is stopped on
//! its way. A pass that goes on adds to it. One blob more lists all others. Rows may occur twice,
//! with bits in common: the pass of a bit is the same whenever it is found.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hindsight_checkpoint::bytes::{Cursor, put_text, put_varint};
use hindsight_checkpoint::packed::{self, PackedArray, PackedBlob, pack_run, unpack_run};
use hindsight_checkpoint::{Blobs, Checkpoint, CheckpointError};
use hindsight_run::Error;

use crate::decided::new_bits::DecidedRow;
use crate::decided::row_passes::{DecidedRows, PlaneKey, add_pass};
use crate::space::subproblem::{PlaneShape, Subproblem};

/// Beginning of the keys of all blobs of a log.
const PREFIX: &str = "decided-";

/// Key of the list of all other blobs of a log.
const LIST: &str = "decided-blobs";

/// Longest fields of a blob in bytes: two numbers for each row.
const MAX_FIELDS: usize = 1 << 24;

/// New bits of rows: number of the row, and its compressed bytes.
type PackedRows = Vec<(usize, Vec<u8>)>;

/// Log of a solve.
pub(crate) struct PassLog<'a> {
    checkpoint: &'a Checkpoint<'a>,
    /// Bytes of a row of each plane. Index: `[mover][subproblem]`.
    row_bytes: [Vec<usize>; 2],
    /// Rows of the plane that a pass goes over.
    open: Mutex<PackedRows>,
    /// Plane that was read last.
    loaded: Mutex<Option<Arc<LoggedPlane>>>,
    /// Buffers of rows that are not in use. Fresh memory would cost more than the rows.
    buffers: Mutex<Vec<RowBuffers>>,
}

/// Buffers by which a row is read.
#[derive(Default)]
struct RowBuffers {
    /// A byte for each bit of the row.
    passes: Vec<u8>,
    /// Bits of a pass.
    new: Vec<u8>,
}

/// All rows of a plane that passes decided.
struct LoggedPlane {
    plane: PlaneKey,
    /// New bits of rows, by row and pass.
    parts: Vec<LoggedPart>,
    /// Compressed bytes of each pass. One block of memory each: a log has millions of rows.
    passes: Vec<Vec<u8>>,
}

/// New bits of a row in a pass.
struct LoggedPart {
    row: usize,
    pass: u8,
    /// Place in the compressed bytes of the pass.
    begin: usize,
    len: u32,
}

impl LoggedPlane {
    /// Pass and compressed bytes of each part of a row.
    fn row(&self, row: usize) -> impl Iterator<Item = (u8, &[u8])> {
        let first = self.parts.partition_point(|part| part.row < row);
        let parts = self.parts[first..].iter();
        let parts = parts.take_while(move |part| part.row == row);
        parts.map(
            |&LoggedPart {
                 pass, begin, len, ..
             }| {
                let bytes = &self.passes[usize::from(pass)];
                (pass, &bytes[begin..begin + len as usize])
            },
        )
    }

    fn push_pass(&mut self, pass: u8, rows: LoggedRows) {
        let mut begin = 0;
        for (row, len) in rows.lengths {
            self.parts.push(LoggedPart {
                row,
                pass,
                begin,
                len,
            });
            begin += len as usize;
        }
        self.passes.resize(usize::from(pass), Vec::new());
        self.passes.push(rows.bytes);
    }
}

/// Rows of a blob.
struct LoggedRows {
    /// Number of each row, and length of its compressed bytes.
    lengths: Vec<(usize, u32)>,
    bytes: Vec<u8>,
}

impl LoggedRows {
    fn packed(&self) -> PackedRows {
        let mut rest = &self.bytes[..];
        let rows = self.lengths.iter().map(|&(row, len)| {
            let (packed, after) = rest.split_at(len as usize);
            rest = after;
            (row, packed.to_vec())
        });
        rows.collect()
    }
}

fn key(plane: PlaneKey, pass: u8) -> String {
    let PlaneKey { mover, subproblem } = plane;
    format!("{PREFIX}{mover}-{subproblem:04}-{pass:03}")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
            loaded: Mutex::default(),
            buffers: Mutex::default(),
        }
    }

    /// Adds the new bits of a row of the plane that a pass goes over.
    pub(crate) fn add(&self, decided: &DecidedRow<'_>) {
        let packed = pack_run(decided.new);
        lock(&self.open).push((decided.row, packed));
    }

    /// Writes the rows that a pass has added for a plane, if there are any.
    pub(crate) fn close_plane(&self, plane: PlaneKey, pass: u8) -> Result<(), Error> {
        let mut rows = std::mem::take(&mut *lock(&self.open));
        if rows.is_empty() {
            return Ok(());
        }
        // Threads add rows in any order.
        rows.sort();
        let key = key(plane, pass);
        let put = |blobs: &dyn Blobs| {
            if let Some(earlier) = read_rows(blobs, &key)? {
                rows.splice(..0, earlier.packed());
            }
            put_rows(blobs, &key, &rows)
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

    /// Removes the whole log.
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
        const PART_BYTES: u64 = 2 * size_of::<LoggedPart>() as u64;
        let largest = self.checkpoint.timed_beside(|blobs| {
            let mut planes = BTreeMap::<String, u64>::new();
            for key in logged_keys(blobs)? {
                let Some(blob) = packed::get(blobs, &key, MAX_FIELDS)? else {
                    continue;
                };
                let parts = take_lengths(&blob)?.into_iter();
                let bytes = parts
                    .map(|(_, len)| u64::from(len) + PART_BYTES)
                    .sum::<u64>();
                let plane = key.rsplit_once('-').map_or("", |(plane, _)| plane);
                *planes.entry(plane.to_owned()).or_default() += bytes;
            }
            Ok::<_, CheckpointError>(planes.into_values().max())
        })?;
        let rows = self.row_bytes.iter().flatten().max();
        let buffers = 9 * rows.copied().unwrap_or(0) * rayon::current_num_threads();
        Ok(largest.unwrap_or(0) + buffers as u64)
    }

    /// The rows of a plane. Reads them unless the plane was the last one read.
    fn load(&self, plane: PlaneKey) -> Result<Arc<LoggedPlane>, Error> {
        let mut loaded = lock(&self.loaded);
        if let Some(logged) = loaded.as_ref().filter(|logged| logged.plane == plane) {
            return Ok(Arc::clone(logged));
        }
        *loaded = None;
        let mut logged = LoggedPlane {
            plane,
            parts: Vec::new(),
            passes: Vec::new(),
        };
        // The store that asks for the codes counts this time.
        for pass in 1..=u8::MAX {
            if let Some(rows) = read_rows(self.checkpoint.blobs(), &key(plane, pass))? {
                logged.push_pass(pass, rows);
            }
        }
        logged
            .parts
            .sort_unstable_by_key(|part| (part.row, part.pass));
        let logged = Arc::new(logged);
        *loaded = Some(Arc::clone(&logged));
        Ok(logged)
    }
}

impl DecidedRows for PassLog<'_> {
    fn with_row(
        &self,
        plane: PlaneKey,
        row: usize,
        needed: Range<usize>,
        act: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error> {
        let logged = self.load(plane)?;
        let mut parts = logged.row(row).peekable();
        if parts.peek().is_none() {
            act(&[]);
            return Ok(());
        }
        let len = self.row_bytes[plane.mover][plane.subproblem];
        let mut buffers = lock(&self.buffers).pop().unwrap_or_default();
        let RowBuffers { passes, new } = &mut buffers;
        passes.resize(8 * len, 0);
        passes[needed.clone()].fill(0);
        new.resize(len, 0);
        for (pass, packed) in parts {
            unpack_run(packed, new).map_err(|fault| damaged(plane, pass, fault))?;
            let bits = &new[needed.start / 8..needed.end / 8];
            add_pass(&mut passes[needed.clone()], bits, pass);
        }
        act(passes);
        lock(&self.buffers).push(buffers);
        Ok(())
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

fn damaged(plane: PlaneKey, pass: u8, fault: &str) -> Error {
    Error::damaged(&format!("{}: {fault}", key(plane, pass)))
}

/// Writes rows: their number, number and length of each, and their bytes.
fn put_rows(blobs: &dyn Blobs, key: &str, rows: &PackedRows) -> Result<(), CheckpointError> {
    let mut fields = Vec::new();
    put_varint(&mut fields, rows.len() as u64);
    for (row, packed) in rows {
        put_varint(&mut fields, *row as u64);
        put_varint(&mut fields, packed.len() as u64);
    }
    let bytes: Vec<&[u8]> = rows.iter().map(|(_, packed)| &packed[..]).collect();
    packed::put(blobs, key, &fields, PackedArray::Bytes(&[&bytes.concat()]))
}

/// Reads the bytes of [`put_rows`]; `None` if there is no such blob.
fn read_rows(blobs: &dyn Blobs, key: &str) -> Result<Option<LoggedRows>, CheckpointError> {
    let Some(blob) = packed::get(blobs, key, MAX_FIELDS)? else {
        return Ok(None);
    };
    let too_long = || CheckpointError::damaged(&blob.name, "its rows are too long");
    let lengths = take_lengths(&blob)?;
    let total = lengths.iter().map(|&(_, len)| len as usize);
    let total = total.fold(0, usize::saturating_add);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(total).map_err(|_| too_long())?;
    bytes.resize(total, 0);
    blob.read_bytes(&mut [&mut bytes])?;
    Ok(Some(LoggedRows { lengths, bytes }))
}

/// Reads the number of each row of a blob, and the length of its bytes.
fn take_lengths(blob: &PackedBlob) -> Result<Vec<(usize, u32)>, CheckpointError> {
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    let count = cursor.count()?;
    let mut lengths = Vec::with_capacity(count);
    for _ in 0..count {
        let (row, len) = (cursor.varint()?, cursor.varint()?);
        let len = u32::try_from(len).map_err(|_| cursor.fail("a row is too long"))?;
        lengths.push((row as usize, len));
    }
    cursor.end()?;
    Ok(lengths)
}
