//! Choice of the instruction set, and entry of kernels that are compiled for it.

use crate::simd::portable::Portable;
use crate::simd::token::{Kernel, Simd};
#[cfg(target_arch = "x86_64")]
use crate::simd::{avx2::Avx2, avx512::Avx512};

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(InstructionSet);

/// Token of the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InstructionSet {
    /// No special instructions.
    Portable(Portable),
    /// AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 with VBMI, VBMI2 and VPOPCNTDQ, and all of the above.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The fastest set that this processor has.
    #[must_use]
    pub fn detect() -> Self {
        let best = Self::all().pop();
        best.expect("every processor has the portable set")
    }

    /// All sets that this processor has, from the portable one to the fastest.
    ///
    /// The order is portable, AVX2, AVX-512; a processor with one has all before it.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let all = [
            Some(InstructionSet::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(InstructionSet::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(InstructionSet::Avx512),
        ];
        all.into_iter().flatten().map(Self).collect()
    }

    /// Runs a kernel that is compiled for this set.
    pub(crate) fn dispatch<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            InstructionSet::Portable(simd) => simd.call(kernel),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(simd) => simd.call(kernel),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(simd) => simd.call(kernel),
        }
    }
}
