//! Traits of the structure of a game, for packed games that have it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::base::PackedBase;
use super::{Packed, PackedGame, PackedMove};
use crate::{
    ForbiddableMoveSummary, ForbiddenMove, InEdge, MoveSummary, OrbitRun, OutEdge, PawnPairRules,
    PawnPairSymmetry, PawnPairs, Placement, RankSummaries, Ranked, Retro, States, Subgames, Tiers,
    TwoSided, TwoSidedRules, Value,
};

/// Returns a part that the caller knows to be there.
#[inline]
fn part<T: ?Sized>(part: Option<&T>) -> &T {
    part.expect("the game has this structure")
}

/// For games that rank their positions; the methods panic for others.
impl<const W: usize> Tiers for PackedGame<W> {
    fn layers(&self) -> u32 {
        part(self.parts.retro.as_deref()).layers()
    }

    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        part(self.parts.retro.as_deref()).tiers(layer, out);
    }

    fn estimated_tiers(&self, layer: u32) -> u64 {
        part(self.parts.retro.as_deref()).estimated_tiers(layer)
    }

    fn estimated_ranks(&self, layer: u32) -> u64 {
        part(self.parts.retro.as_deref()).estimated_ranks(layer)
    }

    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        part(self.parts.retro.as_deref()).layer_successors(layer)
    }

    fn layer_name(&self, layer: u32) -> String {
        part(self.parts.retro.as_deref()).layer_name(layer)
    }

    fn tier_len(&self, tier: u64) -> u64 {
        part(self.parts.retro.as_deref()).tier_len(tier)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        part(self.parts.retro.as_deref()).orbit_run(tier, rank)
    }
}

/// As [`Tiers`].
impl<const W: usize> Ranked for PackedGame<W> {
    fn rank(&self, position: Packed<W>) -> Option<(u64, u64)> {
        part(self.parts.retro.as_deref()).rank(position)
    }

    fn tier(&self, position: Packed<W>) -> Option<u64> {
        part(self.parts.retro.as_deref()).tier(position)
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed<W>> {
        part(self.parts.retro.as_deref()).unrank(tier, rank)
    }

    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed<W>)>) {
        part(self.parts.retro.as_deref()).unrank_range(tier, ranks, out);
    }

    fn rank_periods(&self) -> Vec<u32> {
        part(self.parts.retro.as_deref()).rank_periods()
    }

    fn immediate_value(&self, position: Packed<W>) -> Option<Value> {
        part(self.parts.retro.as_deref()).immediate_value(position)
    }

    fn implied_value(&self, position: Packed<W>) -> Option<Value> {
        part(self.parts.retro.as_deref()).implied_value(position)
    }

    fn is_implied(&self, value: Value) -> Option<bool> {
        part(self.parts.retro.as_deref()).is_implied(value)
    }
}

/// As [`Tiers`].
impl<const W: usize> Retro for PackedGame<W> {
    fn predecessors(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
        part(self.parts.retro.as_deref()).predecessors(position, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        position: Packed<W>,
        outside: &mut Vec<Packed<W>>,
    ) -> MoveSummary {
        part(self.parts.retro.as_deref()).summarize_moves(tier, position, outside)
    }

    fn predecessor_ranks(&self, position: Packed<W>, out: &mut Vec<u64>) {
        part(self.parts.retro.as_deref()).predecessor_ranks(position, out);
    }

    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        part(self.parts.retro.as_deref()).summarize_ranks(tier, ranks, out);
    }

    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        part(self.parts.retro.as_deref()).predecessors_of_ranks(tier, ranks, out);
    }
}

/// For games made by [`PackedGame::pawn_pairs`]; the methods panic for others.
impl<const W: usize> PawnPairs for PackedGame<W> {
    fn squares(&self) -> u8 {
        part(self.parts.pairs.as_deref()).squares()
    }

    fn pawn_pair_rules(&self, tier: u64, rules: &mut PawnPairRules) {
        part(self.parts.pairs.as_deref()).pawn_pair_rules(tier, rules);
    }

    fn tiers_after(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        part(self.parts.pairs.as_deref()).tiers_after(tier, side, out);
    }

    fn tiers_before(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        part(self.parts.pairs.as_deref()).tiers_before(tier, side, out);
    }

    fn symmetries(&self) -> Vec<PawnPairSymmetry> {
        part(self.parts.pairs.as_deref()).symmetries()
    }
}

/// For games made by [`PackedGame::pawn_pairs`] and [`PackedGame::subgames`]; the method panics for
/// others.
impl<const W: usize> Subgames for PackedGame<W> {
    type Subgame = Self;

    fn subgame(&self, position: Packed<W>) -> Option<Self> {
        part(self.parts.subgames.as_deref()).subgame(position)
    }
}

/// For games made by [`PackedGame::two_sided`]; the methods panic for others.
impl<const W: usize> TwoSided for PackedGame<W> {
    fn two_sided_rules(&self) -> TwoSidedRules {
        part(self.parts.sides.as_deref()).two_sided_rules()
    }

    fn placement(&self, position: Packed<W>) -> Option<Placement> {
        part(self.parts.sides.as_deref()).placement(position)
    }

    fn position_of(&self, placement: Placement) -> Packed<W> {
        part(self.parts.sides.as_deref()).position_of(placement)
    }

    fn ranks_beside(&self, followers: u32, leader: u8, other: u32) -> (u64, Range<u64>) {
        part(self.parts.sides.as_deref()).ranks_beside(followers, leader, other)
    }
}

/// For games made by [`PackedGame::forbidden_move`]; the methods panic for others.
impl<const W: usize> States for PackedGame<W> {
    type Base = PackedBase<W>;

    fn base(&self) -> &PackedBase<W> {
        &part(self.parts.states.as_ref()).base
    }

    fn decode(&self, state: Packed<W>) -> (Packed<W>, Option<PackedMove>) {
        part(self.parts.states.as_ref()).rules.decode(state)
    }

    fn encode(&self, base: Packed<W>, forbidden: Option<PackedMove>) -> Packed<W> {
        part(self.parts.states.as_ref()).rules.encode(base, forbidden)
    }

    fn forbidden_after(&self, base: Packed<W>, mv: PackedMove) -> Option<PackedMove> {
        part(self.parts.states.as_ref()).rules.forbidden_after(base, mv)
    }

    fn predecessor_moves(&self, base: Packed<W>, out: &mut Vec<(Packed<W>, PackedMove)>) {
        part(self.parts.states.as_ref()).rules.predecessor_moves(base, out);
    }

    fn reached_unrestricted(&self, base: Packed<W>) -> bool {
        part(self.parts.states.as_ref()).rules.reached_unrestricted(base)
    }
}

/// As [`States`].
impl<const W: usize> ForbiddenMove for PackedGame<W> {
    fn move_id(&self, base: Packed<W>, mv: PackedMove) -> u8 {
        part(self.parts.states.as_ref()).rules.move_id(base, mv)
    }

    fn rank_state(&self, state: Packed<W>) -> Option<(u64, u64, u8)> {
        part(self.parts.states.as_ref()).rules.rank_state(state)
    }

    fn forbiddable_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        part(self.parts.states.as_ref()).rules.forbiddable_ids(tier, rank, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<ForbiddableMoveSummary> {
        part(self.parts.states.as_ref()).rules.summarize_moves(tier, rank, outside)
    }

    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool {
        part(self.parts.states.as_ref()).rules.edges_from(tier, rank, out)
    }

    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>) {
        part(self.parts.states.as_ref()).rules.edges_to(tier, rank, out);
    }
}
