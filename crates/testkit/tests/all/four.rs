//! Tests of four in a row against published counts and a second program, and of its laws.

use std::collections::{BTreeMap, BTreeSet};

use hindsight_core::{Game, Notation, Symmetry, Wdl};
use hindsight_rules::four::Four;
use hindsight_testkit::{check_laws, check_notation, golden_histogram, histogram, reference};

use crate::written::{check_position_fault, check_spec_fault, normal_spec, play_written};

/// Positions after each number of plies on 7 x 6, OEIS A212693.
const POSITIONS_BY_PLY: [usize; 8] = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859];

fn board(width: u8, height: u8, line: u8) -> Four {
    Four::new([width, height], line, Symmetry::None)
}

#[test]
fn histograms_by_remoteness() {
    let csv = include_str!("../../../../golden/four.csv");
    for game in [board(3, 3, 3), board(4, 3, 3), board(2, 5, 4), board(4, 4, 4), board(4, 4, 3)] {
        let solved = reference(&game, 200_000).expect("161,029 positions at most");
        let found = BTreeMap::from_iter(histogram(&solved));
        let spec = game.spec();
        assert_eq!(found, golden_histogram(csv, &[&spec]), "{spec}");
    }
}

#[test]
fn positions_of_the_usual_board_by_ply() {
    let game = board(7, 6, 4);
    let mut positions = BTreeSet::from([game.start()]);
    for expected in POSITIONS_BY_PLY {
        assert_eq!(positions.len(), expected);
        let mut next = Vec::new();
        for &position in &positions {
            game.successors(position, &mut next);
        }
        positions = next.into_iter().collect();
    }
}

#[test]
fn laws_hold() {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        for (width, height, line) in [
            (2, 2, 2),
            (3, 3, 3),
            (4, 4, 4),
            (5, 4, 3),
            (7, 6, 4),
            (8, 7, 4),
            (2, 31, 31),
            (21, 2, 9),
        ] {
            let game = Four::new([width, height], line, symmetry);
            check_laws(&game, 1_000, 7);
            check_notation(&game, 300, 7);
        }
    }
}

#[test]
fn specs_have_one_normal_form_and_faults_are_named() {
    for (spec, normal) in [
        ("four:4x4:4", "four:4x4"),
        ("FOUR:7X6", "four:7x6"),
        ("four:3x3:3", "four:3x3:3"),
        ("four:8x7:5", "four:8x7:5"),
    ] {
        assert_eq!(normal_spec(spec).as_deref(), Ok(normal));
    }
    for (spec, fault) in [
        ("four", "four needs a size"),
        ("four:4x4:4:4", "four needs a size"),
        ("four:1x9", "2x2 or more"),
        ("four:9x7", "at most 64, not on 9x7"),
        ("four:18446744073709551615x18446744073709551615", "at most 64"),
        ("four:3x3", "four:3x3:3"),
        ("four:4x4:5", "from 2 to 4, not '5'"),
        ("four:4x4:1", "from 2 to 4, not '1'"),
        ("four:4x4:", "from 2 to 4, not ''"),
    ] {
        check_spec_fault(spec, fault);
    }
}

#[test]
fn faults_of_positions_are_named() {
    let game = board(4, 3, 3);
    for (text, fault, character) in [
        ("..../....", "this board has 3 rows", 1),
        ("..../x.../....", "the disc on a2 floats", 6),
        ("..../..x./xo..", "the disc on c2 floats", 8),
        ("..../..../oo..", "as many x as o, or one more", 1),
        ("..../..../xx..", "as many x as o, or one more", 1),
        ("..../ooo./xxx.", "the game ended with 3 in a row", 1),
        ("..../..../x!..", "'!' is no sign of this board", 12),
    ] {
        check_position_fault(&game, text, fault, character);
    }
}

/// A game written by hand from the rules.
#[test]
fn a_game_is_played_as_it_is_written() {
    let game = board(4, 4, 3);
    let mut position = game.start();
    for (mv, text) in [
        ("b1", "..../..../..../.x.."),
        ("B", "..../..../.o../.x.."),
        ("c1", "..../..../.o../.xx."),
        ("a1", "..../..../.o../oxx."),
        ("d", "..../..../.o../oxxx"),
    ] {
        position = play_written(&game, position, mv, text);
    }
    assert_eq!(game.terminal(position), Some(Wdl::Loss));
    assert!(game.parse_move(position, "a").is_err());
}
