//! Base of a game in which a move may be forbidden.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Packed, PackedMove};
use crate::{
    Countdown, Expansion, Game, Heuristics, Look, Material, MoveSummary, OrbitRun, PlayoutQueue,
    Random, RankSummaries, Ranked, Retro, Tiers, Value, Wdl,
};

/// Rules of a ranked game.
pub(super) type RetroRules<const W: usize> =
    dyn Retro<Position = Packed<W>, Move = PackedMove> + Send;

/// Ranked rules without texts: the base of a [`PackedGame`](super::PackedGame).
#[derive(Clone)]
pub struct PackedBase<const W: usize>(Arc<RetroRules<W>>);

impl<const W: usize> PackedBase<W> {
    pub(super) fn new(
        rules: impl Retro<Position = Packed<W>, Move = PackedMove> + Send + 'static,
    ) -> Self {
        Self(Arc::new(rules))
    }
}

impl<const W: usize> Game for PackedBase<W> {
    type Position = Packed<W>;
    type Move = PackedMove;

    fn start(&self) -> Packed<W> {
        self.0.start()
    }

    fn player_to_move(&self, position: Packed<W>) -> usize {
        self.0.player_to_move(position)
    }

    fn terminal(&self, position: Packed<W>) -> Option<Wdl> {
        self.0.terminal(position)
    }

    fn moves(&self, position: Packed<W>, out: &mut Vec<PackedMove>) {
        self.0.moves(position, out);
    }

    fn play(&self, position: Packed<W>, mv: PackedMove) -> Packed<W> {
        self.0.play(position, mv)
    }

    fn successors(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
        self.0.successors(position, out);
    }

    fn images(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
        self.0.images(position, out);
    }

    fn canonical(&self, position: Packed<W>) -> Packed<W> {
        self.0.canonical(position)
    }

    fn canonicalize(&self, positions: &mut [Packed<W>]) {
        self.0.canonicalize(positions);
    }

    fn children(
        &self,
        position: Packed<W>,
        moves: &mut Vec<PackedMove>,
        next: &mut Vec<Packed<W>>,
    ) {
        self.0.children(position, moves, next);
    }

    fn expand(&self, positions: &[Packed<W>], most: usize, out: &mut Expansion<Packed<W>>) {
        self.0.expand(positions, most, out);
    }

    fn look(&self, position: Packed<W>) -> Look {
        self.0.look(position)
    }

    fn random_playout(
        &self,
        position: Packed<W>,
        plies: u32,
        random: &mut dyn Random,
    ) -> (Packed<W>, u32) {
        self.0.random_playout(position, plies, random)
    }

    fn random_playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<Packed<W>>,
        random: &mut dyn Random,
    ) {
        self.0.random_playouts(plies, queue, random);
    }

    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Packed<W>, Move = PackedMove>> {
        self.0.heuristics()
    }

    fn material(&self) -> Option<&dyn Material<Position = Packed<W>, Move = PackedMove>> {
        self.0.material()
    }

    fn countdown(&self) -> Option<&dyn Countdown<Position = Packed<W>, Move = PackedMove>> {
        self.0.countdown()
    }
}

impl<const W: usize> Tiers for PackedBase<W> {
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

impl<const W: usize> Ranked for PackedBase<W> {
    fn rank(&self, position: Packed<W>) -> Option<(u64, u64)> {
        self.0.rank(position)
    }

    fn tier(&self, position: Packed<W>) -> Option<u64> {
        self.0.tier(position)
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed<W>> {
        self.0.unrank(tier, rank)
    }

    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed<W>)>) {
        self.0.unrank_range(tier, ranks, out);
    }

    fn rank_periods(&self) -> Vec<u32> {
        self.0.rank_periods()
    }

    fn immediate_value(&self, position: Packed<W>) -> Option<Value> {
        self.0.immediate_value(position)
    }

    fn implied_value(&self, position: Packed<W>) -> Option<Value> {
        self.0.implied_value(position)
    }

    fn is_implied(&self, value: Value) -> Option<bool> {
        self.0.is_implied(value)
    }
}

impl<const W: usize> Retro for PackedBase<W> {
    fn predecessors(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
        self.0.predecessors(position, out);
    }

    fn summarize_moves(
        &self,
        tier: u64,
        position: Packed<W>,
        outside: &mut Vec<Packed<W>>,
    ) -> MoveSummary {
        self.0.summarize_moves(tier, position, outside)
    }

    fn predecessor_ranks(&self, position: Packed<W>, out: &mut Vec<u64>) {
        self.0.predecessor_ranks(position, out);
    }

    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        self.0.summarize_ranks(tier, ranks, out);
    }

    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        self.0.predecessors_of_ranks(tier, ranks, out);
    }
}
