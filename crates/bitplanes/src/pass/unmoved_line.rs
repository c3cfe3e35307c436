//! Lines of a row that an incremental pass looks at.

use crate::plane::packing::BitSpan;
use crate::simd::token::Simd;

/// A block of the row.
#[derive(Clone, Copy)]
pub(crate) struct MoverBlock {
    /// Number of the block in the row.
    pub(crate) number: u32,
    /// Followers of the mover.
    pub(crate) own: u32,
}

/// Positions of one line of the row that have a move to a frontier entry.
#[derive(Clone, Copy)]
pub(crate) struct UnmovedLine {
    pub(crate) block: MoverBlock,
    pub(crate) lane: u16,
    /// Square of side 0's leader.
    pub(crate) line: u8,
    /// First bit of the packed line in its byte.
    pub(crate) bit: u8,
    /// Byte of the row in which the packed line begins.
    pub(crate) byte: usize,
    /// The positions, as bits of the packed line.
    pub(crate) packed: u32,
}

impl UnmovedLine {
    /// The packed line among the blocks of the row.
    #[inline(always)]
    pub(crate) fn span(&self, blocks: &[u8]) -> BitSpan {
        BitSpan::at(blocks, self.byte, self.bit.into())
    }

    /// The positions in board order; `open` are the squares without followers of the side that does
    /// not move.
    #[inline(always)]
    pub(crate) fn positions<S: Simd>(&self, simd: S, open: u32) -> u32 {
        simd.deposit(self.packed.into(), (open & !self.block.own).into()) as u32
    }

    /// Keeps only these positions, given in board order.
    #[inline(always)]
    pub(crate) fn keep<S: Simd>(&mut self, simd: S, open: u32, positions: u32) {
        self.packed = simd.extract(positions.into(), (open & !self.block.own).into()) as u32;
    }
}
