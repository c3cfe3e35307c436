//! The numbering of Ostle, its laws, and Table 1 of the paper.

use hindsight_core::{Ranked, Symmetry, Tiers};
use hindsight_rules::ostle::{Ostle, OstleSetup, Rule8};
use hindsight_testkit::{check_forbidden_move, check_ranks, check_retro};

fn game(size: u8, pieces: u8, lost_at: u8, rule8: Rule8) -> Ostle {
    let setup = OstleSetup { rule8, ..OstleSetup::new(size, pieces, lost_at) };
    Ostle::new(setup, Symmetry::All)
}

const SETUPS: [(u8, u8, u8); 7] =
    [(3, 1, 0), (3, 2, 0), (3, 3, 1), (3, 3, 0), (4, 2, 1), (4, 4, 2), (5, 5, 3)];

#[test]
fn ranks_obey_their_laws() {
    for (size, pieces, lost_at) in SETUPS {
        let game = game(size, pieces, lost_at, Rule8::Exact);
        check_ranks(game.unrestricted(), 1);
        check_retro(game.unrestricted(), 2);
    }
}

#[test]
fn forbidden_moves_obey_their_laws() {
    for (size, pieces, lost_at) in SETUPS {
        for rule8 in [Rule8::Exact, Rule8::Paper] {
            check_forbidden_move(&game(size, pieces, lost_at, rule8), 3);
        }
    }
}

#[test]
fn symmetric_positions_have_their_ranks() {
    // Boards with symmetric rows: the numbers of ranks and of canonical positions are equal.
    for (size, pieces, lost_at) in [(3, 3, 1), (4, 2, 0), (3, 2, 0)] {
        let game = game(size, pieces, lost_at, Rule8::Exact);
        let base = game.unrestricted();
        let mut tiers = Vec::new();
        (0..base.layers()).for_each(|layer| base.tiers(layer, &mut tiers));
        let mut least = std::collections::HashSet::new();
        for &tier in &tiers {
            for rank in 0..base.tier_len(tier) {
                let position = base.unrank(tier, rank).expect("no holes");
                assert_eq!(base.rank(position), Some((tier, rank)));
                assert!(
                    least.insert(hindsight_core::Game::canonical(base, position)),
                    "one rank a class"
                );
            }
        }
        let squares = u32::from(size) * u32::from(size);
        let mut classes = std::collections::HashSet::new();
        let sets = |k: u32| (0..1_u32 << squares).filter(move |set| set.count_ones() == k);
        for (own, other) in
            (lost_at + 1..=pieces).flat_map(|i| (lost_at + 1..=pieces).map(move |j| (i, j)))
        {
            for own in sets(own.into()) {
                for other in sets(other.into()).filter(|other| other & own == 0) {
                    for hole in (0..squares as u8).filter(|hole| (own | other) >> hole & 1 == 0) {
                        let position =
                            hindsight_rules::ostle::BasePosition { own, other, hole, white: false };
                        classes.insert(hindsight_core::Game::canonical(base, position));
                    }
                }
            }
        }
        assert_eq!(least, classes);
    }
}

#[test]
fn the_official_game_has_as_many_positions_as_published() {
    let official = game(5, 5, 3, Rule8::Exact);
    let base = official.unrestricted();
    let golden = hindsight_testkit::golden(include_str!("../../../../../golden/ostle_table1.csv"));
    let rows = golden.expect("Table 1");
    let mut sum = 0;
    assert_eq!(rows.len(), 24);
    for row in rows {
        let [hole, own, other, positions] = &row[..] else {
            panic!("four columns");
        };
        let square = (hole.as_bytes()[0] - b'a') * 5 + hole.as_bytes()[1] - b'1';
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let by_hole = base.positions_by_hole(number(own) as u8, number(other) as u8);
        let ours = by_hole.iter().find(|(at, _)| *at == square).map(|found| found.1);
        assert_eq!(ours, Some(number(positions)), "{hole} {own} {other}");
        sum += number(positions);
    }
    assert_eq!(sum, 2_735_147_685);
    let ranks: u64 = (0..3).map(|tier| base.tier_len(tier)).sum();
    assert_eq!(ranks, sum);
}
