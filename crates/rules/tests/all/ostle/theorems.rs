//! Theorems 1 to 6 of the paper.

use std::collections::HashMap;

use hindsight_core::{Game, Symmetry, Wdl};
use hindsight_rules::ostle::{BasePosition, Ostle, OstleMove, OstlePosition, OstleSetup};

use super::positions::{RULES, all_bases, many_bases, moves_of};

/// Theorem 1: a move that removes a piece is never forbidden. Theorem 2: neither is a move that
/// wins. Theorem 6: at most one move leads back, and this one is forbidden.
#[test]
fn theorems_1_2_and_6() {
    for (game, bases) in many_bases() {
        for before in bases {
            for mv in moves_of(&game, before) {
                let after = game.play(before, mv);
                let forbidden = game.forbidden_after(before, mv);
                let replies = moves_of(&game, after).into_iter();
                let back: Vec<OstleMove> =
                    replies.filter(|&reply| game.play(after, reply) == before).collect();
                assert!(back.len() <= 1, "{before:?} {mv:?}");
                assert_eq!(back.first().copied(), forbidden, "{before:?} {mv:?}");
                let Some(forbidden) = forbidden else { continue };
                assert!(!game.removes(after, forbidden));
                assert!(game.terminal(game.play(after, forbidden)).is_none());
            }
        }
    }
}

/// Theorem 3: a position with a winning move keeps one, whatever move is forbidden.
#[test]
fn theorem_3() {
    for rule8 in RULES {
        let setup = OstleSetup { rule8, ..OstleSetup::new(3, 3, 1) };
        let game = Ostle::new(setup, Symmetry::None);
        let wins = |position: OstlePosition| {
            let mut successors = Vec::new();
            game.successors(position, &mut successors);
            let lost = |&next: &OstlePosition| game.terminal(next) == Some(Wdl::Loss);
            successors.iter().any(lost)
        };
        for base in all_bases(game.unrestricted()) {
            let free = OstlePosition { base, forbidden: None };
            for mv in moves_of(&game, free) {
                let after = game.play(free, mv);
                let unforbidden = OstlePosition { forbidden: None, ..after };
                assert_eq!(wins(after), wins(unforbidden), "{after:?}");
            }
        }
    }
}

/// Theorem 4: moves from different squares have different effects. Theorem 5: moves that remove
/// nothing have effects different from all others.
#[test]
fn theorems_4_and_5() {
    for (game, bases) in many_bases() {
        for base in bases {
            let mut first: HashMap<BasePosition, OstleMove> = HashMap::new();
            for mv in moves_of(&game, base) {
                let Some(same) = first.insert(game.play(base, mv), mv) else {
                    continue;
                };
                assert_eq!(same.square(), mv.square(), "{base:?}");
                assert!(game.removes(base, same) && game.removes(base, mv), "{base:?}");
            }
        }
    }
}
