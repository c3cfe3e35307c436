//! Operations for every processor, written without special instructions.

use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::Chunk;
use crate::simd::lane_codec::NoCodec;
use crate::simd::token::{Kernel, Simd};

/// Token of the instructions that every processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Portable;

impl Portable {
    /// `map(a[i], b[i])`, for 64 bytes.
    #[inline(always)]
    fn map_bytes(self, a: [u32; 16], b: [u32; 16], map: impl Fn(u8, u8) -> u8) -> [u32; 16] {
        let (mut a_bytes, mut b_bytes) = ([0; 64], [0; 64]);
        self.store_bytes(a, &mut a_bytes);
        self.store_bytes(b, &mut b_bytes);
        for (a, b) in a_bytes.iter_mut().zip(b_bytes) {
            *a = map(*a, b);
        }
        self.load_bytes(&a_bytes)
    }
}

impl Simd for Portable {
    type Wide = [u32; 16];
    type Codec = NoCodec;

    #[inline(never)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 64]) -> [u32; 16] {
        let mut words = [0; 16];
        for (word, four) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*four);
        }
        words
    }

    #[inline(always)]
    fn store_bytes(self, wide: [u32; 16], bytes: &mut [u8; 64]) {
        for (four, word) in bytes.as_chunks_mut().0.iter_mut().zip(wide) {
            *four = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn min_u8(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        self.map_bytes(a, b, |a, b| a.min(b))
    }

    #[inline(always)]
    fn pred_value(self, a: [u32; 16]) -> [u32; 16] {
        self.map_bytes(a, a, |a, _| 254_u8.wrapping_sub(a).wrapping_add(a >> 7))
    }

    #[inline(always)]
    fn blend_open(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        self.map_bytes(a, b, |a, b| if a == 0 || a == 255 { a } else { b })
    }

    #[inline(always)]
    fn differs(self, a: [u32; 16], b: [u32; 16]) -> bool {
        a != b
    }

    #[inline(always)]
    fn permute_bytes(self, bytes: &[Chunk], permutation: &BytePermutation, to: &mut [Chunk]) {
        permutation.apply(bytes, to);
    }

    #[inline]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        let (mut out, mut rest, mut bits) = (0, mask, bits);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            out |= lowest & (bits & 1).wrapping_neg();
            rest ^= lowest;
            bits >>= 1;
        }
        out
    }

    #[inline]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        let (mut out, mut rest, mut to) = (0, mask, 1);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            if bits & lowest != 0 {
                out |= to;
            }
            rest ^= lowest;
            to <<= 1;
        }
        out
    }

    #[inline(always)]
    fn load(self, words: &[u32; 16]) -> [u32; 16] {
        *words
    }

    #[inline(always)]
    fn store(self, wide: [u32; 16], words: &mut [u32; 16]) {
        *words = wide;
    }

    #[inline(always)]
    fn splat(self, word: u32) -> [u32; 16] {
        [word; 16]
    }

    #[inline(always)]
    fn or(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn and(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    fn and_not(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] & !b[i])
    }

    #[inline(always)]
    fn nonzero_words(self, a: [u32; 16]) -> u32 {
        let words = a.iter().enumerate();
        words.fold(0, |mask, (i, &word)| mask | u32::from(word != 0) << i)
    }

    fn prefetch(self, _: &[u8]) {}

    fn prefetch_line(self, _: &[u8], _: usize) {}

    #[inline(always)]
    fn shift(self, a: [u32; 16], by: i32) -> [u32; 16] {
        if by >= 0 { a.map(|word| word >> by) } else { a.map(|word| word << -by) }
    }
}
