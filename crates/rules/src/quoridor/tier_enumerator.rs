use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;

use super::Quoridor;
use super::position::Fences;
use super::tier_numbering::{HandSplits, TierNumbering};

/// Enumerates the sets of `placed` fences that neither overlap nor cross, by ascending rank. Keeps
/// the tiers that represent their classes and have a position.
pub(super) struct TierEnumerator<'a> {
    numbering: &'a TierNumbering,
    placed: u8,
    anchors: u8,
    every_anchor: u64,
    splits: HandSplits,
    /// `conflicts[f]`: fences that cannot stand beside fence `f`, itself included.
    conflicts: Vec<u128>,
    /// Fences that have room beside the fixed ones.
    placeable: u128,
    /// The fixed fences; every bit for an image under another symmetry than those of the numbering.
    fixed: FenceSetImages,
    /// `images[f]`: images of the set of fence `f` alone.
    images: Vec<FenceSetImages>,
    /// Fences that shut off both goal rows, so that every rank of the tier is a hole. `None` for
    /// odd widths.
    sealing: Option<u128>,
    out: &'a mut Vec<u64>,
}

/// A set of fences, its mirror image, the set after a half turn, and the mirror image after a half
/// turn.
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
        let singles = (0..2 * board.anchors()).map(|c| numbering.fences_in(1 << c));
        let images = |fences: Fences| {
            let images = board.symmetric_images(fences, [0; 2]);
            images.map(|(fences, _)| numbering.fence_set(fences))
        };
        let fixed = numbering.fence_set(numbering.fixed());
        let all = numbering.fence_set(board.placeable_fences(Fences::default()));
        Self {
            numbering,
            placed,
            anchors: board.anchors(),
            every_anchor: u64::MAX >> (64 - board.anchors()),
            splits: numbering.splits(placed),
            conflicts: singles
                .clone()
                .map(|fence| all & !numbering.fence_set(board.placeable_fences(fence)))
                .collect(),
            placeable: numbering.fence_set(board.placeable_fences(numbering.fixed())),
            fixed: core::array::from_fn(|i| {
                if numbering.symmetries().contains(&i) { fixed } else { u128::MAX }
            }),
            images: singles.map(images).collect(),
            sealing: board.sealing_fences().map(|fences| numbering.fence_set(fences)),
            out,
        }
    }

    #[inline]
    pub(super) fn append_tiers(mut self) {
        self.extend_set(self.placed, self.placeable, self.fixed, 0);
    }

    /// Adds `k` of the `allowed` fences. Invariant: all allowed fences are below the fences of the
    /// set.
    ///
    /// The greatest fence is chosen first, among candidates in ascending order, which gives sets in
    /// the order of ranks.
    #[inline]
    fn extend_set(&mut self, k: u8, allowed: u128, set: FenceSetImages, rank: u64) {
        if k == 0 {
            self.add_tiers(set, rank);
            return;
        }
        if allowed >> self.anchors == 0 && self.has_lesser_image(set) {
            return;
        }
        for c in SetBits(allowed) {
            let below = allowed & ((1 << c) - 1) & !self.conflicts[usize::from(c)];
            // Each anchor has room for one fence.
            let room = (below | below >> self.anchors) as u64 & self.every_anchor;
            if room.count_ones() + 1 >= u32::from(k) {
                let image = self.images[usize::from(c)];
                let more = core::array::from_fn(|i| set[i] | image[i]);
                self.extend_set(k - 1, below, more, rank + self.numbering.rank_term(c, k));
            }
        }
    }

    /// Returns true if an image of the set is less by its vertical fences alone. Horizontal fences
    /// added later then change nothing.
    #[inline]
    fn has_lesser_image(&self, set: FenceSetImages) -> bool {
        let [own, mirrored, turned, both] = set.map(|set| set >> self.anchors);
        mirrored.min(turned).min(both) < own
    }

    #[inline]
    fn add_tiers(&mut self, set: FenceSetImages, rank: u64) {
        let [own, mirrored, turned, both] = set;
        if mirrored < own || self.sealing.is_some_and(|sealing| own & sealing == sealing) {
            return;
        }
        let is_representative = |split: u8| {
            turned.min(both) > own || {
                let [first, second] = self.splits.hands(split);
                let swapped = self.splits.split_of([second, first]);
                turned.min(both) == own && split <= swapped
            }
        };
        let first_tier = self.numbering.first_tier(self.placed, rank);
        for split in 0..self.splits.count {
            if is_representative(split) {
                self.out.push(first_tier + u64::from(split));
            }
        }
    }
}
