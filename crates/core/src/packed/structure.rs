//! Traits of the structure of a game, for packed games that have it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::base::{PackedBase, RetroRules};
use super::delegate::delegate_retro;
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

impl<const W: usize> PackedGame<W> {
    fn retro(&self) -> &RetroRules<W> {
        part(self.parts.retro.as_deref())
    }
}

// For games that rank their positions; the methods panic for others.
delegate_retro!(PackedGame, retro());

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
