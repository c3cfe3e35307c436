//! Moves of open positions in blobs, a chunk of positions each.
//!
//! A blob has its range of positions, and the number of legal moves of all of them; their first
//! values, two bytes each; and the open positions, ascending. Each of these has its distance from
//! the one before, the number of its successors, and their numbers, each in as many bytes as the
//! largest needs.

use std::ops::Range;

use hindsight_core::PackedGame;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::{Checkpoint, Damage};
use hindsight_engine::keys::KeySet;
use hindsight_engine::{Error, parallel};

use super::blob::{self, SortedBlob};
use super::explore::expand_all;
use crate::retrograde::GraphCode;

/// Beginning of the key of a blob of moves.
pub(super) const PREFIX: &str = "moves-";

/// Most positions of a chunk, and bytes of moves with which it ends too.
const CHUNK_POSITIONS: u64 = 1 << 18;
const CHUNK_BYTES: usize = 1 << 22;

/// Moves of all chunks.
pub(super) struct MoveStore<'a> {
    pub(super) checkpoint: &'a Checkpoint<'a>,
    positions: u64,
    /// Bytes of the number of a position.
    width: usize,
}

/// Moves of a chunk.
#[derive(Default)]
pub(super) struct MoveChunk {
    /// The positions.
    pub(super) ranks: Range<u64>,
    /// Number of legal moves, those of decided positions too.
    pub(super) edges: u64,
    /// First values of its positions; none once they are kept elsewhere.
    pub(super) values: Vec<GraphCode>,
    /// Open positions with their moves, as bytes.
    pub(super) open: Vec<u8>,
    /// The open position that was put last.
    last_open: u64,
}

impl MoveChunk {
    pub(super) fn new(first: u64, edges: u64) -> Self {
        Self { ranks: first..first, edges, last_open: first, ..Self::default() }
    }

    /// Returns true if the next positions belong to another chunk.
    pub(super) fn is_full(&self) -> bool {
        let positions = self.ranks.end - self.ranks.start;
        positions >= CHUNK_POSITIONS || self.open.len() >= CHUNK_BYTES
    }
}

impl<'a> MoveStore<'a> {
    pub(super) fn new(positions: u64, checkpoint: &'a Checkpoint<'a>) -> Self {
        let bits = u64::BITS - positions.leading_zeros();
        Self { checkpoint, positions, width: bits.div_ceil(u8::BITS).max(1) as usize }
    }

    /// Expands the next positions, at most `most`, and appends their values and moves to a chunk.
    ///
    /// # Errors
    /// As [`expand_all`]; [`Error::Store`] if a successor was not reached.
    pub(super) fn expand(
        &self,
        game: &PackedGame,
        keys: &KeySet,
        most: u64,
        chunk: &mut MoveChunk,
    ) -> Result<(), Error> {
        let first = chunk.ranks.end;
        let left = CHUNK_POSITIONS - (first - chunk.ranks.start);
        let end = self.positions.min(first + most.min(left));
        let expansions = expand_all(game, &keys.positions(first..end))?;
        let find = |group: u64| {
            let expansion = &expansions[group as usize];
            let (mut successors, mut at) = (Vec::new(), 0);
            for position in &expansion.positions {
                let next = at + position.successors as usize;
                if position.value.is_none() {
                    successors.extend_from_slice(&expansion.successors[at..next]);
                }
                at = next;
            }
            let found: Option<Vec<u64>> = keys.find_all(&successors).into_iter().collect();
            found.ok_or_else(|| Error::damaged("a successor is missing"))
        };
        let numbers = parallel::try_map(0..expansions.len() as u64, &find)?;
        for (expansion, numbers) in expansions.iter().zip(&numbers) {
            let mut rest = numbers.as_slice();
            for position in &expansion.positions {
                chunk.edges += u64::from(position.successors);
                chunk.values.push(position.value.map_or(GraphCode::OPEN, GraphCode::known));
                if position.value.is_none() {
                    let (own, others) = rest.split_at(position.successors as usize);
                    rest = others;
                    self.put_open(chunk, chunk.ranks.end, own);
                }
                chunk.ranks.end += 1;
            }
        }
        Ok(())
    }

    /// Appends an open position.
    pub(super) fn put_open(&self, chunk: &mut MoveChunk, rank: u64, to: &[u64]) {
        put_varint(&mut chunk.open, rank - chunk.last_open);
        put_varint(&mut chunk.open, to.len() as u64);
        for number in to {
            chunk.open.extend_from_slice(&number.to_le_bytes()[..self.width]);
        }
        chunk.last_open = rank;
    }

    /// Calls a function with each open position of a chunk and its moves.
    ///
    /// # Errors
    /// [`Damage`] if a number is none of a position.
    pub(super) fn each_open(
        &self,
        chunk: &MoveChunk,
        visit: &mut dyn FnMut(u64, &[u64]),
    ) -> Result<(), Damage> {
        let mut cursor = Cursor::new(&chunk.open, "moves");
        let Range { start: mut rank, end } = chunk.ranks;
        let mut to = Vec::new();
        while cursor.remaining() > 0 {
            let distance = cursor.varint()?;
            rank = rank.checked_add(distance).filter(|&rank| rank < end).ok_or_else(unknown)?;
            let count = cursor.count()?;
            to.clear();
            for bytes in cursor.take(count * self.width)?.chunks_exact(self.width) {
                let mut number = [0; 8];
                number[..self.width].copy_from_slice(bytes);
                to.push(u64::from_le_bytes(number));
            }
            if to.iter().any(|&number| number >= self.positions) {
                return Err(unknown());
            }
            visit(rank, &to);
        }
        Ok(())
    }

    pub(super) fn put(&self, number: u64, chunk: &MoveChunk) -> Result<(), Error> {
        let values = chunk.values.iter().flat_map(|value| value.bits().to_le_bytes());
        let parts = [&values.collect::<Vec<u8>>()[..], &chunk.open];
        let numbers = [chunk.ranks.start, chunk.ranks.end, chunk.edges];
        blob::put(self.checkpoint.blobs(), &blob_key(number), numbers, parts)
    }

    /// Reads a chunk; `None` if it is not there.
    pub(super) fn get(&self, number: u64) -> Result<Option<MoveChunk>, Error> {
        let blob = blob::get(self.checkpoint.blobs(), &blob_key(number))?;
        let decode = |mut blob: SortedBlob<3, 2>| {
            let [start, end, edges] = blob.numbers;
            let values = GraphCode::of_bytes(&blob.parts[0]);
            let is_right = start < end && end <= self.positions;
            if !is_right || !values.is_empty() && values.len() as u64 != end - start {
                return Err(blob.damaged("another number of positions").into());
            }
            let open = std::mem::take(&mut blob.parts[1]);
            Ok(MoveChunk { ranks: start..end, edges, values, open, last_open: start })
        };
        blob.map(decode).transpose()
    }

    /// Removes a number of chunks.
    pub(super) fn remove(&self, chunks: u64) -> Result<(), Error> {
        let blobs = self.checkpoint.blobs();
        (0..chunks).try_for_each(|chunk| Ok(blobs.remove(&blob_key(chunk))?))
    }
}

fn blob_key(chunk: u64) -> String {
    format!("{PREFIX}{chunk:06}")
}

fn unknown() -> Damage {
    Damage("a move to a position that is not there".into())
}
