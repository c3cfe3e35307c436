//! Operations that kernels are compiled for, once for each instruction set.

use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::Chunk;
use crate::simd::lane_codec::LaneCodec;

/// 32-bit words of a wide.
pub(crate) const WIDE_WORDS: usize = 16;

/// Token of an instruction set, with its operations.
///
/// A value of the type proves that the processor has the instructions, so all operations are safe.
/// `a` and `b` are wides; `a[i]` is word or byte `i`, little endian.
pub(crate) trait Simd: Copy + Send + Sync {
    /// A wide: sixteen 32-bit words, or 64 bytes.
    type Wide: Copy;
    /// Codec of lanes; [`crate::simd::lane_codec::NoCodec`] if there are no instructions for it.
    type Codec: LaneCodec<Self>;
    /// Calls a kernel, which is compiled for these instructions apart from the caller.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;
    /// `result[mask position n] = bits[n]`; 0 outside the mask. 64 bits; PDEP.
    fn deposit(self, bits: u64, mask: u64) -> u64;
    /// `result[n] = bits[mask position n]`; 0 from the mask's size on. 64 bits; PEXT.
    fn extract(self, bits: u64, mask: u64) -> u64;
    fn load(self, words: &[u32; 16]) -> Self::Wide;
    fn store(self, wide: Self::Wide, words: &mut [u32; 16]);
    /// `result[i] = word`, for sixteen words.
    fn splat(self, word: u32) -> Self::Wide;
    /// `a | b`, 512 bits.
    fn or(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a & b`, 512 bits.
    fn and(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a & !b`, 512 bits.
    fn and_not(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Bit `i` of the result is `a[i] != 0`, for sixteen words; the upper 16 bits are 0.
    fn nonzero_words(self, a: Self::Wide) -> u32;
    /// `a[i] >> by`, or `a[i] << -by` if `by < 0`, for sixteen words; `by` from -31 to 31.
    fn shift(self, a: Self::Wide, by: i32) -> Self::Wide;
    fn load_bytes(self, bytes: &[u8; 64]) -> Self::Wide;
    fn store_bytes(self, wide: Self::Wide, bytes: &mut [u8; 64]);
    /// `min(a[i], b[i])`, for 64 bytes.
    fn min_u8(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `if a[i] < 128 { 254 - a[i] } else { 255 - a[i] }`, for 64 bytes.
    ///
    /// Value before a move, from the value after it, in the encoding of [`crate::acyclic::tier`].
    fn pred_value(self, a: Self::Wide) -> Self::Wide;
    /// `if a[i] == 0 || a[i] == 255 { a[i] } else { b[i] }`, for 64 bytes.
    fn blend_open(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a != b`, 512 bits.
    fn differs(self, a: Self::Wide, b: Self::Wide) -> bool;
    /// `to[i] = bytes[permutation[i]]`, for all bytes of the chunks that the permutation covers.
    fn permute_bytes(self, bytes: &[Chunk], permutation: &BytePermutation, to: &mut [Chunk]);
    /// Prefetches the first cache lines of `bytes`; changes no value.
    fn prefetch(self, bytes: &[u8]);
    /// Prefetches the cache line of `bytes[at]`, which need not exist; changes no value.
    fn prefetch_line(self, bytes: &[u8], at: usize);
}

/// Code that is compiled once for each instruction set.
pub(crate) trait Kernel {
    /// Result of the kernel.
    type Output;

    /// Runs the kernel; to be inlined, with everything that it calls.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}
