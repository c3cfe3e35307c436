//! The instructions of the processor: found once, entered through one function for each kind.

use crate::simd::avx2::Avx2;
use crate::simd::avx512::Avx512;
use crate::simd::portable::Portable;
use crate::simd::token::Kernel;

/// Instructions that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(InstructionSet);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InstructionSet {
    Portable(Portable),
    /// AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 with VBMI and VBMI2, and all of the above.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The best.
    #[must_use]
    pub fn detect() -> Self {
        let best = Self::all().pop();
        best.expect("every processor has the portable ones")
    }

    /// All, from those that every processor has to the best.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self(InstructionSet::Portable(Portable))];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|simd| Self(InstructionSet::Avx2(simd))));
            all.extend(Avx512::detect().map(|simd| Self(InstructionSet::Avx512(simd))));
        }
        all
    }

    /// Does some work with these instructions.
    pub(crate) fn dispatch<W: Kernel>(self, work: W) -> W::Output {
        match self.0 {
            InstructionSet::Portable(simd) => work.run(simd),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(simd) => simd.run(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::Instructions;
    use crate::simd::byte_permutation::BytePermutation;
    use crate::simd::chunk::Chunk;
    use crate::simd::lane_codec::LaneCodec;
    use crate::simd::token::{Kernel, Simd};

    /// Random words, and bits at random places of a mask.
    struct Operands {
        a: [u32; 16],
        b: [u32; 16],
        bits: u64,
        mask: u64,
        by: i32,
    }

    impl Operands {
        fn random(seed: u64) -> Self {
            let random = |what: &str, i: usize| {
                let mut hasher = DefaultHasher::new();
                (seed, what, i).hash(&mut hasher);
                hasher.finish()
            };
            // Each byte is 0 and 255 often: `renewed` and `before` treat these apart.
            let byte = |what, i| match random(what, i) % 4 {
                0 => 0,
                1 => 255,
                _ => random(what, i).to_le_bytes()[7],
            };
            let words = |what| {
                std::array::from_fn(|i| {
                    u32::from_le_bytes(std::array::from_fn(|byte_of| byte(what, 4 * i + byte_of)))
                })
            };
            Self {
                a: words("a"),
                b: words("b"),
                bits: random("bits", 0),
                mask: random("mask", 0) & random("mask", 1),
                by: (random("by", 0) % 63) as i32 - 31,
            }
        }
    }

    /// The result of every operation, in a fixed order.
    #[derive(PartialEq, Eq, Debug)]
    struct Results {
        wides: Vec<[u32; 16]>,
        bits: [u64; 3],
        differs: [bool; 2],
    }

    impl Kernel for &Operands {
        type Output = Results;

        fn run<S: Simd>(self, simd: S) -> Results {
            let (a, b) = (simd.load(&self.a), simd.load(&self.b));
            let words = |wide| {
                let mut words = [0; 16];
                simd.store(wide, &mut words);
                words
            };
            let bytes = |wide| {
                let mut bytes = [0; 64];
                simd.store_bytes(wide, &mut bytes);
                words(simd.load_bytes(&bytes))
            };
            Results {
                wides: vec![
                    words(a),
                    bytes(a),
                    words(simd.splat(self.a[0])),
                    words(simd.or(a, b)),
                    words(simd.and(a, b)),
                    words(simd.and_not(a, b)),
                    words(simd.shift(a, self.by)),
                    words(simd.min_u8(a, b)),
                    words(simd.pred_value(a)),
                    words(simd.blend_open(a, b)),
                ],
                bits: [
                    simd.deposit(self.bits, self.mask),
                    simd.extract(self.bits, self.mask),
                    simd.nonzero_words(a).into(),
                ],
                differs: [simd.differs(a, b), simd.differs(a, a)],
            }
        }
    }

    #[test]
    fn all_instructions_do_as_the_portable_ones() {
        let [portable, others @ ..] = &Instructions::all()[..] else {
            panic!("every processor has the portable ones");
        };
        let seeds = if cfg!(miri) { 20 } else { 10_000 };
        for seed in 0..seeds {
            let operands = Operands::random(seed);
            let expected = portable.dispatch(&operands);
            assert_eq!(
                expected.bits[1].count_ones(),
                (operands.bits & operands.mask).count_ones()
            );
            for other in others {
                assert_eq!(
                    other.dispatch(&operands),
                    expected,
                    "{other:?}, seed {seed}"
                );
            }
        }
    }

    /// Bytes of three chunks, and where each comes from.
    struct Arranged([Chunk; 3], BytePermutation);

    impl Kernel for &Arranged {
        type Output = Vec<u8>;

        fn run<S: Simd>(self, simd: S) -> Vec<u8> {
            let mut to = [Chunk([7; 64]); 3];
            simd.permute_bytes(&self.0, &self.1, &mut to);
            Chunk::as_bytes(&to).to_vec()
        }
    }

    #[test]
    fn all_instructions_put_bytes_in_an_order() {
        let chunk = |n: usize| Chunk(std::array::from_fn(|at| (64 * n + at) as u8));
        for bytes in [1, 63, 64, 65, 100, 150, 192] {
            let order = BytePermutation::new(bytes, |at| (7 * at + 3) % bytes);
            let arranged = Arranged([0, 1, 2].map(chunk), order);
            for instructions in Instructions::all() {
                let found = instructions.dispatch(&arranged);
                let expected = (0..bytes).map(|at| ((7 * at + 3) % bytes) as u8);
                let expected: Vec<u8> = expected.collect();
                assert_eq!(found[..bytes], expected, "{instructions:?}");
            }
        }
    }

    /// Words beyond which nothing may be written, and how many there are before them.
    struct Written(usize);

    impl Kernel for Written {
        type Output = Option<[[u32; 24]; 2]>;

        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let fold = S::Codec::new(simd, 0x00FF_F0FF)?;
            let wide = simd.load(&std::array::from_fn(|i| 0x100 + i as u32));
            let mut words = [[1; 24]; 2];
            fold.store_words(wide, &mut words[0][..self.0]);
            fold.or_words(wide, &mut words[1][..self.0]);
            Some(words)
        }
    }

    #[test]
    fn no_more_words_are_written_than_there_is_room_for() {
        for instructions in Instructions::all() {
            for room in 0..=24 {
                let Some([stored, added]) = instructions.dispatch(Written(room)) else {
                    continue;
                };
                let expected = |old| {
                    std::array::from_fn::<u32, 24, _>(|i| match i < room.min(16) {
                        true => (0x100 + i as u32) | old,
                        false => 1,
                    })
                };
                assert_eq!(stored, expected(0), "{room}");
                assert_eq!(added, expected(1), "{room}");
            }
        }
    }

    /// Says whether the other tests of instructions tried all of them.
    #[test]
    #[ignore = "only for processors with AVX-512"]
    fn this_processor_has_all_instructions() {
        assert_eq!(Instructions::all().len(), 3);
    }
}
