//! Moves of open positions in blobs, a chunk of positions each.
//!
//! A blob has the number of legal moves of all positions of the chunk; their first values, two
//! bytes each; and the open positions, ascending. Each of these has its distance from the one
//! before, the number of its successors, and their numbers, each in as many bytes as the largest
//! needs.

use std::ops::Range;

use hindsight_core::PackedGame;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::{Checkpoint, Damage};
use hindsight_engine::keys::KeySet;
use hindsight_engine::{Error, parallel};

use super::blob::{self, SortedBlob};
use super::explore::{EXPANDED_TOGETHER, expand_all};
use crate::retrograde::GraphCode;

/// Beginning of the key of a blob of moves.
pub(super) const PREFIX: &str = "moves-";

/// Positions of a chunk.
pub(super) const CHUNK: u64 = 1 << 18;

/// Moves of all chunks.
pub(super) struct MoveStore<'a> {
    pub(super) checkpoint: &'a Checkpoint<'a>,
    positions: u64,
    /// Bytes of the number of a position.
    width: usize,
}

/// Moves of a chunk.
pub(super) struct MoveChunk {
    /// Number of legal moves, those of decided positions too.
    pub(super) edges: u64,
    /// First values of its positions; none once they are kept elsewhere.
    pub(super) values: Vec<GraphCode>,
    /// Open positions with their moves, as bytes.
    pub(super) open: Vec<u8>,
}

impl<'a> MoveStore<'a> {
    pub(super) fn new(positions: u64, checkpoint: &'a Checkpoint<'a>) -> Self {
        let bits = u64::BITS - positions.leading_zeros();
        Self { checkpoint, positions, width: bits.div_ceil(u8::BITS).max(1) as usize }
    }

    pub(super) fn chunks(&self) -> u64 {
        self.positions.div_ceil(CHUNK)
    }

    /// Returns the positions of a chunk.
    pub(super) fn range(&self, chunk: u64) -> Range<u64> {
        chunk * CHUNK..self.positions.min((chunk + 1) * CHUNK)
    }

    /// Expands some positions of a chunk, and appends their values and moves.
    ///
    /// # Errors
    /// As [`expand_all`]; [`Error::Store`] if a successor was not reached.
    pub(super) fn expand(
        &self,
        game: &PackedGame,
        keys: &KeySet,
        ranks: Range<u64>,
        last_open: &mut u64,
        chunk: &mut MoveChunk,
    ) -> Result<(), Error> {
        let expansions = expand_all(game, &keys.positions(ranks.clone()))?;
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
        for (group, (expansion, numbers)) in (0..).zip(expansions.iter().zip(&numbers)) {
            let first = ranks.start + group * EXPANDED_TOGETHER as u64;
            let mut rest = numbers.as_slice();
            for (rank, position) in (first..).zip(&expansion.positions) {
                chunk.edges += u64::from(position.successors);
                chunk.values.push(position.value.map_or(GraphCode::OPEN, GraphCode::known));
                if position.value.is_none() {
                    let (own, others) = rest.split_at(position.successors as usize);
                    rest = others;
                    self.put_open(&mut chunk.open, rank - *last_open, own);
                    *last_open = rank;
                }
            }
        }
        Ok(())
    }

    /// Appends an open position.
    pub(super) fn put_open(&self, out: &mut Vec<u8>, distance: u64, to: &[u64]) {
        put_varint(out, distance);
        put_varint(out, to.len() as u64);
        for number in to {
            out.extend_from_slice(&number.to_le_bytes()[..self.width]);
        }
    }

    /// Calls a function with each open position of a chunk and its moves.
    ///
    /// # Errors
    /// [`Damage`] if a number is none of a position.
    pub(super) fn each_open(
        &self,
        chunk: u64,
        open: &[u8],
        visit: &mut dyn FnMut(u64, &[u64]),
    ) -> Result<(), Damage> {
        let mut cursor = Cursor::new(open, "moves");
        let Range { start: mut rank, end } = self.range(chunk);
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
        blob::put(self.checkpoint.blobs(), &blob_key(number), [chunk.edges], parts)
    }

    /// Reads a chunk; `None` if it is not there.
    pub(super) fn get(&self, number: u64) -> Result<Option<MoveChunk>, Error> {
        let blob = blob::get(self.checkpoint.blobs(), &blob_key(number))?;
        let decode = |mut blob: SortedBlob<1, 2>| {
            let Range { start, end } = self.range(number);
            let [edges] = blob.numbers;
            let values = GraphCode::of_bytes(&blob.parts[0]);
            if !values.is_empty() && values.len() as u64 != end - start {
                return Err(blob.damaged("another number of values").into());
            }
            Ok(MoveChunk { edges, values, open: std::mem::take(&mut blob.parts[1]) })
        };
        blob.map(decode).transpose()
    }

    /// Removes all chunks.
    pub(super) fn remove(&self) -> Result<(), Error> {
        let blobs = self.checkpoint.blobs();
        (0..self.chunks()).try_for_each(|chunk| Ok(blobs.remove(&blob_key(chunk))?))
    }
}

fn blob_key(chunk: u64) -> String {
    format!("{PREFIX}{chunk:06}")
}

fn unknown() -> Damage {
    Damage("a move to a position that is not there".into())
}
