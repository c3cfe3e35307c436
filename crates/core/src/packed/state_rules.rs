//! Games in which a move may be forbidden, over packed positions.

use alloc::vec::Vec;

use super::adapter::{Adapter, Own};
use super::{Packed, PackedMove, Packing};
use crate::{ForbiddableMoveSummary, ForbiddenMove, InEdge, OutEdge};

/// [`States`] and [`ForbiddenMove`] without the base, as an object.
pub(super) trait StateRules: Send + Sync {
    fn decode(&self, state: Packed) -> (Packed, Option<PackedMove>);
    fn encode(&self, base: Packed, forbidden: Option<PackedMove>) -> Packed;
    fn forbidden_after(&self, base: Packed, mv: PackedMove) -> Option<PackedMove>;
    fn predecessor_moves(&self, base: Packed, out: &mut Vec<(Packed, PackedMove)>);
    fn reached_unrestricted(&self, base: Packed) -> bool;
    fn move_id(&self, base: Packed, mv: PackedMove) -> u8;
    fn rank_state(&self, state: Packed) -> Option<(u64, u64, u8)>;
    fn forbiddable_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>);
    fn summarize_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<ForbiddableMoveSummary>;
    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool;
    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>);
}

impl<G, const W: usize> StateRules for Adapter<Own<G>, W>
where
    G: Packing<W> + ForbiddenMove<Base: Packing<W>> + Send,
{
    fn decode(&self, state: Packed) -> (Packed, Option<PackedMove>) {
        let (base, forbidden) = self.game().decode(self.unpack(state));
        let rules = self.game().base();
        (Packed::new(rules.pack(base)), forbidden.map(|mv| PackedMove(rules.pack_move(mv))))
    }

    fn encode(&self, base: Packed, forbidden: Option<PackedMove>) -> Packed {
        let rules = self.game().base();
        let forbidden = forbidden.map(|mv| rules.unpack_move(mv.0));
        self.pack(self.game().encode(rules.unpack(base.words()), forbidden))
    }

    fn forbidden_after(&self, base: Packed, mv: PackedMove) -> Option<PackedMove> {
        let rules = self.game().base();
        let after =
            self.game().forbidden_after(rules.unpack(base.words()), rules.unpack_move(mv.0));
        after.map(|mv| PackedMove(rules.pack_move(mv)))
    }

    fn predecessor_moves(&self, base: Packed, out: &mut Vec<(Packed, PackedMove)>) {
        let rules = self.game().base();
        let mut moves = Vec::new();
        self.game().predecessor_moves(rules.unpack(base.words()), &mut moves);
        let pack =
            |(before, mv)| (Packed::new(rules.pack(before)), PackedMove(rules.pack_move(mv)));
        out.extend(moves.into_iter().map(pack));
    }

    fn reached_unrestricted(&self, base: Packed) -> bool {
        self.game().reached_unrestricted(self.game().base().unpack(base.words()))
    }

    fn move_id(&self, base: Packed, mv: PackedMove) -> u8 {
        let rules = self.game().base();
        self.game().move_id(rules.unpack(base.words()), rules.unpack_move(mv.0))
    }

    fn rank_state(&self, state: Packed) -> Option<(u64, u64, u8)> {
        self.game().rank_state(self.unpack(state))
    }

    fn forbiddable_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        self.game().forbiddable_ids(tier, rank, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<ForbiddableMoveSummary> {
        self.game().summarize_moves(tier, rank, outside)
    }

    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool {
        self.game().edges_from(tier, rank, out)
    }

    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>) {
        self.game().edges_to(tier, rank, out);
    }
}
