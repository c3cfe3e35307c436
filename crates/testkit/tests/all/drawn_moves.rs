//! The law of drawn moves: games that obey it, and faults planted in their drawn moves.

use hindsight_core::{BoardCell, DrawnFence, DrawnMove};

use crate::misdrawn::{Fault, GAMES, MoveFault, broken_law};

fn without_removed(drawn: DrawnMove) -> DrawnMove {
    DrawnMove { removed: Vec::new(), ..drawn }
}

fn with_pushed_backwards(drawn: DrawnMove) -> DrawnMove {
    let pushed = drawn.pushed.into_iter().rev().collect();
    DrawnMove { pushed, ..drawn }
}

fn with_wrong_target(drawn: DrawnMove) -> DrawnMove {
    let beside = |to: BoardCell| BoardCell { column: to.column ^ 1, ..to };
    DrawnMove { to: drawn.to.map(beside), ..drawn }
}

fn with_wrong_fence(drawn: DrawnMove) -> DrawnMove {
    let turned = |fence: DrawnFence| DrawnFence { is_vertical: !fence.is_vertical, ..fence };
    DrawnMove { fence: drawn.fence.map(turned), ..drawn }
}

#[test]
fn every_game_draws_its_moves() {
    for spec in GAMES {
        assert_eq!(broken_law(spec, Fault::Moves(|drawn| drawn)), None, "{spec}");
    }
}

#[test]
fn planted_faults_are_caught() {
    let faults: [(MoveFault, &[&str]); 11] = [
        (|_| DrawnMove::default(), &GAMES),
        (with_wrong_target, &GAMES),
        (without_removed, &[GAMES[1], GAMES[2], GAMES[4]]),
        (|drawn| DrawnMove { leaves: None, ..drawn }, &[GAMES[1], GAMES[2]]),
        (
            |drawn| DrawnMove { leaves: drawn.leaves.map(|(right, up)| (-right, -up)), ..drawn },
            &[GAMES[1], GAMES[2]],
        ),
        (|drawn| DrawnMove { pushed: Vec::new(), ..drawn }, &[GAMES[2]]),
        (
            |drawn| DrawnMove {
                removed: [drawn.removed.clone(), drawn.removed.clone()].concat(),
                ..drawn
            },
            &[GAMES[1], GAMES[2], GAMES[4]],
        ),
        (with_pushed_backwards, &[GAMES[2]]),
        (with_wrong_fence, &[GAMES[3]]),
        (|drawn| DrawnMove { fence: None, ..drawn }, &[GAMES[3]]),
        (|drawn| DrawnMove { card: None, ..drawn }, &[GAMES[4]]),
    ];
    for (number, (fault, specs)) in faults.into_iter().enumerate() {
        for spec in specs {
            let message = broken_law(spec, Fault::Moves(fault));
            let message = message.unwrap_or_else(|| panic!("fault {number} of {spec} is caught"));
            assert!(message.contains("a drawn move makes the picture after it"), "{message}");
        }
    }
}
