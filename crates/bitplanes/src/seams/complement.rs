//! The complement of lost positions is the undecided ones, and back.

use crate::plane::complement::{Complement, ComplementMode};
use crate::plane::plane::Plane;
use crate::seams::boards::{TestBoard, random_bits, test_boards};
use crate::simd::dispatch::Instructions;
use crate::space::subproblem::{PlaneShape, subproblem_of};

/// Fills the lines of a plane with bits that look random; bits that fill up bytes stay 0.
fn fill(plane: &mut Plane, shape: PlaneShape<'_>, seed: u64) {
    let mut random = random_bits(seed);
    let block_bytes = plane.block_bytes;
    let len = plane.len();
    for block in plane.bytes[..len].chunks_exact_mut(block_bytes) {
        for (n, byte) in block.iter_mut().enumerate() {
            let bits = random() as u8;
            let is_bit = |bit: &usize| shape.subproblem.has_bit(8 * n + bit);
            *byte = (0..8).filter(is_bit).fold(0, |all, bit| all | bits & 1 << bit);
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
                let minor = hindsight_core::combinatorics::expand(minor.into(), free) as u32;
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
            let shape = PlaneShape { subproblem, major: 0 };
            let exchanged = PlaneShape { subproblem: &subproblems[exchanged], major: 1 };
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
