//! Blocks between their packed form and board order.

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

    /// How many are before a square.
    #[inline(always)]
    pub(super) fn before(&self, square: usize) -> usize {
        (self.set & ((1 << square) - 1)).count_ones() as usize
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> &[u8] {
        &self.list[..self.len]
    }
}

/// The 64 bits from the byte of a bit on, moved so that it is the lowest: at least 57 of them.
#[inline(always)]
fn bits_from(bytes: &[u8], bit: usize) -> u64 {
    let begin = bit >> 3;
    let eight = bytes[begin..].first_chunk().expect("room after a block");
    u64::from_le_bytes(*eight) >> (bit & 7)
}

/// Two rows fit the bits that are read at once.
const MOST_PAIRED: usize = 28;

/// Puts lanes of a packed block in board order. Rows that are not free are left alone.
#[inline(always)]
pub(super) fn unpack<C: Cpu, const R: usize>(
    packed: &[u8],
    free: &Free,
    first: usize,
    out: &mut [Lane<R>],
) {
    for (lane, out) in (first..).zip(out) {
        unpack_lane::<C, R>(packed, free, lane, out);
    }
}

/// Puts one lane of a packed block in board order.
#[inline(always)]
pub(super) fn unpack_lane<C: Cpu, const R: usize>(
    packed: &[u8],
    free: &Free,
    lane: usize,
    out: &mut Lane<R>,
) {
    let set = u64::from(free.set);
    let twice = set << 32 | set;
    let rows = free.rows();
    let len = free.len;
    let mut bit = lane * len * len;
    let single = if len <= MOST_PAIRED {
        let (pairs, rest) = rows.as_chunks::<2>();
        for &[a, b] in pairs {
            let both = C::deposit(bits_from(packed, bit), twice);
            out[usize::from(a) % R] = both as u32;
            out[usize::from(b) % R] = (both >> 32) as u32;
            bit += 2 * len;
        }
        rest
    } else {
        rows
    };
    for &row in single {
        out[usize::from(row) % R] = C::deposit(bits_from(packed, bit), set) as u32;
        bit += len;
    }
}

/// One row of a packed block: word by word in all lanes.
#[inline(always)]
pub(super) fn unpack_row<C: Cpu>(
    packed: &[u8],
    free: &Free,
    row: usize,
    lanes: usize,
    mut out: impl FnMut(usize, u32),
) {
    let len = free.len;
    let before = free.before(row);
    for lane in 0..lanes {
        let bit = (lane * len + before) * len;
        let word = C::deposit(bits_from(packed, bit), free.set.into()) as u32;
        out(lane, word);
    }
}

/// Packs a block; bits of squares that are not free are dropped. Writes up to eight bytes after it.
#[inline(always)]
pub(super) fn pack<C: Cpu, const R: usize>(lanes: &[Lane<R>], free: &Free, out: &mut [u8]) {
    let set = u64::from(free.set);
    let twice = set << 32 | set;
    let rows = free.rows();
    let len = free.len;
    let mut to = Packer {
        out,
        word: 0,
        used: 0,
        at: 0,
    };
    for lane in lanes {
        let single = if len <= MOST_PAIRED {
            let (pairs, rest) = rows.as_chunks::<2>();
            for &[a, b] in pairs {
                let low = u64::from(lane[usize::from(a) % R]);
                let high = u64::from(lane[usize::from(b) % R]);
                to.push(C::extract(high << 32 | low, twice), 2 * len);
            }
            rest
        } else {
            rows
        };
        for &row in single {
            to.push(C::extract(lane[usize::from(row) % R].into(), set), len);
        }
    }
}

/// Puts bits one after the other.
struct Packer<'a> {
    out: &'a mut [u8],
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

/// One word of a packed block with these free squares.
#[inline(always)]
pub(super) fn word_of<C: Cpu>(packed: &[u8], free: u32, lane: usize, row: usize) -> u32 {
    let len = free.count_ones() as usize;
    let before = (free & ((1 << row) - 1)).count_ones() as usize;
    let bit = (lane * len + before) * len;
    C::deposit(bits_from(packed, bit), free.into()) as u32
}

/// Flips bits of one word of a packed block.
#[inline(always)]
pub(super) fn flip<C: Cpu>(packed: &mut [u8], free: &Free, lane: usize, row: usize, bits: u32) {
    let bit = (lane * free.len + free.before(row)) * free.len;
    let mut rest = C::extract(bits.into(), free.set.into()) << (bit & 7);
    let mut at = bit >> 3;
    // Bits of a word span at most five bytes; those of the last need no byte beyond the block.
    while rest != 0 {
        packed[at] ^= rest as u8;
        rest >>= 8;
        at += 1;
    }
}

/// What becomes of a block by what was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    /// It gets the bits that are found.
    Set,
    /// It loses the bits that are found.
    Clear,
}

/// Takes what was found into a block; of `found` only what is new is left. How many bits that is.
#[inline(always)]
pub(super) fn merge(block: &mut [u8], found: &mut [u8], how: Merge) -> u64 {
    let flipped = if how == Merge::Set { u64::MAX } else { 0 };
    let mut count = 0;
    let found = &mut found[..block.len()];
    let (olds, old_rest) = block.as_chunks_mut::<8>();
    let (founds, found_rest) = found.as_chunks_mut::<8>();
    for (old, found) in olds.iter_mut().zip(founds) {
        let before = u64::from_le_bytes(*old);
        let new = u64::from_le_bytes(*found) & (before ^ flipped);
        count += u64::from(new.count_ones());
        *old = (before ^ new).to_le_bytes();
        *found = new.to_le_bytes();
    }
    for (old, found) in old_rest.iter_mut().zip(found_rest) {
        *found &= *old ^ flipped as u8;
        count += u64::from(found.count_ones());
        *old ^= *found;
    }
    count
}
