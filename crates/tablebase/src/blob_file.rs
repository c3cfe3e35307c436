//! A file of words of four bytes, or of bytes, with a header: what long work keeps of itself.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use zstd::zstd_safe::compress_bound;

use crate::TableError;
use crate::bytes::{push_checksum, split_checksum};
use crate::new_file::NewFile;

/// The first bytes of a file.
type Magic = [u8; 8];

/// Words that are compressed together.
const RUN_WORDS: usize = 1 << 18;

/// Runs that are compressed before they are written.
const BATCH_RUNS: usize = 64;

/// A checkpoint should not take long: the fastest level.
const ZSTD_LEVEL: i32 = 1;

/// Writes a header and words, and brings them to the disk.
pub(crate) fn write_words(
    new: NewFile,
    start: (Magic, &[u8]),
    words: &[AtomicU32],
) -> Result<(), TableError> {
    write_runs(
        new,
        start,
        &words.chunks(RUN_WORDS).collect::<Vec<_>>(),
        |words| compress_words(words),
    )
}

/// Writes a header and bytes, part after part, and brings them to the disk.
pub(crate) fn write_bytes(
    new: NewFile,
    start: (Magic, &[u8]),
    parts: &[&[u8]],
) -> Result<(), TableError> {
    let runs: Vec<&[u8]> = parts
        .iter()
        .flat_map(|part| part.chunks(4 * RUN_WORDS))
        .collect();
    write_runs(new, start, &runs, |bytes| {
        zstd::bulk::compress(bytes, ZSTD_LEVEL)
    })
}

/// Writes a header and blocks of so many bytes, of which those that follow each other are alike, and brings them to the disk.
pub(crate) fn write_blocks(
    new: NewFile,
    start: (Magic, &[u8]),
    (bytes, stride): (&[u8], usize),
) -> Result<(), TableError> {
    let runs: Vec<&[u8]> = bytes.chunks(4 * RUN_WORDS).collect();
    write_runs(new, start, &runs, |bytes| {
        if is_zero(bytes) {
            // Nothing else is packed to nothing.
            return Ok(Vec::new());
        }
        let mut changed = bytes.to_vec();
        let after = changed.iter_mut().skip(stride).zip(*bytes);
        after.for_each(|(byte, before)| *byte ^= before);
        zstd::bulk::compress(&changed, ZSTD_LEVEL)
    })
}

/// Whether all bytes are 0.
fn is_zero(bytes: &[u8]) -> bool {
    // So that many are looked at together.
    let mut chunks = bytes.chunks(256);
    chunks.all(|chunk| chunk.iter().fold(0, |all, byte| all | byte) == 0)
}

fn write_runs<T: Sync>(
    new: NewFile,
    (magic, header): (Magic, &[u8]),
    runs: &[T],
    compressed: impl Fn(&T) -> std::io::Result<Vec<u8>> + Sync,
) -> Result<(), TableError> {
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 20, new.file);
        let header = zstd::bulk::compress(header, ZSTD_LEVEL)?;
        let mut start = magic.to_vec();
        start.extend_from_slice(&(header.len() as u64).to_le_bytes());
        start.extend_from_slice(&header);
        push_checksum(&mut start, 0);
        file.write_all(&start)?;
        for batch in runs.chunks(BATCH_RUNS) {
            let runs = batch.par_iter().map(&compressed);
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

/// The bytes of some words, the lowest of all first.
fn compress_words(words: &[AtomicU32]) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4 * words.len()];
    for (byte, bytes) in bytes.chunks_mut(words.len()).enumerate() {
        for (out, word) in bytes.iter_mut().zip(words) {
            *out = word.load(Ordering::Relaxed).to_le_bytes()[byte];
        }
    }
    zstd::bulk::compress(&bytes, ZSTD_LEVEL)
}

/// A file whose header was read.
pub(crate) struct BlobReader {
    pub(crate) header: Vec<u8>,
    /// The file, to be named in errors.
    pub(crate) name: String,
    file: BufReader<File>,
}

/// Reads the header of a file, which has so many bytes at most; `None` if there is no file.
pub(crate) fn open_blob(
    path: &Path,
    magic: Magic,
    most: usize,
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
    if !start.starts_with(&magic) || length > compress_bound(most) as u64 {
        return Err(TableError::damaged(format!(
            "{name}: not what was stopped here"
        )));
    }
    let mut sealed = start.to_vec();
    // As much as there is, so that a wrong length takes no memory.
    let rest = file.by_ref().take(length + 4).read_to_end(&mut sealed);
    rest.map_err(TableError::file("read", path))?;
    let packed = &split_checksum(&sealed, &name)?[start.len()..];
    let header = zstd::bulk::decompress(packed, most)
        .map_err(|_| TableError::damaged(format!("{name}: its header cannot be decoded")))?;
    Ok(Some(BlobReader { header, name, file }))
}

impl BlobReader {
    /// Reads the words, of which there are so many.
    pub(crate) fn read_words(mut self, words: u64) -> Result<Vec<AtomicU32>, TableError> {
        let mut found: Vec<AtomicU32> = Vec::new();
        found.resize_with(words as usize, AtomicU32::default);
        let runs = found.chunks_mut(RUN_WORDS).collect();
        self.read_runs(runs, |words, run| {
            let bytes = decompress(run, 4 * words.len())?;
            let n = words.len();
            for (i, word) in words.iter_mut().enumerate() {
                let bytes = [bytes[i], bytes[n + i], bytes[2 * n + i], bytes[3 * n + i]];
                *word.get_mut() = u32::from_le_bytes(bytes);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Fills parts with the bytes.
    pub(crate) fn read_bytes(mut self, parts: &mut [&mut [u8]]) -> Result<(), TableError> {
        let parts = parts.iter_mut();
        let runs = parts
            .flat_map(|part| part.chunks_mut(4 * RUN_WORDS))
            .collect();
        self.read_runs(runs, |out: &mut &mut [u8], run| {
            out.copy_from_slice(&decompress(run, out.len())?);
            Ok(())
        })
    }

    /// Fills pieces of so many bytes, in blocks of so many: those from some places on, ascending. What is not in any is not looked at.
    pub(crate) fn read_pieces(
        mut self,
        (bytes, stride): (u64, usize),
        mut pieces: Vec<(u64, &mut [u8])>,
    ) -> Result<(), TableError> {
        let run = 4 * RUN_WORDS as u64;
        let mut left = &mut pieces[..];
        let mut unpack = RunUnpacker::new(stride)?;
        let mut take = || {
            for begin in (0..bytes).step_by(4 * RUN_WORDS) {
                let end = bytes.min(begin + run);
                let over = left
                    .iter()
                    .take_while(|(at, piece)| at + piece.len() as u64 <= begin);
                let over = over.count();
                left = &mut std::mem::take(&mut left)[over..];
                let inside = left.iter().take_while(|(at, _)| *at < end).count();
                if inside == 0 {
                    skip_run(&mut self.file)?;
                    continue;
                }
                let (packed, sum) = read_run(&mut self.file)?;
                if crc32fast::hash(&packed) != sum {
                    return Err("the checksum of a part differs");
                }
                unpack.unpack_run(&packed, (begin, end), &mut left[..inside])?;
            }
            match self.file.read(&mut [0]) {
                Ok(0) => Ok(()),
                _ => Err("it goes on too long"),
            }
        };
        take().map_err(|what| TableError::damaged(format!("{}: {what}", self.name)))
    }

    /// Reads runs up to the end of the file, and fills places with them.
    fn read_runs<T: Send>(
        &mut self,
        mut places: Vec<T>,
        fill: impl Fn(&mut T, &[u8]) -> Result<(), &'static str> + Sync,
    ) -> Result<(), TableError> {
        let file = &mut self.file;
        let mut take = || {
            for batch in places.chunks_mut(BATCH_RUNS) {
                let runs = batch.iter().map(|_| read_run(file));
                let runs = runs.collect::<Result<Vec<_>, _>>()?;
                let places = batch.par_iter_mut().zip(runs);
                places.try_for_each(|(place, (run, sum))| {
                    if crc32fast::hash(&run) != sum {
                        return Err("the checksum of a part differs");
                    }
                    fill(place, &run)
                })?;
            }
            match file.read(&mut [0]) {
                Ok(0) => Ok(()),
                _ => Err("it goes on too long"),
            }
        };
        take().map_err(|what| TableError::damaged(format!("{}: {what}", self.name)))
    }
}

/// A run and its checksum.
fn read_run(file: &mut impl Read) -> Result<(Vec<u8>, u32), &'static str> {
    let cut = "it ends too early";
    let (mut length, mut sum) = ([0; 4], [0; 4]);
    file.read_exact(&mut length).map_err(|_| cut)?;
    file.read_exact(&mut sum).map_err(|_| cut)?;
    let mut run = Vec::new();
    let length = u32::from_le_bytes(length);
    if length as usize > compress_bound(4 * RUN_WORDS) {
        return Err("a part is longer than any");
    }
    // As much as there is, so that a wrong length takes no memory.
    let read = file.take(length.into()).read_to_end(&mut run);
    match read {
        Ok(read) if read == length as usize => Ok((run, u32::from_le_bytes(sum))),
        _ => Err(cut),
    }
}

/// Goes to the run after the next.
fn skip_run(file: &mut BufReader<File>) -> Result<(), &'static str> {
    let mut length = [0; 4];
    let read = file.read_exact(&mut length);
    let rest = 4 + i64::from(u32::from_le_bytes(length));
    read.and_then(|()| file.seek_relative(rest))
        .map_err(|_| "it ends too early")
}

/// Unpacks runs into pieces.
struct RunUnpacker {
    stride: usize,
    decompressor: zstd::bulk::Decompressor<'static>,
    run: Vec<u8>,
}

impl RunUnpacker {
    fn new(stride: usize) -> Result<Self, TableError> {
        let unpack = zstd::bulk::Decompressor::new();
        Ok(Self {
            stride: stride.max(1),
            decompressor: unpack
                .map_err(|error| TableError::damaged(format!("cannot unpack: {error}")))?,
            run: Vec::new(),
        })
    }

    /// Fills what pieces have of a run, which is of the bytes from a place to another.
    fn unpack_run(
        &mut self,
        packed: &[u8],
        (begin, end): (u64, u64),
        pieces: &mut [(u64, &mut [u8])],
    ) -> Result<(), &'static str> {
        let len = (end - begin) as usize;
        if let [(at, piece)] = pieces
            && *at <= begin
            && at.saturating_add(piece.len() as u64) >= end
        {
            let out = &mut piece[(begin - *at) as usize..][..len];
            return self.unpack_whole(packed, out);
        }
        let mut run = std::mem::take(&mut self.run);
        run.resize(len, 0);
        if !packed.is_empty() {
            self.unpack_whole(packed, &mut run)?;
        }
        for (at, piece) in pieces {
            let from = begin.max(*at);
            let to = end.min(*at + piece.len() as u64);
            let out = &mut piece[(from - *at) as usize..(to - *at) as usize];
            match packed {
                [] => out.fill(0),
                _ => out.copy_from_slice(&run[(from - begin) as usize..(to - begin) as usize]),
            }
        }
        self.run = run;
        Ok(())
    }

    /// All of a run.
    fn unpack_whole(&mut self, packed: &[u8], out: &mut [u8]) -> Result<(), &'static str> {
        if packed.is_empty() {
            out.fill(0);
            return Ok(());
        }
        let unpacked = self.decompressor.decompress_to_buffer(packed, out);
        let unpacked = unpacked.ok().filter(|&n| n == out.len());
        unpacked.ok_or("a part cannot be decoded")?;
        let mut rest = out;
        while rest.len() > self.stride {
            let (before, after) = rest.split_at_mut(self.stride);
            let changed = after.iter_mut().zip(&*before);
            changed.for_each(|(byte, before)| *byte ^= before);
            rest = after;
        }
        Ok(())
    }
}

/// The bytes of a run, which are so many.
fn decompress(run: &[u8], len: usize) -> Result<Vec<u8>, &'static str> {
    let bytes = zstd::bulk::decompress(run, len).ok();
    let bytes = bytes.filter(|bytes| bytes.len() == len);
    bytes.ok_or("a part cannot be decoded")
}

#[cfg(test)]
mod tests {
    use super::{Magic, RUN_WORDS, TableError, open_blob, write_blocks};
    use crate::new_file;

    const MAGIC: [u8; 8] = *b"HSTEST1\n";

    /// Ten runs, of which three are all zeros.
    fn bytes(stride: usize) -> Vec<u8> {
        let blocks = (0..5 * RUN_WORDS + 77).map(|i| ((i / stride * 7) ^ (i % stride)) as u8);
        let mut bytes: Vec<u8> = blocks.collect();
        bytes.resize(9 * RUN_WORDS, 0);
        bytes.extend([0; 100]);
        bytes.extend([3; 100]);
        bytes
    }

    fn read(
        path: &std::path::Path,
        (whole, stride): (&[u8], usize),
        pieces: &[(usize, usize)],
    ) -> Result<Vec<Vec<u8>>, TableError> {
        let filled = pieces.iter().map(|(from, to)| vec![9; to - from]);
        let mut filled: Vec<Vec<u8>> = filled.collect();
        let wanted = pieces.iter().zip(&mut filled);
        let wanted = wanted.map(|((from, _), out)| (*from as u64, &mut out[..]));
        let file = open_blob(path, MAGIC, 100)?.expect("a file");
        file.read_pieces((whole.len() as u64, stride), wanted.collect())?;
        Ok(filled)
    }

    #[test]
    fn pieces_of_blocks_are_what_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("blocks");
        for stride in [1, 37, 1110, 20 * RUN_WORDS] {
            let whole = bytes(stride);
            let len = whole.len();
            let start: (Magic, &[u8]) = (MAGIC, b"header");
            new_file::write_atomically(&path, |new| write_blocks(new, start, (&whole, stride)))
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
                let filled = read(&path, (&whole, stride), pieces).expect("a whole file");
                for (&(from, to), filled) in pieces.iter().zip(filled) {
                    assert!(whole[from..to] == filled, "{stride}: {from} to {to}");
                }
            }
        }
    }

    #[test]
    fn blocks_that_were_changed_or_cut_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("blocks");
        let whole = bytes(37);
        let start: (Magic, &[u8]) = (MAGIC, b"header");
        new_file::write_atomically(&path, |new| write_blocks(new, start, (&whole, 37)))
            .expect("room");
        let file = std::fs::read(&path).expect("a file");
        for at in (0..file.len()).step_by(97).chain([file.len() - 1]) {
            let mut changed = file.clone();
            changed[at] ^= 4;
            for bytes in [&changed[..], &file[..at]] {
                std::fs::write(&path, bytes).expect("room");
                let all = [(0, whole.len())];
                assert!(read(&path, (&whole, 37), &all).is_err(), "at {at}");
            }
        }
        for len in [
            whole.len() - 1,
            whole.len() + 1,
            whole.len() + 4 * RUN_WORDS,
        ] {
            std::fs::write(&path, &file).expect("room");
            let read = read(&path, (&vec![0; len], 37), &[(0, len)]);
            assert!(read.is_err(), "{len} bytes");
        }
    }
}
