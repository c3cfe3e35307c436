//! A partition is a bijection: each block of a plane lies in one tile.

use crate::out_of_core::partition::{Partition, TileIndex};
use crate::plane::plane::Plane;
use crate::seams::boards::{TestBoard, test_boards};
use crate::simd::portable::Portable;
use crate::space::subproblem::PlaneShape;

fn tiles(partition: &Partition, shape: PlaneShape<'_>) -> Vec<TileIndex> {
    let columns = partition.columns(shape).len();
    let rows = 0..partition.row_slices(shape).len();
    let tiles = |row_slice| (0..columns).map(move |column| TileIndex { row_slice, column });
    rows.flat_map(tiles).collect()
}

#[test]
fn a_partition_is_a_bijection_between_blocks_of_a_plane_and_of_its_tiles() {
    for board in test_boards() {
        for count in [1, 2, 3, 7, 64] {
            let most = board.plan.most_followers();
            let partition = Partition::new(board.tables(), most, count);
            for subproblem in &board.plan.subproblems {
                for major in 0..2 {
                    let shape = PlaneShape { subproblem, major };
                    assert_bijective(&board, &partition, shape);
                }
            }
        }
    }
}

/// Finds every block of a plane once among its tiles, and nothing else.
fn assert_bijective(board: &TestBoard, partition: &Partition, shape: PlaneShape<'_>) {
    let tiles = tiles(partition, shape);
    let plane = Plane::of_tiles(partition, shape, &tiles, Vec::new());
    let blocks = plane.len() / plane.block_bytes;
    let bytes = tiles.iter().map(|&tile| partition.tile_bytes(shape, tile));
    assert_eq!(bytes.sum::<u64>(), plane.len() as u64, "{}", board.spec);
    let mut is_found = vec![false; blocks];
    for &major in shape.row_sets() {
        for &minor in &shape.subproblem.sets_beside[1 - shape.major] {
            let free = !u64::from(major);
            let minor = hindsight_core::combinatorics::expand(minor.into(), free) as u32;
            let mut followers = [major, minor];
            followers.rotate_right(shape.major);
            let block = plane.block_of(Portable, board.tables(), followers);
            assert!(!is_found[block.number], "{} {followers:?}", board.spec);
            is_found[block.number] = true;
        }
    }
    assert!(is_found.iter().all(|&found| found), "{}", board.spec);
}

#[test]
fn a_slice_has_the_sets_of_its_patterns() {
    for board in test_boards() {
        let partition = Partition::new(board.tables(), board.plan.most_followers(), 8);
        let sides = board.plan.subproblems.iter();
        let sides = sides.flat_map(|subproblem| [(subproblem, 0), (subproblem, 1)]);
        for (subproblem, side) in sides {
            let slices = partition.slices(subproblem, side);
            for slice in 0..slices.len() {
                let patterns = slices.patterns(slice);
                assert!(patterns.is_sorted(), "{}", board.spec);
                let sets = patterns.iter().map(|&pattern| slices.sets_beside(pattern, 0));
                assert_eq!(sets.sum::<u64>(), slices.set_count(slice), "{}", board.spec);
            }
        }
    }
}
