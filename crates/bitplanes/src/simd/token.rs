use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::Chunk;
use crate::simd::lane_codec::LaneCodec;

/// Words at once.
pub(crate) const WIDE_WORDS: usize = 16;

/// Bits put at the places of a mask and taken from there, and sixteen words at once.
pub(crate) trait Simd: Copy + Send + Sync {
    /// Sixteen words.
    type Wide: Copy;
    /// How wides are packed, if there are instructions for that.
    type Codec: LaneCodec<Self>;
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
    fn and_not(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Which words have any bit.
    fn nonzero_words(self, a: Self::Wide) -> u32;
    /// Bit y of each word gets bit y + `by`.
    fn shift(self, a: Self::Wide, by: i32) -> Self::Wide;
    /// 64 bytes from memory.
    fn load_bytes(self, bytes: &[u8; 64]) -> Self::Wide;
    /// 64 bytes to memory.
    fn store_bytes(self, wide: Self::Wide, bytes: &mut [u8; 64]);
    /// The lesser byte at each place.
    fn min_u8(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Each byte v as 254 - v, from 128 on as 255 - v.
    fn pred_value(self, a: Self::Wide) -> Self::Wide;
    /// Each byte of `a` that is neither 0 nor 255 as in `b`.
    fn blend_open(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Whether any byte is another.
    fn differs(self, a: Self::Wide, b: Self::Wide) -> bool;
    /// Bytes in another order.
    fn permute_bytes(self, bytes: &[Chunk], order: &BytePermutation, to: &mut [Chunk]);
    /// Asks for bytes that will be read.
    fn prefetch(self, bytes: &[u8]);
    /// Asks for one byte and those around it.
    fn prefetch_line(self, bytes: &[u8], at: usize);
}

/// Work that is compiled for each kind of processor.
pub(crate) trait Kernel {
    type Output;

    /// Is to be inlined, as all that it calls.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}
