//! Ranks of foreign rules: laws of tiers and ranks, and faults of a numbering.

mod chase;

use std::sync::Arc;

use hindsight_core::{PackedGame, RankSummaries, Ranked, Retro, Structure, Symmetry, Tiers};
use hindsight_foreign::{Turns, catch_faults, check_laws, foreign_game};
use hindsight_testkit::{check_ranks, check_retro};

use chase::{Broken, Chase};

fn game(turns: Turns, broken: Broken) -> PackedGame {
    foreign_game(Arc::new(Chase::new(turns, broken)), Symmetry::None)
}

#[test]
fn laws_hold() {
    for turns in [Turns::Alternate, Turns::Told] {
        let game = game(turns, Broken::Nothing);
        assert_eq!(game.structure(), Structure::Ranked);
        assert_eq!(game.layers(), 4);
        check_ranks(&game, 1);
        check_retro(&game, 2);
        let mut goes_on = |checked: &hindsight_foreign::CheckedLaws| checked.positions < 300;
        let checked = check_laws(&game, &mut Dice(1), &mut goes_on).expect("no broken law");
        assert_eq!(checked.positions, 300);
        assert!(game.work_bytes(1) > 4 * game.tier_len(1));
    }
}

#[test]
fn moves_are_taken_back_whatever_was_looked_at_before() {
    let game = game(Turns::Alternate, Broken::Nothing);
    let listed = ranks_of(&game);
    let mut all = Vec::new();
    game.predecessors_of_ranks(2, &listed, &mut all);
    // A part of a block counts for nothing, and a whole one once.
    let mut summaries = RankSummaries::default();
    for ranks in [3..5, 0..game.tier_len(2), 0..game.tier_len(2)] {
        game.leave_tier(2);
        game.summarize_ranks(2, 3..4, &mut summaries);
        game.summarize_ranks(2, ranks, &mut summaries);
        let mut again = Vec::new();
        game.predecessors_of_ranks(2, &listed, &mut again);
        assert_eq!(again, all);
    }
}

fn ranks_of(game: &PackedGame) -> Vec<u64> {
    (0..game.tier_len(2)).filter(|&rank| game.unrank(2, rank).is_some()).collect()
}

#[test]
fn faults_of_a_numbering_are_sentences_with_the_position() {
    for (broken, text) in [
        (Broken::OtherRank, "rank 7 of tier 2 is that of a position with rank 8 of tier 2"),
        (Broken::NoRank, "there is no rank, although the game is not over, in the position"),
        (Broken::FarRank, "rank 99 of tier 2, which has 25, in the position"),
        (Broken::FarTier, "tier 9, but there are 4, in the position"),
        (Broken::LaterTier, "a move leads from tier 2 to tier 3, which is solved later"),
        (Broken::Size, "25 positions of 25 ranks, or of another size"),
        (Broken::Count, "0 ranks of "),
    ] {
        let game = game(Turns::Alternate, broken);
        let mut summaries = RankSummaries::default();
        let first = if broken == Broken::NoRank { 9 } else { 0 };
        let fault = catch_faults(|| game.summarize_ranks(2, first..25, &mut summaries));
        let fault = fault.expect_err(text).to_string();
        assert!(fault.starts_with("the rules 'chase' fail: ") && fault.contains(text), "{fault}");
    }
}

#[test]
fn a_rank_of_two_positions_breaks_a_law() {
    let game = game(Turns::Alternate, Broken::OtherRank);
    let mut goes_on = |checked: &hindsight_foreign::CheckedLaws| checked.positions < 3000;
    let broken = check_laws(&game, &mut Dice(1), &mut goes_on).expect_err("a broken law");
    assert_eq!(broken.law, "moves of positions of one rank lead to the same ranks");
}

struct Dice(u64);

impl hindsight_core::Random for Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 11 ^ self.0 << 32
    }
}
