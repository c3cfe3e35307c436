//! The keys of all positions of a table, compressed, in memory.

use std::ops::Range;

use hindsight_core::{MOST_WORDS, Packed};
use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};
use rayon::prelude::*;

use super::block::{BlockKeys, encode_block};
use super::limbs::{MOST_LIMBS, compare, resized};
use super::varying::{VaryingBits, WideKey};
use crate::error::TableError;

/// Keys of a block; the last one may have fewer.
const BLOCK_KEYS: u64 = 256;
/// Blocks of a page; the last one may have fewer.
const PAGE_BLOCKS: u64 = 64;
/// Keys of a page.
pub(crate) const PAGE_KEYS: u64 = BLOCK_KEYS * PAGE_BLOCKS;
/// Bytes of the length of a block.
const LENGTH_BYTES: usize = 2;
/// Most bytes of the top of a key section: a page a key would take less.
const MOST_KEYS: u64 = 1 << 40;

/// Sorted keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeySet {
    bits: VaryingBits,
    len: u64,
    /// First key of each page.
    firsts: Vec<WideKey>,
    /// Offset of each page, and the end.
    offsets: Vec<usize>,
    /// Pages: for each block its first key and its length in bytes; the blocks; a checksum.
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

/// A block of keys, in its page.
struct Block<'a> {
    first: WideKey,
    bytes: &'a [u8],
    keys: u64,
}

impl KeySet {
    /// Takes sorted keys without duplicates, of which there is one at least.
    pub(super) fn of_sorted<const N: usize>(bits: VaryingBits, keys: &[[u64; N]]) -> Self {
        let pages: Vec<Vec<u8>> = keys
            .par_chunks(PAGE_KEYS as usize)
            .map(|keys| encode_page(keys, bits.key_bytes()))
            .collect();
        let firsts = keys.iter().step_by(PAGE_KEYS as usize).map(resized).collect();
        let mut offsets = vec![0];
        offsets.extend(pages.iter().scan(0, |end, page| {
            *end += page.len();
            Some(*end)
        }));
        Self { bits, len: keys.len() as u64, firsts, offsets, pages: pages.concat() }
    }

    /// Returns the number of keys.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of the key of a position; `None` if it is not there.
    #[inline]
    pub(crate) fn find(&self, position: &Packed) -> Option<u64> {
        let key = self.bits.key(position)?;
        match self.limbs() {
            1 => self.find_narrow::<1>(&key),
            2 => self.find_narrow::<2>(&key),
            _ => self.find_narrow::<MOST_LIMBS>(&key),
        }
    }

    fn limbs(&self) -> usize {
        match self.bits.key_bits() {
            ..=64 => 1,
            65..=128 => 2,
            _ => MOST_LIMBS,
        }
    }

    fn find_narrow<const N: usize>(&self, key: &WideKey) -> Option<u64> {
        let page = self.firsts.partition_point(|first| compare(first, key).is_le());
        let page = page.checked_sub(1)?;
        let (number, block) = self.block_of(page, key);
        let keys = BlockKeys::<N>::new(block.bytes, resized(&block.first));
        let found = keys.find(&resized(key), block.keys as u32)?;
        Some(page as u64 * PAGE_KEYS + number * BLOCK_KEYS + u64::from(found))
    }

    fn page_keys(&self, page: usize) -> u64 {
        (self.len - page as u64 * PAGE_KEYS).min(PAGE_KEYS)
    }

    fn page(&self, page: usize) -> Page<'_> {
        let bytes = &self.pages[self.offsets[page]..self.offsets[page + 1]];
        Page { bytes, key_bytes: self.bits.key_bytes(), keys: self.page_keys(page) }
    }

    /// Returns the block of a page that may have a key, and its number.
    fn block_of(&self, page: usize, key: &WideKey) -> (u64, Block<'_>) {
        let page = self.page(page);
        let (mut low, mut high) = (0, page.blocks());
        while high - low > 1 {
            let middle = low.midpoint(high);
            if compare(&page.first(middle), key).is_le() {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low, page.block(low))
    }

    /// Calls a function with the number and the position of each key of a range, until it returns
    /// false.
    pub(crate) fn each(&self, ranks: Range<u64>, visit: &mut dyn FnMut(u64, Packed) -> bool) {
        match self.limbs() {
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
        let end = ranks.end.min(self.len);
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
                if !visit(rank, self.bits.position(&resized(keys.key()))) {
                    return;
                }
                rank += 1;
                if rank < block_end {
                    keys.read();
                }
            }
        }
    }

    /// Returns the position of a key by its number.
    pub(crate) fn get(&self, rank: u64) -> Option<Packed> {
        let mut found = None;
        self.each(rank..rank.checked_add(1)?, &mut |_, position| {
            found = Some(position);
            false
        });
        found
    }

    /// Returns the lengths of the parts of the section.
    pub(crate) fn sections(&self) -> KeySections {
        KeySections { top: self.top().len() as u64, pages: self.pages.len() as u64 }
    }

    /// Returns the bytes of the top.
    pub(crate) fn top(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let (common, varying) = self.bits.words();
        for words in [common, varying] {
            for word in words {
                out.extend_from_slice(&word.to_le_bytes());
            }
        }
        put_varint(&mut out, self.len);
        for (first, lengths) in self.firsts.iter().zip(self.offsets.windows(2)) {
            put_key(&mut out, first, self.bits.key_bytes());
            put_varint(&mut out, (lengths[1] - lengths[0]) as u64);
        }
        push_checksum(&mut out, 0);
        out
    }

    /// Returns the bytes of the pages.
    pub(crate) fn pages(&self) -> &[u8] {
        &self.pages
    }

    /// Reads the bytes of [`KeySet::top`], and takes those of the pages. Their checksums are
    /// compared, but not all keys looked at.
    ///
    /// # Errors
    /// [`TableError::Damaged`] with the first fault.
    pub(crate) fn read(top: &[u8], pages: Vec<u8>) -> Result<Self, TableError> {
        let subject = "the top of the keys";
        let mut cursor = Cursor::new(split_checksum(top, subject)?, subject);
        let mut words = || -> Result<[u32; MOST_WORDS], TableError> {
            let mut words = [0; MOST_WORDS];
            for word in &mut words {
                *word = cursor.u32()?;
            }
            Ok(words)
        };
        let (common, varying) = (words()?, words()?);
        let bits = VaryingBits::new(common, varying);
        let len = cursor.varint()?;
        let bound = 1_u64.checked_shl(bits.key_bits()).unwrap_or(u64::MAX);
        let is_possible = bits.words() == (common, varying) && len > 0 && len <= MOST_KEYS;
        if !is_possible || len > bound {
            return Err(cursor.fail("a number of keys that cannot be").into());
        }
        let (mut firsts, mut offsets) = (Vec::new(), vec![0]);
        for _ in 0..len.div_ceil(PAGE_KEYS) {
            firsts.push(take_key(cursor.take(bits.key_bytes())?));
            let end = offsets.last().copied().unwrap_or(0) as u64;
            let end = end.checked_add(cursor.varint()?).filter(|&end| end <= pages.len() as u64);
            offsets.push(end.ok_or_else(|| cursor.fail("pages past their end"))? as usize);
        }
        let ends_right = offsets.last() == Some(&pages.len());
        let ascends = firsts.is_sorted_by(|a, b| compare(a, b).is_lt());
        if !ends_right || !ascends {
            return Err(cursor.fail("pages of other lengths, or out of order").into());
        }
        cursor.end()?;
        let keys = Self { bits, len, firsts, offsets, pages };
        let numbers = (0..keys.firsts.len()).into_par_iter();
        numbers.try_for_each(|page| keys.check_page(page))?;
        Ok(keys)
    }

    /// Checks the checksum of a page, and its first keys and lengths.
    fn check_page(&self, number: usize) -> Result<(), TableError> {
        let page = self.page(number);
        let fail = || TableError::damaged(format!("page {number} of the keys is damaged"));
        split_checksum(page.bytes, "a page of the keys").map_err(|_| fail())?;
        let entries = page.blocks() * page.entry_bytes() as u64;
        let lengths = (0..page.blocks()).map(|block| page.length(block) as u64).sum::<u64>();
        // The entries come first, so their bytes are looked at after their number is known to fit.
        let is_whole = page.bytes.len() as u64 == entries + lengths + 4;
        let firsts = (0..page.blocks()).map(|block| page.first(block));
        let ascends = firsts.is_sorted_by(|a, b| compare(a, b).is_lt());
        let begins = is_whole && page.first(0) == self.firsts[number];
        if begins && ascends { Ok(()) } else { Err(fail()) }
    }

    /// Checks that the keys of a page ascend, and that its blocks have no other bytes.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if not.
    pub(crate) fn check_keys(&self, page: usize) -> Result<(), TableError> {
        let is_right = match self.limbs() {
            1 => self.are_sorted::<1>(page),
            2 => self.are_sorted::<2>(page),
            _ => self.are_sorted::<MOST_LIMBS>(page),
        };
        let fail = || TableError::damaged(format!("the keys of page {page} do not ascend"));
        if is_right { Ok(()) } else { Err(fail()) }
    }

    pub(crate) fn page_count(&self) -> usize {
        self.firsts.len()
    }

    fn are_sorted<const N: usize>(&self, number: usize) -> bool {
        let page = self.page(number);
        let after = self.firsts.get(number + 1).copied();
        (0..page.blocks()).all(|block| {
            let next = if block + 1 < page.blocks() { Some(page.first(block + 1)) } else { after };
            let block = page.block(block);
            let mut keys = BlockKeys::<N>::new(block.bytes, resized(&block.first));
            let mut last: [u64; N] = resized(&block.first);
            for _ in 1..block.keys {
                keys.read();
                if compare(keys.key(), &last).is_le() {
                    return false;
                }
                last = *keys.key();
            }
            let last: WideKey = resized(&last);
            let is_within = super::limbs::bit_length(&last) <= self.bits.key_bits();
            let is_before = next.is_none_or(|next| compare(&last, &next).is_lt());
            keys.is_at_end() && is_within && is_before
        })
    }
}

/// Bytes of a page, with what is needed to read them.
#[derive(Clone, Copy)]
struct Page<'a> {
    bytes: &'a [u8],
    key_bytes: usize,
    keys: u64,
}

impl<'a> Page<'a> {
    fn blocks(self) -> u64 {
        self.keys.div_ceil(BLOCK_KEYS)
    }

    fn entry_bytes(self) -> usize {
        self.key_bytes + LENGTH_BYTES
    }

    fn entry(self, block: u64) -> &'a [u8] {
        let begin = block as usize * self.entry_bytes();
        self.bytes.get(begin..begin + self.entry_bytes()).unwrap_or_default()
    }

    /// Returns the first key of a block.
    fn first(self, block: u64) -> WideKey {
        take_key(self.entry(block).get(..self.key_bytes).unwrap_or_default())
    }

    /// Returns the bytes of a block.
    fn length(self, block: u64) -> usize {
        match self.entry(block).get(self.key_bytes..) {
            Some(&[low, high]) => u16::from_le_bytes([low, high]).into(),
            _ => 0,
        }
    }

    fn block(self, block: u64) -> Block<'a> {
        let begin = self.blocks() as usize * self.entry_bytes();
        let begin = begin + (0..block).map(|before| self.length(before)).sum::<usize>();
        Block {
            first: self.first(block),
            bytes: self.bytes.get(begin..begin + self.length(block)).unwrap_or_default(),
            keys: BLOCK_KEYS.min(self.keys - block * BLOCK_KEYS),
        }
    }
}

fn encode_page<const N: usize>(keys: &[[u64; N]], key_bytes: usize) -> Vec<u8> {
    let (mut entries, mut blocks) = (Vec::new(), Vec::new());
    for keys in keys.chunks(BLOCK_KEYS as usize) {
        let block = encode_block(keys);
        put_key(&mut entries, &resized(&keys[0]), key_bytes);
        let length = u16::try_from(block.len()).expect("256 keys take less than 64 KiB");
        entries.extend_from_slice(&length.to_le_bytes());
        blocks.extend_from_slice(&block);
    }
    entries.extend_from_slice(&blocks);
    push_checksum(&mut entries, 0);
    entries
}

fn put_key(out: &mut Vec<u8>, key: &WideKey, bytes: usize) {
    out.extend(key.iter().flat_map(|limb| limb.to_le_bytes()).take(bytes));
}

fn take_key(bytes: &[u8]) -> WideKey {
    let mut all = [0; 8 * MOST_LIMBS];
    all[..bytes.len()].copy_from_slice(bytes);
    let limbs = all.as_chunks::<8>().0;
    std::array::from_fn(|i| u64::from_le_bytes(limbs[i]))
}
