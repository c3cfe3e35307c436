//! Tests of the L-game against the counts of a second program, and of its laws.

use std::collections::BTreeMap;

use hindsight_core::{Game, Notation, Symmetry, Value, Wdl};
use hindsight_rules::l_game::LGame;
use hindsight_testkit::{
    check_laws, check_notation, check_ranks, check_retro, every_position, golden_histogram,
    histogram, reference,
};

use crate::written::{check_position_fault, play_written};

const GAME: LGame = LGame(Symmetry::None);

#[test]
fn histogram_by_remoteness() {
    let csv = include_str!("../../../../golden/l_game.csv");
    let solved = reference(&GAME, 20_000).expect("18,368 positions");
    let found = BTreeMap::from_iter(histogram(&solved));
    assert_eq!(found, golden_histogram(csv, &[]));
    assert_eq!(solved[&GAME.canonical(GAME.start())], Value::Draw);
}

/// Published counts of classes under the symmetries of the board: 2,296 positions, 15 of them over,
/// 14 more lost.
#[test]
fn classes_are_those_in_print() {
    let solved = reference(&LGame(Symmetry::All), 20_000).expect("2,296 classes");
    let lost_in = |plies| solved.values().filter(|v| **v == Value::Loss(plies)).count();
    assert_eq!(solved.len(), 2_296);
    assert_eq!(lost_in(0), 15);
    assert_eq!((1..100).map(lost_in).sum::<usize>(), 14);
}

#[test]
fn every_rank_is_reachable() {
    let reached = reference(&GAME, 20_000).expect("18,368 positions");
    let ranked = every_position(&GAME);
    assert_eq!(ranked.len(), 18_368);
    let is_reached = |position| reached.contains_key(&GAME.canonical(position));
    assert!(ranked.into_iter().all(is_reached));
}

#[test]
fn laws_hold() {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        let game = LGame(symmetry);
        check_laws(&game, 2_000, 7);
        check_ranks(&game, 7);
        check_retro(&game, 7);
        check_notation(&game, 300, 7);
    }
}

#[test]
fn faults_of_positions_are_named() {
    for (text, fault, character) in [
        ("NXX./.OX./.OX./.OON", "x or o, who moves", 1),
        ("NXX./.OX./.OX./.OON n", "not 'n'", 21),
        ("NXX./.OX./.OX. x", "has 3", 1),
        ("NXX./.OX./.OX./.OOZ x", "'Z' is no sign of this board", 19),
        ("NXX./.OX./XO../.OON x", "the squares of X are no L", 1),
        ("NXX./.OX./.OX./O.ON x", "the squares of O are no L", 1),
        ("NXX./.OX./.OX./.OO. x", "two neutral squares N, not 1", 1),
        ("NXX./NOX./.OX./.OON x", "two neutral squares N, not 3", 1),
        ("NXX./.OX./.OX./.... x", "the squares of O are no L", 1),
    ] {
        check_position_fault(&GAME, text, fault, character);
    }
}

/// A game written by hand from the rules.
#[test]
fn a_game_is_played_as_it_is_written() {
    let mut position = GAME.start();
    assert_eq!(GAME.format(position), "NXX./.OX./.OX./.OON x");
    for (mv, text) in
        [("d4d2c2:a4c4", "..NX/.O.X/.OXX/.OON o"), ("b3b1a1", "..NX/.O.X/.OXX/OO.N x")]
    {
        position = play_written(&GAME, position, mv, text);
    }
    let fault = GAME.parse_move(position, "d4d2c2").expect_err("no step");
    assert!(fault.message.contains("no legal move"), "{fault}");
}

/// X has no other place for its L.
#[test]
fn who_cannot_move_the_l_has_lost() {
    let lost = GAME.parse("NXXX/.O.X/.OOO/.N.. x").expect("a position");
    let other = GAME.parse("NXXX/.O.X/.OOO/.N.. o").expect("a position");
    assert_eq!(GAME.terminal(lost), Some(Wdl::Loss));
    assert_eq!(GAME.terminal(other), None);
}
