//! Instructions of x86-64 processors since 2013.

use core::arch::x86_64::*;

use super::cpu::{Chunk, Cpu};
use super::fold::NoFold;
use super::onward::Order;

/// Of what will be read so many cache lines are asked for; the processor goes on by itself.
const LINES: usize = 10;

/// A processor with AVX2 and BMI2.
#[derive(Clone, Copy)]
pub(super) struct Avx2;

// SAFETY, here and below: only functions that were entered after the instructions were found use
// these types, and reads and writes stay in the arrays they are given.
impl Cpu for Avx2 {
    type Wide = [__m256i; 2];
    type Fold = NoFold;

    #[inline(always)]
    fn bytes(bytes: &[u8; 64]) -> Self::Wide {
        let at = bytes.as_ptr().cast::<__m256i>();
        unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
    }

    #[inline(always)]
    fn put_bytes([low, high]: Self::Wide, bytes: &mut [u8; 64]) {
        let at = bytes.as_mut_ptr().cast::<__m256i>();
        unsafe {
            _mm256_storeu_si256(at, low);
            _mm256_storeu_si256(at.add(1), high);
        }
    }

    #[inline(always)]
    fn least(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        unsafe { [_mm256_min_epu8(a[0], b[0]), _mm256_min_epu8(a[1], b[1])] }
    }

    #[inline(always)]
    fn before([low, high]: Self::Wide) -> Self::Wide {
        [before(low), before(high)]
    }

    #[inline(always)]
    fn renewed(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        [renewed(a[0], b[0]), renewed(a[1], b[1])]
    }

    #[inline(always)]
    fn differs(a: Self::Wide, b: Self::Wide) -> bool {
        unsafe {
            let low = _mm256_xor_si256(a[0], b[0]);
            let high = _mm256_xor_si256(a[1], b[1]);
            let any = _mm256_or_si256(low, high);
            _mm256_testz_si256(any, any) == 0
        }
    }

    #[inline(always)]
    fn arrange(bytes: &[Chunk], order: &Order, to: &mut [Chunk]) {
        order.arrange(bytes, to);
    }

    #[inline(always)]
    fn deposit(bits: u64, mask: u64) -> u64 {
        unsafe { _pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn extract(bits: u64, mask: u64) -> u64 {
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn load(words: &[u32; 16]) -> Self::Wide {
        let at = words.as_ptr().cast::<__m256i>();
        unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
    }

    #[inline(always)]
    fn store([low, high]: Self::Wide, words: &mut [u32; 16]) {
        let at = words.as_mut_ptr().cast::<__m256i>();
        unsafe {
            _mm256_storeu_si256(at, low);
            _mm256_storeu_si256(at.add(1), high);
        }
    }

    #[inline(always)]
    fn splat(word: u32) -> Self::Wide {
        unsafe { [_mm256_set1_epi32(word as i32); 2] }
    }

    #[inline(always)]
    fn or(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        unsafe { [_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])] }
    }

    #[inline(always)]
    fn and(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        unsafe { [_mm256_and_si256(a[0], b[0]), _mm256_and_si256(a[1], b[1])] }
    }

    #[inline(always)]
    fn without(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        unsafe {
            [
                _mm256_andnot_si256(b[0], a[0]),
                _mm256_andnot_si256(b[1], a[1]),
            ]
        }
    }

    #[inline(always)]
    fn nonzero(a: Self::Wide) -> u32 {
        unsafe {
            let zero = _mm256_setzero_si256();
            let [low, high] = [
                _mm256_cmpeq_epi32(a[0], zero),
                _mm256_cmpeq_epi32(a[1], zero),
            ];
            let low = _mm256_movemask_ps(_mm256_castsi256_ps(low)) as u32;
            let high = _mm256_movemask_ps(_mm256_castsi256_ps(high)) as u32;
            0xFFFF ^ (low | high << 8)
        }
    }

    #[inline(always)]
    fn ask_for(bytes: &[u8]) {
        for line in bytes.chunks(64).take(LINES) {
            unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) }
        }
    }

    #[inline(always)]
    fn ask_for_line(bytes: &[u8], at: usize) {
        // Nothing is read, wherever it is.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(at).cast()) }
    }

    #[inline(always)]
    fn shift(a: Self::Wide, by: i32) -> Self::Wide {
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

#[inline(always)]
fn before(bytes: __m256i) -> __m256i {
    unsafe {
        let is_large = _mm256_cmpgt_epi8(_mm256_setzero_si256(), bytes);
        _mm256_sub_epi8(_mm256_sub_epi8(_mm256_set1_epi8(-2), bytes), is_large)
    }
}

#[inline(always)]
fn renewed(a: __m256i, b: __m256i) -> __m256i {
    unsafe {
        let stays = _mm256_or_si256(
            _mm256_cmpeq_epi8(a, _mm256_setzero_si256()),
            _mm256_cmpeq_epi8(a, _mm256_set1_epi8(-1)),
        );
        _mm256_blendv_epi8(b, a, stays)
    }
}
