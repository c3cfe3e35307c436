//! Move lists take the bytes that are foretold.

use crate::seams::boards::test_boards;
use crate::space::move_lists::MoveLists;

#[test]
fn bytes_of_move_lists_are_known_before() {
    for board in test_boards() {
        let sides = (0..=board.plan.most_followers()).flat_map(|n| [(0, n), (1, n)]);
        for (mover, followers) in sides {
            for kind in &board.tables().kinds {
                let lists = MoveLists::new(board.tables(), kind, mover, followers);
                let bytes = 4 * (lists.begins.len() + lists.sets.len()) as u64;
                let foretold = MoveLists::bytes(board.tables(), kind, mover, followers);
                assert_eq!(foretold, bytes, "{}, {followers}", board.spec);
            }
        }
    }
}
