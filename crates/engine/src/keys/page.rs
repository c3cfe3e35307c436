//! Pages of keys: for each block its first key and its length in bytes; the blocks; a checksum.

use super::block::{BlockKeys, encode_block};
use super::limbs::{MOST_LIMBS, bit_length, compare, resized};
use super::varying::WideKey;
use crate::checkpoint::bytes::{push_checksum, split_checksum};

/// Keys of a block; the last one may have fewer.
pub(super) const BLOCK_KEYS: u64 = 256;
/// Blocks of a page; the last one may have fewer.
const PAGE_BLOCKS: u64 = 64;
/// Keys of a page.
pub(super) const PAGE_KEYS: u64 = BLOCK_KEYS * PAGE_BLOCKS;
/// Bytes of the length of a block.
const LENGTH_BYTES: usize = 2;

/// Bytes of a page, with what is needed to read them.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) bytes: &'a [u8],
    /// Bytes of a key.
    pub(super) key_bytes: usize,
    /// Number of keys.
    pub(super) keys: u64,
}

/// Block of keys in its page.
pub(super) struct Block<'a> {
    pub(super) first: WideKey,
    pub(super) bytes: &'a [u8],
    pub(super) keys: u64,
}

impl<'a> Page<'a> {
    pub(super) fn blocks(self) -> u64 {
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
    pub(super) fn first(self, block: u64) -> WideKey {
        take_key(self.entry(block).get(..self.key_bytes).unwrap_or_default())
    }

    /// Returns the bytes of a block.
    fn length(self, block: u64) -> usize {
        match self.entry(block).get(self.key_bytes..) {
            Some(&[low, high]) => u16::from_le_bytes([low, high]).into(),
            _ => 0,
        }
    }

    pub(super) fn block(self, block: u64) -> Block<'a> {
        let begin = self.blocks() as usize * self.entry_bytes();
        let begin = begin + (0..block).map(|before| self.length(before)).sum::<usize>();
        Block {
            first: self.first(block),
            bytes: self.bytes.get(begin..begin + self.length(block)).unwrap_or_default(),
            keys: BLOCK_KEYS.min(self.keys - block * BLOCK_KEYS),
        }
    }

    /// Returns the number of the block that may have a key, which is not before the page.
    pub(super) fn block_of(self, key: &WideKey) -> u64 {
        let (mut low, mut high) = (0, self.blocks());
        while high - low > 1 {
            let middle = low.midpoint(high);
            if compare(&self.first(middle), key).is_le() {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the number of a key within the page.
    pub(super) fn find<const N: usize>(self, key: &WideKey) -> Option<u64> {
        let number = self.block_of(key);
        let block = self.block(number);
        let keys = BlockKeys::<N>::new(block.bytes, resized(&block.first));
        let found = keys.find(&resized(key), block.keys as u32)?;
        Some(number * BLOCK_KEYS + u64::from(found))
    }

    /// Returns the key of a number within the page.
    pub(super) fn get<const N: usize>(self, number: u64) -> WideKey {
        let block = self.block(number / BLOCK_KEYS);
        let mut keys = BlockKeys::<N>::new(block.bytes, resized(&block.first));
        (0..number % BLOCK_KEYS).for_each(|_| keys.read());
        resized(keys.key())
    }

    /// Returns true if the checksum is right, and the first keys and lengths may be. `first` is the
    /// first key.
    pub(super) fn is_whole(self, first: &WideKey) -> bool {
        let entries = self.blocks() * self.entry_bytes() as u64;
        let lengths = (0..self.blocks()).map(|block| self.length(block) as u64).sum::<u64>();
        let firsts = (0..self.blocks()).map(|block| self.first(block));
        split_checksum(self.bytes, "a page of the keys").is_ok()
            && self.bytes.len() as u64 == entries + lengths + 4
            && firsts.is_sorted_by(|a, b| compare(a, b).is_lt())
            && self.first(0) == *first
    }

    /// Returns true if the keys ascend, have `key_bits` at most, and end before `after`, and the
    /// blocks have no other bytes.
    pub(super) fn is_sorted<const N: usize>(self, after: Option<WideKey>, key_bits: u32) -> bool {
        (0..self.blocks()).all(|number| {
            let next =
                if number + 1 < self.blocks() { Some(self.first(number + 1)) } else { after };
            let block = self.block(number);
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
            let is_before = next.is_none_or(|next| compare(&last, &next).is_lt());
            keys.is_at_end() && bit_length(&last) <= key_bits && is_before
        })
    }
}

pub(super) fn encode_page<const N: usize>(keys: &[[u64; N]], key_bytes: usize) -> Vec<u8> {
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

pub(super) fn put_key(out: &mut Vec<u8>, key: &WideKey, bytes: usize) {
    out.extend(key.iter().flat_map(|limb| limb.to_le_bytes()).take(bytes));
}

pub(super) fn take_key(bytes: &[u8]) -> WideKey {
    let mut all = [0; 8 * MOST_LIMBS];
    all[..bytes.len()].copy_from_slice(bytes);
    let limbs = all.as_chunks::<8>().0;
    std::array::from_fn(|i| u64::from_le_bytes(limbs[i]))
}
