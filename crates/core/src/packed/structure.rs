//! Traits of the structure of a game, for packed games that have it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::packed_game::RetroRules;
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

impl PackedGame {
    fn retro(&self) -> &RetroRules {
        part(self.parts.retro.as_deref())
    }
}

// For games that rank their positions; the methods panic for others.
impl Tiers for PackedGame {
    fn layers(&self) -> u32 {
        self.retro().layers()
    }

    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        self.retro().tiers(layer, out);
    }

    fn estimated_tiers(&self, layer: u32) -> u64 {
        self.retro().estimated_tiers(layer)
    }

    fn estimated_ranks(&self, layer: u32) -> u64 {
        self.retro().estimated_ranks(layer)
    }

    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        self.retro().layer_successors(layer)
    }

    fn layer_name(&self, layer: u32) -> String {
        self.retro().layer_name(layer)
    }

    fn tier_len(&self, tier: u64) -> u64 {
        self.retro().tier_len(tier)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        self.retro().orbit_run(tier, rank)
    }

    fn work_bytes(&self, tier: u64) -> u64 {
        self.retro().work_bytes(tier)
    }
}

impl Ranked for PackedGame {
    fn rank(&self, position: Packed) -> Option<(u64, u64)> {
        self.retro().rank(position)
    }

    fn rank_all(&self, positions: &[Packed], out: &mut Vec<Option<(u64, u64)>>) {
        self.retro().rank_all(positions, out);
    }

    fn tier(&self, position: Packed) -> Option<u64> {
        self.retro().tier(position)
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed> {
        self.retro().unrank(tier, rank)
    }

    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed)>) {
        self.retro().unrank_range(tier, ranks, out);
    }

    fn rank_periods(&self) -> Vec<u32> {
        self.retro().rank_periods()
    }

    fn immediate_value(&self, position: Packed) -> Option<Value> {
        self.retro().immediate_value(position)
    }

    fn implied_value(&self, position: Packed) -> Option<Value> {
        self.retro().implied_value(position)
    }

    fn is_implied(&self, value: Value) -> Option<bool> {
        self.retro().is_implied(value)
    }
}

impl Retro for PackedGame {
    fn predecessors(&self, position: Packed, out: &mut Vec<Packed>) {
        self.retro().predecessors(position, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        position: Packed,
        outside: &mut Vec<Packed>,
    ) -> MoveSummary {
        self.retro().summarize_moves(tier, position, outside)
    }

    fn predecessor_ranks(&self, position: Packed, out: &mut Vec<u64>) {
        self.retro().predecessor_ranks(position, out);
    }

    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        self.retro().summarize_ranks(tier, ranks, out);
    }

    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        self.retro().predecessors_of_ranks(tier, ranks, out);
    }

    fn leave_tier(&self, tier: u64) {
        self.retro().leave_tier(tier);
    }
}

/// For games made by [`PackedGame::pawn_pairs`]; the methods panic for others.
impl PawnPairs for PackedGame {
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
impl Subgames for PackedGame {
    type Subgame = Self;

    fn subgame(&self, position: Packed) -> Option<Self> {
        part(self.parts.subgames.as_deref()).subgame(position)
    }
}

/// For games made by [`PackedGame::two_sided`]; the methods panic for others.
impl TwoSided for PackedGame {
    fn two_sided_rules(&self) -> TwoSidedRules {
        part(self.parts.sides.as_deref()).two_sided_rules()
    }

    fn placement(&self, position: Packed) -> Option<Placement> {
        part(self.parts.sides.as_deref()).placement(position)
    }

    fn position_of(&self, placement: Placement) -> Packed {
        part(self.parts.sides.as_deref()).position_of(placement)
    }

    fn ranks_beside(&self, followers: u32, leader: u8, other: u32) -> (u64, Range<u64>) {
        part(self.parts.sides.as_deref()).ranks_beside(followers, leader, other)
    }
}

/// For games made by [`PackedGame::forbidden_move`]; the methods panic for others.
impl States for PackedGame {
    type Base = Self;

    fn base(&self) -> &Self {
        &part(self.parts.states.as_ref()).base
    }

    fn decode(&self, state: Packed) -> (Packed, Option<PackedMove>) {
        part(self.parts.states.as_ref()).rules.decode(state)
    }

    fn encode(&self, base: Packed, forbidden: Option<PackedMove>) -> Packed {
        part(self.parts.states.as_ref()).rules.encode(base, forbidden)
    }

    fn forbidden_after(&self, base: Packed, mv: PackedMove) -> Option<PackedMove> {
        part(self.parts.states.as_ref()).rules.forbidden_after(base, mv)
    }

    fn predecessor_moves(&self, base: Packed, out: &mut Vec<(Packed, PackedMove)>) {
        part(self.parts.states.as_ref()).rules.predecessor_moves(base, out);
    }

    fn reached_unrestricted(&self, base: Packed) -> bool {
        part(self.parts.states.as_ref()).rules.reached_unrestricted(base)
    }
}

/// As [`States`].
impl ForbiddenMove for PackedGame {
    fn move_id(&self, base: Packed, mv: PackedMove) -> u8 {
        part(self.parts.states.as_ref()).rules.move_id(base, mv)
    }

    fn rank_state(&self, state: Packed) -> Option<(u64, u64, u8)> {
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
