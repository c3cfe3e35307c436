use alloc::vec::Vec;

use super::Quoridor;
use super::board::Bits;
use super::position::Fences;
use super::tier_numbering::{HandSplits, TierNumbering};

/// Goes through all sets of so many fences that neither overlap nor cross, by ascending rank, and
/// keeps the tiers that stand for their classes and have a position.
pub(super) struct TierEnumerator<'a> {
    numbering: &'a TierNumbering,
    placed: u8,
    anchors: u8,
    every_anchor: u64,
    splits: HandSplits,
    /// Whether exchanging the players is a symmetry.
    swap: bool,
    /// For each fence those that cannot stand beside it, itself included.
    conflicts: Vec<u128>,
    /// For each fence itself and its three images.
    images: Vec<FenceSetImages>,
    /// The fences that shut both goal rows off: then no pawn that has not arrived has a path.
    closing: Option<u128>,
    out: &'a mut Vec<u64>,
}

/// A set of fences, then mirrored, turned, and both.
type FenceSetImages = [u128; 4];

impl<'a> TierEnumerator<'a> {
    #[inline]
    pub(super) fn new(
        game: &Quoridor,
        numbering: &'a TierNumbering,
        placed: u8,
        out: &'a mut Vec<u64>,
    ) -> Self {
        let board = &game.board;
        let singles = (0..2 * board.anchors()).map(|c| numbering.fences(1 << c));
        let images = |fences: Fences| {
            let mirrored = board.mirrored(fences);
            [
                fences,
                mirrored,
                board.turned(fences),
                board.turned(mirrored),
            ]
            .map(|fences| numbering.set(fences))
        };
        let all = numbering.set(board.placeable_fences(Fences::default()));
        Self {
            numbering,
            placed,
            anchors: board.anchors(),
            every_anchor: u64::MAX >> (64 - board.anchors()),
            splits: numbering.splits(placed),
            swap: game.setup().stock[0] == game.setup().stock[1],
            conflicts: singles
                .clone()
                .map(|fence| all & !numbering.set(board.placeable_fences(fence)))
                .collect(),
            images: singles.map(images).collect(),
            closing: board.sealing_fences().map(|fences| numbering.set(fences)),
            out,
        }
    }

    /// Appends all tiers.
    #[inline]
    pub(super) fn run(mut self) {
        let all = u128::MAX >> (128 - self.images.len());
        self.add(self.placed, all, [0; 4], 0);
    }

    /// Adds `k` more of the `allowed` fences, all below those in the set. The greatest is chosen first,
    /// from the least on: that is the order of ranks.
    #[inline]
    fn add(&mut self, k: u8, allowed: u128, set: FenceSetImages, rank: u64) {
        if k == 0 {
            self.keep(set, rank);
            return;
        }
        if allowed >> self.anchors == 0 && self.is_no_least(set) {
            return;
        }
        for c in Bits(allowed) {
            let below = allowed & ((1 << c) - 1) & !self.conflicts[usize::from(c)];
            // One fence at most fits each anchor.
            let room = (below | below >> self.anchors) as u64 & self.every_anchor;
            if room.count_ones() + 1 >= u32::from(k) {
                let image = self.images[usize::from(c)];
                let more = core::array::from_fn(|i| set[i] | image[i]);
                self.add(k - 1, below, more, rank + self.numbering.term(c, k));
            }
        }
    }

    /// Whether the vertical fences, when no more are to come, already make an image the lesser one.
    #[inline]
    fn is_no_least(&self, set: FenceSetImages) -> bool {
        let [own, mirrored, turned, both] = set.map(|set| set >> self.anchors);
        mirrored < own || (self.swap && turned.min(both) < own)
    }

    #[inline]
    fn keep(&mut self, set: FenceSetImages, rank: u64) {
        let [own, mirrored, turned, both] = set;
        if mirrored < own || self.closing.is_some_and(|closing| own & closing == closing) {
            return;
        }
        let least_kept = |split: u8| {
            !self.swap || {
                let [first, second] = self.splits.hands(split);
                let swapped = self.splits.split([second, first]);
                turned.min(both) > own || (turned.min(both) == own && split <= swapped)
            }
        };
        let first_tier = self.numbering.first_tier(self.placed, rank);
        for split in 0..self.splits.count {
            if least_kept(split) {
                self.out.push(first_tier + u64::from(split));
            }
        }
    }
}
