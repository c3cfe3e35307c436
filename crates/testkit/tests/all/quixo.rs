//! Tests of Quixo against published counts and a second program, and of its laws.

use std::collections::HashMap;

use hindsight_core::{Game, Notation, Ranked, Symmetry, Tiers, Value, Wdl};
use hindsight_rules::quixo::Quixo;
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_testkit::{
    check_laws, check_notation, check_ranks, check_retro, golden, histogram, reference,
    reference_ranked,
};

use crate::tic_tac_toe::value;

fn board(size: u8) -> Quixo {
    Quixo::new(size, Symmetry::None)
}

/// Golden numbers of a spec and a set of positions.
fn expected(spec: &str, scope: &str) -> Vec<(Value, u64)> {
    let rows = golden(include_str!("../../../../golden/quixo.csv")).expect("a golden file");
    let wanted = rows.iter().filter(|row| row[0] == spec && row[1] == scope);
    let mut counts: Vec<(Value, u64)> = wanted
        .map(|row| (value(row[2], row[3]), row[4].parse().expect("a count")))
        .collect();
    counts.sort_unstable();
    counts
}

fn sorted(mut counts: Vec<(Value, u64)>) -> Vec<(Value, u64)> {
    counts.sort_unstable();
    counts
}

#[test]
fn histograms_by_remoteness() {
    let game = board(3);
    let reached = reference(&game, 20_000).expect("16,021 positions");
    assert_eq!(reached.len(), 16_021);
    assert_eq!(reached[&game.start()], Value::Win(7));
    assert_eq!(
        sorted(histogram(&reached)),
        expected("quixo:3x3", "reachable")
    );
    let all = histogram(&reference_ranked(&game));
    assert_eq!(sorted(all), expected("quixo:3x3", "all"));
}

/// Each class of 5 x 5 has as many positions as its values in print sum up to.
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
    let mut ranks = 0;
    for layer in 0..game.layers() {
        let marks = u64::from(25 - layer);
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        assert_eq!(tiers.len() as u64, marks / 2 + 1);
        for (tier, more) in tiers.into_iter().zip(marks.div_ceil(2)..) {
            let [one, other] = [[more, marks - more], [marks - more, more]];
            let both = if one == other { 0 } else { classes[&other] };
            assert_eq!(game.tier_len(tier), classes[&one] + both);
            let last = game.unrank(tier, game.tier_len(tier) - 1).expect("no hole");
            assert_eq!(game.rank(last), Some((tier, game.tier_len(tier) - 1)));
            ranks += game.tier_len(tier);
        }
    }
    assert_eq!(ranks, 847_288_609_443);
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

struct SpecOf;

impl Visitor for SpecOf {
    type Output = String;
    fn visit<G: Notation>(self, game: G) -> String {
        game.spec()
    }
}

#[test]
fn faults_of_specs_are_named() {
    let read = |spec| by_name(spec, &Setup::default(), SpecOf);
    assert_eq!(read("QUIXO:5X5").as_deref(), Ok("quixo:5x5"));
    for (spec, fault) in [
        ("quixo", "quixo needs a size"),
        ("quixo:4x4:4", "quixo needs a size and nothing else"),
        ("quixo:2x2", "3x3, 4x4 or 5x5, not on 2x2"),
        ("quixo:6x6", "3x3, 4x4 or 5x5, not on 6x6"),
        ("quixo:4x5", "3x3, 4x4 or 5x5, not on 4x5"),
        ("quixo:5", "'5' is no size"),
    ] {
        let error = read(spec).expect_err("a fault");
        assert!(error.message.contains(fault), "{spec}: {error}");
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
        let error = game.parse(text).expect_err("a fault");
        assert!(error.message.contains(fault), "{text}: {error}");
        assert_eq!(error.character(text), character, "{text}: {error}");
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
        let legal = game.parse_move(position, mv).expect(mv);
        position = game.play(position, legal);
        assert_eq!(game.format(position), text);
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
        let legal = game.parse_move(position, mv).expect(mv);
        let next = game.play(position, legal);
        assert_eq!(game.format(next), after);
        assert_eq!(game.terminal(next), Some(result));
    }
}
