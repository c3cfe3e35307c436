//! Numbers of the positions of the L-game, all in one tier.

use alloc::vec::Vec;

use hindsight_core::combinatorics::{
    compress, expand, rank_mixed_radix, rank_subset, unrank_mixed_radix, unrank_subset,
};
use hindsight_core::{Ranked, Retro, Tiers};

use super::pieces::{L_PIECE_COUNT, L_PIECES};
use super::{ALL_SQUARES, LGame, LGamePosition, neutral_steps};

/// Pairs of L pieces that have no square in common, the own one and the other one.
const PAIR_COUNT: usize = 656;
/// Places of two neutral pieces on eight squares.
const NEUTRAL_PLACES: u64 = 28;

/// The pairs, ascending by the number of the own piece, then by that of the other.
const PAIRS: [[u8; 2]; PAIR_COUNT] = {
    let (mut pairs, mut count, mut number) = ([[0; 2]; PAIR_COUNT], 0, 0);
    while number < L_PIECE_COUNT * L_PIECE_COUNT {
        let (own, other) = (number / L_PIECE_COUNT, number % L_PIECE_COUNT);
        if L_PIECES[own].squares & L_PIECES[other].squares == 0 {
            pairs[count] = [own as u8, other as u8];
            count += 1;
        }
        number += 1;
    }
    assert!(count == PAIR_COUNT, "there are 656 pairs");
    pairs
};

impl LGamePosition {
    /// Squares without an L piece.
    fn outside_l_pieces(self) -> u64 {
        let squares = |number: u8| L_PIECES[usize::from(number)].squares;
        u64::from(ALL_SQUARES & !squares(self.own) & !squares(self.other))
    }
}

impl Tiers for LGame {
    fn layer_name(&self, _layer: u32) -> alloc::string::String {
        "every position".into()
    }
    fn tier_len(&self, _tier: u64) -> u64 {
        PAIR_COUNT as u64 * NEUTRAL_PLACES
    }
}

/// `rank = pair * 28 + rank of the neutral squares among those without an L piece`. The players are
/// exchanged so that a rank has X to move. There are no holes.
impl Ranked for LGame {
    fn rank(&self, position: LGamePosition) -> Option<(u64, u64)> {
        let pair = PAIRS.binary_search(&[position.own, position.other]).ok()?;
        let neutral = compress(position.neutral.into(), position.outside_l_pieces());
        let digits = [(pair as u64, PAIR_COUNT as u64), (rank_subset(neutral), NEUTRAL_PLACES)];
        Some((0, rank_mixed_radix(&digits)?))
    }
    fn unrank(&self, _tier: u64, rank: u64) -> Option<LGamePosition> {
        let [pair, neutral] = unrank_mixed_radix(rank, [PAIR_COUNT as u64, NEUTRAL_PLACES]);
        let [own, other] = PAIRS[pair as usize];
        let position = LGamePosition { player: 0, own, other, neutral: 0 };
        let neutral = expand(unrank_subset(neutral, 2), position.outside_l_pieces());
        Some(LGamePosition { neutral: neutral as u16, ..position })
    }
    fn rank_periods(&self) -> Vec<u32> {
        [NEUTRAL_PLACES as u32].into()
    }
}

impl Retro for LGame {
    /// The other piece moved last: it came from any place that is free without it, and then a
    /// neutral piece came from a square that was free with it, or none did.
    fn predecessors(&self, position: LGamePosition, out: &mut Vec<LGamePosition>) {
        let [now, waiting] = [position.other, position.own];
        let [now_squares, waiting_squares] =
            [now, waiting].map(|number| L_PIECES[usize::from(number)].squares);
        let steps_back = neutral_steps(position.neutral, now_squares | waiting_squares);
        let before = steps_back.map(|step| step.applied(position.neutral));
        for neutral in before.chain([position.neutral]) {
            let source =
                LGamePosition { player: 1 - position.player, own: now, other: waiting, neutral };
            out.extend(source.targets().map(|own| LGamePosition { own, ..source }));
        }
    }
}
