//! Tests of dobutsu shogi against published counts, and of its laws.

use hindsight_core::{Game, Notation, Ranked, Symmetry, Tiers, Value, Wdl};
use hindsight_rules::dobutsu::Dobutsu;
use hindsight_testkit::{check_laws, check_notation, check_ranks, check_retro};

use crate::written::{check_position_fault, play_written};

fn game() -> Dobutsu {
    Dobutsu::new(Symmetry::None)
}

#[test]
fn laws_hold() {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        let game = Dobutsu::new(symmetry);
        check_laws(&game, 2_000, 7);
        check_ranks(&game, 7);
        check_retro(&game, 7);
        check_notation(&game, 500, 7);
    }
}

/// As many as the positions in the tables of R. Clausecker, with 21 pairs of lions.
#[test]
fn ranks_are_dense() {
    let game = game();
    let len = game.tier_len(0);
    assert_eq!(len, 249_442_767);
    for rank in (0..len).step_by(99_991).chain([len - 1]) {
        let position = game.unrank(0, rank).expect("no hole");
        assert_eq!(game.rank(position), Some((0, rank)));
    }
}

/// The two positions without a legal move among all that have a rank. Who is to move there has
/// lost.
#[test]
fn a_player_who_cannot_move_has_lost() {
    let game = game();
    for stuck in ["GEl/LGE/CC./... - - south", "GE./LGE/CCl/... - - south"] {
        let position = game.parse(stuck).expect("a position");
        assert_eq!(game.terminal(position), Some(Wdl::Loss));
        assert_eq!(game.win_condition(position), Some("stuck"));
        assert!(game.rank(position).is_some());
    }
}

#[test]
fn lions_are_taken_and_tries_succeed_or_not() {
    let game = game();
    for (text, result) in [
        ("gle/.c./.C./ELG - - south", None),
        // The lion of North is gone: North has lost.
        ("g.e/.L./.../E.G CC - north", Some(Wdl::Loss)),
        // The lion of South has reached the last row, and nothing takes it.
        ("L../.g./ele/.cG C - north", Some(Wdl::Loss)),
        // A giraffe can take it.
        ("Lg./.../ele/.cG C - north", None),
        // The giraffe has not taken it.
        ("Lg./.../ele/.cG C - south", Some(Wdl::Win)),
    ] {
        let position = game.parse(text).expect(text);
        assert_eq!(game.terminal(position), result, "{text}");
        let way = if text.contains('L') && text.contains('l') { "try" } else { "capture" };
        assert_eq!(game.win_condition(position), result.map(|_| way), "{text}");
    }
    let taken = game.parse("Lg./.../ele/.cG C - north").expect("a position");
    assert_eq!(game.immediate_value(taken), Some(Value::Win(1)));
}

/// A game written by hand from the rules.
#[test]
fn a_game_is_played_as_it_is_written() {
    let game = game();
    let mut position = game.start();
    for (mv, text) in [
        ("b2b3", "gle/.C./.../ELG C - north"),
        ("b4b3", "g.e/.l./.../ELG C c south"),
        ("b2:chick", "g.e/.l./.C./ELG - c north"),
        ("c3:chick", "g.e/.lc/.C./ELG - - south"),
        ("b2b3", "g.e/.Cc/.../ELG - - north"),
    ] {
        position = play_written(&game, position, mv, text);
    }
    assert_eq!(game.terminal(position), Some(Wdl::Loss));
    assert_eq!(game.win_condition(position), Some("capture"));
}

#[test]
fn chicks_are_promoted_by_steps_and_only_by_these() {
    let game = game();
    let position = game.parse("..l/C../.../L.. C gg south");
    assert!(position.is_err(), "two elephants are missing");
    let position = game.parse("..l/C../.../L.. EEC gg south").expect("a position");
    for (mv, text) in
        [("a3a4", "H.l/.../.../L.. EEC gg north"), ("b4:chick", ".Cl/C../.../L.. EE gg north")]
    {
        play_written(&game, position, mv, text);
    }
}

#[test]
fn faults_of_positions_are_named() {
    let game = game();
    let many_chicks = format!("gle/.../.../ELG {} - south", "C".repeat(258));
    for (text, fault, character) in [
        (&*many_chicks, "two chicks or hens", 1),
        ("gle/.c./.C./ELG south", "the hands of South and North", 1),
        ("gle/.c./.C./ELG - - east", "south or north, not 'east'", 21),
        ("gle/.c./.C./ELG Z - south", "a hand is G, E and C", 17),
        ("gle/.c./.C./ELZ - - south", "'Z' is no sign of this board", 15),
        ("gle/.c./.C. - - south", "this board has 4 rows", 1),
        ("gll/.c./.C./ELG - E south", "North has 2 lions, not one", 1),
        ("gle/.c./.C./ELG C - south", "two chicks or hens, on the board and in hand, not 3", 1),
        ("g.e/.c./.C./ELG - - south", "has no lion", 1),
        ("gle/.c./.C./E.G - - north", "has no lion", 1),
        ("gle/.h./.H./.LG - - south", "two elephants, on the board and in hand, not 1", 1),
    ] {
        check_position_fault(&game, text, fault, character);
    }
}
