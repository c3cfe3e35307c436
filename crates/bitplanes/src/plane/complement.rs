//! Complement of a block by the block of its exchanged positions.
//!
//! Let N be the bits of the exchanged positions in W: not won by their mover. An incremental pass
//! keeps the undecided positions U instead of the lost ones L. With side 1 to move, `U = N & !L` and
//! `L = N & !U`, so the same operation converts both ways.

use crate::plane::packing::{FreeSquares, MAX_LANE_BYTES, is_zero, lane_of_words, pack, unpack};
use crate::plane::plane::Plane;
use crate::plane::transpose::transpose_back;
use crate::simd::token::{Kernel, Simd, WIDE_WORDS};
use crate::space::board_tables::BoardTables;

/// Kernel that combines a block with the exchanged block of another plane.
pub(crate) struct Complement<'a> {
    /// Rules of the game, tabulated.
    pub(crate) tables: &'a BoardTables,
    /// Plane of the exchanged positions.
    pub(crate) source: &'a Plane,
    /// Followers of sides 0 and 1 in the block that is written.
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
    /// `e & !b`
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
    let Complement {
        tables,
        source,
        followers,
        block,
        ..
    } = kernel;
    let free = tables.board() & !(followers[0] | followers[1]);
    let exchanged = [followers[1], followers[0]].map(|set| tables.half_turn(set));
    // Invariant of canonical rows: the half-turn of a canonical row is canonical, so never an image.
    let other = source.block(source.block_of(simd, tables, exchanged).number);
    if is_zero(&other[..source.block_bytes]) {
        block.iter_mut().for_each(|byte| *byte = combine(*byte, 0));
        return;
    }
    let exchanged_free = FreeSquares::<S, 32>::new(simd, tables.half_turn(free));
    let free = FreeSquares::<S, 32>::new(simd, free);
    let lane_bytes = free.bytes();
    let mut packed = [0; MAX_LANE_BYTES];
    // Transposing turns 32 squares; the board has fewer, so its first square comes this much late.
    let late = 32 - tables.squares;
    for (lane, block) in block.chunks_exact_mut(lane_bytes).enumerate() {
        let lane = &other[tables.exchanged_lane[lane] * lane_bytes..];
        if is_zero(&lane[..lane_bytes]) {
            block.iter_mut().for_each(|byte| *byte = combine(*byte, 0));
            continue;
        }
        let mut words = [0; 64];
        let first = words.first_chunk_mut().expect("half of them");
        unpack::<S, 32>(simd, lane, &exchanged_free, first);
        transpose_back(first);
        let mut turned = [0; 32];
        for i in 0..2 {
            let words = words[late + i * WIDE_WORDS..]
                .first_chunk()
                .expect("a wide");
            let out = turned[i * WIDE_WORDS..].first_chunk_mut().expect("a wide");
            simd.store(simd.shift(simd.load(words), late as i32), out);
        }
        pack::<S, 32>(simd, &lane_of_words(simd, &turned), &free, &mut packed);
        for (byte, exchanged) in block.iter_mut().zip(&packed) {
            *byte = combine(*byte, *exchanged);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Complement, ComplementMode};
    use crate::plane::plane::Plane;
    use crate::simd::dispatch::Instructions;
    use crate::space::subproblem::{PlaneShape, subproblem_of};
    use crate::test_boards::{TestBoard, random_bits, test_boards};

    /// Fills the lines of a plane with bits that look random; bits that fill up bytes stay 0.
    fn fill(plane: &mut Plane, shape: PlaneShape<'_>, seed: u64) {
        let mut random = random_bits(seed);
        let block_bytes = plane.block_bytes;
        let len = plane.len();
        for block in plane.bytes[..len].chunks_exact_mut(block_bytes) {
            for (n, byte) in block.iter_mut().enumerate() {
                let bits = random() as u8;
                let is_bit = |bit: &usize| shape.subproblem.has_bit(8 * n + bit);
                *byte = (0..8)
                    .filter(is_bit)
                    .fold(0, |all, bit| all | bits & 1 << bit);
            }
        }
    }

    /// Applies a mode to each block of a plane.
    fn complement(
        board: &TestBoard,
        plane: &mut Plane,
        shape: PlaneShape<'_>,
        source: &Plane,
        mode: ComplementMode,
    ) {
        for instructions in [Instructions::all()[0], Instructions::detect()] {
            let mut bytes = plane.bytes.clone();
            let minors = &shape.subproblem.sets_beside[1 - shape.major];
            let mut blocks = bytes.chunks_exact_mut(plane.block_bytes);
            for &major in shape.row_sets() {
                for &minor in minors {
                    let free = !u64::from(major);
                    let minor = hindsight_combinatorics::expand(minor.into(), free) as u32;
                    let mut followers = [major, minor];
                    followers.rotate_right(shape.major);
                    instructions.dispatch(Complement {
                        tables: board.tables(),
                        source,
                        followers,
                        block: blocks.next().expect("a block for each pair of sets"),
                        mode,
                    });
                }
            }
            if instructions == Instructions::detect() {
                plane.bytes = bytes;
            }
        }
    }

    /// A plane of side 1 filled with bits, and the plane of side 0 with the exchanged positions.
    fn for_each_pair(check: impl Fn(&TestBoard, PlaneShape<'_>, Plane, Plane)) {
        for board in test_boards() {
            let subproblems = &board.plan.subproblems;
            for (seed, subproblem) in (0..).zip(subproblems) {
                let [own, other] = subproblem.followers;
                let exchanged = subproblem_of(subproblems, [other, own]).expect("a subproblem");
                let shape = PlaneShape {
                    subproblem,
                    major: 0,
                };
                let exchanged = PlaneShape {
                    subproblem: &subproblems[exchanged],
                    major: 1,
                };
                let (mut plane, mut source) = (Plane::new(shape), Plane::new(exchanged));
                fill(&mut plane, shape, 2 * seed);
                fill(&mut source, exchanged, 2 * seed + 1);
                check(&board, shape, plane, source);
            }
        }
    }

    #[test]
    fn the_complement_of_a_subset_is_an_involution() {
        for_each_pair(|board, shape, mut plane, source| {
            // L is a subset of N: `N & !(N & !x)` is one, whatever `x` is.
            let mode = ComplementMode::MinusBlock;
            complement(board, &mut plane, shape, &source, mode);
            let lost = plane.bytes.clone();
            complement(board, &mut plane, shape, &source, mode);
            assert_ne!(plane.bytes, lost, "{}", board.spec);
            complement(board, &mut plane, shape, &source, mode);
            assert_eq!(plane.bytes, lost, "{}", board.spec);
        });
    }

    #[test]
    fn modes_are_what_they_say() {
        for_each_pair(|board, shape, plane, source| {
            let apply = |mode| {
                let mut plane = Plane::of_rows(
                    shape,
                    &(0..shape.row_sets().len()).collect::<Vec<_>>(),
                    plane.bytes.clone(),
                );
                complement(board, &mut plane, shape, &source, mode);
                plane.bytes
            };
            let exchanged = apply(ComplementMode::Replace);
            let minus_block = apply(ComplementMode::MinusBlock);
            let removed = apply(ComplementMode::RemoveFromBlock);
            let len = plane.len();
            for (n, &block) in plane.bytes[..len].iter().enumerate() {
                assert_eq!(minus_block[n], exchanged[n] & !block, "{} {n}", board.spec);
                assert_eq!(removed[n], block & !exchanged[n], "{} {n}", board.spec);
            }
            let ones = |bytes: &[u8]| bytes.iter().map(|byte| byte.count_ones()).sum::<u32>();
            if board.tables().mirror.is_none() {
                assert_eq!(ones(&exchanged[..len]), ones(&source.bytes[..source.len()]));
            }
        });
    }
}
