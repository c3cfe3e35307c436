//! The law of positions put together from pictures, and faults planted in their texts.

use crate::misdrawn::{DrawingFault, Fault, GAMES, KindsFault, broken_law};

#[test]
fn planted_faults_of_pictures_are_caught() {
    let [tic_tac_toe, dodgem, ostle, quoridor, onitama] = GAMES;
    let faults: [(DrawingFault, &[&str]); 8] = [
        (|drawing| drawing.pieces.truncate(1), &GAMES),
        (
            |drawing| drawing.player_to_move = drawing.player_to_move.map(|player| 1 - player),
            &[dodgem, ostle, quoridor, onitama],
        ),
        (|drawing| drawing.marks.clear(), &[ostle]),
        (|drawing| drop(drawing.fences.pop()), &[quoridor]),
        (|drawing| drawing.seats.reverse(), &[quoridor, onitama]),
        (|drawing| drop(drawing.cards_aside.pop()), &[onitama]),
        // Of two things on a cell, or of two fences on each other, one is not written.
        (
            |drawing| {
                drawing.pieces.sort_by_key(|piece| piece.cell);
                drawing.pieces.dedup_by_key(|piece| piece.cell);
            },
            &[tic_tac_toe, dodgem, ostle, onitama],
        ),
        (
            |drawing| drawing.player_to_move = drawing.player_to_move.or(Some(0)),
            &[dodgem, ostle, quoridor, onitama],
        ),
    ];
    for (number, (fault, specs)) in faults.into_iter().enumerate() {
        for spec in specs {
            let message = broken_law(spec, Fault::Pictures(fault));
            let message = message.unwrap_or_else(|| panic!("fault {number} of {spec} is caught"));
            assert!(message.contains(" picture "), "{message}");
        }
    }
}

#[test]
fn planted_faults_of_kinds_are_caught() {
    let faults: [(KindsFault, &[&str]); 2] = [
        (|kinds| kinds.pieces.truncate(1), &GAMES),
        (|kinds| kinds.most_in_hand = Some([1, 1]), &GAMES),
    ];
    for (number, (fault, specs)) in faults.into_iter().enumerate() {
        for spec in specs {
            let message = broken_law(spec, Fault::Kinds(fault));
            let message = message.unwrap_or_else(|| panic!("fault {number} of {spec} is caught"));
            let law = "all that is drawn can be put into a picture";
            assert!(message.contains(law), "{message}");
        }
    }
}
