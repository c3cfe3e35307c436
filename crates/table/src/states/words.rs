//! The file of a tier of states that is not finished: a word of four bytes a rank.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use solve::restricted::{Point, Stage};

use crate::Error;
use crate::bytes::{Cursor, put_varint, seal, unseal};
use crate::info::{Symbol, put_symbol, take_value};

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"HSWORDS\n";

/// Words that are compressed together.
const RUN: usize = 1 << 18;

/// Runs that are compressed before they are written.
const BATCH: usize = 64;

/// A checkpoint should not take long: the fastest level.
const LEVEL: i32 = 1;

/// Bytes of the longest header: the marks of 2^40 ranks.
const MOST_HEADER: u64 = 1 << 34;

/// Writes the stage and the words, and brings them to the disk.
pub(super) fn write(path: &Path, stage: &Stage, words: &[AtomicU32]) -> Result<(), Error> {
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let header = zstd::bulk::compress(&header(stage, words.len() as u64), LEVEL)?;
        let mut start = MAGIC.to_vec();
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

fn header(stage: &Stage, ranks: u64) -> Vec<u8> {
    let mut out = Vec::new();
    let point = stage.point;
    let numbers = [
        stage.layer.into(),
        stage.tier,
        ranks,
        point.pass.into(),
        u64::from(point.ended),
        point.done,
        stage.passed,
        stage.values.len() as u64,
    ];
    for number in numbers {
        put_varint(&mut out, number);
    }
    for &value in &stage.values {
        put_symbol(&mut out, Symbol::Exact(value));
    }
    for word in stage.plies.iter().flatten() {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out
}

/// Reads what [`write`] wrote, if it is of this layer, which has so many ranks.
pub(super) fn read(
    path: &Path,
    layer: u32,
    ranks: u64,
) -> Result<Option<(Stage, Vec<AtomicU32>)>, Error> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::file("open", path)(error)),
    };
    let mut file = BufReader::with_capacity(1 << 20, file);
    let name = path.display().to_string();
    let too_short = |_| Error::damaged(format!("{name}: it ends too early"));
    let mut start = [0; MAGIC.len() + 8];
    file.read_exact(&mut start).map_err(too_short)?;
    let [.., a, b, c, d, e, f, g, h] = start;
    let length = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if start[..MAGIC.len()] != MAGIC || length > MOST_HEADER {
        return Err(Error::damaged(format!("{name}: not an unfinished tier")));
    }
    let mut sealed = start.to_vec();
    // As much as there is, so that a wrong length takes no memory.
    let rest = file.by_ref().take(length + 4).read_to_end(&mut sealed);
    rest.map_err(Error::file("read", path))?;
    let packed = &unseal(&sealed, &name)?[start.len()..];
    let most = 64 * ranks.div_ceil(4096) as usize + (1 << 12);
    let plain = zstd::bulk::decompress(packed, most)
        .map_err(|_| Error::damaged(format!("{name}: its header cannot be decoded")))?;
    let (stage, found) = take_stage(&plain, &name)?;
    if stage.layer != layer {
        return Ok(None);
    }
    if found != ranks || !stage.fits(ranks) {
        return Err(Error::damaged(format!(
            "{name}: the tier has another number of ranks"
        )));
    }
    let words = take_words(&mut file, ranks as usize)
        .map_err(|what| Error::damaged(format!("{name}: {what}")))?;
    Ok(Some((stage, words)))
}

fn take_stage(plain: &[u8], name: &str) -> Result<(Stage, u64), Error> {
    let mut cursor = Cursor::new(plain, name);
    let layer = cursor.varint()?;
    let tier = cursor.varint()?;
    let ranks = cursor.varint()?;
    let pass = cursor.varint()?;
    let ended = cursor.varint()?;
    let done = cursor.varint()?;
    let passed = cursor.varint()?;
    let values = (0..cursor.count()?)
        .map(|_| take_value(&mut cursor))
        .collect::<Result<_, _>>()?;
    let (plies, rest) = cursor.rest().as_chunks::<64>();
    if !rest.is_empty() || ended > 1 {
        return Err(Error::damaged(format!("{name}: not an unfinished tier")));
    }
    let word = |bytes: &[u8; 64], i: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[8 * i..8 * i + 8]);
        u64::from_le_bytes(word)
    };
    let number = |n: u64| u32::try_from(n).map_err(|_| Error::damaged(name));
    let stage = Stage {
        layer: number(layer)?,
        tier,
        point: Point {
            pass: number(pass)?,
            ended: ended == 1,
            done,
        },
        passed,
        values,
        plies: plies
            .iter()
            .map(|bytes| std::array::from_fn(|i| word(bytes, i)))
            .collect(),
    };
    Ok((stage, ranks))
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
