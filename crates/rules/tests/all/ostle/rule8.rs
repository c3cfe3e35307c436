//! The move that rule 8 forbids, by either reading.

use std::collections::HashSet;

use hindsight_core::{Game, Notation, Symmetry};
use hindsight_rules::ostle::{Ostle, OstleMove, OstlePosition, OstleSetup, UnrestrictedOstle};

use super::positions::{RULES, all_bases, moves_of, ostle, plies_by_successor, random_bases};

/// Algorithm 6 of the paper: the forbidden move is the first move of the successor's representative
/// that leads to the representative of the position before.
#[test]
fn the_papers_reading_is_algorithm_6() {
    for (spec, count) in [("ostle:3x3:2:1:rule8=paper", usize::MAX), ("ostle:rule8=paper", 1_000)] {
        let setup: OstleSetup = spec.parse().unwrap();
        let rules = UnrestrictedOstle::new(setup, Symmetry::All);
        let game = Ostle::new(setup, Symmetry::All);
        let bases =
            if count == usize::MAX { all_bases(&rules) } else { random_bases(&rules, count) };
        for before in bases {
            for mv in moves_of(&rules, before) {
                let after = rules.canonical(rules.play(before, mv));
                let replies = moves_of(&rules, after);
                let wanted = rules.canonical(before);
                let leads_back =
                    |&reply: &OstleMove| rules.canonical(rules.play(after, reply)) == wanted;
                let state =
                    OstlePosition { base: after, forbidden: replies.into_iter().find(leads_back) };
                let from = OstlePosition { base: before, forbidden: None };
                assert_eq!(game.canonical(game.play(from, mv)), state, "{before:?}");
            }
        }
    }
}

/// Images of a position and a move give images of the successor, in both readings.
#[test]
fn rule_8_does_not_depend_on_the_side_one_sits_on() {
    for rule8 in RULES {
        let setup = OstleSetup { rule8, ..OstleSetup::new(4, 3, 1) };
        let game = Ostle::new(setup, Symmetry::All);
        for base in random_bases(game.unrestricted(), 1_000) {
            let position = OstlePosition { base, forbidden: None };
            for mv in moves_of(&game, position) {
                let after = game.canonical(game.play(position, mv));
                for symmetry in 0..8 {
                    let image = OstlePosition {
                        base: game.board().map_base(symmetry, base),
                        forbidden: None,
                    };
                    let mv = game.board().map_move(symmetry, mv);
                    assert_eq!(game.canonical(game.play(image, mv)), after, "{base:?}");
                }
            }
        }
    }
}

#[test]
fn reachable_forbidden_moves_are_known_and_read_back() {
    for rule8 in RULES {
        let setup = OstleSetup { rule8, ..OstleSetup::new(3, 2, 1) };
        let game = Ostle::new(setup, Symmetry::None);
        let rules = game.unrestricted();
        let plies = plies_by_successor(rules);
        for base in all_bases(rules) {
            let reached: HashSet<Option<OstleMove>> = plies
                .get(&base)
                .into_iter()
                .flatten()
                .map(|&(before, mv)| rules.forbidden_after(before, mv))
                .collect();
            let codes = 0..4 * game.board().squares();
            for forbidden in codes.map(OstleMove::from_code).map(Some).chain([None]) {
                let position = OstlePosition { base, forbidden };
                let is_reached = reached.contains(&forbidden);
                assert_eq!(game.reachable_in_one(position), is_reached, "{position:?}");
                let read = game.parse(&game.format(position));
                if is_reached || forbidden.is_none() {
                    assert_eq!(read, Ok(position));
                } else {
                    assert!(read.is_err(), "{position:?}");
                }
            }
        }
    }
}

/// Canonical positions are read back from their texts too, in both readings.
#[test]
fn canonical_positions_are_read_back() {
    for rule8 in RULES {
        let setup = OstleSetup { rule8, ..OstleSetup::new(3, 3, 1) };
        let game = Ostle::new(setup, Symmetry::All);
        for base in all_bases(game.unrestricted()).into_iter().step_by(7) {
            let position = OstlePosition { base, forbidden: None };
            for mv in moves_of(&game, position) {
                let next = game.canonical(game.play(position, mv));
                assert_eq!(game.parse(&game.format(next)), Ok(next));
            }
        }
    }
}

/// The paper's reading forbids a move after every ply after which the rule as written does, though
/// not always the same move. It forbids a move after a few more plies. The counts over all plies
/// are our own.
#[test]
fn the_papers_reading_forbids_more() {
    let [exact, paper] = ["ostle:3x3:2:1", "ostle:3x3:2:1:rule8=paper"].map(ostle);
    let rules = exact.unrestricted();
    let (mut plies, mut more, mut others) = (0, 0, 0);
    for base in all_bases(rules) {
        for mv in moves_of(rules, base) {
            let by_rule = rules.forbidden_after(base, mv);
            let by_paper = paper.unrestricted().forbidden_after(base, mv);
            assert!(by_rule.is_none() || by_paper.is_some());
            plies += 1;
            more += u32::from(by_rule.is_none() && by_paper.is_some());
            others += u32::from(by_rule.is_some() && by_rule != by_paper);
        }
    }
    assert_eq!((plies, more, others), (35_280, 48, 130));
    for (game, after) in [(exact, "W../BO./.BW white c1L"), (paper, "W../BO./.BW white a3D")] {
        let position = game.parse("W../BO./BW. black -").unwrap();
        let mv = game.parse_move(position, "a1R").unwrap();
        assert_eq!(game.format(game.play(position, mv)), after);
    }
}
