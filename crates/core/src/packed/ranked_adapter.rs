//! The numbering of a game, and what its structure adds, over packed positions.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::adapter::{Access, Adapter, Own};
use super::{Packed, PackedGame, Packing};
use crate::{
    MoveSummary, Notation, OrbitRun, PawnPairRules, PawnPairSymmetry, PawnPairs, Placement,
    RankSummaries, Ranked, Retro, Subgames, Tiers, TwoSided, TwoSidedRules, Value,
};

impl<A, const W: usize> Tiers for Adapter<A, W>
where
    A: Access<Game: Packing<W> + Tiers>,
{
    fn layers(&self) -> u32 {
        self.game().layers()
    }

    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        self.game().tiers(layer, out);
    }

    fn estimated_tiers(&self, layer: u32) -> u64 {
        self.game().estimated_tiers(layer)
    }

    fn estimated_ranks(&self, layer: u32) -> u64 {
        self.game().estimated_ranks(layer)
    }

    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        self.game().layer_successors(layer)
    }

    fn layer_name(&self, layer: u32) -> String {
        self.game().layer_name(layer)
    }

    fn tier_len(&self, tier: u64) -> u64 {
        self.game().tier_len(tier)
    }

    fn work_bytes(&self, tier: u64) -> u64 {
        self.game().work_bytes(tier)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        self.game().orbit_run(tier, rank)
    }
}

impl<A, const W: usize> Ranked for Adapter<A, W>
where
    A: Access<Game: Packing<W> + Ranked>,
{
    fn rank(&self, position: Packed) -> Option<(u64, u64)> {
        self.game().rank(self.unpack(position))
    }

    fn tier(&self, position: Packed) -> Option<u64> {
        self.game().tier(self.unpack(position))
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed> {
        self.game().unrank(tier, rank).map(|position| self.pack(position))
    }

    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed)>) {
        let mut positions = Vec::new();
        self.game().unrank_range(tier, ranks, &mut positions);
        out.extend(positions.into_iter().map(|(rank, position)| (rank, self.pack(position))));
    }

    fn rank_periods(&self) -> Vec<u32> {
        self.game().rank_periods()
    }

    fn immediate_value(&self, position: Packed) -> Option<Value> {
        self.game().immediate_value(self.unpack(position))
    }

    fn implied_value(&self, position: Packed) -> Option<Value> {
        self.game().implied_value(self.unpack(position))
    }

    fn is_implied(&self, value: Value) -> Option<bool> {
        self.game().is_implied(value)
    }
}

impl<A, const W: usize> Retro for Adapter<A, W>
where
    A: Access<Game: Packing<W> + Retro>,
{
    fn predecessors(&self, position: Packed, out: &mut Vec<Packed>) {
        let mut positions = Vec::new();
        self.game().predecessors(self.unpack(position), &mut positions);
        self.pack_all(positions, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        position: Packed,
        outside: &mut Vec<Packed>,
    ) -> MoveSummary {
        let mut positions = Vec::new();
        let result = self.game().summarize_moves(tier, self.unpack(position), &mut positions);
        self.pack_all(positions, outside);
        result
    }

    fn predecessor_ranks(&self, position: Packed, out: &mut Vec<u64>) {
        self.game().predecessor_ranks(self.unpack(position), out);
    }

    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        self.game().summarize_ranks(tier, ranks, out);
    }

    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        self.game().predecessors_of_ranks(tier, ranks, out);
    }
}

impl<A, const W: usize> PawnPairs for Adapter<A, W>
where
    A: Access<Game: Packing<W> + PawnPairs>,
{
    fn squares(&self) -> u8 {
        self.game().squares()
    }

    fn pawn_pair_rules(&self, tier: u64, rules: &mut PawnPairRules) {
        self.game().pawn_pair_rules(tier, rules);
    }

    fn tiers_after(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        self.game().tiers_after(tier, side, out);
    }

    fn tiers_before(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        self.game().tiers_before(tier, side, out);
    }

    fn symmetries(&self) -> Vec<PawnPairSymmetry> {
        self.game().symmetries()
    }
}

impl<G, const W: usize> Subgames for Adapter<Own<G>, W>
where
    G: Packing<W> + Notation + PawnPairs + Retro + Subgames<Subgame = G> + Send + 'static,
{
    type Subgame = PackedGame;

    fn subgame(&self, position: Packed) -> Option<PackedGame> {
        self.game().subgame(self.unpack(position)).map(PackedGame::pawn_pairs)
    }
}

impl<A, const W: usize> TwoSided for Adapter<A, W>
where
    A: Access<Game: Packing<W> + TwoSided>,
{
    fn two_sided_rules(&self) -> TwoSidedRules {
        self.game().two_sided_rules()
    }

    fn placement(&self, position: Packed) -> Option<Placement> {
        self.game().placement(self.unpack(position))
    }

    fn position_of(&self, placement: Placement) -> Packed {
        self.pack(self.game().position_of(placement))
    }

    fn ranks_beside(&self, followers: u32, leader: u8, other: u32) -> (u64, Range<u64>) {
        self.game().ranks_beside(followers, leader, other)
    }
}
