//! Move lists take the bytes that are foretold.

use crate::seams::boards::test_boards;
use hindsight_core::combinatorics::subset_count;

use crate::space::move_lists::MoveLists;

#[test]
fn bytes_of_move_lists_are_known_before() {
    for board in test_boards() {
        let sides = (0..=board.plan.most_followers()).flat_map(|n| [(0, n), (1, n)]);
        for (mover, followers) in sides {
            for kind in &board.tables().kinds {
                let lists = MoveLists::new(board.tables(), kind, mover, followers);
                let count = subset_count(board.tables().squares as u32, followers);
                let successors = (0..count as usize).map(|set| lists.successors(set).len());
                let bytes = 4 * (successors.sum::<usize>() as u64 + count + 1);
                let foretold = MoveLists::bytes(board.tables(), kind, mover, followers);
                assert_eq!(foretold, bytes, "{}, {followers}", board.spec);
            }
        }
    }
}
