//! Hash table that numbers positions in the order of their insertion: a list, and a table with open
//! addresses that also holds the positions. Rows have only as many words as the game uses
//! (`docs/decisions/0002-graph-memory.md`).

use std::marker::PhantomData;
use std::ops::Range;

use hindsight_core::{MOST_WORDS, Packed};
use hindsight_engine::memory;

use crate::bounded_growth::reserve_within;

/// Mark of an empty slot. Never the number of a position.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

/// Below this number of slots the table grows fourfold, from it on twofold.
const SMALL_TABLE: usize = 1 << 21;

pub(crate) const MOST_ROW_WORDS: usize = MOST_WORDS + 1;

/// Entry of a [`PositionTable`]: words in a row, as many for all entries of one game.
pub(crate) trait TableRow: Copy {
    /// Words beside those of the position.
    const MORE_WORDS: usize;

    /// Returns the words, those after the row 0, if a position has `position_words`.
    fn to_words(self, position_words: usize) -> [u32; MOST_ROW_WORDS];

    /// Inverse of [`TableRow::to_words`]; `row` has no words after it.
    fn from_words(row: &[u32]) -> Self;

    /// Returns the hash of the row, if a position has `position_words`.
    fn hash(&self, position_words: usize) -> u64;
}

impl TableRow for Packed {
    const MORE_WORDS: usize = 0;

    #[inline]
    fn to_words(self, _: usize) -> [u32; MOST_ROW_WORDS] {
        let mut words = [0; MOST_ROW_WORDS];
        words[..MOST_WORDS].copy_from_slice(self.as_words());
        words
    }

    #[inline]
    fn from_words(row: &[u32]) -> Self {
        let mut words = [0; MOST_WORDS];
        words[..row.len()].copy_from_slice(row);
        Self::new(words)
    }

    #[inline]
    fn hash(&self, position_words: usize) -> u64 {
        hash_of(self, position_words)
    }
}

/// Multiply-and-fold of one word after the others.
#[inline]
const fn mix(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word ^ 0x9E37_79B9_7F4A_7C15) as u128 * 0xD1B5_4A32_D192_ED03_u128;
    (product as u64) ^ (product >> 64) as u64
}

/// Returns the hash of a position of this number of words: a multiplication for two words, and one
/// more. Not safe against hostile positions.
#[inline]
pub(crate) fn hash_of(position: &Packed, words: usize) -> u64 {
    let &[a, b, c, d, e, f, ..] = position.as_words();
    let pair = |first: u32, second: u32| u64::from(first) << 32 | u64::from(second);
    let hash = match words {
        0..=2 => mix(0, pair(a, b)),
        3 => mix(mix(0, pair(a, b)), c.into()),
        4 => mix(mix(0, pair(a, b)), pair(c, d)),
        5..=6 => mix(mix(mix(0, pair(a, b)), pair(c, d)), pair(e, f)),
        _ => position.as_words()[..words].iter().fold(0, |hash, &word| mix(hash, word.into())),
    };
    hash.wrapping_mul(0x9FB2_1C65_1E98_DF25)
}

/// Positions in rows of as many words as their game uses, with their hashes.
pub(crate) struct HashedRows {
    row_words: usize,
    words: Vec<u32>,
    hashes: Vec<u64>,
}

impl HashedRows {
    pub(crate) fn new(positions: &[Packed], words: usize) -> Self {
        // The width is looked at once, not for each position.
        match words {
            2 => Self::sized::<2>(positions),
            3 => Self::sized::<3>(positions),
            6 => Self::sized::<6>(positions),
            _ => {
                let rows = positions.iter().flat_map(|position| &position.as_words()[..words]);
                let hashes = positions.iter().map(|position| hash_of(position, words));
                Self { row_words: words, words: rows.copied().collect(), hashes: hashes.collect() }
            }
        }
    }

    fn sized<const W: usize>(positions: &[Packed]) -> Self {
        let mut rows = Self {
            row_words: W,
            words: Vec::with_capacity(W * positions.len()),
            hashes: Vec::with_capacity(positions.len()),
        };
        for position in positions {
            rows.words.extend_from_slice(&position.words::<W>());
            rows.hashes.push(hash_of(position, W));
        }
        rows
    }

    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns consecutive rows in groups of `rows`, each with its words and its hashes.
    pub(crate) fn groups(&self, rows: usize) -> impl Iterator<Item = (&[u32], &[u64])> {
        self.words.chunks(rows * self.row_words).zip(self.hashes.chunks(rows))
    }

    pub(crate) fn first(&self) -> Option<Packed> {
        self.words.get(..self.row_words).map(Packed::from_words)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<u32>() + self.hashes.capacity() * size_of::<u64>())
            as u64
    }
}

/// Different rows, numbered from 0 in the order of their insertion.
///
/// A row is kept twice: in a list by number, and in an open-addressing table beside its number. So
/// a lookup costs one cache miss, not two. The table is at most 11/16 full; just after it has grown
/// it is half as full (a quarter while it is small). Cost per position of two words: 8 bytes in the
/// list and 17 to 35 in the table, whose slots take 12 bytes.
pub(crate) struct PositionTable<R> {
    position_words: usize,
    /// Words of a row.
    words: usize,
    /// Rows by number.
    rows: Vec<u32>,
    len: usize,
    /// Slots of a row and its number. In an empty slot the number is [`NO_NUMBER`] and the row has
    /// no meaning.
    slots: Vec<u32>,
    /// Binary logarithm of the number of slots.
    log_slots: u32,
    row: PhantomData<R>,
}

impl<R: TableRow> PositionTable<R> {
    /// Creates a table of positions of `position_words` words with one row, which has number 0.
    pub(crate) fn new(position_words: usize, first: R) -> Self {
        const LOG_SLOTS: u32 = 10;
        let words = position_words + R::MORE_WORDS;
        let mut table = Self {
            position_words,
            words,
            rows: Vec::new(),
            len: 0,
            slots: vec![NO_NUMBER; (words + 1) << LOG_SLOTS],
            log_slots: LOG_SLOTS,
            row: PhantomData,
        };
        table.insert(first);
        table
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the row of a number; `None` if there is none yet.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<R> {
        let begin = number.checked_mul(self.words)?;
        let row = self.rows.get(begin..)?.get(..self.words)?;
        Some(R::from_words(row))
    }

    /// Returns the rows of some numbers, in their order.
    ///
    /// # Panics
    /// If a number has no row.
    pub(crate) fn rows(&self, numbers: Range<usize>) -> impl Iterator<Item = R> {
        let rows = &self.rows[numbers.start * self.words..numbers.end * self.words];
        rows.chunks_exact(self.words).map(R::from_words)
    }

    fn slot_count(&self) -> usize {
        1 << self.log_slots
    }

    #[inline]
    fn home_slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.log_slots)) as usize
    }

    /// True if the table should not hold this number of rows.
    #[inline]
    fn is_full(&self, rows: usize) -> bool {
        rows > self.slot_count() / 16 * 11
    }

    #[inline]
    fn next_slot(&self, index: usize) -> usize {
        (index + 1) & (self.slot_count() - 1)
    }

    /// Loads the home slot of a hash into the cache. Calls for many hashes before the first lookup
    /// let their cache misses overlap.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) -> u32 {
        self.slots[self.home_slot(hash) * (self.words + 1) + self.words]
    }

    /// Returns the number of a row, or else the index of the slot it should get.
    fn lookup(&self, row: &[u32], hash: u64) -> Result<u32, usize> {
        let words = self.words;
        let mut index = self.home_slot(hash);
        loop {
            let slot = &self.slots[index * (words + 1)..][..=words];
            let number = slot[words];
            if number == NO_NUMBER {
                return Err(index);
            }
            // A comparison of slices would be a call.
            if slot.iter().zip(row).all(|(word, own)| word == own) {
                return Ok(number);
            }
            index = self.next_slot(index);
        }
    }

    /// Returns the number of a row, if it has one.
    #[inline]
    pub(crate) fn find(&self, row: &R) -> Option<u32> {
        self.lookup(&row.to_words(self.position_words)[..self.words], row.hash(self.position_words))
            .ok()
    }

    /// Returns the number of a row. A new row gets the next number.
    pub(crate) fn insert(&mut self, row: R) -> u32 {
        self.get_or_insert(row, row.hash(self.position_words))
    }

    /// Appends the numbers of some rows, whose words and hashes are given. New rows get the next
    /// numbers.
    pub(crate) fn insert_all(&mut self, rows: &[u32], hashes: &[u64], numbers: &mut Vec<u32>) {
        // Known widths spare a loop for each slot.
        match self.words {
            2 => self.insert_all_sized::<2>(rows, hashes, numbers),
            3 => self.insert_all_sized::<3>(rows, hashes, numbers),
            6 => self.insert_all_sized::<6>(rows, hashes, numbers),
            words => {
                let keyed = rows.chunks_exact(words).zip(hashes);
                numbers.extend(keyed.map(|(row, &hash)| self.insert_words(row, hash)));
            }
        }
    }

    fn insert_all_sized<const W: usize>(
        &mut self,
        rows: &[u32],
        hashes: &[u64],
        numbers: &mut Vec<u32>,
    ) {
        for (own, &hash) in rows.as_chunks::<W>().0.iter().zip(hashes) {
            let mut index = self.home_slot(hash);
            let number = loop {
                let slot = &mut self.slots[index * (W + 1)..][..=W];
                if slot[W] == NO_NUMBER {
                    slot[..W].copy_from_slice(own);
                    slot[W] = self.len as u32;
                    break self.push_row(own);
                }
                if slot[..W] == *own {
                    break slot[W];
                }
                index = self.next_slot(index);
            };
            numbers.push(number);
        }
    }

    /// Appends a row to the list, after its slot was written; returns its number.
    #[inline]
    fn push_row(&mut self, row: &[u32]) -> u32 {
        let number = self.len as u32;
        self.rows.extend_from_slice(row);
        self.len += 1;
        if self.is_full(self.len) {
            self.grow(self.log_slots + self.growth());
        }
        number
    }

    /// As [`PositionTable::insert`], for a row whose hash is known.
    pub(crate) fn get_or_insert(&mut self, row: R, hash: u64) -> u32 {
        let row = row.to_words(self.position_words);
        self.insert_words(&row[..self.words], hash)
    }

    /// Returns the number of a row of some words. A new row gets the next number.
    fn insert_words(&mut self, row: &[u32], hash: u64) -> u32 {
        match self.lookup(row, hash) {
            Ok(number) => number,
            Err(index) => {
                let (words, number) = (self.words, self.len as u32);
                let slot = &mut self.slots[index * (words + 1)..][..=words];
                slot[..words].copy_from_slice(row);
                slot[words] = number;
                self.push_row(row)
            }
        }
    }

    /// Reserves room for `more` further rows, if `left` bytes allow it.
    ///
    /// # Errors
    /// The number of bytes needed, if it is more than `left`, or if the system refuses them.
    #[inline]
    pub(crate) fn reserve_within(&mut self, more: usize, left: u64) -> Result<(), u64> {
        if self.has_room(more) {
            return Ok(());
        }
        self.grow_within(more, left)
    }

    /// True if `more` further rows need no more memory.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let list_room = self.rows.capacity() - self.rows.len();
        list_room >= more * self.words && !self.is_full(self.len() + more)
    }

    #[cold]
    fn grow_within(&mut self, more: usize, left: u64) -> Result<(), u64> {
        let slot_bytes = size_of::<u32>() as u64 * (self.words as u64 + 1);
        let bytes = |log_slots: u32| slot_bytes << log_slots;
        let mut grown = 0;
        while self.is_full(self.len() + more) {
            let mut larger = self.log_slots + self.growth();
            if bytes(larger) > left {
                larger = self.log_slots + 1;
            }
            if bytes(larger) > left {
                return Err(bytes(larger));
            }
            memory::ask(bytes(larger)).map_err(|_| bytes(larger))?;
            grown += bytes(larger) - bytes(self.log_slots);
            self.grow(larger);
        }
        reserve_within(&mut self.rows, more * self.words, left.saturating_sub(grown))
    }

    /// Binary logarithm of the factor by which the table grows.
    #[inline]
    fn growth(&self) -> u32 {
        if self.slot_count() < SMALL_TABLE { 2 } else { 1 }
    }

    /// Grows the table to `2^log_slots` slots. Home slots keep their order, so the old table is
    /// read and the new one written from front to back.
    #[cold]
    fn grow(&mut self, log_slots: u32) {
        let stride = self.words + 1;
        let old = std::mem::replace(&mut self.slots, vec![NO_NUMBER; stride << log_slots]);
        self.log_slots = log_slots;
        for slot in old.chunks_exact(stride).filter(|slot| slot[self.words] != NO_NUMBER) {
            let row = R::from_words(&slot[..self.words]);
            let mut index = self.home_slot(row.hash(self.position_words));
            while self.slots[index * stride + self.words] != NO_NUMBER {
                index = self.next_slot(index);
            }
            self.slots[index * stride..][..stride].copy_from_slice(slot);
        }
    }

    /// Bytes of the list and of the table.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        ((self.rows.capacity() + self.slots.len()) * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use hindsight_core::Packed;

    use super::{PositionTable, hash_of};

    /// Returns a position of `words` words that differs from those of other numbers.
    fn position(i: u32, words: usize) -> Packed {
        let mut all = [0; 6];
        all[0] = i.wrapping_mul(0x2545_F491);
        all[words - 1] ^= i;
        Packed::new(all)
    }

    #[test]
    fn numbers_are_dense_and_stable_through_growth() {
        for words in [1, 2, 3, 4, 6] {
            let position = |i| position(i, words);
            let mut table = PositionTable::new(words, position(0));
            for round in 0..2 {
                for i in 0..50_000 {
                    assert_eq!(table.insert(position(i)), i, "round {round}");
                }
            }
            assert_eq!(table.len(), 50_000);
            assert!((0..50_000).all(|i| table.find(&position(i)) == Some(i)));
            assert!(table.rows(7..50_000).eq((7..50_000).map(position)));
            assert_eq!(table.get(49_999), Some(position(49_999)));
            assert_eq!(table.get(50_000), None);
            assert_eq!(table.find(&position(50_000)), None);
        }
    }

    #[test]
    fn it_does_not_grow_beyond_what_is_left() {
        let mut table = PositionTable::new(2, position(0, 2));
        let limit = 1 << 20;
        let full = (1..).find_map(|i| {
            let left = limit - table.bytes();
            let needed = table.reserve_within(1, left).err();
            if needed.is_none() {
                let position = position(i, 2);
                table.get_or_insert(position, hash_of(&position, 2));
                assert!(table.bytes() <= limit);
            }
            needed.map(|needed| (u64::from(i), needed))
        });
        let (positions, needed) = full.expect("a limit");
        assert!(positions > limit / 60, "{positions}");
        assert!(table.bytes() + needed > limit);
    }
}
