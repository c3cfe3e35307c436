//! Counts of the values of a layer, of all of it or of pieces.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hindsight_core::{OrbitRun, Value, orbit_runs};
use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};
use hindsight_engine::{Histogram, parallel};

use super::shape::{LayerPiece, LayerShape};
use crate::error::TableError;
use crate::symbols::ordinals::ordinal_runs;
use crate::symbols::symbol::{Symbol, put_symbol, take_value};

/// Positions of each value in some pieces of a layer, with the first rank of each.
///
/// The pieces of a layer can be counted apart, and their tallies merged in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerTally {
    /// Number of ranks counted, holes included.
    pub(crate) ranks: u64,
    pub(crate) values: BTreeMap<Value, ValueCount>,
    /// Value of the game's start, if it was counted.
    start: Option<Value>,
}

/// Count of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ValueCount {
    /// Number of positions, each as often as its tier has copies.
    pub(crate) positions: u64,
    /// Least ordinal of a rank with the value.
    pub(crate) first: u64,
}

/// Ranks per task, where all threads count.
const TASK_RANKS: u64 = 1 << 20;

impl LayerTally {
    /// Counts the values of a piece, on the current thread.
    ///
    /// # Errors
    /// [`TableError::Unfit`] if the piece does not belong to the layer, or has a value that no
    /// table can store.
    pub fn count(shape: &LayerShape<'_>, piece: LayerPiece<'_>) -> Result<Self, TableError> {
        piece.check(shape)?;
        Ok(Self::count_checked(shape, piece))
    }

    /// Counts the values of a piece that belongs to the layer, on all threads.
    pub(crate) fn count_on_all_threads(shape: &LayerShape<'_>, piece: LayerPiece<'_>) -> Self {
        let ranks = piece.codes.len() as u64;
        let tasks = ordinal_runs(ranks, TASK_RANKS);
        let count = |i: u64| {
            let ordinals = tasks(i).start + piece.first..tasks(i).end + piece.first;
            Self::count_checked(shape, piece.part(ordinals))
        };
        let mut sum = Self::default();
        for tally in parallel::map(0..ranks.div_ceil(TASK_RANKS), &count) {
            sum.merge(&tally);
        }
        sum
    }

    fn count_checked(shape: &LayerShape<'_>, piece: LayerPiece<'_>) -> Self {
        let mut first = [None; 256];
        let mut positions = [0; 256];
        for tier_piece in shape.tier_pieces(piece.ordinals()) {
            let mut begin = tier_piece.span.start;
            let ranks = tier_piece.rank..tier_piece.rank + tier_piece.span.len() as u64;
            for OrbitRun { ranks, orbit_size } in orbit_runs(shape.game, tier_piece.tier, ranks) {
                let span = begin..begin + (ranks.end - ranks.start) as usize;
                begin = span.end;
                let mut counts = [0_u64; 256];
                let ordinals = piece.first + span.start as u64..;
                for (ordinal, &code) in ordinals.zip(&piece.codes[span]) {
                    let count = &mut counts[usize::from(code)];
                    if *count == 0 {
                        first[usize::from(code)].get_or_insert(ordinal);
                    }
                    *count += 1;
                }
                for (sum, count) in positions.iter_mut().zip(counts) {
                    *sum += count * orbit_size;
                }
            }
        }
        let start = shape
            .start()
            .map(|(ordinal, _)| ordinal)
            .filter(|ordinal| piece.ordinals().contains(ordinal))
            .map(|ordinal| piece.codes[(ordinal - piece.first) as usize]);
        let mut tally = Self {
            ranks: piece.codes.len() as u64,
            values: BTreeMap::new(),
            start: start.and_then(|code| piece.value(code)),
        };
        for (&value, counted) in piece.palette.iter().zip(first.into_iter().zip(positions)) {
            if let (Some(value), (Some(first), positions)) = (value, counted) {
                tally.add(value, ValueCount { positions, first });
            }
        }
        tally
    }

    fn add(&mut self, value: Value, count: ValueCount) {
        match self.values.entry(value) {
            Entry::Vacant(entry) => {
                entry.insert(count);
            }
            Entry::Occupied(mut entry) => {
                let sum = entry.get_mut();
                sum.positions = sum.positions.saturating_add(count.positions);
                sum.first = sum.first.min(count.first);
            }
        }
    }

    /// Adds the counts of other pieces.
    pub fn merge(&mut self, other: &Self) {
        self.ranks = self.ranks.saturating_add(other.ranks);
        for (&value, &count) in &other.values {
            self.add(value, count);
        }
        self.start = self.start.or(other.start);
    }

    /// Positions per value. A tier that stands for `n` tiers by symmetry counts `n` times.
    #[must_use]
    pub fn histogram(&self) -> Histogram {
        let rows = self.values.iter();
        rows.map(|(&value, count)| (value, count.positions)).collect()
    }

    /// Value of the game's start. `None` if it was not counted.
    #[must_use]
    pub fn start(&self) -> Option<Value> {
        self.start
    }

    /// Returns the tally as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.ranks);
        out.push(u8::from(self.start.is_some()));
        if let Some(start) = self.start {
            put_symbol(&mut out, Symbol::Exact(start));
        }
        put_varint(&mut out, self.values.len() as u64);
        for (&value, count) in &self.values {
            put_symbol(&mut out, Symbol::Exact(value));
            put_varint(&mut out, count.positions);
            put_varint(&mut out, count.first);
        }
        push_checksum(&mut out, 0);
        out
    }

    /// Reads the bytes of [`LayerTally::to_bytes`].
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the bytes are others.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        let subject = "the counts of a layer";
        let mut cursor = Cursor::new(split_checksum(bytes, subject)?, subject);
        let ranks = cursor.varint()?;
        let start = match cursor.byte()? {
            0 => None,
            1 => Some(take_value(&mut cursor)?),
            _ => return Err(cursor.fail("neither a value nor none").into()),
        };
        let mut values = BTreeMap::new();
        let (mut last, mut sum) = (None, 0_u64);
        for _ in 0..cursor.count()? {
            let value = take_value(&mut cursor)?;
            let (positions, first) = (cursor.varint()?, cursor.varint()?);
            if last.is_some_and(|last| last >= value) {
                return Err(cursor.fail("values out of order").into());
            }
            let added = sum.checked_add(positions);
            sum = added.ok_or_else(|| cursor.fail("numbers too large"))?;
            values.insert(value, ValueCount { positions, first });
            last = Some(value);
        }
        cursor.end()?;
        Ok(Self { ranks, values, start })
    }
}
