//! Blobs of some fields and a large array of words or bytes.
//!
//! ```text
//! blob    magic | length | fields | checksum | run | run | ...    fields are compressed
//! run     length | checksum | bytes                               bytes are compressed
//! ```
//!
//! The fields begin with the key, so a blob that was renamed is refused. Runs are cut, compressed
//! and checked one by one.

use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use zstd::zstd_safe::compress_bound;

use crate::checkpoint::blobs::{Blob, Blobs};
use crate::checkpoint::bytes::{Cursor, push_checksum, put_text, split_checksum};
use crate::checkpoint::error::CheckpointError;

/// First bytes of a blob.
const MAGIC: [u8; 8] = *b"HSBLOB1\n";

const RUN_WORDS: usize = 1 << 18;

const RUN_BYTES: usize = 4 * RUN_WORDS;

/// Runs that are compressed or decompressed in parallel.
const BATCH_RUNS: usize = 64;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 20;

/// Longest key in bytes.
const MAX_KEY_BYTES: usize = 1 << 8;

/// Message of the panic if blocks have no bytes: each byte would be its own predecessor.
const EMPTY_BLOCK: &str = "a block has bytes";

/// zstd level: the fastest, so that a checkpoint takes little time.
const ZSTD_LEVEL: i32 = 1;

/// Array of a blob.
#[derive(Clone, Copy, Debug)]
pub enum PackedArray<'a> {
    /// Words, compressed byte plane by byte plane.
    Words(&'a [AtomicU32]),
    /// Parts, one after the other.
    Bytes(&'a [&'a [u8]]),
    /// Blocks of equal length, each of which resembles the one before it.
    Blocks {
        /// Bytes of all blocks.
        bytes: &'a [u8],
        /// Bytes of one block.
        block_bytes: usize,
    },
}

/// Stores fields and an array.
///
/// # Errors
/// [`CheckpointError::File`] if the blob cannot be stored.
///
/// # Panics
/// If a block has no bytes, or as [`Blobs`] does.
pub fn put(
    blobs: &dyn Blobs,
    key: &str,
    fields: &[u8],
    array: PackedArray<'_>,
) -> Result<(), CheckpointError> {
    let is_empty = matches!(array, PackedArray::Blocks { block_bytes: 0, .. });
    assert!(!is_empty, "{EMPTY_BLOCK}");
    let mut plain = Vec::with_capacity(fields.len() + MAX_KEY_BYTES);
    put_text(&mut plain, key);
    plain.extend_from_slice(fields);
    blobs.put(key, &mut |out| {
        write_fields(out, &plain)?;
        match array {
            PackedArray::Words(words) => {
                let runs: Vec<_> = words.chunks(RUN_WORDS).collect();
                write_runs(out, &runs, |words| compress_words(words))
            }
            PackedArray::Bytes(parts) => {
                let runs = parts.iter().flat_map(|part| part.chunks(RUN_BYTES));
                let runs: Vec<_> = runs.collect();
                write_runs(out, &runs, |run| zstd::bulk::compress(run, ZSTD_LEVEL))
            }
            PackedArray::Blocks { bytes, block_bytes } => {
                let runs: Vec<_> = bytes.chunks(RUN_BYTES).collect();
                write_runs(out, &runs, |run| compress_blocks(run, block_bytes))
            }
        }
    })
}

fn write_fields(out: &mut dyn Write, plain: &[u8]) -> io::Result<()> {
    let fields = zstd::bulk::compress(plain, ZSTD_LEVEL)?;
    let mut start = MAGIC.to_vec();
    start.extend_from_slice(&(fields.len() as u64).to_le_bytes());
    start.extend_from_slice(&fields);
    push_checksum(&mut start, 0);
    out.write_all(&start)
}

fn write_runs<T: Sync>(
    out: &mut dyn Write,
    runs: &[T],
    compress: impl Fn(&T) -> io::Result<Vec<u8>> + Sync,
) -> io::Result<()> {
    for batch in runs.chunks(BATCH_RUNS) {
        let runs = batch.par_iter().map(&compress);
        for run in runs.collect::<Vec<_>>() {
            let run = run?;
            out.write_all(&(run.len() as u32).to_le_bytes())?;
            out.write_all(&crc32fast::hash(&run).to_le_bytes())?;
            out.write_all(&run)?;
        }
    }
    Ok(())
}

/// Compresses words byte plane by byte plane, the lowest bytes of all words first.
fn compress_words(words: &[AtomicU32]) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4 * words.len()];
    for (plane, bytes) in bytes.chunks_mut(words.len()).enumerate() {
        for (out, word) in bytes.iter_mut().zip(words) {
            *out = word.load(Ordering::Relaxed).to_le_bytes()[plane];
        }
    }
    zstd::bulk::compress(&bytes, ZSTD_LEVEL)
}

/// Compresses the XOR of each byte with the one a block earlier; zeros become no bytes at all.
fn compress_blocks(run: &[u8], block_bytes: usize) -> io::Result<Vec<u8>> {
    if is_zero(run) {
        // No zstd frame is empty, so an empty run can only stand for zeros.
        return Ok(Vec::new());
    }
    let mut differences = run.to_vec();
    let pairs = differences.iter_mut().skip(block_bytes).zip(run);
    pairs.for_each(|(byte, earlier)| *byte ^= earlier);
    zstd::bulk::compress(&differences, ZSTD_LEVEL)
}

/// Returns true if all bytes are 0.
#[must_use]
pub fn is_zero(bytes: &[u8]) -> bool {
    // Chunks without an early exit are vectorised.
    let mut chunks = bytes.chunks(256);
    chunks.all(|chunk| chunk.iter().fold(0, |all, byte| all | byte) == 0)
}

/// A blob whose fields were read.
pub struct PackedBlob {
    /// Fields, as they were put.
    pub fields: Vec<u8>,
    /// Name of the blob in error messages.
    pub name: String,
    blob: BufReader<Box<dyn Blob>>,
}

/// Reads the fields of a blob, at most `max_fields` bytes; `None` if there is no blob.
///
/// # Errors
/// [`CheckpointError::Damaged`] if the blob was not written by [`put`] with this key;
/// [`CheckpointError::File`] if it cannot be opened or read.
///
/// # Panics
/// As [`Blobs`] does.
pub fn get(
    blobs: &dyn Blobs,
    key: &str,
    max_fields: usize,
) -> Result<Option<PackedBlob>, CheckpointError> {
    let Some(blob) = blobs.get(key)? else {
        return Ok(None);
    };
    let name = blobs.name(key);
    let mut blob = BufReader::with_capacity(BUFFER_BYTES, blob);
    let plain = read_fields(&mut blob, &name, max_fields + MAX_KEY_BYTES)?;
    let mut cursor = Cursor::new(&plain, &name);
    if cursor.text()? != key {
        return Err(cursor.fail("it was put under another name").into());
    }
    let fields = cursor.rest().to_vec();
    Ok(Some(PackedBlob { fields, name, blob }))
}

/// Reads the bytes of [`write_fields`].
fn read_fields(
    blob: &mut impl Read,
    name: &str,
    max_bytes: usize,
) -> Result<Vec<u8>, CheckpointError> {
    let failed = |fault: ReadFault| fault.of(name);
    let mut start = [0; size_of_val(&MAGIC) + 8];
    let read = blob.read_exact(&mut start);
    read.map_err(|error| failed(error.into()))?;
    let [.., a, b, c, d, e, f, g, h] = start;
    let length = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if !start.starts_with(&MAGIC) || length > compress_bound(max_bytes) as u64 {
        return Err(failed("not written by this program".into()));
    }
    let mut sealed = start.to_vec();
    // The buffer grows with the bytes that exist, so a wrong length takes no memory.
    let read = blob.by_ref().take(length + 4).read_to_end(&mut sealed);
    read.map_err(|error| failed(error.into()))?;
    let packed = &split_checksum(&sealed, name)?[start.len()..];
    let fields = zstd::bulk::decompress(packed, max_bytes);
    fields.map_err(|_| failed("its fields cannot be decoded".into()))
}

/// Reason why a blob is not read.
enum ReadFault {
    /// Its bytes are not those of a writer.
    Damage(&'static str),
    /// The system does not give its bytes.
    System(io::Error),
}

impl ReadFault {
    /// Makes the error of the blob with this name.
    fn of(self, name: &str) -> CheckpointError {
        match self {
            Self::Damage(fault) => CheckpointError::damaged(name, fault),
            Self::System(error) => CheckpointError::file("read", name.as_ref())(error),
        }
    }
}

impl From<&'static str> for ReadFault {
    fn from(fault: &'static str) -> Self {
        Self::Damage(fault)
    }
}

impl From<io::Error> for ReadFault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Damage("it ends too early"),
            _ => Self::System(error),
        }
    }
}

impl PackedBlob {
    /// Reads the array as `count` words.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] unless [`put`] wrote as many [`PackedArray::Words`];
    /// [`CheckpointError::File`] if the blob cannot be read.
    pub fn read_words(mut self, count: u64) -> Result<Vec<AtomicU32>, CheckpointError> {
        let mut words: Vec<AtomicU32> = Vec::new();
        words.resize_with(count as usize, AtomicU32::default);
        let runs = words.chunks_mut(RUN_WORDS).collect();
        self.read_runs(runs, |words, run| {
            let bytes = decompress(run, 4 * words.len())?;
            let n = words.len();
            for (i, word) in words.iter_mut().enumerate() {
                let bytes = [bytes[i], bytes[n + i], bytes[2 * n + i], bytes[3 * n + i]];
                *word.get_mut() = u32::from_le_bytes(bytes);
            }
            Ok(())
        })?;
        Ok(words)
    }

    /// Fills parts with the bytes of the array.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] unless [`put`] wrote [`PackedArray::Bytes`] with parts of these
    /// lengths; [`CheckpointError::File`] if the blob cannot be read.
    pub fn read_bytes(mut self, parts: &mut [&mut [u8]]) -> Result<(), CheckpointError> {
        let parts = parts.iter_mut();
        let runs = parts.flat_map(|part| part.chunks_mut(RUN_BYTES)).collect();
        self.read_runs(runs, |out: &mut &mut [u8], run| {
            out.copy_from_slice(&decompress(run, out.len())?);
            Ok(())
        })
    }

    /// Fills pieces of [`PackedArray::Blocks`] of `bytes` bytes in all.
    ///
    /// Each piece has its offset in the array; offsets ascend and pieces do not overlap. Runs
    /// without a piece are skipped unread.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] if a run that is read is damaged, or the number of runs
    /// differs; [`CheckpointError::File`] if the blob cannot be read.
    ///
    /// # Panics
    /// If a piece ends beyond `bytes`, or `block_bytes` is 0.
    pub fn read_pieces(
        mut self,
        bytes: u64,
        block_bytes: usize,
        mut pieces: Vec<(u64, &mut [u8])>,
    ) -> Result<(), CheckpointError> {
        assert!(block_bytes > 0, "{EMPTY_BLOCK}");
        let mut ends = pieces.iter().map(|(from, piece)| from + piece.len() as u64);
        assert!(ends.all(|end| end <= bytes), "a piece ends in its array");
        let read = self.fill_pieces(bytes, block_bytes, &mut pieces);
        read.map_err(|fault| fault.of(&self.name))
    }

    fn fill_pieces(
        &mut self,
        bytes: u64,
        block_bytes: usize,
        mut left: &mut [(u64, &mut [u8])],
    ) -> Result<(), ReadFault> {
        let mut unpacker =
            RunUnpacker { block_bytes, unpacker: PartUnpacker::default(), run: Vec::new() };
        for begin in (0..bytes).step_by(RUN_BYTES) {
            let end = bytes.min(begin + RUN_BYTES as u64);
            let finished = left
                .iter()
                .take_while(|(offset, piece)| offset + piece.len() as u64 <= begin)
                .count();
            left = &mut std::mem::take(&mut left)[finished..];
            let inside = left.iter().take_while(|(offset, _)| *offset < end).count();
            if inside == 0 {
                skip_run(&mut self.blob)?;
                continue;
            }
            let (packed, checksum) = read_run(&mut self.blob)?;
            check_run(&packed, checksum)?;
            unpacker.unpack_run(&packed, begin..end, &mut left[..inside])?;
        }
        check_end(&mut self.blob)
    }

    /// Reads a run for each target and fills the target with it. Fails unless the blob ends after
    /// the last run.
    fn read_runs<T: Send>(
        &mut self,
        mut targets: Vec<T>,
        fill: impl Fn(&mut T, &[u8]) -> Result<(), &'static str> + Sync,
    ) -> Result<(), CheckpointError> {
        let blob = &mut self.blob;
        let mut read = || -> Result<(), ReadFault> {
            for batch in targets.chunks_mut(BATCH_RUNS) {
                let runs = batch.iter().map(|_| read_run(blob));
                let runs = runs.collect::<Result<Vec<_>, _>>()?;
                let targets = batch.par_iter_mut().zip(runs);
                targets.try_for_each(|(target, (run, checksum))| {
                    check_run(&run, checksum)?;
                    fill(target, &run)
                })?;
            }
            check_end(blob)
        };
        read().map_err(|fault| fault.of(&self.name))
    }
}

/// Reads a compressed run and its checksum.
fn read_run(blob: &mut impl Read) -> Result<(Vec<u8>, u32), ReadFault> {
    let (mut length, mut checksum) = ([0; 4], [0; 4]);
    blob.read_exact(&mut length)?;
    blob.read_exact(&mut checksum)?;
    let mut run = Vec::new();
    let length = u32::from_le_bytes(length);
    if length as usize > compress_bound(RUN_BYTES) {
        return Err("a part is longer than any".into());
    }
    // The buffer grows with the bytes that exist, so a wrong length takes no memory.
    if blob.take(length.into()).read_to_end(&mut run)? < length as usize {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok((run, u32::from_le_bytes(checksum)))
}

fn check_run(run: &[u8], checksum: u32) -> Result<(), &'static str> {
    if crc32fast::hash(run) == checksum { Ok(()) } else { Err("the checksum of a part differs") }
}

fn check_end(blob: &mut impl Read) -> Result<(), ReadFault> {
    match blob.read_exact(&mut [0]) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
        Err(error) => Err(error.into()),
        Ok(()) => Err("it goes on too long".into()),
    }
}

fn skip_run(blob: &mut BufReader<Box<dyn Blob>>) -> io::Result<()> {
    let mut length = [0; 4];
    blob.read_exact(&mut length)?;
    blob.seek_relative(4 + i64::from(u32::from_le_bytes(length)))
}

/// Decompresses runs of [`PackedArray::Blocks`].
struct RunUnpacker {
    block_bytes: usize,
    unpacker: PartUnpacker,
    /// Buffer of a whole run.
    run: Vec<u8>,
}

impl RunUnpacker {
    /// Fills the parts of the pieces that lie in a run. `span` is the range of the run in the
    /// array.
    fn unpack_run(
        &mut self,
        packed: &[u8],
        span: Range<u64>,
        pieces: &mut [(u64, &mut [u8])],
    ) -> Result<(), &'static str> {
        let Range { start, end } = span;
        let len = (end - start) as usize;
        if let [(offset, piece)] = pieces
            && *offset <= start
            && offset.saturating_add(piece.len() as u64) >= end
        {
            let out = &mut piece[(start - *offset) as usize..][..len];
            return self.unpack_whole(packed, out);
        }
        let mut run = std::mem::take(&mut self.run);
        run.resize(len, 0);
        if !packed.is_empty() {
            self.unpack_whole(packed, &mut run)?;
        }
        for (offset, piece) in pieces {
            let from = start.max(*offset);
            let to = end.min(*offset + piece.len() as u64);
            let out = &mut piece[(from - *offset) as usize..(to - *offset) as usize];
            match packed {
                [] => out.fill(0),
                _ => out.copy_from_slice(&run[(from - start) as usize..(to - start) as usize]),
            }
        }
        self.run = run;
        Ok(())
    }

    fn unpack_whole(&mut self, packed: &[u8], out: &mut [u8]) -> Result<(), &'static str> {
        if packed.is_empty() {
            out.fill(0);
            return Ok(());
        }
        self.unpacker.unpack(packed, out)?;
        let mut rest = out;
        while rest.len() > self.block_bytes {
            let (earlier, later) = rest.split_at_mut(self.block_bytes);
            let pairs = later.iter_mut().zip(&*earlier);
            pairs.for_each(|(byte, earlier)| *byte ^= earlier);
            rest = later;
        }
        Ok(())
    }
}

/// Compresses bytes as a run of an array is, for parts that are packed one by one.
///
/// # Panics
/// If the system gives no memory.
#[must_use]
pub fn pack_part(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, ZSTD_LEVEL).expect("memory for a part")
}

/// Decompresses the parts of [`pack_part`].
#[derive(Default)]
pub struct PartUnpacker(zstd::bulk::Decompressor<'static>);

impl PartUnpacker {
    /// Reads the bytes of a part, as many as `bytes` has.
    ///
    /// # Errors
    /// A description of the fault, if they cannot be decoded.
    pub fn unpack(&mut self, part: &[u8], bytes: &mut [u8]) -> Result<(), &'static str> {
        match self.0.decompress_to_buffer(part, bytes) {
            Ok(len) if len == bytes.len() => Ok(()),
            _ => Err("a part cannot be decoded"),
        }
    }
}

/// Decompresses a run to exactly `len` bytes.
fn decompress(run: &[u8], len: usize) -> Result<Vec<u8>, &'static str> {
    let bytes = zstd::bulk::decompress(run, len).ok();
    let bytes = bytes.filter(|bytes| bytes.len() == len);
    bytes.ok_or("a part cannot be decoded")
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
