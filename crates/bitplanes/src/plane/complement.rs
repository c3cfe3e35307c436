//! Combines a block with the block of its exchanged positions, which belongs to another plane.

use crate::plane::packing::{FreeSquares, MAX_LANE_BYTES, is_zero, lane_of_words, pack, unpack};
use crate::plane::plane::Plane;
use crate::plane::transpose::transpose_anti;
use crate::simd::token::{Kernel, Simd, WIDE_WORDS};
use crate::space::board_tables::BoardTables;

/// Kernel that combines a block with the exchanged block of another plane.
pub(crate) struct Complement<'a> {
    /// Rules of the game, tabulated.
    pub(crate) tables: &'a BoardTables,
    /// Plane of the exchanged positions.
    pub(crate) source: &'a Plane,
    /// Followers of sides 0 and 1 in the block that is written; its row is canonical.
    pub(crate) followers: [u32; 2],
    /// The block that is written.
    pub(crate) block: &'a mut [u8],
    /// Operation on the bits.
    pub(crate) mode: ComplementMode,
}

/// Operation on a block `b` and its exchanged block `e`.
#[derive(Clone, Copy)]
pub(crate) enum ComplementMode {
    /// `e`
    Replace,
    /// `e & !b`, which converts lost positions L of side 1 to undecided ones U, and back.
    ///
    /// Let N be the exchanged positions' bits in W: side 1 has not won. As no position is both lost
    /// and won, L is a subset of N, so `U = N & !L` and `L = N & !U`. Invariant: positions that are
    /// won later are removed from U as well, so that this stays true.
    MinusBlock,
    /// `b & !e`
    RemoveFromBlock,
}

impl Kernel for Complement<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.mode {
            ComplementMode::Replace => complement_block(simd, self, |_, exchanged| exchanged),
            ComplementMode::MinusBlock => {
                complement_block(simd, self, |block, exchanged| exchanged & !block);
            }
            ComplementMode::RemoveFromBlock => {
                complement_block(simd, self, |block, exchanged| block & !exchanged);
            }
        }
    }
}

/// Replaces each byte `b` of the block by `combine(b, e)`.
#[inline(always)]
fn complement_block<S: Simd>(simd: S, kernel: Complement<'_>, combine: impl Fn(u8, u8) -> u8) {
    let Complement { tables, source, followers, block, .. } = kernel;
    let free = tables.board() & !(followers[0] | followers[1]);
    let exchanged = [followers[1], followers[0]].map(|set| tables.half_turn(set));
    // Invariant of canonical rows: the half-turn of a canonical row is canonical, so never an
    // image.
    let other = source.block(source.block_of(simd, tables, exchanged).number);
    if is_zero(&other[..source.block_bytes]) {
        block.iter_mut().for_each(|byte| *byte = combine(*byte, 0));
        return;
    }
    let exchanged_free = FreeSquares::<S, 32>::new(simd, tables.half_turn(free));
    let free = FreeSquares::<S, 32>::new(simd, free);
    let lane_bytes = free.bytes();
    let mut packed = [0; MAX_LANE_BYTES];
    // The transposition reflects 32 lines and 32 bits. On a board of fewer squares, square 0 comes
    // to this line and this bit.
    let unused = 32 - tables.squares;
    for (lane, block) in block.chunks_exact_mut(lane_bytes).enumerate() {
        let lane = &other[tables.exchanged_lane[lane] * lane_bytes..];
        if is_zero(&lane[..lane_bytes]) {
            block.iter_mut().for_each(|byte| *byte = combine(*byte, 0));
            continue;
        }
        // The second half stays 0, for wides that begin in the first half.
        let mut words = [0; 64];
        let first = words.first_chunk_mut().expect("half of them");
        unpack::<S, 32>(simd, lane, &exchanged_free, first);
        transpose_anti(first);
        let mut turned = [0; 32];
        for i in 0..2 {
            let words = words[unused + i * WIDE_WORDS..].first_chunk().expect("a wide");
            let out = turned[i * WIDE_WORDS..].first_chunk_mut().expect("a wide");
            simd.store(simd.shift(simd.load(words), unused as i32), out);
        }
        pack::<S, 32>(simd, &lane_of_words(simd, &turned), &free, &mut packed);
        for (byte, exchanged) in block.iter_mut().zip(&packed) {
            *byte = combine(*byte, *exchanged);
        }
    }
}
