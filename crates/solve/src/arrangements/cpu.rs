//! The instructions of the processor: found once, entered through one function for each kind.

use super::fold::{Fold, NoFold};
use super::onward::Order;
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// Bytes that are taken at once, a line of the cache. Begun anywhere else, where arrays of bytes need no `unsafe`, they take 6 % longer on 5 x 4
/// with five boars and 14 % on 4 x 5.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Chunk(pub(super) [u8; 64]);

impl Chunk {
    /// The bytes of chunks.
    #[inline(always)]
    pub(super) fn flat(chunks: &[Self]) -> &[u8] {
        // SAFETY: a chunk is 64 bytes, and nothing else.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), 64 * chunks.len()) }
    }

    /// The same, to write to them.
    #[inline(always)]
    pub(super) fn flat_mut(chunks: &mut [Self]) -> &mut [u8] {
        // SAFETY: as above, and any bytes are a chunk.
        unsafe { std::slice::from_raw_parts_mut(chunks.as_mut_ptr().cast(), 64 * chunks.len()) }
    }
}

/// Bits put at the places of a mask and taken from there, and sixteen words at once.
pub(super) trait Cpu: Copy + Send + Sync {
    /// Sixteen words.
    type Wide: Copy;
    /// How wides are packed, if there are instructions for that.
    type Fold: Fold<Self::Wide>;
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
    /// 64 bytes from memory.
    fn bytes(bytes: &[u8; 64]) -> Self::Wide;
    /// 64 bytes to memory.
    fn put_bytes(wide: Self::Wide, bytes: &mut [u8; 64]);
    /// The lesser byte at each place.
    fn least(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Each byte v as 254 - v, from 128 on as 255 - v.
    fn before(a: Self::Wide) -> Self::Wide;
    /// Each byte of `a` that is neither 0 nor 255 as in `b`.
    fn renewed(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Whether any byte is another.
    fn differs(a: Self::Wide, b: Self::Wide) -> bool;
    /// Bytes in another order.
    fn arrange(bytes: &[Chunk], order: &Order, to: &mut [Chunk]);
    /// Asks for bytes that will be read.
    fn ask_for(bytes: &[u8]);
    /// Asks for one byte and those around it.
    fn ask_for_line(bytes: &[u8], at: usize);
}

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Cpu for Portable {
    type Wide = [u32; 16];
    type Fold = NoFold;

    #[inline(always)]
    fn bytes(bytes: &[u8; 64]) -> [u32; 16] {
        let mut words = [0; 16];
        for (word, four) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*four);
        }
        words
    }

    #[inline(always)]
    fn put_bytes(wide: [u32; 16], bytes: &mut [u8; 64]) {
        for (four, word) in bytes.as_chunks_mut().0.iter_mut().zip(wide) {
            *four = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn least(a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        by_bytes(a, b, |a, b| a.min(b))
    }

    #[inline(always)]
    fn before(a: [u32; 16]) -> [u32; 16] {
        by_bytes(a, a, |a, _| 254_u8.wrapping_sub(a).wrapping_add(a >> 7))
    }

    #[inline(always)]
    fn renewed(a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        by_bytes(a, b, |a, b| if a == 0 || a == 255 { a } else { b })
    }

    #[inline(always)]
    fn differs(a: [u32; 16], b: [u32; 16]) -> bool {
        a != b
    }

    #[inline(always)]
    fn arrange(bytes: &[Chunk], order: &Order, to: &mut [Chunk]) {
        order.arrange(bytes, to);
    }

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

    fn ask_for(_: &[u8]) {}

    fn ask_for_line(_: &[u8], _: usize) {}

    #[inline(always)]
    fn shift(a: [u32; 16], by: i32) -> [u32; 16] {
        if by >= 0 {
            a.map(|word| word >> by)
        } else {
            a.map(|word| word << -by)
        }
    }
}

/// Each byte of what a function of both makes.
#[inline(always)]
fn by_bytes(a: [u32; 16], b: [u32; 16], of: impl Fn(u8, u8) -> u8) -> [u32; 16] {
    let (mut one, mut other) = ([0; 64], [0; 64]);
    Portable::put_bytes(a, &mut one);
    Portable::put_bytes(b, &mut other);
    for (one, other) in one.iter_mut().zip(other) {
        *one = of(*one, other);
    }
    Portable::bytes(&one)
}

/// Instructions that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Family);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Portable,
    /// AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VBMI and VBMI2, and all of the above.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work that is compiled for each kind of processor.
pub(super) trait Work {
    type Done;

    /// Is to be inlined, as all that it calls.
    fn run<C: Cpu>(self) -> Self::Done;
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
        let mut all = vec![Self(Family::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(has_avx2().then_some(Self(Family::Avx2)));
            all.extend(has_avx512().then_some(Self(Family::Avx512)));
        }
        all
    }

    /// Does some work with these instructions.
    pub(super) fn run<W: Work>(self, work: W) -> W::Done {
        match self.0 {
            Family::Portable => work.run::<Portable>(),
            // SAFETY: only `Instructions::all` makes these, where the processor has them.
            #[cfg(target_arch = "x86_64")]
            Family::Avx2 => unsafe { run_avx2(work) },
            #[cfg(target_arch = "x86_64")]
            Family::Avx512 => unsafe { run_avx512(work) },
        }
    }
}

/// Whether the processor has AVX2 and what comes with it.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<W: Work>(work: W) -> W::Done {
    work.run::<Avx2>()
}

/// Whether the processor has also AVX-512 with what came some years after it.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq")]
fn run_avx512<W: Work>(work: W) -> W::Done {
    work.run::<Avx512>()
}
