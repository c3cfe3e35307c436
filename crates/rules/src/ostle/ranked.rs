use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::{Game, Ranked, Retro, Tiers};

use super::{BasePosition, UnrestrictedOstle};

impl UnrestrictedOstle {
    /// Returns `(hole, number)` for each class of the hole's square, ascending; `hole` is the
    /// class's representative. `number` counts the positions, up to symmetry, in which the mover
    /// has `own` pieces and the opponent `other`.
    ///
    /// Empty if a side with `own` or `other` pieces has lost, or never has that many.
    #[must_use]
    #[inline]
    pub fn positions_by_hole(&self, own: u8, other: u8) -> Vec<(u8, u64)> {
        let possible = self.setup().lost_at + 1..=self.setup().pieces;
        if possible.contains(&own) && possible.contains(&other) {
            self.ranking().counts_by_hole(own.into(), other.into())
        } else {
            Vec::new()
        }
    }
}

impl Tiers for UnrestrictedOstle {
    #[inline]
    fn layers(&self) -> u32 {
        self.ranking().tiers() as u32
    }

    #[inline]
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        let (more, fewer) = self.ranking().counts(layer.into());
        let least = u32::from(self.setup().lost_at) + 1;
        let mut out = Vec::new();
        for (own, other) in [(more - 1, fewer), (more, fewer - 1)] {
            if own.min(other) >= least {
                out.push(self.ranking().tier(own, other) as u32);
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    #[inline]
    fn layer_name(&self, layer: u32) -> String {
        let (more, fewer) = self.ranking().counts(layer.into());
        format!("{more} and {fewer} pieces")
    }

    #[inline]
    fn tier_len(&self, tier: u64) -> u64 {
        self.ranking().tier_len(tier)
    }
}

impl Ranked for UnrestrictedOstle {
    #[inline(always)]
    fn rank(&self, base: BasePosition) -> Option<(u64, u64)> {
        self.tier(base)?;
        let found = self.ranking().find(base.own, base.other, base.hole);
        Some((found.tier, found.rank))
    }

    #[inline]
    fn tier(&self, base: BasePosition) -> Option<u64> {
        let (own, other) = base.counts();
        (self.terminal(base).is_none()).then(|| self.ranking().tier(own, other))
    }

    #[inline]
    fn unrank(&self, tier: u64, rank: u64) -> Option<BasePosition> {
        Some(self.ranking().unrank(tier, rank))
    }
}

impl Retro for UnrestrictedOstle {
    #[inline]
    fn predecessors(&self, base: BasePosition, out: &mut Vec<BasePosition>) {
        let mut found = Vec::new();
        UnrestrictedOstle::predecessors(self, base, &mut found);
        let ranking = self.ranking();
        let image = |base: BasePosition| ranking.find(base.own, base.other, base.hole);
        let here = image(base);
        // Symmetric positions have fewer images, so the moves between them are counted one by one.
        let mut symmetric_ranks = Vec::new();
        for (before, _) in found {
            let from = image(before);
            if here.is_symmetric || from.is_symmetric {
                symmetric_ranks.push(from.rank);
            } else {
                out.push(before);
            }
        }
        symmetric_ranks.sort_unstable();
        symmetric_ranks.dedup();
        for rank in symmetric_ranks {
            let before = ranking.unrank(here.tier, rank);
            let leads_here = |mv: &_| {
                let next = self.play(before, *mv);
                self.rank(next) == Some((here.tier, here.rank))
            };
            let moves = self.all_moves(before).filter(leads_here).count();
            out.extend((0..moves).map(|_| before));
        }
    }
}
