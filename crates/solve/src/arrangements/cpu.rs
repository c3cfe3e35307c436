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

/// Instructions that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Family);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Portable,
    /// AVX2 and BMI2. The same compiled for AVX-512 was a quarter slower on a Xeon of 2017
    /// (`docs/decisions/0009-planes.md`).
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
