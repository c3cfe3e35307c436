//! Compressed keys in memory.

use std::ops::Range;

use hindsight_core::Packed;
use rayon::prelude::*;

use super::block::BlockKeys;
use super::key_index::KeyIndex;
use super::limbs::{MOST_LIMBS, compare, resized};
use super::page::{BLOCK_KEYS, PAGE_KEYS, Page, encode_page};
use super::varying::{VaryingBits, WideKey};
use crate::checkpoint::Damage;

/// Different positions, sorted and numbered from 0.
///
/// Cost: 4 to 12 bits a position; some 0.3 microseconds to find one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeySet {
    index: KeyIndex,
    pages: Vec<u8>,
}

/// Bytes of the two parts of a key section: the top and the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeySections {
    /// Bytes of the top, which has the form of keys and the first key of each page.
    pub top: u64,
    /// Bytes of all pages.
    pub pages: u64,
}

impl KeySections {
    /// Most bytes of a key, with the length of its block or page.
    const KEY_BYTES: u64 = 8 * MOST_LIMBS as u64 + 10;

    /// Returns true if a number of keys may have sections of these lengths. Longer ones are forged.
    #[must_use]
    pub fn are_possible(&self, keys: u64) -> bool {
        let pages = keys.div_ceil(PAGE_KEYS);
        // The form of keys is as long as two of them.
        let top = (pages + 3).checked_mul(Self::KEY_BYTES);
        let bytes = keys.checked_add(pages).and_then(|keys| keys.checked_mul(Self::KEY_BYTES));
        self.top <= top.unwrap_or(u64::MAX) && self.pages <= bytes.unwrap_or(u64::MAX)
    }
}

impl KeySet {
    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.index.len
    }

    /// Returns false: a set has a position at least.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Returns the bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let firsts = size_of_val(&*self.index.firsts) + size_of_val(&*self.index.offsets);
        (self.pages.len() + firsts) as u64
    }

    pub(super) fn bits(&self) -> &VaryingBits {
        &self.index.bits
    }

    /// Returns the number of a position; `None` if it is not there.
    #[must_use]
    #[inline]
    pub fn find(&self, position: &Packed) -> Option<u64> {
        let page = self.index.page_of(position)?;
        self.index.find_in(page, self.page_bytes(page), position)
    }

    fn page_bytes(&self, page: usize) -> &[u8] {
        let bytes = self.index.bytes_of(page);
        &self.pages[bytes.start as usize..bytes.end as usize]
    }

    fn page(&self, page: usize) -> Page<'_> {
        self.index.page(page, self.page_bytes(page))
    }

    /// Calls a function with the number and the position of each key of a range, until it returns
    /// false.
    pub fn each(&self, ranks: Range<u64>, visit: &mut dyn FnMut(u64, Packed) -> bool) {
        match self.index.limbs() {
            1 => self.each_narrow::<1>(ranks, visit),
            2 => self.each_narrow::<2>(ranks, visit),
            _ => self.each_narrow::<MOST_LIMBS>(ranks, visit),
        }
    }

    fn each_narrow<const N: usize>(
        &self,
        ranks: Range<u64>,
        visit: &mut dyn FnMut(u64, Packed) -> bool,
    ) {
        let mut rank = ranks.start;
        let end = ranks.end.min(self.len());
        while rank < end {
            let page = self.page((rank / PAGE_KEYS) as usize);
            let block = page.block(rank % PAGE_KEYS / BLOCK_KEYS);
            let mut keys = BlockKeys::<N>::new(block.bytes, resized(&block.first));
            let begin = rank % BLOCK_KEYS;
            for _ in 0..begin {
                keys.read();
            }
            let block_end = end.min(rank - begin + block.keys);
            while rank < block_end {
                if !visit(rank, self.bits().position(&resized(keys.key()))) {
                    return;
                }
                rank += 1;
                if rank < block_end {
                    keys.read();
                }
            }
        }
    }

    /// Returns the position of a number.
    #[must_use]
    pub fn get(&self, rank: u64) -> Option<Packed> {
        let page = self.index.page_of_rank(rank)?;
        Some(self.index.get_in(page, self.page_bytes(page), rank))
    }

    /// Returns the positions of some numbers.
    #[must_use]
    pub fn positions(&self, ranks: Range<u64>) -> Vec<Packed> {
        let mut positions = Vec::with_capacity((ranks.end - ranks.start) as usize);
        self.each(ranks, &mut |_, position| {
            positions.push(position);
            true
        });
        positions
    }

    /// Returns the first position, by its number, that only one of two sets has.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<Packed> {
        if self == other {
            return None;
        }
        let len = self.len().max(other.len());
        (0..len).step_by(PAGE_KEYS as usize).find_map(|first| {
            let part = |set: &Self| set.positions(first..set.len().min(first + PAGE_KEYS));
            let (own, others) = (part(self), part(other));
            let same = own.iter().zip(&others).take_while(|(own, other)| own == other).count();
            let [own, other] = [&own, &others].map(|part| part.get(same).copied());
            own.into_iter().chain(other).min()
        })
    }

    /// Returns the number of positions before a given one.
    pub(super) fn rank_of_bound(&self, bound: &Packed) -> u64 {
        let is_before = |key: &WideKey| self.bits().position(key) < *bound;
        let Some(page) = self.index.firsts.partition_point(is_before).checked_sub(1) else {
            return 0;
        };
        let first = page as u64 * PAGE_KEYS;
        let end = self.len().min(first + PAGE_KEYS);
        let page = self.page(page);
        let (mut low, mut high) = (0, page.blocks());
        while high - low > 1 {
            let middle = low.midpoint(high);
            if is_before(&page.first(middle)) { low = middle } else { high = middle }
        }
        let begin = first + low * BLOCK_KEYS;
        let mut rank = begin;
        self.each(begin..end.min(begin + BLOCK_KEYS), &mut |_, position| {
            let is_before = position < *bound;
            rank += u64::from(is_before);
            is_before
        });
        rank
    }

    /// Returns the first position of each page.
    pub(super) fn firsts(&self) -> impl Iterator<Item = Packed> {
        self.index.firsts.iter().map(|key| self.bits().position(key))
    }

    /// Takes away the positions that are in this set from some that ascend.
    pub(super) fn retain_missing(&self, positions: &mut Vec<Packed>) {
        match self.index.limbs() {
            1 => self.retain_narrow::<1>(positions),
            2 => self.retain_narrow::<2>(positions),
            _ => self.retain_narrow::<MOST_LIMBS>(positions),
        }
    }

    fn retain_narrow<const N: usize>(&self, positions: &mut Vec<Packed>) {
        let mut cursor: Option<KeyCursor<'_, N>> = None;
        positions.retain(|position| {
            let Some(key) = self.bits().key(position) else { return true };
            let is_within = |cursor: &KeyCursor<'_, N>| {
                cursor.after.is_none_or(|after| compare(&key, &after).is_lt())
            };
            if !cursor.as_ref().is_some_and(is_within) {
                cursor = self.cursor(&key);
            }
            cursor.as_mut().is_none_or(|cursor| cursor.find(&resized(&key)).is_none())
        });
    }

    /// Returns the numbers of positions, as [`KeySet::find`] does. Blocks that several of them are
    /// in are read once.
    #[must_use]
    pub fn find_all(&self, positions: &[Packed]) -> Vec<Option<u64>> {
        match self.index.limbs() {
            1 => self.find_all_narrow::<1>(positions),
            2 => self.find_all_narrow::<2>(positions),
            _ => self.find_all_narrow::<MOST_LIMBS>(positions),
        }
    }

    fn find_all_narrow<const N: usize>(&self, positions: &[Packed]) -> Vec<Option<u64>> {
        let keys = positions.iter().enumerate();
        let keys = keys.filter_map(|(place, position)| Some((self.bits().key(position)?, place)));
        let mut keys: Vec<([u64; N], usize)> =
            keys.map(|(key, place)| (resized(&key), place)).collect();
        keys.sort_unstable_by(|(one, _), (other, _)| compare(one, other));
        let mut found = vec![None; positions.len()];
        let mut cursor: Option<KeyCursor<'_, N>> = None;
        for (key, place) in keys {
            let is_within = |cursor: &KeyCursor<'_, N>| {
                cursor.after.is_none_or(|after| compare(&key, &resized(&after)).is_lt())
            };
            if !cursor.as_ref().is_some_and(is_within) {
                cursor = self.cursor(&resized(&key));
            }
            found[place] = cursor.as_mut().and_then(|cursor| cursor.find(&key));
        }
        found
    }

    /// Returns a cursor at the block that may have a key.
    fn cursor<const N: usize>(&self, key: &WideKey) -> Option<KeyCursor<'_, N>> {
        let number = self.index.page_of_key(key)?;
        let page = self.page(number);
        let block = page.block_of(key);
        let after = if block + 1 < page.blocks() {
            Some(page.first(block + 1))
        } else {
            self.index.firsts.get(number + 1).copied()
        };
        let rank = number as u64 * PAGE_KEYS + block * BLOCK_KEYS;
        let block = page.block(block);
        let keys = BlockKeys::new(block.bytes, resized(&block.first));
        Some(KeyCursor { keys, rank, last: rank + block.keys - 1, after })
    }

    /// Returns the lengths of the parts of the section.
    #[must_use]
    pub fn sections(&self) -> KeySections {
        KeySections { top: self.top().len() as u64, pages: self.pages.len() as u64 }
    }

    /// Returns the bytes of the top.
    #[must_use]
    pub fn top(&self) -> Vec<u8> {
        self.index.encode()
    }

    /// Returns the bytes of the pages.
    #[must_use]
    pub fn pages(&self) -> &[u8] {
        &self.pages
    }

    /// Reads the bytes of [`KeySet::top`], and takes those of the pages. Their checksums are
    /// compared, but not all keys looked at.
    ///
    /// # Errors
    /// [`Damage`] with the first fault.
    pub fn read(top: &[u8], pages: Vec<u8>) -> Result<Self, Damage> {
        let keys = Self { index: KeyIndex::decode(top, pages.len() as u64)?, pages };
        let numbers = (0..keys.page_count()).into_par_iter();
        numbers.try_for_each(|page| keys.index.check_page(page, keys.page_bytes(page)))?;
        Ok(keys)
    }

    /// Checks that the keys of a page ascend, and that its blocks have no other bytes.
    ///
    /// # Errors
    /// [`Damage`] if not.
    pub fn check_keys(&self, number: usize) -> Result<(), Damage> {
        let (page, after) = (self.page(number), self.index.firsts.get(number + 1).copied());
        let key_bits = self.bits().key_bits();
        let is_right = match self.index.limbs() {
            1 => page.is_sorted::<1>(after, key_bits),
            2 => page.is_sorted::<2>(after, key_bits),
            _ => page.is_sorted::<MOST_LIMBS>(after, key_bits),
        };
        let fail = || Damage(format!("the keys of page {number} do not ascend"));
        if is_right { Ok(()) } else { Err(fail()) }
    }

    /// Returns the number of pages.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.index.pages()
    }
}

/// Keys of a block that are searched for ascending keys.
struct KeyCursor<'a, const N: usize> {
    keys: BlockKeys<'a, N>,
    /// Number of the key that was read last.
    rank: u64,
    /// Number of the last key of the block.
    last: u64,
    /// First key of the next block.
    after: Option<WideKey>,
}

impl<const N: usize> KeyCursor<'_, N> {
    /// Returns the number of a key, not less than the one before.
    fn find(&mut self, key: &[u64; N]) -> Option<u64> {
        while self.rank < self.last && compare(self.keys.key(), key).is_lt() {
            self.keys.read();
            self.rank += 1;
        }
        (self.keys.key() == key).then_some(self.rank)
    }
}

/// Writes keys page by page.
pub(super) struct KeySetWriter<const N: usize> {
    bits: VaryingBits,
    len: u64,
    firsts: Vec<WideKey>,
    offsets: Vec<u64>,
    pages: Vec<u8>,
    /// Keys that are no whole page yet.
    rest: Vec<[u64; N]>,
}

impl<const N: usize> KeySetWriter<N> {
    pub(super) fn new(bits: VaryingBits) -> Self {
        Self {
            bits,
            len: 0,
            firsts: Vec::new(),
            offsets: vec![0],
            pages: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Appends keys that ascend, without duplicates.
    pub(super) fn push(&mut self, mut keys: &[[u64; N]]) {
        self.len += keys.len() as u64;
        let page = PAGE_KEYS as usize;
        if !self.rest.is_empty() {
            let (head, tail) = keys.split_at(keys.len().min(page - self.rest.len()));
            self.rest.extend_from_slice(head);
            keys = tail;
            if self.rest.len() == page {
                let full = std::mem::take(&mut self.rest);
                self.write(&full);
            }
        }
        let (full, rest) = keys.split_at(keys.len() / page * page);
        self.write(full);
        self.rest.extend_from_slice(rest);
    }

    fn write(&mut self, keys: &[[u64; N]]) {
        let key_bytes = self.bits.key_bytes();
        let pages: Vec<Vec<u8>> =
            keys.par_chunks(PAGE_KEYS as usize).map(|keys| encode_page(keys, key_bytes)).collect();
        self.firsts.extend(keys.iter().step_by(PAGE_KEYS as usize).map(resized));
        for page in pages {
            self.pages.extend_from_slice(&page);
            self.offsets.push(self.pages.len() as u64);
        }
    }

    /// Returns the set, if it has a key.
    pub(super) fn finish(mut self) -> Option<KeySet> {
        let rest = std::mem::take(&mut self.rest);
        self.write(&rest);
        let Self { bits, len, firsts, offsets, mut pages, .. } = self;
        pages.shrink_to_fit();
        (len > 0).then_some(KeySet { index: KeyIndex { bits, len, firsts, offsets }, pages })
    }
}
