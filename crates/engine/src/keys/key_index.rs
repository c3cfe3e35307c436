//! The top of a set of keys: their form, and the first key of each page.

use std::ops::Range;

use hindsight_core::{MOST_WORDS, Packed};

use super::limbs::{MOST_LIMBS, compare};
use super::page::{PAGE_KEYS, Page, put_key, take_key};
use super::varying::{VaryingBits, WideKey};
use crate::checkpoint::Damage;
use crate::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};

/// Most keys of a set.
const MOST_KEYS: u64 = 1 << 40;

/// Finds the page that may have a position, in bytes that are elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyIndex {
    pub(super) bits: VaryingBits,
    pub(super) len: u64,
    /// First key of each page.
    pub(super) firsts: Vec<WideKey>,
    /// Offset of each page, and the end.
    pub(super) offsets: Vec<u64>,
}

impl KeyIndex {
    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of pages.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.firsts.len()
    }

    /// Returns the bytes of a page, by their offsets.
    #[must_use]
    pub fn bytes_of(&self, page: usize) -> Range<u64> {
        self.offsets[page]..self.offsets[page + 1]
    }

    /// Returns the page that has a position if any has.
    #[must_use]
    #[inline]
    pub fn page_of(&self, position: &Packed) -> Option<usize> {
        self.page_of_key(&self.bits.key(position)?)
    }

    #[inline]
    pub(super) fn page_of_key(&self, key: &WideKey) -> Option<usize> {
        self.firsts.partition_point(|first| compare(first, key).is_le()).checked_sub(1)
    }

    /// Returns the number of a position whose page is `number`, with these bytes.
    #[must_use]
    #[inline]
    pub fn find_in(&self, number: usize, bytes: &[u8], position: &Packed) -> Option<u64> {
        let (page, key) = (self.page(number, bytes), self.bits.key(position)?);
        let found = match self.limbs() {
            1 => page.find::<1>(&key),
            2 => page.find::<2>(&key),
            _ => page.find::<MOST_LIMBS>(&key),
        };
        found.map(|found| number as u64 * PAGE_KEYS + found)
    }

    /// Returns the page that has a number.
    #[must_use]
    pub fn page_of_rank(&self, rank: u64) -> Option<usize> {
        (rank < self.len).then_some((rank / PAGE_KEYS) as usize)
    }

    /// Returns the position of a number whose page is `number`, with these bytes.
    #[must_use]
    pub fn get_in(&self, number: usize, bytes: &[u8], rank: u64) -> Packed {
        let (page, rank) = (self.page(number, bytes), rank % PAGE_KEYS);
        let key = match self.limbs() {
            1 => page.get::<1>(rank),
            2 => page.get::<2>(rank),
            _ => page.get::<MOST_LIMBS>(rank),
        };
        self.bits.position(&key)
    }

    /// Checks the checksum of a page, and its first keys and lengths.
    ///
    /// # Errors
    /// [`Damage`] if they are wrong.
    pub fn check_page(&self, number: usize, bytes: &[u8]) -> Result<(), Damage> {
        if self.page(number, bytes).is_whole(&self.firsts[number]) {
            return Ok(());
        }
        Err(Damage(format!("page {number} of the keys is damaged")))
    }

    /// Returns the words of 64 bits in which keys are read.
    pub(super) fn limbs(&self) -> usize {
        limbs_of(self.bits.key_bits())
    }

    pub(super) fn page<'a>(&self, number: usize, bytes: &'a [u8]) -> Page<'a> {
        let keys = (self.len - number as u64 * PAGE_KEYS).min(PAGE_KEYS);
        Page { bytes, key_bytes: self.bits.key_bytes(), keys }
    }

    /// Returns the index as bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
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
            put_varint(&mut out, lengths[1] - lengths[0]);
        }
        push_checksum(&mut out, 0);
        out
    }

    /// Reads the bytes of [`KeyIndex::encode`], for pages of a number of bytes.
    ///
    /// # Errors
    /// [`Damage`] with the first fault.
    pub fn decode(top: &[u8], page_bytes: u64) -> Result<Self, Damage> {
        let subject = "the top of the keys";
        let mut cursor = Cursor::new(split_checksum(top, subject)?, subject);
        let mut words = || -> Result<[u32; MOST_WORDS], Damage> {
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
            return Err(cursor.fail("a number of keys that cannot be"));
        }
        let (mut firsts, mut offsets) = (Vec::new(), vec![0]);
        for _ in 0..len.div_ceil(PAGE_KEYS) {
            firsts.push(take_key(cursor.take(bits.key_bytes())?));
            let end = offsets.last().copied().unwrap_or(0_u64);
            let end = end.checked_add(cursor.varint()?).filter(|&end| end <= page_bytes);
            offsets.push(end.ok_or_else(|| cursor.fail("pages past their end"))?);
        }
        let ends_right = offsets.last() == Some(&page_bytes);
        let ascends = firsts.is_sorted_by(|a, b| compare(a, b).is_lt());
        if !ends_right || !ascends {
            return Err(cursor.fail("pages of other lengths, or out of order"));
        }
        cursor.end()?;
        Ok(Self { bits, len, firsts, offsets })
    }
}

/// Returns the words of 64 bits in which keys of some bits are read.
pub(super) fn limbs_of(key_bits: u32) -> usize {
    match key_bits {
        ..=64 => 1,
        65..=128 => 2,
        _ => MOST_LIMBS,
    }
}
