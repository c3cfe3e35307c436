//! Tests of Quixo against published counts and a second program, and of its laws.

use std::collections::{BTreeMap, HashMap};

use hindsight_core::{Game, Notation, Ranked, Symmetry, Tiers, Value, Wdl, orbit_runs};
use hindsight_rules::quixo::Quixo;
use hindsight_testkit::golden;
use hindsight_testkit::{
    check_laws, check_notation, check_ranks, check_retro, golden_histogram, histogram, reference,
    reference_ranked,
};

use crate::written::{check_position_fault, check_spec_fault, normal_spec, play_written};

fn board(size: u8) -> Quixo {
    Quixo::new(size, Symmetry::None)
}

/// Golden numbers of a set of positions of 3 x 3.
fn expected(scope: &str) -> BTreeMap<Value, u64> {
    let csv = include_str!("../../../../golden/quixo.csv");
    golden_histogram(csv, &["quixo:3x3", scope])
}

#[test]
fn histograms_by_remoteness() {
    let game = board(3);
    let reached = reference(&game, 20_000).expect("16,021 positions");
    assert_eq!(reached.len(), 16_021);
    assert_eq!(reached[&game.start()], Value::Win(7));
    assert_eq!(BTreeMap::from_iter(histogram(&reached)), expected("reachable"));
    let mut all = BTreeMap::new();
    for ((tier, rank), value) in reference_ranked(&game) {
        *all.entry(value).or_default() += game.orbit_run(tier, rank).orbit_size;
    }
    assert_eq!(all, expected("all"));
}

/// Numbers of positions that the ranks of a tier stand for, by the marks of X and of O.
fn positions_of(game: &Quixo, tier: u64) -> HashMap<[u32; 2], u64> {
    let mut positions = HashMap::new();
    for run in orbit_runs(game, tier, 0..game.tier_len(tier)) {
        let mut ranked = Vec::new();
        game.unrank_range(tier, run.ranks, &mut ranked);
        for (_, position) in ranked {
            let sides = game.format(position);
            let marks = ['X', 'O'].map(|mark| sides.matches(mark).count() as u32);
            *positions.entry(marks).or_default() += run.orbit_size;
        }
    }
    positions
}

/// Ranks stand for every way to mark a board, each way once.
#[test]
fn orbits_add_up_to_the_ways_to_mark_a_board() {
    for (size, layers) in [(3, 0..30), (4, 0..81), (5, 160..182)] {
        let game = board(size);
        assert_eq!(game.layers(), [30, 81, 182][usize::from(size) - 3]);
        for layer in layers {
            let found = positions_of(&game, layer);
            let [x, o] = *found.keys().next().expect("a class");
            assert_eq!(found.len(), if x == o { 1 } else { 2 }, "{x} and {o}");
            for (marks, positions) in found {
                let ways = ways(u32::from(size).pow(2), marks);
                assert_eq!(positions, ways, "{marks:?} on {size} x {size}");
            }
        }
    }
}

/// Number of ways to give `own` and `other` of some squares a mark.
fn ways(squares: u32, [own, other]: [u32; 2]) -> u64 {
    let choose =
        |n: u32, k: u32| (0..u64::from(k)).fold(1, |c, i| c * (u64::from(n) - i) / (i + 1));
    choose(squares, own) * choose(squares - own, other)
}

/// Each class of 5 x 5 has as many positions as its values in print sum up to, and few holes.
#[test]
fn classes_of_the_usual_board_have_their_sizes() {
    let csv = include_str!("../../../../golden/quixo_5x5_classes.csv");
    let rows = golden(csv).expect("a golden file");
    let mut classes = HashMap::new();
    for row in &rows {
        let number = |column: usize| row[column].parse::<u64>().expect("a number");
        let sum: u64 = (2..5).map(number).sum();
        assert!(classes.insert([number(0), number(1)], sum).is_none());
    }
    assert_eq!(classes.len(), 351);
    let game = board(5);
    let mut tiers = (0..).map(|tier| game.tier_len(tier));
    let mut ranks = 0;
    for marks in (0..=25_u32).rev() {
        for more in marks.div_ceil(2)..=marks {
            let [one, other] = [[more, marks - more], [marks - more, more]];
            assert_eq!(classes[&one.map(u64::from)], ways(25, one));
            let both = if one == other { 1 } else { 2 };
            let len = tiers.next().expect("a tier");
            assert!(8 * len >= both * ways(25, other), "{one:?}");
            ranks += len;
        }
    }
    let positions: u64 = classes.values().sum();
    assert_eq!(positions, 847_288_609_443);
    assert!((100 * 8 * ranks / positions) < 104, "{ranks} ranks");
}

#[test]
fn laws_hold() {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        for size in 3..=5 {
            let game = Quixo::new(size, symmetry);
            check_laws(&game, 1_000, 7);
            check_ranks(&game, 7);
            check_retro(&game, 7);
            check_notation(&game, 300, 7);
        }
    }
}

#[test]
fn faults_of_specs_are_named() {
    assert_eq!(normal_spec("QUIXO:5X5").as_deref(), Ok("quixo:5x5"));
    for (spec, fault) in [
        ("quixo", "quixo needs a size"),
        ("quixo:4x4:4", "quixo needs a size and nothing else"),
        ("quixo:2x2", "3x3, 4x4 or 5x5, not on 2x2"),
        ("quixo:6x6", "3x3, 4x4 or 5x5, not on 6x6"),
        ("quixo:4x5", "3x3, 4x4 or 5x5, not on 4x5"),
        ("quixo:5", "'5' is no size"),
    ] {
        check_spec_fault(spec, fault);
    }
}

#[test]
fn faults_of_positions_are_named() {
    let game = board(3);
    for (text, fault, character) in [
        (".../.../...", "x or o, who moves", 1),
        (".../.../... north", "not 'north'", 13),
        (".../... x", "this board has 3 rows", 1),
        (".../..../... x", "a row has 3 squares; '....' has 4", 5),
        (".../.z./... x", "'z' is no sign of this board", 6),
    ] {
        check_position_fault(&game, text, fault, character);
    }
}

/// A game written by hand from the rules.
#[test]
fn a_game_is_played_as_it_is_written() {
    let game = board(3);
    let mut position = game.start();
    for (mv, text) in [
        ("a3c3", "..X/.../... o"),
        ("c1a1", "..X/.../O.. x"),
        ("c3a3", "X../.../O.. o"),
        ("a1a3", "O../X../... x"),
        ("b3b1", "O../X../.X. o"),
        ("a3c3", "..O/X../.X. x"),
    ] {
        position = play_written(&game, position, mv, text);
    }
    // A cube of the opponent, one inside, and one that would come back where it was.
    for mv in ["c3a3", "b2b3", "a2a2"] {
        assert!(game.parse_move(position, mv).is_err(), "{mv}");
    }
}

#[test]
fn a_line_made_for_the_opponent_loses_even_beside_an_own_one() {
    let game = board(3);
    for (before, mv, after, result) in [
        ("XX./.../... x", "c3a3", "XXX/.../... o", Wdl::Loss),
        (".../.OO/OX. x", "a3a1", ".../OOO/XX. o", Wdl::Win),
        (".../.OO/OXX x", "a3a1", ".../OOO/XXX o", Wdl::Win),
    ] {
        let position = game.parse(before).expect("a position");
        assert_eq!(game.terminal(position), None);
        let next = play_written(&game, position, mv, after);
        assert_eq!(game.terminal(next), Some(result));
    }
}
