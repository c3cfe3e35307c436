//! Lanes packed and unpacked by instructions that move bytes and bits of many words at once.

use crate::simd::token::Cpu;

/// How the lanes of a block are packed: of sixteen words each, the rows of which come first.
pub(crate) trait Fold<C: Cpu>: Copy {
    /// For lanes with these free squares; `None` if it is not made for them.
    fn new(cpu: C, free: u32) -> Option<Self>;
    /// The same with rows unfolded in another order: to each the one that comes to it.
    fn reordered(&self, rows: &[u32; 32]) -> Self;
    /// The rows of a packed lane in board order. Those that are not free are 0.
    fn unfold(&self, packed: &[u8; FOLDED]) -> [C::Wide; 2];
    /// The lowest bit of each word that of a column, counted among the free ones, in that row; the other bits are 0.
    fn column(&self, packed: &[u8; FOLDED], column: u32) -> [C::Wide; 2];
    /// Packs rows in board order into the first bytes, followed by zeros; bits of squares that are not free are dropped.
    fn fold(&self, rows: [C::Wide; 2], out: &mut [u8; FOLDED]);
    /// Keeps as many words as there is room for.
    fn store(&self, wide: C::Wide, out: &mut [u32]);
    /// Adds bits to as many words.
    fn or(&self, wide: C::Wide, out: &mut [u32]);
}

/// Bytes of the longest lane that is folded.
pub(crate) const FOLDED: usize = 64;

/// Nothing is folded.
#[derive(Clone, Copy)]
pub(crate) enum NoFold {}

impl<C: Cpu> Fold<C> for NoFold {
    #[inline(always)]
    fn new(_: C, _: u32) -> Option<Self> {
        None
    }

    fn reordered(&self, _: &[u32; 32]) -> Self {
        match *self {}
    }

    fn unfold(&self, _: &[u8; FOLDED]) -> [C::Wide; 2] {
        match *self {}
    }

    fn column(&self, _: &[u8; FOLDED], _: u32) -> [C::Wide; 2] {
        match *self {}
    }

    fn fold(&self, _: [C::Wide; 2], _: &mut [u8; FOLDED]) {
        match *self {}
    }

    fn store(&self, _: C::Wide, _: &mut [u32]) {
        match *self {}
    }

    fn or(&self, _: C::Wide, _: &mut [u32]) {
        match *self {}
    }
}
