//! The instructions of the processor: found once, entered through one function for each kind.

/// Bits put at the places of a mask, and taken from there.
pub(super) trait Cpu: Copy + Send + Sync {
    /// The lowest bits, in order, at the places of the mask.
    fn deposit(bits: u64, mask: u64) -> u64;
    /// The bits at the places of the mask, in order, as the lowest.
    fn extract(bits: u64, mask: u64) -> u64;
}

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Cpu for Portable {
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
}

/// A processor with PDEP and PEXT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Cpu for Bmi2 {
    #[inline(always)]
    fn deposit(bits: u64, mask: u64) -> u64 {
        // SAFETY: only functions that were entered after BMI2 was found use this type.
        unsafe { core::arch::x86_64::_pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn extract(bits: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { core::arch::x86_64::_pext_u64(bits, mask) }
    }
}

/// Which instructions to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    /// Those that every processor has.
    Portable,
    /// AVX2 and BMI2.
    Avx2,
    /// AVX-512 (F, BW, DQ, VL) and BMI2.
    Avx512,
}

impl Instructions {
    /// The best that this processor has.
    #[must_use]
    pub fn detect() -> Self {
        Self::all().last().copied().unwrap_or(Self::Portable)
    }

    /// All that this processor has, the best last.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let bmi2 = is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt");
            if bmi2 && is_x86_feature_detected!("avx2") {
                all.push(Self::Avx2);
            }
            if bmi2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                all.push(Self::Avx512);
            }
        }
        all
    }
}
