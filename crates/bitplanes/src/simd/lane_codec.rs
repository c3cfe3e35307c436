//! Codec of lanes, for instruction sets that move bytes and bits of many lines at once.
//!
//! A packed lane has `f` lines of `f` bits, for `f` free squares. Line `i` begins at bit `i * f`,
//! little endian. In board order line `s` is word `s`, with the bit of each square at its number.

use crate::simd::token::Simd;

/// Packs and unpacks lanes of the same free squares.
///
/// A lane in board order is two wides: lines 0 to 15, and lines 16 to 31.
pub(crate) trait LaneCodec<S: Simd>: Copy {
    /// Makes the codec for a set of free squares; `None` if it does not support the set.
    fn new(simd: S, free: u32) -> Option<Self>;
    /// A codec that unpacks line `order[i]` of this one as line `i`. It must not pack.
    fn with_line_order(&self, order: &[u32; 32]) -> Self;
    /// Unpacks a lane to board order. Lines whose square is not free become 0.
    fn unpack(&self, packed: &[u8; CODEC_BYTES]) -> [S::Wide; 2];
    /// Bit `column` of each packed line, as the lowest bit of its word in board order.
    ///
    /// Equals `unpack(packed)[s] >> square & 1`, where `square` is free square number `column`.
    fn column(&self, packed: &[u8; CODEC_BYTES], column: u32) -> [S::Wide; 2];
    /// Packs a lane; drops lines and bits of squares that are not free, and fills up with zeros.
    fn pack(&self, lines: [S::Wide; 2], out: &mut [u8; CODEC_BYTES]);
    /// `out[i] = wide[i]`, for `i` below `min(16, out.len())`.
    fn store_words(&self, wide: S::Wide, out: &mut [u32]);
    /// `out[i] |= wide[i]`, for `i` below `min(16, out.len())`.
    fn or_words(&self, wide: S::Wide, out: &mut [u32]);
}

/// Bytes of the longest packed lane that a codec supports.
pub(crate) const CODEC_BYTES: usize = 64;

/// Codec that supports no set; has no values.
#[derive(Clone, Copy)]
pub(crate) enum NoCodec {}

impl<S: Simd> LaneCodec<S> for NoCodec {
    #[inline(always)]
    fn new(_: S, _: u32) -> Option<Self> {
        None
    }

    fn with_line_order(&self, _: &[u32; 32]) -> Self {
        match *self {}
    }

    fn unpack(&self, _: &[u8; CODEC_BYTES]) -> [S::Wide; 2] {
        match *self {}
    }

    fn column(&self, _: &[u8; CODEC_BYTES], _: u32) -> [S::Wide; 2] {
        match *self {}
    }

    fn pack(&self, _: [S::Wide; 2], _: &mut [u8; CODEC_BYTES]) {
        match *self {}
    }

    fn store_words(&self, _: S::Wide, _: &mut [u32]) {
        match *self {}
    }

    fn or_words(&self, _: S::Wide, _: &mut [u32]) {
        match *self {}
    }
}
