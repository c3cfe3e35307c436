//! Tests of packed blobs.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_testkit::damaged;

use super::{PackedArray, RUN_BYTES, RUN_WORDS, get, put};
use crate::checkpoint::blobs::{Blob, Blobs, MemoryBlobs, WriteBlob};
use crate::checkpoint::error::CheckpointError;

/// Three runs: blocks that resemble each other, then zeros from the middle of the second run on,
/// with a few other bytes at the end.
fn bytes(block_bytes: usize) -> Vec<u8> {
    let blocks = (0..5 * RUN_WORDS + 77).map(|i| ((i / block_bytes * 7) ^ (i % block_bytes)) as u8);
    let mut bytes: Vec<u8> = blocks.collect();
    bytes.resize(9 * RUN_WORDS, 0);
    bytes.extend([0; 100]);
    bytes.extend([3; 100]);
    bytes
}

fn put_blocks(blobs: &MemoryBlobs, bytes: &[u8], block_bytes: usize) {
    let array = PackedArray::Blocks { bytes, block_bytes };
    put(blobs, "blocks", b"header", array).expect("room");
}

fn read(
    blobs: &MemoryBlobs,
    len: usize,
    block_bytes: usize,
    pieces: &[(usize, usize)],
) -> Result<Vec<Vec<u8>>, CheckpointError> {
    let filled = pieces.iter().map(|(from, to)| vec![9; to - from]);
    let mut filled: Vec<Vec<u8>> = filled.collect();
    let targets = pieces.iter().zip(&mut filled);
    let targets = targets.map(|((from, _), out)| (*from as u64, &mut out[..]));
    let blob = get(blobs, "blocks", 100)?.expect("a blob");
    assert_eq!(blob.fields, b"header");
    blob.read_pieces(len as u64, block_bytes, targets.collect())?;
    Ok(filled)
}

#[test]
fn pieces_of_blocks_are_what_was_written() {
    let blobs = MemoryBlobs::default();
    for block_bytes in [1, 37, 1110, 20 * RUN_WORDS] {
        let whole = bytes(block_bytes);
        let len = whole.len();
        put_blocks(&blobs, &whole, block_bytes);
        let run = 4 * RUN_WORDS;
        let pieces = [
            vec![(0, len)],
            vec![],
            vec![(5, 5), (7, 9), (100, run), (run, run + 1)],
            vec![(run - 3, run + 3), (2 * run + 1, len - 150)],
            vec![(RUN_WORDS, len - 1)],
            vec![(len - 1, len)],
        ];
        for pieces in &pieces {
            let filled = read(&blobs, len, block_bytes, pieces).expect("a whole blob");
            for (&(from, to), filled) in pieces.iter().zip(filled) {
                assert!(whole[from..to] == filled, "{block_bytes}: {from} to {to}");
            }
        }
    }
}

#[test]
fn blocks_that_were_changed_or_cut_are_refused() {
    let blobs = MemoryBlobs::default();
    let whole = bytes(37);
    put_blocks(&blobs, &whole, 37);
    let file = blobs.bytes("blocks").expect("a blob");
    for at in (0..file.len()).step_by(97).chain([file.len() - 1]) {
        let mut changed = file.to_vec();
        changed[at] ^= 4;
        for bytes in [&changed[..], &file[..at]] {
            blobs.set("blocks", bytes);
            let all = [(0, whole.len())];
            assert!(read(&blobs, whole.len(), 37, &all).is_err(), "at {at}");
        }
    }
    blobs.set("blocks", &file);
    for len in [whole.len() - 1, whole.len() + 1, whole.len() + 4 * RUN_WORDS] {
        let read = read(&blobs, len, 37, &[(0, len)]);
        assert!(read.is_err(), "{len} bytes");
    }
}

#[test]
fn words_and_parts_are_what_was_written() {
    let blobs = MemoryBlobs::default();
    let words = (0..RUN_WORDS as u32 + 5).map(|i| AtomicU32::new(i * 77));
    let words: Vec<AtomicU32> = words.collect();
    put(&blobs, "words", &[], PackedArray::Words(&words)).expect("room");
    let read = |count| get(&blobs, "words", 0).expect("a blob").expect("a blob").read_words(count);
    let count = words.len() as u64;
    let pairs = read(count).expect("words").into_iter().zip(&words);
    for (mut read, word) in pairs {
        assert_eq!(*read.get_mut(), word.load(Ordering::Relaxed));
    }
    for other in [0, count - 1, count + 1, 2 * count] {
        assert!(read(other).is_err(), "{other} words");
    }
    let parts: [&[u8]; 3] = [b"one", b"", b"three"];
    put(&blobs, "parts", &[], PackedArray::Bytes(&parts)).expect("room");
    let blob = get(&blobs, "parts", 0).expect("a blob").expect("a blob");
    let (mut one, mut three) = ([0; 3], [0; 5]);
    blob.read_bytes(&mut [&mut one, &mut [], &mut three]).expect("parts");
    assert_eq!((&one, &three), (b"one", b"three"));
}

#[test]
fn words_and_parts_that_were_changed_or_cut_are_refused() {
    let blobs = MemoryBlobs::default();
    let words: Vec<AtomicU32> = (0..99).map(|i| AtomicU32::new(i * 77_777)).collect();
    put(&blobs, "words", b"fields", PackedArray::Words(&words)).expect("room");
    for bytes in damaged(&blobs.bytes("words").expect("a blob")) {
        blobs.set("words", &bytes);
        let read = get(&blobs, "words", 100).and_then(|blob| blob.expect("a blob").read_words(99));
        assert!(matches!(read, Err(CheckpointError::Damaged(_))), "{bytes:?}");
    }
    let part = [5; 99];
    put(&blobs, "parts", b"fields", PackedArray::Bytes(&[&part, &[]])).expect("room");
    for bytes in damaged(&blobs.bytes("parts").expect("a blob")) {
        blobs.set("parts", &bytes);
        let mut part = [0; 99];
        let mut parts = [&mut part[..], &mut []];
        let read =
            get(&blobs, "parts", 100).and_then(|blob| blob.expect("a blob").read_bytes(&mut parts));
        assert!(matches!(read, Err(CheckpointError::Damaged(_))), "{bytes:?}");
    }
}

#[test]
fn a_renamed_blob_is_refused() {
    let blobs = MemoryBlobs::default();
    put(&blobs, "a", b"fields", PackedArray::Bytes(&[])).expect("room");
    blobs.set("b", &blobs.bytes("a").expect("a blob"));
    assert!(get(&blobs, "a", 100).is_ok_and(|blob| blob.is_some()));
    assert!(matches!(get(&blobs, "b", 100), Err(CheckpointError::Damaged(_))));
    assert!(get(&blobs, "c", 100).is_ok_and(|blob| blob.is_none()));
}

/// Blobs whose bytes cannot be read from an offset on.
struct UnreadableBlobs<'a> {
    blobs: &'a MemoryBlobs,
    readable: u64,
}

impl Blobs for UnreadableBlobs<'_> {
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
        self.blobs.put(key, write)
    }

    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError> {
        let bytes = self.blobs.bytes(key).map(Cursor::new);
        let readable = self.readable;
        Ok(bytes.map(|bytes| Box::new(UnreadableBlob { bytes, readable }) as Box<dyn Blob>))
    }

    fn keys(&self) -> Result<Vec<String>, CheckpointError> {
        self.blobs.keys()
    }

    fn remove(&self, key: &str) -> Result<(), CheckpointError> {
        self.blobs.remove(key)
    }
}

struct UnreadableBlob {
    bytes: Cursor<Arc<[u8]>>,
    readable: u64,
}

impl Read for UnreadableBlob {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.readable.saturating_sub(self.bytes.position()) {
            0 => Err(io::ErrorKind::TimedOut.into()),
            left => self.bytes.by_ref().take(left).read(out),
        }
    }
}

impl Seek for UnreadableBlob {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn an_error_of_the_system_is_no_damage() {
    let blobs = MemoryBlobs::default();
    let mut blocks = vec![0; 2 * RUN_BYTES];
    blocks.extend([1, 2, 3]);
    put(&blobs, "words", &[7], PackedArray::Words(&[5.into()])).expect("room");
    put(&blobs, "parts", &[7], PackedArray::Bytes(&[&[5]])).expect("room");
    put_blocks(&blobs, &blocks, 1);
    for key in ["words", "parts", "blocks"] {
        let len = blobs.bytes(key).expect("a blob").len() as u64;
        for readable in 0..=len {
            let blobs = UnreadableBlobs { blobs: &blobs, readable };
            let read = get(&blobs, key, 100).and_then(|blob| {
                let (blob, mut bytes) = (blob.expect("a blob"), [0; 3]);
                let begin = 2 * RUN_BYTES as u64;
                match key {
                    "words" => blob.read_words(1).map(drop),
                    "parts" => blob.read_bytes(&mut [&mut bytes[..1]]),
                    _ => blob.read_pieces(begin + 3, 1, vec![(begin, &mut bytes)]),
                }
            });
            let error = read.expect_err("an unreadable blob");
            let CheckpointError::File { path, source, .. } = &error else {
                panic!("{key}, {readable} bytes: {error}");
            };
            assert_eq!(path.to_str(), Some(key));
            assert_eq!(source.kind(), io::ErrorKind::TimedOut);
            assert_eq!(error.to_string(), format!("cannot read '{key}'"));
        }
    }
}

#[test]
#[should_panic(expected = "a block has bytes")]
fn blocks_without_bytes_are_not_written() {
    put_blocks(&MemoryBlobs::default(), &[1, 2], 0);
}

#[test]
#[should_panic(expected = "a block has bytes")]
fn blocks_without_bytes_are_not_read() {
    let blobs = MemoryBlobs::default();
    put_blocks(&blobs, &[1, 2], 1);
    let _ = read(&blobs, 2, 0, &[(0, 2)]);
}

#[test]
#[should_panic(expected = "a piece ends in its array")]
fn pieces_beyond_the_array_are_not_filled() {
    let blobs = MemoryBlobs::default();
    put_blocks(&blobs, &[1, 2], 1);
    let _ = read(&blobs, 2, 1, &[(1, 3)]);
}
