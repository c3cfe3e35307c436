//! Packing of lanes, from board order to planes and back.
//!
//! A packed lane has `f` lines of `f` bits, for `f` free squares: line `i` begins at bit `i * f`,
//! little endian, and the last byte is filled up with zeros. In board order line `s` is word `s`,
//! with the bit of each square at its number.

use crate::plane::lane_buffer::LaneLines;
use crate::simd::lane_codec::LaneCodec;
use crate::simd::token::{Simd, WIDE_WORDS};
use crate::space::mirror::Mirror;
use crate::space::sets::squares;

/// A lane in board order, as two wides.
pub(crate) type WideLane<S> = [<S as Simd>::Wide; 2];

#[inline(always)]
pub(crate) fn words_of_lane<S: Simd>(simd: S, wides: &WideLane<S>) -> [u32; 2 * WIDE_WORDS] {
    let mut words = [[0; WIDE_WORDS]; 2];
    simd.store(wides[0], &mut words[0]);
    simd.store(wides[1], &mut words[1]);
    let words = words.as_flattened().first_chunk();
    *words.expect("both halves")
}

#[inline(always)]
pub(crate) fn lane_of_words<S: Simd>(simd: S, words: &[u32; 2 * WIDE_WORDS]) -> WideLane<S> {
    // No closures, here and elsewhere: they would be compiled without the kernel's instruction set.
    let low = words.first_chunk().expect("half of them");
    let high = words.last_chunk().expect("half of them");
    [simd.load(low), simd.load(high)]
}

/// Free squares of a block, with tables for packing and unpacking its lanes.
pub(crate) struct FreeSquares<S: Simd, const R: usize> {
    /// The free squares.
    pub(crate) set: u32,
    pub(crate) count: usize,
    /// Codec for many lines at once, if the instruction set has one for these squares.
    pub(crate) codec: Option<S::Codec>,
    /// Otherwise, pairs of neighbouring lines.
    pairs: [LinePair; 16],
}

/// Lines `2 * i` and `2 * i + 1` of a packed lane. A line whose square is not free has no bits.
#[derive(Clone, Copy, Default)]
struct LinePair {
    /// Free squares for each of the two lines that is free: the first in the low half.
    mask: u64,
    /// Byte in which the first bit lies.
    byte: u16,
    /// Index of the first bit in that byte.
    shift: u16,
    /// Bits from the first byte of this pair to that of the next.
    advance: u16,
}

/// Most free squares with which two lines fit into the 57 bits that a read always has.
const MAX_PAIRED_SQUARES: usize = 28;

impl<S: Simd, const R: usize> FreeSquares<S, R> {
    /// Prepares the tables; cheap with a codec, some 16 steps without.
    #[inline(always)]
    pub(crate) fn new(simd: S, set: u32) -> Self {
        let count = set.count_ones() as usize;
        let codec = S::Codec::new(simd, set);
        let pairs = match codec {
            Some(_) => [LinePair::default(); 16],
            None => pairs::<R>(set, count),
        };
        Self { set, count, codec, pairs }
    }

    /// Free squares of a block whose mirror image is in memory; `set` are those of the block.
    ///
    /// Lines are unpacked in the order of the block.
    #[inline(always)]
    pub(crate) fn of_image(simd: S, mirror: &Mirror, set: u32) -> Self {
        let mut free = Self::new(simd, mirror.image(set));
        if let Some(codec) = &mut free.codec {
            *codec = codec.with_line_order(&mirror.square_images);
        }
        free
    }

    /// Bytes of a packed lane.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        (self.count * self.count).div_ceil(8)
    }

    /// Returns true if lines are handled in pairs.
    #[inline(always)]
    fn paired(&self) -> bool {
        R <= MAX_PAIRED_SQUARES || self.count <= MAX_PAIRED_SQUARES
    }
}

/// Pairs of lines, for the `count` free squares of `set`.
#[inline(always)]
fn pairs<const R: usize>(set: u32, count: usize) -> [LinePair; 16] {
    let mut pairs = [LinePair::default(); 16];
    let mut bit = 0;
    for (i, pair) in pairs.iter_mut().enumerate().take(R / 2) {
        let (low, high) = (set >> (2 * i) & 1, set >> (2 * i + 1) & 1);
        let next = bit + count * (low + high) as usize;
        let low = u64::from(set & low.wrapping_neg());
        let high = u64::from(set & high.wrapping_neg());
        *pair = LinePair {
            mask: high << 32 | low,
            byte: (bit >> 3) as u16,
            shift: (bit & 7) as u16,
            advance: (8 * ((next >> 3) - (bit >> 3))) as u16,
        };
        bit = next;
    }
    pairs
}

/// Returns true if all bytes are 0.
#[inline(always)]
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    let (eights, rest) = bytes.as_chunks();
    // In chunks, so that the loop is vectorized.
    let is_zero = |eights: &[[u8; 8]]| {
        let eights = eights.iter().copied().map(u64::from_le_bytes);
        eights.fold(0, |all, eight| all | eight) == 0
    };
    rest.iter().all(|&byte| byte == 0) && eights.chunks(16).all(is_zero)
}

/// Bytes of the longest packed lane, 32 lines of 32 bits, and eight more.
pub(crate) const MAX_LANE_BYTES: usize = 32 * 32 / 8 + 8;

/// A packed lane, and the bytes after it.
#[inline(always)]
fn lane_window(packed: &[u8]) -> &[u8; MAX_LANE_BYTES] {
    packed.first_chunk().expect("room after a lane")
}

/// Bits from bit `shift` of a byte on, as the lowest bits of the result: 57 of them at least.
#[inline(always)]
fn bits_from(packed: &[u8; MAX_LANE_BYTES], byte: usize, shift: usize) -> u64 {
    // Changes nothing, as every byte of a lane is below: spares the bounds check.
    let byte = byte % (MAX_LANE_BYTES - 8);
    let eight = packed[byte..byte + 8].first_chunk().expect("eight bytes");
    u64::from_le_bytes(*eight) >> (shift & 7)
}

/// Unpacks a lane to board order. Lines whose square is not free become 0.
#[inline(always)]
pub(crate) fn unpack<S: Simd, const R: usize>(
    simd: S,
    packed: &[u8],
    free: &FreeSquares<S, R>,
    out: &mut LaneLines<R>,
) {
    let packed = lane_window(packed);
    if let Some(codec) = &free.codec {
        let lines = codec.unpack(packed.first_chunk().expect("a lane"));
        for half in 0..R.div_ceil(WIDE_WORDS) {
            codec.store_words(
                lines[half],
                &mut out[half * WIDE_WORDS..R.min(half * WIDE_WORDS + WIDE_WORDS)],
            );
        }
        return;
    }
    if !free.paired() {
        *out = [0; R];
        for (i, line) in squares(free.set).enumerate() {
            let bit = i * free.count;
            let bits = bits_from(packed, bit >> 3, bit & 7);
            out[line] = simd.deposit(bits, free.set.into()) as u32;
        }
        return;
    }
    for i in 0..R / 2 {
        let pair = free.pairs[i];
        let bits = bits_from(packed, pair.byte.into(), pair.shift.into());
        let both = simd.deposit(bits, pair.mask);
        out[2 * i] = both as u32;
        out[2 * i + 1] = (both >> 32) as u32;
    }
}

/// Unpacks a lane of the mirror image of a block, in the order of the block itself.
#[inline(always)]
pub(crate) fn unpack_image<S: Simd, const R: usize>(
    simd: S,
    mirror: &Mirror,
    packed: &[u8],
    free: &FreeSquares<S, R>,
    out: &mut LaneLines<R>,
) {
    if let Some(codec) = &free.codec {
        let lines = codec.unpack(lane_window(packed).first_chunk().expect("a lane"));
        for half in 0..R.div_ceil(WIDE_WORDS) {
            let line = mirror.image_words(simd, lines[half]);
            codec.store_words(
                line,
                &mut out[half * WIDE_WORDS..R.min(half * WIDE_WORDS + WIDE_WORDS)],
            );
        }
        return;
    }
    let mut image = [0; R];
    unpack::<S, R>(simd, packed, free, &mut image);
    let mut words = [0; 2 * WIDE_WORDS];
    for line in 0..R {
        words[line] = image[mirror.image_square(line)];
    }
    let lines = lane_of_words(simd, &words);
    let lines = [mirror.image_words(simd, lines[0]), mirror.image_words(simd, lines[1])];
    out.copy_from_slice(&words_of_lane(simd, &lines)[..R]);
}

/// Packs a lane into the first bytes of `out`, and overwrites some of the rest.
///
/// Bits of squares that are not free are dropped.
#[inline(always)]
pub(crate) fn pack<S: Simd, const R: usize>(
    simd: S,
    lane: &WideLane<S>,
    free: &FreeSquares<S, R>,
    out: &mut [u8; MAX_LANE_BYTES],
) {
    if let Some(codec) = &free.codec {
        codec.pack(*lane, out.first_chunk_mut().expect("a lane"));
        return;
    }
    let lane = words_of_lane(simd, lane);
    if !free.paired() {
        let mut to = BitPacker { out, word: 0, used: 0, at: 0 };
        for line in squares(free.set) {
            to.push(simd.extract(lane[line].into(), free.set.into()), free.count);
        }
        return;
    }
    let mut word = 0;
    for i in 0..R / 2 {
        let pair = free.pairs[i];
        let both = u64::from(lane[2 * i + 1]) << 32 | u64::from(lane[2 * i]);
        word |= simd.extract(both, pair.mask) << (pair.shift & 7);
        // Changes nothing, as in `bits_from`.
        let byte = usize::from(pair.byte) % (MAX_LANE_BYTES - 8);
        out[byte..byte + 8].copy_from_slice(&word.to_le_bytes());
        word >>= pair.advance & 63;
    }
}

/// Merges found positions into lanes; leaves in `found` only the new ones, and returns their
/// number.
#[inline(always)]
pub(crate) fn merge(found: &mut [u8], lanes: &mut [u8], mode: MergeMode) -> u64 {
    let mut count = 0;
    let found = &mut found[..lanes.len()];
    let (founds, found) = found.as_chunks_mut::<64>();
    let (wides, lanes) = lanes.as_chunks_mut::<64>();
    for i in 0..wides.len().min(founds.len()) {
        let (found, wide) = (&mut founds[i], &mut wides[i]);
        for word in 0..8 {
            let at = 8 * word;
            let found: &mut [u8; 8] = found[at..at + 8].first_chunk_mut().expect("eight bytes");
            let old: &mut [u8; 8] = wide[at..at + 8].first_chunk_mut().expect("eight bytes");
            count += merge_word(old, found, mode);
        }
    }
    let (founds, found) = found.as_chunks_mut::<8>();
    let (words, lanes) = lanes.as_chunks_mut::<8>();
    for i in 0..words.len().min(founds.len()) {
        count += merge_word(&mut words[i], &mut founds[i], mode);
    }
    for i in 0..lanes.len().min(found.len()) {
        let (mut old, mut new) = ([0; 8], [0; 8]);
        (old[0], new[0]) = (lanes[i], found[i]);
        count += merge_word(&mut old, &mut new, mode);
        (lanes[i], found[i]) = (old[0], new[0]);
    }
    count
}

/// As [`merge`], for eight bytes.
#[inline(always)]
fn merge_word(old: &mut [u8; 8], found: &mut [u8; 8], mode: MergeMode) -> u64 {
    let before = u64::from_le_bytes(*old);
    let all = u64::from_le_bytes(*found);
    let new = match mode {
        MergeMode::Set => all & !before,
        MergeMode::Clear => all & before,
    };
    *old = (before ^ new).to_le_bytes();
    *found = new.to_le_bytes();
    new.count_ones().into()
}

/// Writes bits one after the other.
struct BitPacker<'a> {
    out: &'a mut [u8; MAX_LANE_BYTES],
    /// Bits that are not complete bytes yet.
    word: u64,
    /// Number of these bits, fewer than eight.
    used: usize,
    /// Bytes written.
    at: usize,
}

impl BitPacker<'_> {
    /// Writes the lowest `n` bits of `bits`, at most 56; the others must be 0.
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

/// Effect of found positions on a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MergeMode {
    /// Their bits are set.
    Set,
    /// Their bits are cleared.
    Clear,
}

/// First bit of a line in a packed lane.
#[inline(always)]
pub(crate) fn line_begin_bit(free: u32, line: usize) -> usize {
    let before = (free & ((1 << line) - 1)).count_ones() as usize;
    before * free.count_ones() as usize
}

/// Unpacks one line, which begins at `bit` of the packed lane, as [`line_begin_bit`] tells.
#[inline(always)]
pub(crate) fn unpack_line<S: Simd>(simd: S, packed: &[u8], free: u32, bit: usize) -> u32 {
    simd.deposit(bits_from(lane_window(packed), bit >> 3, bit & 7), free.into()) as u32
}

/// Masks that extract one bit of each line of a packed lane.
pub(crate) struct ColumnMasks {
    /// Bits of each column in the 64-bit words of a lane. Index: `column * words + word`.
    masks: Vec<u64>,
    /// Words of a lane.
    words: usize,
}

impl ColumnMasks {
    /// Masks for lanes with `free` free squares.
    pub(crate) fn new(free: usize) -> Self {
        let words = (free * free).div_ceil(64);
        let mut masks = vec![0; free * words];
        for column in 0..free {
            for bit in (0..free).map(|line| line * free + column) {
                masks[column * words + bit / 64] |= 1 << (bit % 64);
            }
        }
        Self { masks, words }
    }

    /// Bits of a column, one for each line, lowest line first.
    #[inline(always)]
    pub(crate) fn extract_column<S: Simd>(&self, simd: S, packed: &[u8], column: usize) -> u32 {
        let (words, _) = lane_window(packed).as_chunks::<8>();
        let masks = &self.masks[column * self.words..][..self.words];
        let (mut bits, mut lines) = (0, 0);
        for (&word, &mask) in words.iter().zip(masks) {
            bits |= simd.extract(u64::from_le_bytes(word), mask) << lines;
            lines += mask.count_ones();
        }
        bits as u32
    }
}

/// Location of up to 57 bits among bytes that may end right after them.
#[derive(Clone, Copy)]
pub(crate) struct BitSpan {
    /// First of the eight bytes that are read.
    byte: usize,
    /// First bit in these bytes.
    shift: usize,
}

impl BitSpan {
    /// Bits from bit `bit`, below 8, of a byte on.
    #[inline(always)]
    pub(crate) fn at(bytes: &[u8], byte: usize, bit: usize) -> Self {
        let begin = byte.min(bytes.len().saturating_sub(8));
        Self { byte: begin, shift: 8 * (byte - begin) + bit }
    }

    /// Reads the bits, as the lowest of the result.
    #[inline(always)]
    pub(crate) fn bits(self, bytes: &[u8]) -> u64 {
        let eight = match bytes[self.byte..].first_chunk() {
            Some(eight) => *eight,
            None => padded(bytes),
        };
        u64::from_le_bytes(eight) >> (self.shift & 63)
    }

    #[inline(always)]
    pub(crate) fn clear(self, bytes: &mut [u8], bits: u64) {
        let bits = (bits << (self.shift & 63)).to_le_bytes();
        for (byte, bits) in bytes[self.byte..].iter_mut().zip(bits) {
            *byte &= !bits;
        }
    }
}

/// Fewer than eight bytes, padded with zeros.
#[cold]
fn padded(bytes: &[u8]) -> [u8; 8] {
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    eight
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::{
        FreeSquares, LaneCodec, MAX_LANE_BYTES, MergeMode, WIDE_WORDS, lane_of_words, merge, pack,
        squares, unpack, words_of_lane,
    };
    use crate::simd::dispatch::Instructions;
    use crate::simd::token::{Kernel, Simd};

    /// A lane to unpack, and words to pack.
    struct LanePair {
        free: u32,
        packed: [u8; MAX_LANE_BYTES],
        words: [u32; 2 * WIDE_WORDS],
    }

    impl Kernel for &LanePair {
        type Output = ([u32; 32], Vec<u8>);

        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let free = FreeSquares::<S, 32>::new(simd, self.free);
            let mut lines = [u32::MAX; 32];
            unpack::<S, 32>(simd, &self.packed, &free, &mut lines);
            self.columns_are_of(simd, &lines, &free);
            let words = lane_of_words(simd, &self.words);
            let mut packed = [u8::MAX; MAX_LANE_BYTES];
            pack::<S, 32>(simd, &words, &free, &mut packed);
            (lines, packed[..free.bytes()].to_vec())
        }
    }

    impl LanePair {
        /// Checks that columns are those of the unpacked lines.
        fn columns_are_of<S: Simd>(&self, simd: S, lines: &[u32; 32], free: &FreeSquares<S, 32>) {
            let Some(codec) = &free.codec else { return };
            let packed = self.packed.first_chunk().expect("a lane");
            for (column, square) in squares(self.free).enumerate() {
                let found = words_of_lane(simd, &codec.column(packed, column as u32));
                let expected = lines.map(|line| line >> square & 1);
                assert_eq!(found, expected, "{:b} {column}", self.free);
            }
        }
    }

    #[test]
    fn every_instruction_set_packs_as_the_portable_one() {
        let lanes = if cfg!(miri) { 20 } else { 20_000_u32 };
        for n in 0..lanes {
            let random = |what: &str, i: usize| {
                let mut hasher = DefaultHasher::new();
                (n, what, i).hash(&mut hasher);
                hasher.finish()
            };
            let board = u32::MAX >> (n % 31);
            // A half, three quarters, or seven eighths of the squares are free.
            let sets = 0..=n as usize % 3;
            let lane = LanePair {
                free: board & sets.fold(0, |all, i| all | random("set", i) as u32),
                packed: std::array::from_fn(|i| random("byte", i) as u8),
                words: std::array::from_fn(|i| random("word", i) as u32),
            };
            let expected = Instructions::all()[0].dispatch(&lane);
            for instructions in Instructions::all() {
                let found = instructions.dispatch(&lane);
                assert_eq!(found, expected, "{:b} {instructions:?}", lane.free);
            }
        }
    }

    #[test]
    fn merging_leaves_what_is_new() {
        for len in 0..200 {
            let bytes = |of: u64| -> Vec<u8> {
                let mut hashers = (0..len).map(|i| {
                    let mut hasher = DefaultHasher::new();
                    (of, i).hash(&mut hasher);
                    hasher.finish() as u8
                });
                hashers.by_ref().collect()
            };
            for mode in [MergeMode::Set, MergeMode::Clear] {
                let (old, all) = (bytes(1), bytes(2));
                let (mut lanes, mut found) = (old.clone(), all.clone());
                let count = merge(&mut found, &mut lanes, mode);
                let mut expected = 0;
                for i in 0..len {
                    let new = match mode {
                        MergeMode::Set => all[i] & !old[i],
                        MergeMode::Clear => all[i] & old[i],
                    };
                    assert_eq!((found[i], lanes[i]), (new, old[i] ^ new), "{len} {i}");
                    expected += u64::from(new.count_ones());
                }
                assert_eq!(count, expected);
            }
        }
    }
}
