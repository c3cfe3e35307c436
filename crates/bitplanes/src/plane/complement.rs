//! What side 1, to move, has lost, or what is undecided with it to move: each is what is left of the other
//! and of what it has won.

use crate::plane::packing::{FreeSquares, MAX_LANE_BYTES, is_zero, lane_of_words, pack, unpack};
use crate::plane::plane::Plane;
use crate::plane::transpose::transpose_back;
use crate::simd::token::{Kernel, Simd, WIDE_WORDS};
use crate::space::board_tables::BoardTables;

/// To look at a block of a plane from the other side: at those of the same positions with the sides exchanged.
pub(crate) struct Complement<'a> {
    pub(crate) source: (&'a BoardTables, &'a Plane),
    /// Those of the block that comes of it.
    pub(crate) followers: [u32; 2],
    pub(crate) block: &'a mut [u8],
    pub(crate) mode: ComplementMode,
}

/// What becomes of a block.
#[derive(Clone, Copy)]
pub(crate) enum ComplementMode {
    /// What is turned.
    Replace,
    /// What is turned but was not in the block.
    MinusBlock,
    /// The block without what is turned.
    RemoveFromBlock,
}

impl Kernel for Complement<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.mode {
            ComplementMode::Replace => complement_block(simd, self, |_, turned| turned),
            ComplementMode::MinusBlock => {
                complement_block(simd, self, |block, turned| turned & !block)
            }
            ComplementMode::RemoveFromBlock => {
                complement_block(simd, self, |block, turned| block & !turned)
            }
        }
    }
}

#[inline(always)]
fn complement_block<S: Simd>(simd: S, turn: Complement<'_>, become_of: impl Fn(u8, u8) -> u8) {
    let Complement {
        source: (tables, plane),
        followers,
        block,
        ..
    } = turn;
    let free = tables.board() & !(followers[0] | followers[1]);
    let turned = [followers[1], followers[0]].map(|set| tables.half_turn(set));
    // Turned, a row that is kept is one that is kept.
    let other = plane.block(plane.block_of(simd, tables, turned).number);
    if is_zero(&other[..plane.block_bytes]) {
        block
            .iter_mut()
            .for_each(|byte| *byte = become_of(*byte, 0));
        return;
    }
    let free_turned = FreeSquares::<S, 32>::new(simd, tables.half_turn(free));
    let free = FreeSquares::<S, 32>::new(simd, free);
    let bytes = free.bytes();
    let mut packed = [0; MAX_LANE_BYTES];
    // Turned by transposing, the first square comes so many places late.
    let late = 32 - tables.squares;
    for (lane, block) in block.chunks_exact_mut(bytes).enumerate() {
        let lane = &other[tables.exchanged_lane[lane] * bytes..];
        if is_zero(&lane[..bytes]) {
            block
                .iter_mut()
                .for_each(|byte| *byte = become_of(*byte, 0));
            continue;
        }
        let mut words = [0; 64];
        let first = words.first_chunk_mut().expect("half of them");
        unpack::<S, 32>(simd, lane, &free_turned, first);
        transpose_back(first);
        let mut open = [0; 32];
        for i in 0..2 {
            let words = words[late + i * WIDE_WORDS..]
                .first_chunk()
                .expect("a wide");
            let out = open[i * WIDE_WORDS..].first_chunk_mut().expect("a wide");
            simd.store(simd.shift(simd.load(words), late as i32), out);
        }
        pack::<S, 32>(simd, &lane_of_words(simd, &open), &free, &mut packed);
        for (byte, turned) in block.iter_mut().zip(&packed) {
            *byte = become_of(*byte, *turned);
        }
    }
}
