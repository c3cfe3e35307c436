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
    type Fold: Fold<Self>;
    /// The lowest bits, in order, at the places of the mask.
    fn deposit(self, bits: u64, mask: u64) -> u64;
    /// The bits at the places of the mask, in order, as the lowest.
    fn extract(self, bits: u64, mask: u64) -> u64;
    /// Sixteen words from memory.
    fn load(self, words: &[u32; 16]) -> Self::Wide;
    /// Sixteen words to memory.
    fn store(self, wide: Self::Wide, words: &mut [u32; 16]);
    /// The same word sixteen times.
    fn splat(self, word: u32) -> Self::Wide;
    /// `a | b`
    fn or(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a & b`
    fn and(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a & !b`
    fn without(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Which words have any bit.
    fn nonzero(self, a: Self::Wide) -> u32;
    /// Bit y of each word gets bit y + `by`.
    fn shift(self, a: Self::Wide, by: i32) -> Self::Wide;
    /// 64 bytes from memory.
    fn bytes(self, bytes: &[u8; 64]) -> Self::Wide;
    /// 64 bytes to memory.
    fn put_bytes(self, wide: Self::Wide, bytes: &mut [u8; 64]);
    /// The lesser byte at each place.
    fn least(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Each byte v as 254 - v, from 128 on as 255 - v.
    fn before(self, a: Self::Wide) -> Self::Wide;
    /// Each byte of `a` that is neither 0 nor 255 as in `b`.
    fn renewed(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Whether any byte is another.
    fn differs(self, a: Self::Wide, b: Self::Wide) -> bool;
    /// Bytes in another order.
    fn arrange(self, bytes: &[Chunk], order: &Order, to: &mut [Chunk]);
    /// Asks for bytes that will be read.
    fn ask_for(self, bytes: &[u8]);
    /// Asks for one byte and those around it.
    fn ask_for_line(self, bytes: &[u8], at: usize);
}

/// Any processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portable;

impl Portable {
    /// Each byte of what a function of both makes.
    #[inline(always)]
    fn by_bytes(self, a: [u32; 16], b: [u32; 16], of: impl Fn(u8, u8) -> u8) -> [u32; 16] {
        let (mut one, mut other) = ([0; 64], [0; 64]);
        self.put_bytes(a, &mut one);
        self.put_bytes(b, &mut other);
        for (one, other) in one.iter_mut().zip(other) {
            *one = of(*one, other);
        }
        self.bytes(&one)
    }
}

impl Cpu for Portable {
    type Wide = [u32; 16];
    type Fold = NoFold;

    #[inline(always)]
    fn bytes(self, bytes: &[u8; 64]) -> [u32; 16] {
        let mut words = [0; 16];
        for (word, four) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*four);
        }
        words
    }

    #[inline(always)]
    fn put_bytes(self, wide: [u32; 16], bytes: &mut [u8; 64]) {
        for (four, word) in bytes.as_chunks_mut().0.iter_mut().zip(wide) {
            *four = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn least(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        self.by_bytes(a, b, |a, b| a.min(b))
    }

    #[inline(always)]
    fn before(self, a: [u32; 16]) -> [u32; 16] {
        self.by_bytes(a, a, |a, _| 254_u8.wrapping_sub(a).wrapping_add(a >> 7))
    }

    #[inline(always)]
    fn renewed(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        self.by_bytes(a, b, |a, b| if a == 0 || a == 255 { a } else { b })
    }

    #[inline(always)]
    fn differs(self, a: [u32; 16], b: [u32; 16]) -> bool {
        a != b
    }

    #[inline(always)]
    fn arrange(self, bytes: &[Chunk], order: &Order, to: &mut [Chunk]) {
        order.arrange(bytes, to);
    }

    #[inline]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
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
    fn extract(self, bits: u64, mask: u64) -> u64 {
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
    fn without(self, a: [u32; 16], b: [u32; 16]) -> [u32; 16] {
        std::array::from_fn(|i| a[i] & !b[i])
    }

    #[inline(always)]
    fn nonzero(self, a: [u32; 16]) -> u32 {
        let words = a.iter().enumerate();
        words.fold(0, |all, (i, &word)| all | u32::from(word != 0) << i)
    }

    fn ask_for(self, _: &[u8]) {}

    fn ask_for_line(self, _: &[u8], _: usize) {}

    #[inline(always)]
    fn shift(self, a: [u32; 16], by: i32) -> [u32; 16] {
        if by >= 0 {
            a.map(|word| word >> by)
        } else {
            a.map(|word| word << -by)
        }
    }
}

/// Instructions that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Family);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Portable(Portable),
    /// AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 with VBMI and VBMI2, and all of the above.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// Work that is compiled for each kind of processor.
pub(super) trait Work {
    type Done;

    /// Is to be inlined, as all that it calls.
    fn run<C: Cpu>(self, cpu: C) -> Self::Done;
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
        let mut all = vec![Self(Family::Portable(Portable))];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|cpu| Self(Family::Avx2(cpu))));
            all.extend(Avx512::detect().map(|cpu| Self(Family::Avx512(cpu))));
        }
        all
    }

    /// Does some work with these instructions.
    pub(super) fn run<W: Work>(self, work: W) -> W::Done {
        match self.0 {
            Family::Portable(cpu) => work.run(cpu),
            #[cfg(target_arch = "x86_64")]
            Family::Avx2(cpu) => cpu.run(work),
            #[cfg(target_arch = "x86_64")]
            Family::Avx512(cpu) => cpu.run(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::{Chunk, Cpu, Instructions, Order, Work};
    use crate::arrangements::fold::Fold;

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

    impl Work for &Operands {
        type Done = Results;

        fn run<C: Cpu>(self, cpu: C) -> Results {
            let (a, b) = (cpu.load(&self.a), cpu.load(&self.b));
            let words = |wide| {
                let mut words = [0; 16];
                cpu.store(wide, &mut words);
                words
            };
            let bytes = |wide| {
                let mut bytes = [0; 64];
                cpu.put_bytes(wide, &mut bytes);
                words(cpu.bytes(&bytes))
            };
            Results {
                wides: vec![
                    words(a),
                    bytes(a),
                    words(cpu.splat(self.a[0])),
                    words(cpu.or(a, b)),
                    words(cpu.and(a, b)),
                    words(cpu.without(a, b)),
                    words(cpu.shift(a, self.by)),
                    words(cpu.least(a, b)),
                    words(cpu.before(a)),
                    words(cpu.renewed(a, b)),
                ],
                bits: [
                    cpu.deposit(self.bits, self.mask),
                    cpu.extract(self.bits, self.mask),
                    cpu.nonzero(a).into(),
                ],
                differs: [cpu.differs(a, b), cpu.differs(a, a)],
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
            let expected = portable.run(&operands);
            assert_eq!(
                expected.bits[1].count_ones(),
                (operands.bits & operands.mask).count_ones()
            );
            for other in others {
                assert_eq!(other.run(&operands), expected, "{other:?}, seed {seed}");
            }
        }
    }

    /// Bytes of three chunks, and where each comes from.
    struct Arranged([Chunk; 3], Order);

    impl Work for &Arranged {
        type Done = Vec<u8>;

        fn run<C: Cpu>(self, cpu: C) -> Vec<u8> {
            let mut to = [Chunk([7; 64]); 3];
            cpu.arrange(&self.0, &self.1, &mut to);
            Chunk::flat(&to).to_vec()
        }
    }

    #[test]
    fn all_instructions_put_bytes_in_an_order() {
        let chunk = |n: usize| Chunk(std::array::from_fn(|at| (64 * n + at) as u8));
        for bytes in [1, 63, 64, 65, 100, 150, 192] {
            let order = Order::new(bytes, |at| (7 * at + 3) % bytes);
            let arranged = Arranged([0, 1, 2].map(chunk), order);
            for instructions in Instructions::all() {
                let found = instructions.run(&arranged);
                let expected = (0..bytes).map(|at| ((7 * at + 3) % bytes) as u8);
                let expected: Vec<u8> = expected.collect();
                assert_eq!(found[..bytes], expected, "{instructions:?}");
            }
        }
    }

    /// Words beyond which nothing may be written, and how many there are before them.
    struct Written(usize);

    impl Work for Written {
        type Done = Option<[[u32; 24]; 2]>;

        fn run<C: Cpu>(self, cpu: C) -> Self::Done {
            let fold = C::Fold::new(cpu, 0x00FF_F0FF)?;
            let wide = cpu.load(&std::array::from_fn(|i| 0x100 + i as u32));
            let mut words = [[1; 24]; 2];
            fold.store(wide, &mut words[0][..self.0]);
            fold.or(wide, &mut words[1][..self.0]);
            Some(words)
        }
    }

    #[test]
    fn no_more_words_are_written_than_there_is_room_for() {
        for instructions in Instructions::all() {
            for room in 0..=24 {
                let Some([stored, added]) = instructions.run(Written(room)) else {
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
