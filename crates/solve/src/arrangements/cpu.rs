//! The instructions of the processor: found once, entered through one function for each kind.

/// Bits put at the places of a mask and taken from there, and sixteen words at once.
pub(super) trait Cpu: Copy + Send + Sync {
    /// Sixteen words.
    type Wide: Copy;
    /// The lowest bits, in order, at the places of the mask.
    fn deposit(bits: u64, mask: u64) -> u64;
    /// The bits at the places of the mask, in order, as the lowest.
    fn extract(bits: u64, mask: u64) -> u64;
    /// Sixteen words from memory.
    fn load(words: &[u32; 16]) -> Self::Wide;
    /// Sixteen words to memory.
    fn store(wide: Self::Wide, words: &mut [u32; 16]);
    /// The same word sixteen times.
    fn splat(word: u32) -> Self::Wide;
    /// `a | b`
    fn or(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a & b`
    fn and(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a & !b`
    fn without(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Which words have any bit.
    fn nonzero(a: Self::Wide) -> u32;
    /// Bit y of each word gets bit y + `by`.
    fn shift(a: Self::Wide, by: i32) -> Self::Wide;
}

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Cpu for Portable {
    type Wide = [u32; 16];

    #[inline]
    fn deposit(bits: u64, mask: u64) -> u64 {
        let (mut out, mut rest, mut bits) = (0, mask, bits);
        while rest != 0 {
            let place = rest & rest.wrapping_neg();
            out |= place & (bits & 1).wrapping_neg();
            rest ^= place;
            bits >>= 1;
        }
        out
    }

    #[inline]
    fn extract(bits: u64, mask: u64) -> u64 {
        let (mut out, mut rest, mut to) = (0, mask, 1);
        while rest != 0 {
            let place = rest & rest.wrapping_neg();
            if bits & place != 0 {
                out |= to;
            }
            rest ^= place;
            to <<= 1;
        }
        out
    }

    #[inline(always)]
    fn load(words: &[u32; 16]) -> [u32; 16] {
        *words
    }

    #[inline(always)]
    fn store(wide: [u32; 16], words: &mut [u32; 16]) {
        *words = wide;
    }

    #[inline(always)]
    fn splat(word: u32) -> [u32; 16] {
        [word; 16]
    }

    #[inline(always)]
    fn or(a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn and(a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    fn without(a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] & !b[i])
    }

    #[inline(always)]
    fn nonzero(a: [u32; 16]) -> u32 {
        let words = a.iter().enumerate();
        words.fold(0, |all, (i, &word)| all | u32::from(word != 0) << i)
    }

    #[inline(always)]
    fn shift(a: [u32; 16], by: i32) -> [u32; 16] {
        if by >= 0 {
            a.map(|word| word >> by)
        } else {
            a.map(|word| word << -by)
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::Cpu;

    /// A processor with AVX2 and BMI2.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2;

    // SAFETY, here and below: only functions that were entered after the instructions were found use
    // these types, and reads and writes stay in the arrays they are given.
    impl Cpu for Avx2 {
        type Wide = [__m256i; 2];

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
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Avx2;

/// Instructions that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Family);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Portable,
    /// AVX2 and BMI2. With AVX-512 it was no faster (`docs/decisions/0009-planes.md`).
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Instructions {
    /// The best.
    #[must_use]
    pub fn detect() -> Self {
        Self::all()
            .last()
            .copied()
            .unwrap_or(Self(Family::Portable))
    }

    /// All, from those that every processor has to the best.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let all = [Some(Family::Portable), avx2()];
        all.into_iter().flatten().map(Self).collect()
    }

    pub(super) fn family(self) -> Family {
        self.0
    }
}

/// AVX2 and what comes with it, if the processor has it.
#[cfg(target_arch = "x86_64")]
fn avx2() -> Option<Family> {
    let found = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    found.then_some(Family::Avx2)
}

#[cfg(not(target_arch = "x86_64"))]
fn avx2() -> Option<Family> {
    None
}
