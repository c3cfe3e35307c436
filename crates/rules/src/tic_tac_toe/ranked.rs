//! Ranks of the positions: the part that a game adds to have tables.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_combinatorics::{
    expand, rank_subset, rank_subset_within, subset_count, unrank_subset,
};
use hindsight_core::{Ranked, Retro, Tiers};

use super::{FULL, TicTacToe, TicTacToePosition, has_line};
impl Tiers for TicTacToe {
    fn layers(&self) -> u32 {
        10
    }

    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        out.push(layer.into());
    }

    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }

    fn layer_name(&self, layer: u32) -> String {
        format!("{} stones", 9 - layer)
    }

    fn tier_len(&self, tier: u64) -> u64 {
        let (own, other) = stones(tier);
        subset_count(9, own) * subset_count(9 - own, other)
    }
}

/// Tier `t` holds the positions with `9 - t` stones: each move adds a stone and leads to tier `t -
/// 1`.
///
/// With `a` stones of the player to move and `b` of the opponent, `rank = own * subsets(9 - a, b) +
/// other`. `own` is the rank of the mover's set among all squares, `other` the rank of the
/// opponent's set among the free squares. Holes are the positions in which the player to move has a
/// line: the game ended before.
impl Ranked for TicTacToe {
    fn rank(&self, position: TicTacToePosition) -> Option<(u64, u64)> {
        let (own, other) = (position.own.into(), position.other.into());
        let stones = (position.own | position.other).count_ones();
        let others = subset_count(9 - position.own.count_ones(), position.other.count_ones());
        let rank = rank_subset(own) * others + rank_subset_within(other, !own);
        Some((u64::from(9 - stones), rank))
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<TicTacToePosition> {
        let (own_stones, other_stones) = stones(tier);
        let others = subset_count(9 - own_stones, other_stones);
        let own = unrank_subset(rank / others, own_stones);
        let free = u64::from(FULL) & !own;
        let other = expand(unrank_subset(rank % others, other_stones), free);
        let (own, other) = (own as u16, other as u16);
        (!has_line(own)).then_some(TicTacToePosition { own, other })
    }
}

/// Numbers of stones in a tier: of the player to move, of the opponent.
fn stones(tier: u64) -> (u32, u32) {
    let all = 9 - tier as u32;
    (all / 2, all.div_ceil(2))
}

impl Retro for TicTacToe {
    /// Appends nothing: every move leaves the tier.
    fn predecessors(&self, _: TicTacToePosition, _: &mut Vec<TicTacToePosition>) {}
}
