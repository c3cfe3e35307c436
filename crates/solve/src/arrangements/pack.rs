//! Lanes of blocks between their packed form and board order.

use super::cpu::Cpu;
use super::words::Lane;

/// The squares that are free in a block, which give its packed form a meaning.
pub(super) struct Free {
    pub(super) set: u32,
    list: [u8; 32],
    /// How many there are.
    pub(super) len: usize,
}

impl Free {
    #[inline(always)]
    pub(super) fn new(set: u32) -> Self {
        let mut list = [0; 32];
        let mut len = 0;
        let mut rest = set;
        while rest != 0 {
            list[len] = rest.trailing_zeros() as u8;
            len += 1;
            rest &= rest - 1;
        }
        Self { set, list, len }
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> &[u8] {
        &self.list[..self.len]
    }

    /// Bytes of a packed lane.
    #[inline(always)]
    pub(super) fn bytes(&self) -> usize {
        (self.len * self.len).div_ceil(8)
    }
}

/// The 64 bits from the byte of a bit on, moved so that it is the lowest: at least 57 of them.
#[inline(always)]
fn bits_from(bytes: &[u8], bit: usize) -> u64 {
    let begin = bit >> 3;
    let eight = bytes[begin..].first_chunk().expect("room after a lane");
    u64::from_le_bytes(*eight) >> (bit & 7)
}

/// Two rows fit the bits that are read at once.
const MOST_PAIRED: usize = 28;

/// Puts a packed lane in board order. Rows that are not free are left alone.
#[inline(always)]
pub(super) fn unpack<C: Cpu, const R: usize>(packed: &[u8], free: &Free, out: &mut Lane<R>) {
    let set = u64::from(free.set);
    let twice = set << 32 | set;
    let len = free.len;
    let mut bit = 0;
    let mut single = free.rows();
    if len <= MOST_PAIRED {
        let (pairs, rest) = single.as_chunks::<2>();
        for &[a, b] in pairs {
            let both = C::deposit(bits_from(packed, bit), twice);
            out[usize::from(a) % R] = both as u32;
            out[usize::from(b) % R] = (both >> 32) as u32;
            bit += 2 * len;
        }
        single = rest;
    }
    for &row in single {
        out[usize::from(row) % R] = C::deposit(bits_from(packed, bit), set) as u32;
        bit += len;
    }
}

/// Bytes of the longest packed lane, 32 rows of 32 bits, and eight more.
const LONGEST: usize = 32 * 32 / 8 + 8;

/// A packed lane, then zeros up to eight bytes from its last.
pub(super) struct Packed([u8; LONGEST]);

impl Default for Packed {
    fn default() -> Self {
        Self([0; LONGEST])
    }
}

impl Packed {
    /// Packs a lane; bits of squares that are not free are dropped.
    #[inline(always)]
    pub(super) fn pack<C: Cpu, const R: usize>(&mut self, lane: &Lane<R>, free: &Free) {
        let set = u64::from(free.set);
        let twice = set << 32 | set;
        let len = free.len;
        let mut to = Packer {
            out: &mut self.0,
            word: 0,
            used: 0,
            at: 0,
        };
        let mut single = free.rows();
        if len <= MOST_PAIRED {
            let (pairs, rest) = single.as_chunks::<2>();
            for &[a, b] in pairs {
                let low = u64::from(lane[usize::from(a) % R]);
                let high = u64::from(lane[usize::from(b) % R]);
                to.push(C::extract(high << 32 | low, twice), 2 * len);
            }
            single = rest;
        }
        for &row in single {
            to.push(C::extract(lane[usize::from(row) % R].into(), set), len);
        }
    }

    /// The packed lane itself.
    #[inline(always)]
    pub(super) fn bytes(&self, free: &Free) -> &[u8] {
        &self.0[..free.bytes()]
    }

    /// Takes what was found into a lane; how many bits are new. What is left is what is new.
    #[inline(always)]
    pub(super) fn merge(&mut self, lane: &mut [u8], how: Merge) -> u64 {
        let flipped = if how == Merge::Set { u64::MAX } else { 0 };
        let mut count = 0;
        let mut merge = |old: &mut [u8; 8], at: usize, done: u64| {
            let found = self.0[at..].first_chunk_mut().expect("room after a lane");
            let before = u64::from_le_bytes(*old);
            let known = u64::from_le_bytes(*found);
            let new = known & (before ^ flipped) & !done;
            count += u64::from(new.count_ones());
            *old = (before ^ new).to_le_bytes();
            *found = (known & done | new).to_le_bytes();
        };
        let len = lane.len();
        let (words, rest) = lane.as_chunks_mut::<8>();
        let rest = rest.len();
        for (i, word) in words.iter_mut().enumerate() {
            merge(word, 8 * i, 0);
        }
        if rest == 0 {
            return count;
        }
        if let Some(last) = lane.last_chunk_mut() {
            merge(last, len - 8, u64::MAX >> (8 * rest));
        } else {
            let mut eight = [0; 8];
            eight[..len].copy_from_slice(lane);
            // Beyond the lane nothing is found.
            merge(&mut eight, 0, 0);
            lane.copy_from_slice(&eight[..len]);
        }
        count
    }

    /// The lane in board order. Rows that are not free are left alone.
    #[inline(always)]
    pub(super) fn unpack<C: Cpu, const R: usize>(&self, free: &Free, out: &mut Lane<R>) {
        unpack::<C, R>(&self.0, free, out);
    }
}

/// Puts bits one after the other.
struct Packer<'a> {
    out: &'a mut [u8; LONGEST],
    word: u64,
    /// Bits of the word that are used, fewer than eight.
    used: usize,
    at: usize,
}

impl Packer<'_> {
    /// Puts the lowest `n` bits, at most 56; the others are 0.
    #[inline(always)]
    fn push(&mut self, bits: u64, n: usize) {
        self.word |= bits << self.used;
        let eight = self.out[self.at..].first_chunk_mut().expect("room");
        *eight = self.word.to_le_bytes();
        let used = self.used + n;
        self.at += used >> 3;
        self.word >>= used & !7;
        self.used = used & 7;
    }
}

/// What becomes of a lane by what was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    /// It gets the bits that are found.
    Set,
    /// It loses the bits that are found.
    Clear,
}

/// Where the bits of a row of a packed lane begin.
#[inline(always)]
fn bit_of(free: u32, row: usize) -> usize {
    let before = (free & ((1 << row) - 1)).count_ones() as usize;
    before * free.count_ones() as usize
}

/// One word of a packed lane with these free squares.
#[inline(always)]
pub(super) fn word_of<C: Cpu>(packed: &[u8], free: u32, row: usize) -> u32 {
    C::deposit(bits_from(packed, bit_of(free, row)), free.into()) as u32
}

/// As [`word_of`], of a lane with nothing after it.
#[inline(always)]
pub(super) fn word_at_end<C: Cpu>(packed: &[u8], free: u32, row: usize) -> u32 {
    let bit = bit_of(free, row);
    let begin = (bit >> 3).min(packed.len().saturating_sub(8));
    let mut eight = [0; 8];
    match packed[begin..].first_chunk() {
        Some(chunk) => eight = *chunk,
        None => eight[..packed.len()].copy_from_slice(packed),
    }
    C::deposit(u64::from_le_bytes(eight) >> (bit - 8 * begin), free.into()) as u32
}

/// Flips bits of one word of a packed lane.
#[inline(always)]
pub(super) fn flip<C: Cpu>(packed: &mut [u8], free: u32, row: usize, bits: u32) {
    let bit = bit_of(free, row);
    let mut rest = C::extract(bits.into(), free.into()) << (bit & 7);
    let mut at = bit >> 3;
    // Bits of a word span at most five bytes; those of the last need no byte beyond the lane.
    while rest != 0 {
        packed[at] ^= rest as u8;
        rest >>= 8;
        at += 1;
    }
}
