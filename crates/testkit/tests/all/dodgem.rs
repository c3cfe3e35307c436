//! Tests of Dodgem against the counts of a second program, and of its laws.

use hindsight_core::{Game, Notation, Symmetry, Value, Wdl};
use hindsight_rules::dodgem::Dodgem;
use hindsight_testkit::{
    check_laws, check_notation, check_ranks, check_retro, golden, histogram, reference,
};

use crate::tic_tac_toe::value;

#[test]
fn histogram_by_remoteness() {
    let csv = include_str!("../../../../golden/dodgem_second_program.csv");
    let rows = golden(csv).expect("a golden file");
    for size in 2..=4 {
        let game = Dodgem {
            size,
            symmetry: Symmetry::None,
        };
        let of_size = rows.iter().filter(|row| row[0] == game.spec());
        let mut expected: Vec<(Value, u64)> = of_size
            .map(|row| (value(row[1], row[2]), row[3].parse().expect("a count")))
            .collect();
        let solved = reference(&game, 400_000).expect("393,900 positions at most");
        let mut found = histogram(&solved);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", game.spec());
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
    let game = Dodgem {
        size: 3,
        symmetry: Symmetry::None,
    };
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
    let game = Dodgem {
        size: 3,
        symmetry: Symmetry::None,
    };
    for (text, fault, character) in [
        ("R../R../.UU", "right or up, who moves", 1),
        ("R../R../.UU left", "not 'left'", 13),
        ("R../R../UU right", "a row has 3", 9),
        ("R../R../.UX right", "'X' is nothing on a square", 11),
        ("R../R../RUU right", "at most 2 cars", 1),
        (".../.../.UU right", "the side to move at least 1", 1),
    ] {
        let error = game.parse(text).expect_err("a fault");
        assert!(error.message.contains(fault), "{error}");
        assert_eq!(error.character(text), character, "{error}");
    }
}
