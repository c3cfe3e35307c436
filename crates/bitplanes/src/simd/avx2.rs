//! Operations with AVX2 and BMI2, which x86-64 processors have since 2013.

use core::arch::x86_64::*;

use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::Chunk;
use crate::simd::lane_codec::NoCodec;
use crate::simd::token::{Kernel, Simd};

/// Most cache lines to prefetch at once; the processor goes on by itself.
const PREFETCHED_LINES: usize = 10;

/// Token of AVX2, BMI1, BMI2, LZCNT and POPCNT.
///
/// Invariant: [`Avx2::detect`] makes the only values, on processors that have the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Returns the token if the processor has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    /// Half of [`Simd::pred_value`]: `254 - v`, and 1 more where `v` is negative as a signed byte.
    #[inline(always)]
    fn pred_value_half(self, bytes: __m256i) -> __m256i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let is_negative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), bytes);
            _mm256_sub_epi8(_mm256_sub_epi8(_mm256_set1_epi8(-2), bytes), is_negative)
        }
    }

    /// Half of [`Simd::blend_open`].
    #[inline(always)]
    fn blend_open_half(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let keeps_a = _mm256_or_si256(
                _mm256_cmpeq_epi8(a, _mm256_setzero_si256()),
                _mm256_cmpeq_epi8(a, _mm256_set1_epi8(-1)),
            );
            _mm256_blendv_epi8(b, a, keeps_a)
        }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
    kernel.run(simd)
}

impl Simd for Avx2 {
    type Wide = [__m256i; 2];
    type Codec = NoCodec;

    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the processor has all features that `run` enables.
        unsafe { run(self, kernel) }
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 64]) -> Self::Wide {
        let at = bytes.as_ptr().cast::<__m256i>();
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
    }

    #[inline(always)]
    fn store_bytes(self, [low, high]: Self::Wide, bytes: &mut [u8; 64]) {
        let at = bytes.as_mut_ptr().cast::<__m256i>();
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe {
            _mm256_storeu_si256(at, low);
            _mm256_storeu_si256(at.add(1), high);
        }
    }

    #[inline(always)]
    fn min_u8(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { [_mm256_min_epu8(a[0], b[0]), _mm256_min_epu8(a[1], b[1])] }
    }

    #[inline(always)]
    fn pred_value(self, [low, high]: Self::Wide) -> Self::Wide {
        [self.pred_value_half(low), self.pred_value_half(high)]
    }

    #[inline(always)]
    fn blend_open(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
        [self.blend_open_half(a[0], b[0]), self.blend_open_half(a[1], b[1])]
    }

    #[inline(always)]
    fn differs(self, a: Self::Wide, b: Self::Wide) -> bool {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let low = _mm256_xor_si256(a[0], b[0]);
            let high = _mm256_xor_si256(a[1], b[1]);
            let any = _mm256_or_si256(low, high);
            _mm256_testz_si256(any, any) == 0
        }
    }

    #[inline(always)]
    fn permute_bytes(self, bytes: &[Chunk], permutation: &BytePermutation, to: &mut [Chunk]) {
        permutation.apply(bytes, to);
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn load(self, words: &[u32; 16]) -> Self::Wide {
        let at = words.as_ptr().cast::<__m256i>();
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
    }

    #[inline(always)]
    fn store(self, [low, high]: Self::Wide, words: &mut [u32; 16]) {
        let at = words.as_mut_ptr().cast::<__m256i>();
        // SAFETY: `self` proves that the instructions are there; the array has 64 bytes.
        unsafe {
            _mm256_storeu_si256(at, low);
            _mm256_storeu_si256(at.add(1), high);
        }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Self::Wide {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { [_mm256_set1_epi32(word as i32); 2] }
    }

    #[inline(always)]
    fn or(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { [_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])] }
    }

    #[inline(always)]
    fn and(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { [_mm256_and_si256(a[0], b[0]), _mm256_and_si256(a[1], b[1])] }
    }

    #[inline(always)]
    fn and_not(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { [_mm256_andnot_si256(b[0], a[0]), _mm256_andnot_si256(b[1], a[1])] }
    }

    #[inline(always)]
    fn nonzero_words(self, a: Self::Wide) -> u32 {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let zero = _mm256_setzero_si256();
            let [low, high] = [_mm256_cmpeq_epi32(a[0], zero), _mm256_cmpeq_epi32(a[1], zero)];
            let low = _mm256_movemask_ps(_mm256_castsi256_ps(low)) as u32;
            let high = _mm256_movemask_ps(_mm256_castsi256_ps(high)) as u32;
            0xFFFF ^ (low | high << 8)
        }
    }

    #[inline(always)]
    fn prefetch(self, bytes: &[u8]) {
        for line in bytes.chunks(64).take(PREFETCHED_LINES) {
            // SAFETY: `self` proves that the instruction is there; it faults on no address.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) }
        }
    }

    #[inline(always)]
    fn prefetch_line(self, bytes: &[u8], at: usize) {
        // SAFETY: `self` proves that the instruction is there; it faults on no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(at).cast()) }
    }

    #[inline(always)]
    fn shift(self, a: Self::Wide, by: i32) -> Self::Wide {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let count = _mm_cvtsi32_si128(by.abs());
            if by >= 0 {
                [_mm256_srl_epi32(a[0], count), _mm256_srl_epi32(a[1], count)]
            } else {
                [_mm256_sll_epi32(a[0], count), _mm256_sll_epi32(a[1], count)]
            }
        }
    }
}
