//! Lanes of blocks between their packed form and board order.

use crate::plane::lane_buffer::LaneLines;
use crate::simd::lane_codec::LaneCodec;
use crate::simd::token::{Simd, WIDE_WORDS};
use crate::space::mirror::Mirror;
use crate::space::sets::squares;

/// The rows of a lane in board order.
pub(crate) type WideLane<S> = [<S as Simd>::Wide; 2];

/// The words of a lane.
#[inline(always)]
pub(crate) fn words_of_lane<S: Simd>(simd: S, wides: &WideLane<S>) -> [u32; 2 * WIDE_WORDS] {
    let mut words = [[0; WIDE_WORDS]; 2];
    simd.store(wides[0], &mut words[0]);
    simd.store(wides[1], &mut words[1]);
    let words = words.as_flattened().first_chunk();
    *words.expect("both halves")
}

/// A lane of words.
#[inline(always)]
pub(crate) fn lane_of_words<S: Simd>(simd: S, words: &[u32; 2 * WIDE_WORDS]) -> WideLane<S> {
    // No closures, here and elsewhere: they are compiled without the instructions.
    let low = words.first_chunk().expect("half of them");
    let high = words.last_chunk().expect("half of them");
    [simd.load(low), simd.load(high)]
}

/// The squares that are free in a block, which give its packed form a meaning.
pub(crate) struct FreeSquares<S: Simd, const R: usize> {
    pub(crate) set: u32,
    /// How many there are.
    pub(crate) count: usize,
    /// If there are instructions for that, many rows at once.
    pub(crate) codec: Option<S::Codec>,
    /// Otherwise rows two by two.
    pairs: [LinePair; 16],
}

/// Two rows of a packed lane. A row that is not free has no bits.
#[derive(Clone, Copy, Default)]
struct LinePair {
    /// The free squares in each of both that is free.
    mask: u64,
    /// The byte where they begin, and how many bits later.
    byte: u16,
    shift: u16,
    /// Bits from this byte to that of the next two.
    advance: u16,
}

/// The most free squares with which two rows fit the bits that are read at once.
const MAX_PAIRED_SQUARES: usize = 28;

impl<S: Simd, const R: usize> FreeSquares<S, R> {
    #[inline(always)]
    pub(crate) fn new(simd: S, set: u32) -> Self {
        let len = set.count_ones() as usize;
        let fold = S::Codec::new(simd, set);
        let pairs = match fold {
            Some(_) => [LinePair::default(); 16],
            None => pairs::<R>(set, len),
        };
        Self {
            set,
            count: len,
            codec: fold,
            pairs,
        }
    }

    /// Those of a block whose image is packed, with the rows of lanes in the order of the block.
    #[inline(always)]
    pub(crate) fn of_image(simd: S, mirror: &Mirror, set: u32) -> Self {
        let mut free = Self::new(simd, mirror.image(set));
        if let Some(fold) = &mut free.codec {
            *fold = fold.with_line_order(&mirror.square_images);
        }
        free
    }

    /// Bytes of a packed lane.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        (self.count * self.count).div_ceil(8)
    }

    #[inline(always)]
    fn paired(&self) -> bool {
        R <= MAX_PAIRED_SQUARES || self.count <= MAX_PAIRED_SQUARES
    }
}

/// Where rows two by two are, with these free squares.
#[inline(always)]
fn pairs<const R: usize>(set: u32, len: usize) -> [LinePair; 16] {
    let mut pairs = [LinePair::default(); 16];
    let mut bit = 0;
    for (i, pair) in pairs.iter_mut().enumerate().take(R / 2) {
        let (low, high) = (set >> (2 * i) & 1, set >> (2 * i + 1) & 1);
        let next = bit + len * (low + high) as usize;
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

/// Whether all bytes are 0.
#[inline(always)]
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    let (eights, rest) = bytes.as_chunks();
    // So that many are looked at together.
    let is_zero = |eights: &[[u8; 8]]| {
        let eights = eights.iter().copied().map(u64::from_le_bytes);
        eights.fold(0, |all, eight| all | eight) == 0
    };
    rest.iter().all(|&byte| byte == 0) && eights.chunks(16).all(is_zero)
}

/// Bytes of the longest packed lane, 32 rows of 32 bits, and eight more.
pub(crate) const MAX_LANE_BYTES: usize = 32 * 32 / 8 + 8;

/// A packed lane and what follows it.
#[inline(always)]
fn lane_window(packed: &[u8]) -> &[u8; MAX_LANE_BYTES] {
    packed.first_chunk().expect("room after a lane")
}

/// The 64 bits from the byte of a bit on, moved so that it is the lowest: at least 57 of them.
#[inline(always)]
fn bits_from(packed: &[u8; MAX_LANE_BYTES], byte: usize, shift: usize) -> u64 {
    // No byte of a lane comes later: said so that nothing is checked.
    let byte = byte % (MAX_LANE_BYTES - 8);
    let eight = packed[byte..byte + 8].first_chunk().expect("eight bytes");
    u64::from_le_bytes(*eight) >> (shift & 7)
}

/// Puts a packed lane in board order; rows that are not free are 0.
#[inline(always)]
pub(crate) fn unpack<S: Simd, const R: usize>(
    simd: S,
    packed: &[u8],
    free: &FreeSquares<S, R>,
    out: &mut LaneLines<R>,
) {
    let packed = lane_window(packed);
    if let Some(fold) = &free.codec {
        let rows = fold.unpack(packed.first_chunk().expect("a lane"));
        for half in 0..R.div_ceil(WIDE_WORDS) {
            fold.store_words(
                rows[half],
                &mut out[half * WIDE_WORDS..R.min(half * WIDE_WORDS + WIDE_WORDS)],
            );
        }
        return;
    }
    if !free.paired() {
        *out = [0; R];
        for (i, row) in squares(free.set).enumerate() {
            let bit = i * free.count;
            let bits = bits_from(packed, bit >> 3, bit & 7);
            out[row] = simd.deposit(bits, free.set.into()) as u32;
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

/// Puts a packed lane of a block's image in the order of the block.
#[inline(always)]
pub(crate) fn unpack_image<S: Simd, const R: usize>(
    simd: S,
    mirror: &Mirror,
    packed: &[u8],
    free: &FreeSquares<S, R>,
    out: &mut LaneLines<R>,
) {
    if let Some(fold) = &free.codec {
        let rows = fold.unpack(lane_window(packed).first_chunk().expect("a lane"));
        for half in 0..R.div_ceil(WIDE_WORDS) {
            let row = mirror.image_words(simd, rows[half]);
            fold.store_words(
                row,
                &mut out[half * WIDE_WORDS..R.min(half * WIDE_WORDS + WIDE_WORDS)],
            );
        }
        return;
    }
    let mut image = [0; R];
    unpack::<S, R>(simd, packed, free, &mut image);
    let mut words = [0; 2 * WIDE_WORDS];
    for row in 0..R {
        words[row] = image[mirror.image_square(row)];
    }
    let rows = lane_of_words(simd, &words);
    let rows = [
        mirror.image_words(simd, rows[0]),
        mirror.image_words(simd, rows[1]),
    ];
    out.copy_from_slice(&words_of_lane(simd, &rows)[..R]);
}

/// Packs a lane into the first of some bytes, the rest of which is lost; bits of squares that are not free are dropped.
#[inline(always)]
pub(crate) fn pack<S: Simd, const R: usize>(
    simd: S,
    lane: &WideLane<S>,
    free: &FreeSquares<S, R>,
    out: &mut [u8; MAX_LANE_BYTES],
) {
    if let Some(fold) = &free.codec {
        fold.pack(*lane, out.first_chunk_mut().expect("a lane"));
        return;
    }
    let lane = words_of_lane(simd, lane);
    if !free.paired() {
        let mut to = BitPacker {
            out,
            word: 0,
            used: 0,
            at: 0,
        };
        for row in squares(free.set) {
            to.push(simd.extract(lane[row].into(), free.set.into()), free.count);
        }
        return;
    }
    let mut word = 0;
    for i in 0..R / 2 {
        let pair = free.pairs[i];
        let both = u64::from(lane[2 * i + 1]) << 32 | u64::from(lane[2 * i]);
        word |= simd.extract(both, pair.mask) << (pair.shift & 7);
        // As when it is read.
        let byte = usize::from(pair.byte) % (MAX_LANE_BYTES - 8);
        out[byte..byte + 8].copy_from_slice(&word.to_le_bytes());
        word >>= pair.advance & 63;
    }
}

/// Takes what was found in lanes into these; leaves of it what is new, and counts that.
#[inline(always)]
pub(crate) fn merge(found: &mut [u8], lanes: &mut [u8], how: MergeMode) -> u64 {
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
            count += merge_word(old, found, how);
        }
    }
    let (founds, found) = found.as_chunks_mut::<8>();
    let (words, lanes) = lanes.as_chunks_mut::<8>();
    for i in 0..words.len().min(founds.len()) {
        count += merge_word(&mut words[i], &mut founds[i], how);
    }
    for i in 0..lanes.len().min(found.len()) {
        let (mut old, mut new) = ([0; 8], [0; 8]);
        (old[0], new[0]) = (lanes[i], found[i]);
        count += merge_word(&mut old, &mut new, how);
        (lanes[i], found[i]) = (old[0], new[0]);
    }
    count
}

#[inline(always)]
fn merge_word(old: &mut [u8; 8], found: &mut [u8; 8], how: MergeMode) -> u64 {
    let before = u64::from_le_bytes(*old);
    let all = u64::from_le_bytes(*found);
    let new = match how {
        MergeMode::Set => all & !before,
        MergeMode::Clear => all & before,
    };
    *old = (before ^ new).to_le_bytes();
    *found = new.to_le_bytes();
    new.count_ones().into()
}

/// Puts bits one after the other.
struct BitPacker<'a> {
    out: &'a mut [u8; MAX_LANE_BYTES],
    word: u64,
    /// Bits of the word that are used, fewer than eight.
    used: usize,
    at: usize,
}

impl BitPacker<'_> {
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
pub(crate) enum MergeMode {
    /// It gets the bits that are found.
    Set,
    /// It loses the bits that are found.
    Clear,
}

/// Where the bits of a row of a packed lane begin.
#[inline(always)]
pub(crate) fn line_begin_bit(free: u32, row: usize) -> usize {
    let before = (free & ((1 << row) - 1)).count_ones() as usize;
    before * free.count_ones() as usize
}

/// One word of a packed lane with these free squares, from the bit that [`bit_of`] tells.
#[inline(always)]
pub(crate) fn unpack_line<S: Simd>(simd: S, packed: &[u8], free: u32, bit: usize) -> u32 {
    simd.deposit(
        bits_from(lane_window(packed), bit >> 3, bit & 7),
        free.into(),
    ) as u32
}

/// Takes one bit of each row of a packed lane.
pub(crate) struct ColumnMasks {
    /// Of each column its bits in the words of 64 bits of a lane.
    masks: Vec<u64>,
    words: usize,
}

impl ColumnMasks {
    /// Of lanes with so many free squares.
    pub(crate) fn new(free: usize) -> Self {
        let words = (free * free).div_ceil(64);
        let mut masks = vec![0; free * words];
        for column in 0..free {
            for bit in (0..free).map(|row| row * free + column) {
                masks[column * words + bit / 64] |= 1 << (bit % 64);
            }
        }
        Self { masks, words }
    }

    /// The bits of a column, row by row.
    #[inline(always)]
    pub(crate) fn extract_column<S: Simd>(&self, simd: S, packed: &[u8], column: usize) -> u32 {
        let (words, _) = lane_window(packed).as_chunks::<8>();
        let masks = &self.masks[column * self.words..][..self.words];
        let (mut taken, mut rows) = (0, 0);
        for (&word, &mask) in words.iter().zip(masks) {
            taken |= simd.extract(u64::from_le_bytes(word), mask) << rows;
            rows += mask.count_ones();
        }
        taken as u32
    }
}

/// Where bits of a packed word are, among bytes that may end with them.
#[derive(Clone, Copy)]
pub(crate) struct BitSpan {
    byte: usize,
    shift: usize,
}

impl BitSpan {
    /// The word that begins so many bits, fewer than eight, after a byte.
    #[inline(always)]
    pub(crate) fn at(bytes: &[u8], byte: usize, bit: usize) -> Self {
        let begin = byte.min(bytes.len().saturating_sub(8));
        Self {
            byte: begin,
            shift: 8 * (byte - begin) + bit,
        }
    }

    /// The bits from its first on.
    #[inline(always)]
    pub(crate) fn bits(self, bytes: &[u8]) -> u64 {
        let eight = match bytes[self.byte..].first_chunk() {
            Some(eight) => *eight,
            None => padded(bytes),
        };
        u64::from_le_bytes(eight) >> (self.shift & 63)
    }

    /// Clears bits.
    #[inline(always)]
    pub(crate) fn clear(self, bytes: &mut [u8], bits: u64) {
        let bits = (bits << (self.shift & 63)).to_le_bytes();
        for (byte, bits) in bytes[self.byte..].iter_mut().zip(bits) {
            *byte &= !bits;
        }
    }
}

/// Fewer than eight bytes, and zeros.
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

    /// To unpack a lane, and to pack words.
    struct LanePair {
        free: u32,
        packed: [u8; MAX_LANE_BYTES],
        words: [u32; 2 * WIDE_WORDS],
    }

    impl Kernel for &LanePair {
        type Output = ([u32; 32], Vec<u8>);

        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let free = FreeSquares::<S, 32>::new(simd, self.free);
            let mut rows = [u32::MAX; 32];
            unpack::<S, 32>(simd, &self.packed, &free, &mut rows);
            self.columns_are_of(simd, &rows, &free);
            let words = lane_of_words(simd, &self.words);
            let mut packed = [u8::MAX; MAX_LANE_BYTES];
            pack::<S, 32>(simd, &words, &free, &mut packed);
            (rows, packed[..free.bytes()].to_vec())
        }
    }

    impl LanePair {
        /// Whether columns are those of the unpacked rows.
        fn columns_are_of<S: Simd>(&self, simd: S, rows: &[u32; 32], free: &FreeSquares<S, 32>) {
            let Some(fold) = &free.codec else { return };
            let packed = self.packed.first_chunk().expect("a lane");
            for (column, square) in squares(self.free).enumerate() {
                let found = words_of_lane(simd, &fold.column(packed, column as u32));
                let expected = rows.map(|row| row >> square & 1);
                assert_eq!(found, expected, "{:b} {column}", self.free);
            }
        }
    }

    #[test]
    fn all_instructions_pack_alike() {
        let lanes = if cfg!(miri) { 20 } else { 20_000_u32 };
        for n in 0..lanes {
            let random = |what: &str, i: usize| {
                let mut hasher = DefaultHasher::new();
                (n, what, i).hash(&mut hasher);
                hasher.finish()
            };
            let board = u32::MAX >> (n % 31);
            // A half, three quarters, or seven eighths of the squares.
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
    fn what_is_new_is_taken_in_and_left() {
        for len in 0..200 {
            let bytes = |of: u64| -> Vec<u8> {
                let mut hashers = (0..len).map(|i| {
                    let mut hasher = DefaultHasher::new();
                    (of, i).hash(&mut hasher);
                    hasher.finish() as u8
                });
                hashers.by_ref().collect()
            };
            for how in [MergeMode::Set, MergeMode::Clear] {
                let (old, all) = (bytes(1), bytes(2));
                let (mut lanes, mut found) = (old.clone(), all.clone());
                let count = merge(&mut found, &mut lanes, how);
                let mut expected = 0;
                for i in 0..len {
                    let new = match how {
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
