//! Tests of Dodgem against the counts of a second program, and of its laws.

use std::collections::BTreeMap;

use hindsight_core::{Game, Notation, Symmetry, Wdl};
use hindsight_rules::dodgem::Dodgem;
use hindsight_testkit::{
    check_laws, check_notation, check_ranks, check_retro, golden_histogram, histogram, reference,
};

use crate::written::{check_position_fault, play_written};

#[test]
fn histogram_by_remoteness() {
    let csv = include_str!("../../../../golden/dodgem_second_program.csv");
    for size in 2..=4 {
        let game = Dodgem { size, symmetry: Symmetry::None };
        let solved = reference(&game, 400_000).expect("393,900 positions at most");
        let found = BTreeMap::from_iter(histogram(&solved));
        let spec = game.spec();
        assert_eq!(found, golden_histogram(csv, &[&spec]), "{spec}");
    }
}

#[test]
fn laws_hold() {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        for size in 2..=8 {
            let game = Dodgem { size, symmetry };
            check_laws(&game, 2_000, 7);
            check_ranks(&game, 7);
            check_retro(&game, 7);
            check_notation(&game, 1_000, 7);
        }
    }
}

#[test]
fn a_blocked_player_has_won_and_an_empty_side_too() {
    let game = Dodgem { size: 3, symmetry: Symmetry::None };
    let text = |text| game.parse(text).expect("a position");
    assert_eq!(game.terminal(text("RU./.../... right")), None);
    let may_leave = text("..U/..R/..U right");
    assert_eq!(game.terminal(may_leave), None);
    let blocked = text("RU./U../... right");
    assert_eq!(game.terminal(blocked), Some(Wdl::Win));
    let gone = text(".../.../..U up");
    assert_eq!(game.terminal(gone), Some(Wdl::Loss));
}

#[test]
fn faults_of_positions_are_named() {
    let game = Dodgem { size: 3, symmetry: Symmetry::None };
    for (text, fault, character) in [
        ("R../R../.UU", "right or up, who moves", 1),
        ("R../R../.UU left", "not 'left'", 13),
        ("R../R../UU right", "a row has 3 squares; 'UU' has 2", 9),
        ("R../R../.UX right", "'X' is no sign of this board", 11),
        ("R../R../RUU right", "Right has 3 cars; here the most is 2", 1),
        (".../.../.UU right", "Right is to move and has no car", 1),
    ] {
        check_position_fault(&game, text, fault, character);
    }
}

/// A game written by hand from the rules. A program that names moves or sides wrongly by the same
/// mistake in reading and in writing passes every other test.
#[test]
fn a_game_is_played_as_it_is_written() {
    let game = Dodgem { size: 3, symmetry: Symmetry::None };
    let mut position = game.start();
    for (mv, text) in [
        ("a3b3", ".R./R../.UU up"),
        ("c1c2", ".R./R.U/.U. right"),
        ("b3c3", "..R/R.U/.U. up"),
        ("b1b2", "..R/RUU/... right"),
        ("c3off", ".../RUU/... up"),
        ("b2b3", ".U./R.U/... right"),
        ("a2b2", ".U./.RU/... up"),
        ("b3off", ".../.RU/... right"),
        ("b2b1", ".../..U/.R. up"),
        ("c2c3", "..U/.../.R. right"),
        ("b1c1", "..U/.../..R up"),
        ("c3off", ".../.../..R right"),
    ] {
        position = play_written(&game, position, mv, text);
    }
    assert_eq!(game.terminal(position), Some(Wdl::Loss));
}
