//! Properties of the operations: every instruction set does as the portable one, operation by
//! operation.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::simd::dispatch::Instructions;
use crate::simd::lane_codec::{CODEC_BYTES, LaneCodec};
use crate::simd::token::{Kernel, Simd};
use crate::space::sets::squares;

/// Names of all instruction sets, in the order of [`Instructions::all`].
const SETS: [&str; 3] = ["portable", "AVX2", "AVX-512"];

/// All instruction sets of this processor; prints those that it lacks, which a test cannot try.
///
/// Prints to the standard error stream itself, since the test harness hides the rest.
fn instruction_sets(property: &str) -> Vec<Instructions> {
    let sets = Instructions::all();
    for missing in &SETS[sets.len()..] {
        let printed = writeln!(
            std::io::stderr(),
            "{property}: not tested with {missing}, which this processor lacks"
        );
        printed.expect("a stream for errors");
    }
    sets
}

/// Deterministic random number for a seed, a name and an index.
fn random(seed: u64, name: &str, i: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, name, i).hash(&mut hasher);
    hasher.finish()
}

/// Number of random operands of each property.
fn seeds(most: u64) -> std::ops::Range<u64> {
    0..if cfg!(miri) { 5 } else { most }
}

/// Random wides, and random bits with a mask.
#[derive(Clone, Copy)]
struct Operands {
    a: [u32; 16],
    b: [u32; 16],
    bits: u64,
    mask: u64,
    by: i32,
}

impl Operands {
    fn random(seed: u64) -> Self {
        // Many bytes are 0 or 255, which `blend_open` and `pred_value` treat apart.
        let byte = |name, i| match random(seed, name, i) % 4 {
            0 => 0,
            1 => 255,
            _ => random(seed, name, i).to_le_bytes()[7],
        };
        let words = |name| {
            std::array::from_fn(|i| {
                u32::from_le_bytes(std::array::from_fn(|n| byte(name, 4 * i + n)))
            })
        };
        Self {
            a: words("a"),
            b: words("b"),
            bits: random(seed, "bits", 0),
            mask: random(seed, "mask", 0) & random(seed, "mask", 1),
            by: (random(seed, "by", 0) % 63) as i32 - 31,
        }
    }
}

/// Result of one operation, with its name.
struct OperationResult<T> {
    operation: &'static str,
    result: T,
}

fn result<T>(operation: &'static str, result: T) -> OperationResult<T> {
    OperationResult { operation, result }
}

/// Asserts that all instruction sets give the results of the portable one, for random operands.
fn assert_as_portable<K, T>(property: &str, kernel: fn(Operands) -> K)
where
    K: Kernel<Output = Vec<OperationResult<T>>>,
    T: PartialEq + std::fmt::Debug,
{
    let sets = instruction_sets(property);
    for seed in seeds(10_000) {
        let operands = Operands::random(seed);
        let expected = sets[0].dispatch(kernel(operands));
        for instructions in &sets[1..] {
            let found = instructions.dispatch(kernel(operands));
            assert_eq!(found.len(), expected.len(), "{instructions:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.operation, expected.operation);
                assert_eq!(
                    found.result, expected.result,
                    "{} of {instructions:?}, seed {seed}",
                    found.operation
                );
            }
        }
    }
}

fn words<S: Simd>(simd: S, wide: S::Wide) -> [u32; 16] {
    let mut words = [0; 16];
    simd.store(wide, &mut words);
    words
}

/// Kernel of all operations on words whose result is a wide.
struct WordOperations(Operands);

impl Kernel for WordOperations {
    type Output = Vec<OperationResult<[u32; 16]>>;

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let operands = self.0;
        let (a, b) = (simd.load(&operands.a), simd.load(&operands.b));
        vec![
            result("load and store", words(simd, a)),
            result("splat", words(simd, simd.splat(operands.a[0]))),
            result("or", words(simd, simd.or(a, b))),
            result("and", words(simd, simd.and(a, b))),
            result("and_not", words(simd, simd.and_not(a, b))),
            result("shift", words(simd, simd.shift(a, operands.by))),
        ]
    }
}

#[test]
fn operations_on_words_equal_the_portable_ones() {
    assert_as_portable("operations on words", WordOperations);
}

/// Kernel of all operations on bytes whose result is a wide.
struct ByteOperations(Operands);

impl Kernel for ByteOperations {
    type Output = Vec<OperationResult<[u32; 16]>>;

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let (a, b) = (simd.load(&self.0.a), simd.load(&self.0.b));
        let mut bytes = [0; 64];
        simd.store_bytes(a, &mut bytes);
        let loaded = simd.load_bytes(&bytes);
        vec![
            result("load_bytes and store_bytes", words(simd, loaded)),
            result("min_u8", words(simd, simd.min_u8(a, b))),
            result("pred_value", words(simd, simd.pred_value(a))),
            result("blend_open", words(simd, simd.blend_open(a, b))),
        ]
    }
}

#[test]
fn operations_on_bytes_equal_the_portable_ones() {
    assert_as_portable("operations on bytes", ByteOperations);
}

/// Kernel of all operations whose result is a number.
struct BitOperations(Operands);

impl Kernel for BitOperations {
    type Output = Vec<OperationResult<u64>>;

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Operands { bits, mask, .. } = self.0;
        let (a, b) = (simd.load(&self.0.a), simd.load(&self.0.b));
        vec![
            result("deposit", simd.deposit(bits, mask)),
            result("extract", simd.extract(bits, mask)),
            result("nonzero_words", simd.nonzero_words(a).into()),
            result("differs, of two", simd.differs(a, b).into()),
            result("differs, of equal ones", simd.differs(a, a).into()),
        ]
    }
}

#[test]
fn operations_on_bits_equal_the_portable_ones() {
    assert_as_portable("operations on bits", BitOperations);
}

#[test]
fn extracting_keeps_the_bits_in_the_mask() {
    let sets = instruction_sets("number of bits extracted");
    for seed in seeds(10_000) {
        let operands = Operands::random(seed);
        for instructions in &sets {
            let results = instructions.dispatch(BitOperations(operands));
            let extracted = results
                .iter()
                .find(|result| result.operation == "extract")
                .expect("an operation of the group");
            assert_eq!(
                extracted.result.count_ones(),
                (operands.bits & operands.mask).count_ones(),
                "{instructions:?}, seed {seed}"
            );
        }
    }
}

/// Kernel that permutes three chunks.
struct Permuted<'a> {
    chunks: [Chunk; 3],
    permutation: &'a BytePermutation,
}

impl Kernel for Permuted<'_> {
    type Output = [Chunk; 3];

    fn run<S: Simd>(self, simd: S) -> [Chunk; 3] {
        let mut to = [Chunk([7; 64]); 3];
        simd.permute_bytes(&self.chunks, self.permutation, &mut to);
        to
    }
}

/// Numbers of bytes to permute, in and between chunks.
const PERMUTED_BYTES: [usize; 7] = [1, 63, 64, 65, 100, 150, 192];

/// Three chunks whose bytes are their indices.
fn index_chunks() -> [Chunk; 3] {
    [0, 1, 2].map(|n| Chunk(std::array::from_fn(|at| (64 * n + at) as u8)))
}

#[test]
fn permuted_bytes_are_those_of_the_sources() {
    let sets = instruction_sets("byte permutation");
    for bytes in PERMUTED_BYTES {
        let source = |at: usize| (7 * at + 3) % bytes;
        let permutation = &BytePermutation::new(bytes, source);
        for instructions in &sets {
            let chunks = index_chunks();
            let found = instructions.dispatch(Permuted { chunks, permutation });
            let expected: Vec<u8> = (0..bytes).map(|at| source(at) as u8).collect();
            let found = &Chunk::as_bytes(&found)[..bytes];
            assert_eq!(found, expected, "{bytes} bytes, {instructions:?}");
        }
    }
}

#[test]
fn a_permutation_and_its_inverse_are_the_identity() {
    let sets = instruction_sets("inverse byte permutation");
    for bytes in PERMUTED_BYTES {
        for seed in seeds(100) {
            let mut sources: Vec<usize> = (0..bytes).collect();
            sources.sort_by_cached_key(|&at| random(seed, "source", at));
            let mut inverse_sources = vec![0; bytes];
            for (at, &source) in sources.iter().enumerate() {
                inverse_sources[source] = at;
            }
            let permutation = &BytePermutation::new(bytes, |at| sources[at]);
            let inverse = &BytePermutation::new(bytes, |at| inverse_sources[at]);
            // Bytes that fill up the last chunk stay where they are.
            let len = bytes.next_multiple_of(CHUNK_BYTES);
            for instructions in &sets {
                let chunks = index_chunks();
                let permuted = instructions.dispatch(Permuted { chunks, permutation });
                let restored =
                    instructions.dispatch(Permuted { chunks: permuted, permutation: inverse });
                assert_eq!(
                    Chunk::as_bytes(&restored)[..len],
                    Chunk::as_bytes(&chunks)[..len],
                    "{bytes} bytes, {instructions:?}, seed {seed}"
                );
            }
        }
    }
}

/// Kernel that packs and unpacks a lane by the codec of an instruction set.
#[derive(Clone, Copy)]
struct CodecRoundTrip {
    free: u32,
    lines: [u32; 32],
    order: [u32; 32],
}

/// Results of [`CodecRoundTrip`].
struct CodecResult {
    packed: [u8; CODEC_BYTES],
    /// Lines unpacked again, and in another order.
    unpacked: [u32; 32],
    unpacked_in_order: [u32; 32],
    /// The lane packed once more.
    packed_again: [u8; CODEC_BYTES],
    /// Each column, by the number of its free square.
    columns: Vec<[u32; 32]>,
}

fn lane_words<S: Simd>(simd: S, lane: [S::Wide; 2]) -> [u32; 32] {
    let halves = lane.map(|wide| words(simd, wide));
    *halves.as_flattened().first_chunk().expect("both halves")
}

impl Kernel for CodecRoundTrip {
    type Output = Option<CodecResult>;

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let codec = S::Codec::new(simd, self.free)?;
        let low = simd.load(self.lines.first_chunk().expect("half of them"));
        let high = simd.load(self.lines.last_chunk().expect("half of them"));
        let [mut packed, mut packed_again] = [[u8::MAX; CODEC_BYTES]; 2];
        codec.pack([low, high], &mut packed);
        let unpacked = codec.unpack(&packed);
        codec.pack(unpacked, &mut packed_again);
        let in_order = codec.with_line_order(&self.order).unpack(&packed);
        let columns = 0..self.free.count_ones();
        let column = |column| lane_words(simd, codec.column(&packed, column));
        Some(CodecResult {
            unpacked: lane_words(simd, unpacked),
            unpacked_in_order: lane_words(simd, in_order),
            columns: columns.map(column).collect(),
            packed,
            packed_again,
        })
    }
}

#[test]
fn packing_and_unpacking_a_lane_is_the_identity_on_free_squares() {
    let sets = instruction_sets("round trip of the lane codec");
    for (instructions, name) in sets.into_iter().zip(SETS) {
        let mut codecs = 0;
        for seed in seeds(5_000) {
            let board = u32::MAX >> (seed % 25);
            // A half or three quarters of the squares are free.
            let sets = 0..=seed as usize % 2;
            let free = board & sets.fold(0, |all, i| all | random(seed, "free", i) as u32);
            let mut order: [u32; 32] = std::array::from_fn(|i| i as u32);
            order.sort_by_key(|&i| random(seed, "order", i as usize));
            let lines = std::array::from_fn(|i| random(seed, "line", i) as u32);
            let lane = CodecRoundTrip { free, lines, order };
            let Some(result) = instructions.dispatch(lane) else {
                continue;
            };
            codecs += 1;
            let at = format!("{instructions:?}, free {free:b}, seed {seed}");
            let expected: [u32; 32] = std::array::from_fn(|i| match free >> i & 1 {
                1 => lines[i] & free,
                _ => 0,
            });
            assert_eq!(result.unpacked, expected, "unpack after pack: {at}");
            assert_eq!(result.packed_again, result.packed, "pack: {at}");
            let in_order = order.map(|i| expected[i as usize]);
            assert_eq!(result.unpacked_in_order, in_order, "line order: {at}");
            for (square, column) in squares(free).zip(&result.columns) {
                let bits = expected.map(|line| line >> square & 1);
                assert_eq!(*column, bits, "column of square {square}: {at}");
            }
        }
        // Only AVX-512 has a codec.
        assert_eq!(codecs > 0, name == "AVX-512", "{name}: {codecs} codecs");
    }
}

/// Kernel that writes a wide to the first words of a slice; returns 24 words around it.
struct WrittenWords {
    /// Words of the slice.
    len: usize,
}

impl Kernel for WrittenWords {
    type Output = Option<[[u32; 24]; 2]>;

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let codec = S::Codec::new(simd, 0x00FF_F0FF)?;
        let wide = simd.load(&std::array::from_fn(|i| 0x100 + i as u32));
        let mut words = [[1; 24]; 2];
        codec.store_words(wide, &mut words[0][..self.len]);
        codec.or_words(wide, &mut words[1][..self.len]);
        Some(words)
    }
}

#[test]
fn no_words_are_written_beyond_a_slice() {
    for instructions in instruction_sets("words written by the lane codec") {
        for len in 0..=24 {
            let Some([stored, merged]) = instructions.dispatch(WrittenWords { len }) else {
                continue;
            };
            let expected = |old| {
                std::array::from_fn::<u32, 24, _>(|i| {
                    if i < len.min(16) { (0x100 + i as u32) | old } else { 1 }
                })
            };
            assert_eq!(stored, expected(0), "store_words, {len} words");
            assert_eq!(merged, expected(1), "or_words, {len} words");
        }
    }
}

/// Fails where the other tests could not try every instruction set.
#[test]
#[ignore = "only for processors with AVX-512"]
fn this_processor_has_all_instructions() {
    assert_eq!(Instructions::all().len(), SETS.len());
}
