//! The numbering of a game, and what its structure adds, over packed positions.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::adapter::Adapter;
use super::{Packed, PackedGame, Packing};
use crate::{
    MoveSummary, Notation, OrbitRun, PawnPairRules, PawnPairSymmetry, PawnPairs, Placement,
    RankSummaries, Ranked, Retro, Subgames, Tiers, TwoSided, TwoSidedRules, Value,
};

impl<G: Packing<W> + Tiers, const W: usize> Tiers for Adapter<G, W> {
    fn layers(&self) -> u32 {
        self.0.layers()
    }

    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        self.0.tiers(layer, out);
    }

    fn estimated_tiers(&self, layer: u32) -> u64 {
        self.0.estimated_tiers(layer)
    }

    fn estimated_ranks(&self, layer: u32) -> u64 {
        self.0.estimated_ranks(layer)
    }

    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        self.0.layer_successors(layer)
    }

    fn layer_name(&self, layer: u32) -> String {
        self.0.layer_name(layer)
    }

    fn tier_len(&self, tier: u64) -> u64 {
        self.0.tier_len(tier)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        self.0.orbit_run(tier, rank)
    }
}

impl<G: Packing<W> + Ranked, const W: usize> Ranked for Adapter<G, W> {
    fn rank(&self, position: Packed<W>) -> Option<(u64, u64)> {
        self.0.rank(self.unpack(position))
    }

    fn tier(&self, position: Packed<W>) -> Option<u64> {
        self.0.tier(self.unpack(position))
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed<W>> {
        self.0.unrank(tier, rank).map(|position| self.pack(position))
    }

    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed<W>)>) {
        let mut positions = Vec::new();
        self.0.unrank_range(tier, ranks, &mut positions);
        out.extend(positions.into_iter().map(|(rank, position)| (rank, self.pack(position))));
    }

    fn rank_periods(&self) -> Vec<u32> {
        self.0.rank_periods()
    }

    fn immediate_value(&self, position: Packed<W>) -> Option<Value> {
        self.0.immediate_value(self.unpack(position))
    }

    fn implied_value(&self, position: Packed<W>) -> Option<Value> {
        self.0.implied_value(self.unpack(position))
    }

    fn is_implied(&self, value: Value) -> Option<bool> {
        self.0.is_implied(value)
    }
}

impl<G: Packing<W> + Retro, const W: usize> Retro for Adapter<G, W> {
    fn predecessors(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
        let mut positions = Vec::new();
        self.0.predecessors(self.unpack(position), &mut positions);
        self.pack_all(positions, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        position: Packed<W>,
        outside: &mut Vec<Packed<W>>,
    ) -> MoveSummary {
        let mut positions = Vec::new();
        let result = self.0.summarize_moves(tier, self.unpack(position), &mut positions);
        self.pack_all(positions, outside);
        result
    }

    fn predecessor_ranks(&self, position: Packed<W>, out: &mut Vec<u64>) {
        self.0.predecessor_ranks(self.unpack(position), out);
    }

    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        self.0.summarize_ranks(tier, ranks, out);
    }

    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        self.0.predecessors_of_ranks(tier, ranks, out);
    }
}

impl<G: Packing<W> + PawnPairs, const W: usize> PawnPairs for Adapter<G, W> {
    fn squares(&self) -> u8 {
        self.0.squares()
    }

    fn pawn_pair_rules(&self, tier: u64, rules: &mut PawnPairRules) {
        self.0.pawn_pair_rules(tier, rules);
    }

    fn tiers_after(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        self.0.tiers_after(tier, side, out);
    }

    fn tiers_before(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        self.0.tiers_before(tier, side, out);
    }

    fn symmetries(&self) -> Vec<PawnPairSymmetry> {
        self.0.symmetries()
    }
}

impl<G, const W: usize> Subgames for Adapter<G, W>
where
    G: Packing<W> + Notation + PawnPairs + Retro + Subgames<Subgame = G> + Send + 'static,
{
    type Subgame = PackedGame<W>;

    fn subgame(&self, position: Packed<W>) -> Option<PackedGame<W>> {
        self.0.subgame(self.unpack(position)).map(PackedGame::pawn_pairs)
    }
}

impl<G: Packing<W> + TwoSided, const W: usize> TwoSided for Adapter<G, W> {
    fn two_sided_rules(&self) -> TwoSidedRules {
        self.0.two_sided_rules()
    }

    fn placement(&self, position: Packed<W>) -> Option<Placement> {
        self.0.placement(self.unpack(position))
    }

    fn position_of(&self, placement: Placement) -> Packed<W> {
        self.pack(self.0.position_of(placement))
    }

    fn ranks_beside(&self, followers: u32, leader: u8, other: u32) -> (u64, Range<u64>) {
        self.0.ranks_beside(followers, leader, other)
    }
}
