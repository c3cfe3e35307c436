//! What the structure of a game adds to its rules.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::base::PackedBase;
use super::states::StateRules;
use super::{Packed, PackedGame, PackedMove};
use crate::{
    MoveSummary, OrbitRun, PawnPairRules, PawnPairSymmetry, PawnPairs, Placement, RankSummaries,
    Ranked, Retro, Subgames, Tiers, TwoSided, TwoSidedRules, Value,
};

pub(super) type RetroRules<const W: usize> =
    dyn Retro<Position = Packed<W>, Move = PackedMove> + Send;
type PairRules<const W: usize> = dyn PawnPairs<Position = Packed<W>, Move = PackedMove> + Send;
type SideRules<const W: usize> = dyn TwoSided<Position = Packed<W>, Move = PackedMove> + Send;
type SubgameRules<const W: usize> =
    dyn Subgames<Position = Packed<W>, Move = PackedMove, Subgame = PackedGame<W>> + Send;

/// The optional parts of a game; `None` where it has not got them.
#[derive(Clone)]
pub(super) struct Parts<const W: usize> {
    pub(super) retro: Option<Arc<RetroRules<W>>>,
    pub(super) pairs: Option<Arc<PairRules<W>>>,
    pub(super) subgames: Option<Arc<SubgameRules<W>>>,
    pub(super) sides: Option<Arc<SideRules<W>>>,
    pub(super) states: Option<StateParts<W>>,
}

impl<const W: usize> Default for Parts<W> {
    fn default() -> Self {
        Self { retro: None, pairs: None, subgames: None, sides: None, states: None }
    }
}

/// Rules of states, with those of the base.
#[derive(Clone)]
pub(super) struct StateParts<const W: usize> {
    pub(super) rules: Arc<dyn StateRules<W>>,
    pub(super) base: PackedBase<W>,
}

/// Returns a part that the caller knows to be there.
#[inline]
pub(super) fn part<T: ?Sized>(part: Option<&T>) -> &T {
    part.expect("the game has this structure")
}

/// What a game has beside its rules: the solvers and tables that it allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Structure {
    /// Nothing.
    Plain,
    /// [`Retro`].
    Ranked,
    /// [`PawnPairs`], [`Subgames`] and [`Retro`].
    PawnPairs,
    /// [`Subgames`].
    Subgames,
    /// [`TwoSided`] and [`Retro`].
    TwoSided,
    /// [`ForbiddenMove`](crate::ForbiddenMove).
    ForbiddenMove,
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
