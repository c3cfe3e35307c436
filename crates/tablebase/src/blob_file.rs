//! Checkpoint files of a header and a large array of words or bytes.
//!
//! The array is cut into runs. Each run is compressed by itself, behind its length and its
//! checksum.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use zstd::zstd_safe::compress_bound;

use crate::bytes::{push_checksum, split_checksum};
use crate::error::TableError;
use crate::new_file::NewFile;

/// First bytes of a file.
type Magic = [u8; 8];

/// Words per run.
const RUN_WORDS: usize = 1 << 18;

/// Bytes per run.
const RUN_BYTES: usize = 4 * RUN_WORDS;

/// Runs that are compressed or decompressed in parallel.
const BATCH_RUNS: usize = 64;

/// zstd level: the fastest, so that a checkpoint takes little time.
const ZSTD_LEVEL: i32 = 1;

/// Bytes before the array.
#[derive(Clone, Copy)]
pub(crate) struct BlobHeader<'a> {
    pub(crate) magic: Magic,
    /// Encoded fields of the header.
    pub(crate) fields: &'a [u8],
}

/// Writes a header and words, and syncs the file.
pub(crate) fn write_words(
    new: NewFile,
    header: BlobHeader<'_>,
    words: &[AtomicU32],
) -> Result<(), TableError> {
    let runs: Vec<&[AtomicU32]> = words.chunks(RUN_WORDS).collect();
    write_runs(new, header, &runs, |words| compress_words(words))
}

/// Writes a header and the bytes of all parts, and syncs the file.
pub(crate) fn write_bytes(
    new: NewFile,
    header: BlobHeader<'_>,
    parts: &[&[u8]],
) -> Result<(), TableError> {
    let runs = parts.iter().flat_map(|part| part.chunks(RUN_BYTES));
    let runs: Vec<&[u8]> = runs.collect();
    write_runs(new, header, &runs, |bytes| {
        zstd::bulk::compress(bytes, ZSTD_LEVEL)
    })
}

/// Writes a header and blocks of `block_bytes` bytes, and syncs the file.
///
/// Each byte of a run is stored as the XOR with the byte one block earlier, since consecutive
/// blocks are similar. A run of zeros is stored as no bytes at all.
pub(crate) fn write_blocks(
    new: NewFile,
    header: BlobHeader<'_>,
    bytes: &[u8],
    block_bytes: usize,
) -> Result<(), TableError> {
    let runs: Vec<&[u8]> = bytes.chunks(RUN_BYTES).collect();
    write_runs(new, header, &runs, |run| {
        if is_zero(run) {
            // No zstd frame is empty, so an empty run can only stand for zeros.
            return Ok(Vec::new());
        }
        let mut differences = run.to_vec();
        let pairs = differences.iter_mut().skip(block_bytes).zip(*run);
        pairs.for_each(|(byte, earlier)| *byte ^= earlier);
        zstd::bulk::compress(&differences, ZSTD_LEVEL)
    })
}

/// Returns true if all bytes are 0.
fn is_zero(bytes: &[u8]) -> bool {
    // Chunks without an early exit are vectorised.
    let mut chunks = bytes.chunks(256);
    chunks.all(|chunk| chunk.iter().fold(0, |all, byte| all | byte) == 0)
}

fn write_runs<T: Sync>(
    new: NewFile,
    header: BlobHeader<'_>,
    runs: &[T],
    compress: impl Fn(&T) -> std::io::Result<Vec<u8>> + Sync,
) -> Result<(), TableError> {
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 20, new.file);
        let fields = zstd::bulk::compress(header.fields, ZSTD_LEVEL)?;
        let mut start = header.magic.to_vec();
        start.extend_from_slice(&(fields.len() as u64).to_le_bytes());
        start.extend_from_slice(&fields);
        push_checksum(&mut start, 0);
        file.write_all(&start)?;
        for batch in runs.chunks(BATCH_RUNS) {
            let runs = batch.par_iter().map(&compress);
            for run in runs.collect::<Vec<_>>() {
                let run = run?;
                file.write_all(&(run.len() as u32).to_le_bytes())?;
                file.write_all(&crc32fast::hash(&run).to_le_bytes())?;
                file.write_all(&run)?;
            }
        }
        let file = file.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()
    };
    write().map_err(TableError::file("write", &new.path))
}

/// Compresses words byte plane by byte plane, the lowest bytes of all words first.
fn compress_words(words: &[AtomicU32]) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4 * words.len()];
    for (plane, bytes) in bytes.chunks_mut(words.len()).enumerate() {
        for (out, word) in bytes.iter_mut().zip(words) {
            *out = word.load(Ordering::Relaxed).to_le_bytes()[plane];
        }
    }
    zstd::bulk::compress(&bytes, ZSTD_LEVEL)
}

/// A file whose header was read.
pub(crate) struct BlobReader {
    /// Encoded fields of the header.
    pub(crate) header: Vec<u8>,
    /// Name of the file, for error messages.
    pub(crate) name: String,
    file: BufReader<File>,
}

/// Reads the header of a file, of at most `max_header_bytes`. Returns `None` if there is no file.
pub(crate) fn open_blob(
    path: &Path,
    magic: Magic,
    max_header_bytes: usize,
) -> Result<Option<BlobReader>, TableError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::file("open", path)(error)),
    };
    let mut file = BufReader::with_capacity(1 << 20, file);
    let name = path.display().to_string();
    let too_short = |_| TableError::damaged(format!("{name}: it ends too early"));
    let mut start = [0; size_of::<Magic>() + 8];
    file.read_exact(&mut start).map_err(too_short)?;
    let [.., a, b, c, d, e, f, g, h] = start;
    let length = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if !start.starts_with(&magic) || length > compress_bound(max_header_bytes) as u64 {
        return Err(TableError::damaged(format!(
            "{name}: not what was stopped here"
        )));
    }
    let mut sealed = start.to_vec();
    // The buffer grows with the bytes that exist, so a wrong length takes no memory.
    let rest = file.by_ref().take(length + 4).read_to_end(&mut sealed);
    rest.map_err(TableError::file("read", path))?;
    let packed = &split_checksum(&sealed, &name)?[start.len()..];
    let header = zstd::bulk::decompress(packed, max_header_bytes)
        .map_err(|_| TableError::damaged(format!("{name}: its header cannot be decoded")))?;
    Ok(Some(BlobReader { header, name, file }))
}

impl BlobReader {
    /// Reads the array as `count` words.
    pub(crate) fn read_words(mut self, count: u64) -> Result<Vec<AtomicU32>, TableError> {
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
    pub(crate) fn read_bytes(mut self, parts: &mut [&mut [u8]]) -> Result<(), TableError> {
        let parts = parts.iter_mut();
        let runs = parts.flat_map(|part| part.chunks_mut(RUN_BYTES)).collect();
        self.read_runs(runs, |out: &mut &mut [u8], run| {
            out.copy_from_slice(&decompress(run, out.len())?);
            Ok(())
        })
    }

    /// Fills pieces of an array that [`write_blocks`] wrote.
    ///
    /// `bytes` is the length of the array. Each piece has its offset in the array; offsets ascend
    /// and pieces do not overlap. Runs without a piece are skipped unread.
    pub(crate) fn read_pieces(
        mut self,
        bytes: u64,
        block_bytes: usize,
        mut pieces: Vec<(u64, &mut [u8])>,
    ) -> Result<(), TableError> {
        let mut left = &mut pieces[..];
        let mut unpacker = RunUnpacker::new(block_bytes)?;
        let mut read = || {
            for begin in (0..bytes).step_by(RUN_BYTES) {
                let end = bytes.min(begin + RUN_BYTES as u64);
                let finished = left
                    .iter()
                    .take_while(|(offset, piece)| offset + piece.len() as u64 <= begin)
                    .count();
                left = &mut std::mem::take(&mut left)[finished..];
                let inside = left.iter().take_while(|(offset, _)| *offset < end).count();
                if inside == 0 {
                    skip_run(&mut self.file)?;
                    continue;
                }
                let (packed, checksum) = read_run(&mut self.file)?;
                if crc32fast::hash(&packed) != checksum {
                    return Err("the checksum of a part differs");
                }
                unpacker.unpack_run(&packed, begin..end, &mut left[..inside])?;
            }
            match self.file.read(&mut [0]) {
                Ok(0) => Ok(()),
                _ => Err("it goes on too long"),
            }
        };
        read().map_err(|fault| TableError::damaged(format!("{}: {fault}", self.name)))
    }

    /// Reads a run for each target and fills the target with it. Fails unless the file ends after
    /// the last run.
    fn read_runs<T: Send>(
        &mut self,
        mut targets: Vec<T>,
        fill: impl Fn(&mut T, &[u8]) -> Result<(), &'static str> + Sync,
    ) -> Result<(), TableError> {
        let file = &mut self.file;
        let mut read = || {
            for batch in targets.chunks_mut(BATCH_RUNS) {
                let runs = batch.iter().map(|_| read_run(file));
                let runs = runs.collect::<Result<Vec<_>, _>>()?;
                let targets = batch.par_iter_mut().zip(runs);
                targets.try_for_each(|(target, (run, checksum))| {
                    if crc32fast::hash(&run) != checksum {
                        return Err("the checksum of a part differs");
                    }
                    fill(target, &run)
                })?;
            }
            match file.read(&mut [0]) {
                Ok(0) => Ok(()),
                _ => Err("it goes on too long"),
            }
        };
        read().map_err(|fault| TableError::damaged(format!("{}: {fault}", self.name)))
    }
}

/// Reads a compressed run and its checksum.
fn read_run(file: &mut impl Read) -> Result<(Vec<u8>, u32), &'static str> {
    let cut = "it ends too early";
    let (mut length, mut checksum) = ([0; 4], [0; 4]);
    file.read_exact(&mut length).map_err(|_| cut)?;
    file.read_exact(&mut checksum).map_err(|_| cut)?;
    let mut run = Vec::new();
    let length = u32::from_le_bytes(length);
    if length as usize > compress_bound(RUN_BYTES) {
        return Err("a part is longer than any");
    }
    // The buffer grows with the bytes that exist, so a wrong length takes no memory.
    let read = file.take(length.into()).read_to_end(&mut run);
    match read {
        Ok(read) if read == length as usize => Ok((run, u32::from_le_bytes(checksum))),
        _ => Err(cut),
    }
}

/// Skips a run.
fn skip_run(file: &mut BufReader<File>) -> Result<(), &'static str> {
    let mut length = [0; 4];
    let read = file.read_exact(&mut length);
    let rest = 4 + i64::from(u32::from_le_bytes(length));
    read.and_then(|()| file.seek_relative(rest))
        .map_err(|_| "it ends too early")
}

/// Decompresses runs that [`write_blocks`] wrote.
struct RunUnpacker {
    block_bytes: usize,
    decompressor: zstd::bulk::Decompressor<'static>,
    /// Buffer of a whole run.
    run: Vec<u8>,
}

impl RunUnpacker {
    fn new(block_bytes: usize) -> Result<Self, TableError> {
        let decompressor = zstd::bulk::Decompressor::new()
            .map_err(|error| TableError::damaged(format!("cannot unpack: {error}")))?;
        Ok(Self {
            block_bytes: block_bytes.max(1),
            decompressor,
            run: Vec::new(),
        })
    }

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

    /// Decompresses a whole run.
    fn unpack_whole(&mut self, packed: &[u8], out: &mut [u8]) -> Result<(), &'static str> {
        if packed.is_empty() {
            out.fill(0);
            return Ok(());
        }
        let unpacked = self.decompressor.decompress_to_buffer(packed, out);
        let unpacked = unpacked.ok().filter(|&n| n == out.len());
        unpacked.ok_or("a part cannot be decoded")?;
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

/// Decompresses a run to exactly `len` bytes.
fn decompress(run: &[u8], len: usize) -> Result<Vec<u8>, &'static str> {
    let bytes = zstd::bulk::decompress(run, len).ok();
    let bytes = bytes.filter(|bytes| bytes.len() == len);
    bytes.ok_or("a part cannot be decoded")
}

#[cfg(test)]
mod tests {
    use super::{BlobHeader, RUN_WORDS, TableError, open_blob, write_blocks};
    use crate::new_file;

    const MAGIC: [u8; 8] = *b"HSTEST1\n";

    const HEADER: BlobHeader<'_> = BlobHeader {
        magic: MAGIC,
        fields: b"header",
    };

    /// Three runs: blocks that resemble each other, then zeros from the middle of the second run
    /// on, with a few other bytes at the end.
    fn bytes(block_bytes: usize) -> Vec<u8> {
        let blocks =
            (0..5 * RUN_WORDS + 77).map(|i| ((i / block_bytes * 7) ^ (i % block_bytes)) as u8);
        let mut bytes: Vec<u8> = blocks.collect();
        bytes.resize(9 * RUN_WORDS, 0);
        bytes.extend([0; 100]);
        bytes.extend([3; 100]);
        bytes
    }

    fn read(
        path: &std::path::Path,
        len: usize,
        block_bytes: usize,
        pieces: &[(usize, usize)],
    ) -> Result<Vec<Vec<u8>>, TableError> {
        let filled = pieces.iter().map(|(from, to)| vec![9; to - from]);
        let mut filled: Vec<Vec<u8>> = filled.collect();
        let targets = pieces.iter().zip(&mut filled);
        let targets = targets.map(|((from, _), out)| (*from as u64, &mut out[..]));
        let file = open_blob(path, MAGIC, 100)?.expect("a file");
        file.read_pieces(len as u64, block_bytes, targets.collect())?;
        Ok(filled)
    }

    #[test]
    fn pieces_of_blocks_are_what_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("blocks");
        for block_bytes in [1, 37, 1110, 20 * RUN_WORDS] {
            let whole = bytes(block_bytes);
            let len = whole.len();
            new_file::write_atomically(&path, |new| write_blocks(new, HEADER, &whole, block_bytes))
                .expect("room");
            let pieces = [
                vec![(0, len)],
                vec![],
                vec![
                    (5, 5),
                    (7, 9),
                    (100, 4 * RUN_WORDS),
                    (4 * RUN_WORDS, 4 * RUN_WORDS + 1),
                ],
                vec![
                    (4 * RUN_WORDS - 3, 4 * RUN_WORDS + 3),
                    (8 * RUN_WORDS + 1, len - 150),
                ],
                vec![(RUN_WORDS, len - 1)],
                vec![(len - 1, len)],
            ];
            for pieces in &pieces {
                let filled = read(&path, len, block_bytes, pieces).expect("a whole file");
                for (&(from, to), filled) in pieces.iter().zip(filled) {
                    assert!(whole[from..to] == filled, "{block_bytes}: {from} to {to}");
                }
            }
        }
    }

    #[test]
    fn blocks_that_were_changed_or_cut_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("blocks");
        let whole = bytes(37);
        new_file::write_atomically(&path, |new| write_blocks(new, HEADER, &whole, 37))
            .expect("room");
        let file = std::fs::read(&path).expect("a file");
        for at in (0..file.len()).step_by(97).chain([file.len() - 1]) {
            let mut changed = file.clone();
            changed[at] ^= 4;
            for bytes in [&changed[..], &file[..at]] {
                std::fs::write(&path, bytes).expect("room");
                let all = [(0, whole.len())];
                assert!(read(&path, whole.len(), 37, &all).is_err(), "at {at}");
            }
        }
        for len in [
            whole.len() - 1,
            whole.len() + 1,
            whole.len() + 4 * RUN_WORDS,
        ] {
            std::fs::write(&path, &file).expect("room");
            let read = read(&path, len, 37, &[(0, len)]);
            assert!(read.is_err(), "{len} bytes");
        }
    }
}
