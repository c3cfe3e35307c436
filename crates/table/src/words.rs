//! A file of words of four bytes, with a header: what long work keeps of itself.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::Error;
use crate::bytes::{seal, unseal};

/// The first bytes of a file.
type Magic = [u8; 8];

/// Words that are compressed together.
const RUN: usize = 1 << 18;

/// Runs that are compressed before they are written.
const BATCH: usize = 64;

/// A checkpoint should not take long: the fastest level.
const LEVEL: i32 = 1;

/// Bytes of the longest header.
const MOST_HEADER: u64 = 1 << 34;

/// Writes a header and words, and brings them to the disk.
pub(crate) fn write(
    path: &Path,
    (magic, header): (Magic, &[u8]),
    words: &[AtomicU32],
) -> Result<(), Error> {
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let header = zstd::bulk::compress(header, LEVEL)?;
        let mut start = magic.to_vec();
        start.extend_from_slice(&(header.len() as u64).to_le_bytes());
        start.extend_from_slice(&header);
        seal(&mut start, 0);
        file.write_all(&start)?;
        for batch in words.chunks(RUN * BATCH) {
            let runs = batch.par_chunks(RUN).map(compressed);
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
    write().map_err(Error::file("write", path))
}

/// The bytes of some words, the lowest of all first.
fn compressed(words: &[AtomicU32]) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4 * words.len()];
    for (byte, bytes) in bytes.chunks_mut(words.len()).enumerate() {
        for (out, word) in bytes.iter_mut().zip(words) {
            *out = word.load(Ordering::Relaxed).to_le_bytes()[byte];
        }
    }
    zstd::bulk::compress(&bytes, LEVEL)
}

/// A file whose header was read.
pub(crate) struct Opened {
    pub(crate) header: Vec<u8>,
    /// The file, to be named in errors.
    pub(crate) name: String,
    file: BufReader<File>,
}

/// Reads the header of a file, which has so many bytes at most; `None` if there is no file.
pub(crate) fn open(path: &Path, magic: Magic, most: usize) -> Result<Option<Opened>, Error> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::file("open", path)(error)),
    };
    let mut file = BufReader::with_capacity(1 << 20, file);
    let name = path.display().to_string();
    let too_short = |_| Error::damaged(format!("{name}: it ends too early"));
    let mut start = [0; size_of::<Magic>() + 8];
    file.read_exact(&mut start).map_err(too_short)?;
    let [.., a, b, c, d, e, f, g, h] = start;
    let length = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if !start.starts_with(&magic) || length > MOST_HEADER {
        return Err(Error::damaged(format!("{name}: not what was stopped here")));
    }
    let mut sealed = start.to_vec();
    // As much as there is, so that a wrong length takes no memory.
    let rest = file.by_ref().take(length + 4).read_to_end(&mut sealed);
    rest.map_err(Error::file("read", path))?;
    let packed = &unseal(&sealed, &name)?[start.len()..];
    let header = zstd::bulk::decompress(packed, most)
        .map_err(|_| Error::damaged(format!("{name}: its header cannot be decoded")))?;
    Ok(Some(Opened { header, name, file }))
}

impl Opened {
    /// Reads the words, of which there are so many.
    pub(crate) fn words(mut self, words: u64) -> Result<Vec<AtomicU32>, Error> {
        take_words(&mut self.file, words as usize)
            .map_err(|what| Error::damaged(format!("{}: {what}", self.name)))
    }
}

/// Reads the words up to the end of the file.
fn take_words(file: &mut impl Read, ranks: usize) -> Result<Vec<AtomicU32>, &'static str> {
    let cut = "it ends too early";
    let mut words: Vec<AtomicU32> = Vec::new();
    words.resize_with(ranks, AtomicU32::default);
    for batch in words.chunks_mut(RUN * BATCH) {
        let mut runs = Vec::new();
        for _ in 0..batch.len().div_ceil(RUN) {
            let (mut length, mut sum) = ([0; 4], [0; 4]);
            file.read_exact(&mut length).map_err(|_| cut)?;
            file.read_exact(&mut sum).map_err(|_| cut)?;
            let mut run = Vec::new();
            let length = u32::from_le_bytes(length);
            // As much as there is, so that a wrong length takes no memory.
            let read = file.take(length.into()).read_to_end(&mut run);
            if read.ok() != Some(length as usize) {
                return Err(cut);
            }
            runs.push((run, u32::from_le_bytes(sum)));
        }
        let runs = batch.par_chunks_mut(RUN).zip(runs);
        runs.try_for_each(|(words, (run, sum))| {
            if crc32fast::hash(&run) != sum {
                return Err("the checksum of some words differs");
            }
            let bytes = zstd::bulk::decompress(&run, 4 * words.len())
                .ok()
                .filter(|bytes| bytes.len() == 4 * words.len());
            let bytes = bytes.ok_or("some words cannot be decoded")?;
            let n = words.len();
            for (i, word) in words.iter_mut().enumerate() {
                let bytes = [bytes[i], bytes[n + i], bytes[2 * n + i], bytes[3 * n + i]];
                *word.get_mut() = u32::from_le_bytes(bytes);
            }
            Ok::<_, &'static str>(())
        })?;
    }
    match file.read(&mut [0]) {
        Ok(0) => Ok(words),
        _ => Err("it goes on too long"),
    }
}
