//! Lanes packed and unpacked by instructions that move bytes and bits of many words at once.

use crate::simd::token::Simd;

/// How the lanes of a block are packed: of sixteen words each, the rows of which come first.
pub(crate) trait LaneCodec<S: Simd>: Copy {
    /// For lanes with these free squares; `None` if it is not made for them.
    fn new(simd: S, free: u32) -> Option<Self>;
    /// The same with rows unfolded in another order: to each the one that comes to it.
    fn with_line_order(&self, rows: &[u32; 32]) -> Self;
    /// The rows of a packed lane in board order. Those that are not free are 0.
    fn unpack(&self, packed: &[u8; CODEC_BYTES]) -> [S::Wide; 2];
    /// The lowest bit of each word that of a column, counted among the free ones, in that row; the other bits are 0.
    fn column(&self, packed: &[u8; CODEC_BYTES], column: u32) -> [S::Wide; 2];
    /// Packs rows in board order into the first bytes, followed by zeros; bits of squares that are not free are dropped.
    fn pack(&self, rows: [S::Wide; 2], out: &mut [u8; CODEC_BYTES]);
    /// Keeps as many words as there is room for.
    fn store_words(&self, wide: S::Wide, out: &mut [u32]);
    /// Adds bits to as many words.
    fn or_words(&self, wide: S::Wide, out: &mut [u32]);
}

/// Bytes of the longest lane that is folded.
pub(crate) const CODEC_BYTES: usize = 64;

/// Nothing is folded.
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
