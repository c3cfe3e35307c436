//! Operations with AVX-512, VBMI, VBMI2 and VPOPCNTDQ, which came to x86-64 from 2017 to 2022.

use core::arch::x86_64::*;

use crate::simd::avx2::Avx2;
use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::Chunk;
use crate::simd::lane_codec::{CODEC_BYTES, LaneCodec};
use crate::simd::packed_lines::{BYTE_INDICES, PACKED_LINES, SQUARES_BELOW, SUPPORTED_SQUARES};
use crate::simd::token::{Kernel, Simd};

/// Token of AVX-512 F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ, and of [`Avx2`].
///
/// Invariant: [`Avx512::detect`] makes the only values, on processors that have the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// Returns the token if the processor has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq");
        Avx2::detect().filter(|_| has_all).map(Self)
    }

    /// `4 * words[lines[i]]`, for 64 bytes: first byte of the word of each line.
    ///
    /// All bytes of `words` that are used are below 64.
    #[inline(always)]
    fn first_byte_of_word(self, lines: &[u8; CODEC_BYTES], words: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_slli_epi32::<2>(_mm512_permutexvar_epi8(self.load_bytes(lines), words)) }
    }

    /// `mask & a[i] | !mask & b[i]`, for sixteen words.
    #[inline(always)]
    fn select(self, mask: u32, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_ternarylogic_epi32::<0xCA>(self.splat(mask), a, b) }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq")]
fn run<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
    kernel.run(simd)
}

impl Simd for Avx512 {
    type Wide = __m512i;
    type Codec = Avx512LaneCodec;

    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the processor has all features that `run` enables.
        unsafe { run(self, kernel) }
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_bytes(self, wide: __m512i, bytes: &mut [u8; 64]) {
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), wide) }
    }

    #[inline(always)]
    fn min_u8(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_min_epu8(a, b) }
    }

    #[inline(always)]
    fn pred_value(self, a: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let flipped = _mm512_sub_epi8(_mm512_set1_epi8(-2), a);
            let from_128 = _mm512_movepi8_mask(a);
            _mm512_mask_add_epi8(flipped, from_128, flipped, _mm512_set1_epi8(1))
        }
    }

    #[inline(always)]
    fn blend_open(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            // `a - 1 < 254` without sign: neither 0 nor 255.
            let less_one = _mm512_sub_epi8(a, _mm512_set1_epi8(1));
            let is_open = _mm512_cmplt_epu8_mask(less_one, _mm512_set1_epi8(-2));
            _mm512_mask_blend_epi8(is_open, a, b)
        }
    }

    #[inline(always)]
    fn differs(self, a: __m512i, b: __m512i) -> bool {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_cmpneq_epi64_mask(a, b) != 0 }
    }

    /// Takes bytes from two chunks by one instruction (VPERMI2B).
    #[inline(always)]
    fn permute_bytes(self, bytes: &[Chunk], permutation: &BytePermutation, to: &mut [Chunk]) {
        let mut steps = permutation.steps.iter();
        for (to, &count) in to.iter_mut().zip(&permutation.steps_per_chunk) {
            let mut all = self.splat(0);
            for step in steps.by_ref().take(count) {
                let [low, high] = step.from.map(|from| self.load_bytes(&bytes[from].0));
                let indices = self.load_bytes(&step.indices.0);
                let taken =
                    // SAFETY: `self` proves that the instructions are there.
                    unsafe { _mm512_maskz_permutex2var_epi8(step.mask, low, indices, high) };
                all = self.or(all, taken);
            }
            self.store_bytes(all, &mut to.0);
        }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        self.0.deposit(bits, mask)
    }

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        self.0.extract(bits, mask)
    }

    #[inline(always)]
    fn load(self, words: &[u32; 16]) -> __m512i {
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, wide: __m512i, words: &mut [u32; 16]) {
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), wide) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_set1_epi32(word as i32) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_andnot_si512(b, a) }
    }

    #[inline(always)]
    fn nonzero_words(self, a: __m512i) -> u32 {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_test_epi32_mask(a, a).into() }
    }

    #[inline(always)]
    fn prefetch(self, bytes: &[u8]) {
        self.0.prefetch(bytes);
    }

    #[inline(always)]
    fn prefetch_line(self, bytes: &[u8], at: usize) {
        self.0.prefetch_line(bytes, at);
    }

    #[inline(always)]
    fn shift(self, a: __m512i, by: i32) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let count = _mm_cvtsi32_si128(by.abs());
            if by >= 0 { _mm512_srl_epi32(a, count) } else { _mm512_sll_epi32(a, count) }
        }
    }
}

/// Steps of compression and expansion. Step `n` moves bits by `2^n` squares.
const COMPRESS_STEPS: usize = 4;

/// Codec for lanes of 8 to 22 free squares, at most 15 taken ones among or below them.
///
/// A packed line is a bit field of `f` bits, for `f` free squares.
///
/// - Unpacking takes the four bytes in which each packed line begins, shifts its first bit to bit
///   0, and expands it: each bit moves to its square.
/// - Packing compresses each line, shifts it to its first bit in a byte, and merges two sources for
///   each packed byte: the first line that has bits in the byte, and the line after it.
///
/// Up to sixteen packed lines are handled as one wide, in packed order; a permutation of words then
/// brings them to their squares. More lines are handled as two wides, by square.
///
/// # Source
/// H. S. Warren, *Hacker's Delight*, sections 7-4 (compress) and 7-5 (expand). The masks of all
/// steps are made once for a set of free squares.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Avx512LaneCodec {
    simd: Avx512,
    /// True if there are at most sixteen packed lines.
    fits_one_wide: bool,
    /// Indices of the four packed bytes in which a line begins, as bytes of a word.
    ///
    /// Index: packed line if `fits_one_wide`, else square; likewise in `shifts`.
    windows: [__m512i; 2],
    /// Bit of the first of these bytes at which the line begins.
    shifts: [__m512i; 2],
    /// Packed line of each free square: number of free squares below it.
    packed_line: [__m512i; 2],
    /// Square of each packed line, if `fits_one_wide`.
    square_of_line: __m512i,
    /// Index of the byte of the shifted lines that goes into each packed byte, for both sources.
    byte_sources: [__m512i; 2],
    /// Packed bytes that have the first source, and the second.
    byte_masks: [u64; 2],
    /// Bits that each step of expansion fills from below. Index: step.
    expand_masks: [u32; COMPRESS_STEPS],
    /// Bits that each step of compression fills from above. Index: step.
    compress_masks: [u32; COMPRESS_STEPS],
    /// The free squares.
    free: u32,
    /// Words that are not 0 when a lane is unpacked: lines of free squares.
    free_lines: [u16; 2],
    /// True if step 3 moves any bit.
    moves_by_eight: bool,
    /// The lowest `f` bits.
    line_mask: u32,
}

/// `2^n - 1`; `n` is from 1 to 64.
#[inline(always)]
fn lowest_bits(n: usize) -> u64 {
    u64::MAX >> (64 - n)
}

/// Mask of the first `min(n, 16)` words.
#[inline(always)]
fn first_words(n: usize) -> __mmask16 {
    ((1_u32 << n.min(16)) - 1) as __mmask16
}

impl Avx512LaneCodec {
    /// Packed lines of one half, from bit `bit` on; higher bits are those of later lines.
    #[inline(always)]
    fn packed_lines_from(&self, packed: __m512i, half: usize, bit: u32) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let window = _mm512_permutexvar_epi8(self.windows[half], packed);
            let shift = _mm512_add_epi32(self.shifts[half], self.simd.splat(bit));
            _mm512_srlv_epi32(window, shift)
        }
    }

    /// Moves the lowest `f` bits of each word to the free squares; drops all others.
    #[inline(always)]
    fn expand(&self, packed_lines: __m512i) -> __m512i {
        let mut line = packed_lines;
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            if self.moves_by_eight {
                line = self.simd.select(self.expand_masks[3], _mm512_slli_epi32::<8>(line), line);
            }
            line = self.simd.select(self.expand_masks[2], _mm512_slli_epi32::<4>(line), line);
            line = self.simd.select(self.expand_masks[1], _mm512_slli_epi32::<2>(line), line);
            line = self.simd.select(self.expand_masks[0], _mm512_slli_epi32::<1>(line), line);
        }
        self.simd.and(line, self.simd.splat(self.free))
    }

    /// Moves the bits of the free squares of each line together, and shifts them to their first bit
    /// in a packed byte.
    #[inline(always)]
    fn compress(&self, lines: __m512i, half: usize) -> __m512i {
        let mut bits = self.simd.and(lines, self.simd.splat(self.free));
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            bits = self.simd.select(self.compress_masks[0], _mm512_srli_epi32::<1>(bits), bits);
            bits = self.simd.select(self.compress_masks[1], _mm512_srli_epi32::<2>(bits), bits);
            bits = self.simd.select(self.compress_masks[2], _mm512_srli_epi32::<4>(bits), bits);
            if self.moves_by_eight {
                bits = self.simd.select(self.compress_masks[3], _mm512_srli_epi32::<8>(bits), bits);
            }
            let packed_line = _mm512_and_si512(bits, self.simd.splat(self.line_mask));
            _mm512_sllv_epi32(packed_line, self.shifts[half])
        }
    }

    /// Brings sixteen packed lines to their squares; other words become 0.
    #[inline(always)]
    fn by_square(&self, packed_lines: __m512i) -> [__m512i; 2] {
        let ([a, b], [low, high]) = (self.free_lines, self.packed_line);
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            [
                _mm512_maskz_permutexvar_epi32(a, low, packed_lines),
                _mm512_maskz_permutexvar_epi32(b, high, packed_lines),
            ]
        }
    }
}

impl LaneCodec<Avx512> for Avx512LaneCodec {
    #[inline(always)]
    fn new(simd: Avx512, free: u32) -> Option<Self> {
        let len = free.count_ones() as usize;
        let last = 32 - free.leading_zeros() as usize;
        if !SUPPORTED_SQUARES.contains(&len) || last - len >= 1 << COMPRESS_STEPS {
            return None;
        }
        let (mut expand_masks, mut compress_masks) = ([0; COMPRESS_STEPS], [0; COMPRESS_STEPS]);
        // Warren's `m` and `mk`: bits left to compress, and taken squares left to count.
        let (mut set, mut uncounted) = (free, !free << 1);
        for n in 0..COMPRESS_STEPS {
            // Parity of the uncounted squares up to each square.
            let mut parity = uncounted;
            for by in [1, 2, 4, 8, 16] {
                parity ^= parity << by;
            }
            let moved = parity & set;
            set = (set ^ moved) | moved >> (1 << n);
            uncounted &= !parity;
            expand_masks[n] = moved;
            compress_masks[n] = moved >> (1 << n);
        }
        let table = &PACKED_LINES[len];
        let fits_one_wide = len <= 16;
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            // Byte 0 of each word, four times.
            let lowest_byte = _mm512_broadcast_i32x4(_mm_set_epi64x(
                0x0C0C_0C0C_0808_0808,
                0x0404_0404_0000_0000,
            ));
            let byte_offsets = _mm512_set1_epi32(0x0302_0100);
            let mut windows = [simd.load_bytes(&table.windows); 2];
            let mut shifts = [simd.load(&table.shifts); 2];
            let mut packed_line = shifts;
            for half in 0..2 {
                let below = SQUARES_BELOW[16 * half..].first_chunk().expect("half of them");
                let below = _mm512_and_si512(simd.load(below), simd.splat(free));
                packed_line[half] = _mm512_popcnt_epi32(below);
                if !fits_one_wide {
                    let bit = _mm512_madd_epi16(packed_line[half], simd.splat(len as u32));
                    let byte = _mm512_shuffle_epi8(_mm512_srli_epi32::<3>(bit), lowest_byte);
                    windows[half] = _mm512_add_epi8(byte, byte_offsets);
                    shifts[half] = _mm512_and_si512(bit, simd.splat(7));
                }
            }
            let indices = simd.load_bytes(&BYTE_INDICES);
            let square_of_line = _mm512_maskz_compress_epi8(free.into(), indices);
            // Word of each packed line while a lane is packed: in packed order, or by square.
            let word_of_line = if fits_one_wide { indices } else { square_of_line };
            let first = _mm512_add_epi8(
                simd.first_byte_of_word(&table.first_line, word_of_line),
                simd.load_bytes(&table.byte_in_line),
            );
            let lane_bytes = lowest_bits((len * len).div_ceil(8));
            Some(Self {
                simd,
                fits_one_wide,
                windows,
                shifts,
                packed_line,
                square_of_line: _mm512_cvtepu8_epi32(_mm512_castsi512_si128(square_of_line)),
                byte_sources: [first, simd.first_byte_of_word(&table.second_line, word_of_line)],
                byte_masks: [lane_bytes, table.has_second & lane_bytes],
                expand_masks,
                compress_masks,
                free,
                free_lines: [free as u16, (free >> 16) as u16],
                moves_by_eight: last - len >= 1 << (COMPRESS_STEPS - 1),
                line_mask: lowest_bits(len) as u32,
            })
        }
    }

    #[inline(always)]
    fn with_line_order(&self, order: &[u32; 32]) -> Self {
        let mut new = *self;
        let low = self.simd.load(order.first_chunk().expect("half of them"));
        let high = self.simd.load(order.last_chunk().expect("half of them"));
        for (half, order) in [low, high].into_iter().enumerate() {
            // SAFETY: `self` proves that the instructions are there.
            unsafe {
                if self.fits_one_wide {
                    let [a, b] = self.packed_line;
                    new.packed_line[half] = _mm512_permutex2var_epi32(a, order, b);
                } else {
                    let [a, b] = self.windows;
                    new.windows[half] = _mm512_permutex2var_epi32(a, order, b);
                    let [a, b] = self.shifts;
                    new.shifts[half] = _mm512_permutex2var_epi32(a, order, b);
                }
                let free = _mm512_srlv_epi32(self.simd.splat(self.free), order);
                new.free_lines[half] = _mm512_test_epi32_mask(free, self.simd.splat(1));
            }
        }
        new
    }

    #[inline(always)]
    fn unpack(&self, packed: &[u8; CODEC_BYTES]) -> [__m512i; 2] {
        let packed = self.simd.load_bytes(packed);
        if self.fits_one_wide {
            let lines = self.expand(self.packed_lines_from(packed, 0, 0));
            return self.by_square(lines);
        }
        let mut out = [packed; 2];
        for (half, out) in out.iter_mut().enumerate() {
            let line = self.expand(self.packed_lines_from(packed, half, 0));
            // SAFETY: `self` proves that the instructions are there.
            *out = unsafe { _mm512_maskz_mov_epi32(self.free_lines[half], line) };
        }
        out
    }

    #[inline(always)]
    fn column(&self, packed: &[u8; CODEC_BYTES], column: u32) -> [__m512i; 2] {
        let (packed, one) = (self.simd.load_bytes(packed), self.simd.splat(1));
        if self.fits_one_wide {
            let bits = self.simd.and(self.packed_lines_from(packed, 0, column), one);
            return self.by_square(bits);
        }
        let mut out = [packed; 2];
        for (half, out) in out.iter_mut().enumerate() {
            let line = self.packed_lines_from(packed, half, column);
            // SAFETY: `self` proves that the instructions are there.
            *out = unsafe { _mm512_maskz_and_epi32(self.free_lines[half], line, one) };
        }
        out
    }

    #[inline(always)]
    fn pack(&self, lines: [__m512i; 2], out: &mut [u8; CODEC_BYTES]) {
        let ([low, high], [first, second]) = (lines, self.byte_sources);
        let [first_mask, second_mask] = self.byte_masks;
        // SAFETY: `self` proves that the instructions are there; `out` has 64 bytes.
        unsafe {
            let (first, second) = if self.fits_one_wide {
                let lines = _mm512_permutex2var_epi32(low, self.square_of_line, high);
                let packed_lines = self.compress(lines, 0);
                (
                    _mm512_maskz_permutexvar_epi8(first_mask, first, packed_lines),
                    _mm512_maskz_permutexvar_epi8(second_mask, second, packed_lines),
                )
            } else {
                let (low, high) = (self.compress(low, 0), self.compress(high, 1));
                (
                    _mm512_maskz_permutex2var_epi8(first_mask, low, first, high),
                    _mm512_maskz_permutex2var_epi8(second_mask, low, second, high),
                )
            };
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_or_si512(first, second));
        }
    }

    #[inline(always)]
    fn store_words(&self, wide: __m512i, out: &mut [u32]) {
        if let Some(four) = four_words(out) {
            // SAFETY: `self` proves that the instructions are there; `four` has 16 bytes.
            unsafe { _mm_storeu_si128(four.as_mut_ptr().cast(), _mm512_castsi512_si128(wide)) };
            return;
        }
        let words = first_words(out.len());
        // SAFETY: `self` proves that the instructions are there; the mask ends with the slice.
        unsafe { _mm512_mask_storeu_epi32(out.as_mut_ptr().cast(), words, wide) }
    }

    #[inline(always)]
    fn or_words(&self, wide: __m512i, out: &mut [u32]) {
        if let Some(four) = four_words(out) {
            let out = four.as_mut_ptr().cast();
            // SAFETY: `self` proves that the instructions are there; `four` has 16 bytes.
            unsafe {
                let merged = _mm_or_si128(_mm_loadu_si128(out), _mm512_castsi512_si128(wide));
                _mm_storeu_si128(out, merged);
            }
            return;
        }
        let words = first_words(out.len());
        let out = out.as_mut_ptr().cast();
        // SAFETY: `self` proves that the instructions are there; the mask ends with the slice.
        unsafe {
            let merged = _mm512_or_si512(_mm512_maskz_loadu_epi32(words, out), wide);
            _mm512_mask_storeu_epi32(out, words, merged);
        }
    }
}

/// The slice as four words, if it has exactly that many.
///
/// The processor cannot forward a masked store to a load that soon follows, of its words or of
/// those beside them. So four words, the end of a lane of 20 lines, are stored without a mask.
#[inline(always)]
fn four_words(out: &mut [u32]) -> Option<&mut [u32; 4]> {
    out.try_into().ok()
}
