//! Memory needs of a solve.

use hindsight_core::{PackedGame, States, Tiers};

use super::stage::CHUNK_RANKS;
use crate::tiered::TierPlan;

/// Returns the bytes of memory that a solve needs at its peak.
#[must_use]
pub fn peak(game: &PackedGame) -> u64 {
    peak_with_checkpoint(game, &|_| 0)
}

/// Same as [`peak`], for a solve with a checkpoint. `takes` gives the bytes to store a tier, by its
/// number of ranks.
pub(crate) fn peak_with_checkpoint(game: &PackedGame, takes: &dyn Fn(u64) -> u64) -> u64 {
    let needs = MemoryNeeds::new(game);
    let putting = |layer| needs.finished(layer) + takes(needs.ranks(layer));
    let layers = 0..game.base().layers();
    let peaks = layers.map(|layer| needs.solving(layer).max(putting(layer)));
    peaks.max().unwrap_or(0)
}

/// Memory needs of a solve, layer by layer.
pub(super) struct MemoryNeeds<'a> {
    game: &'a PackedGame,
    pub(super) plan: TierPlan,
}

impl<'a> MemoryNeeds<'a> {
    pub(super) fn new(game: &'a PackedGame) -> Self {
        let plan = TierPlan::new(game.base());
        Self { game, plan }
    }

    fn ranks(&self, layer: u32) -> u64 {
        let tiers = self.plan.tiers(layer).iter();
        tiers.map(|&tier| self.game.base().tier_len(tier)).sum()
    }

    /// Bytes of finished layers that this layer, or a later one, looks up.
    fn earlier(&self, layer: u32) -> u64 {
        let earlier = (0..layer).filter(|&earlier| self.plan.last_use(earlier) >= layer);
        earlier.map(|earlier| self.ranks(earlier)).sum()
    }

    /// Bytes while a layer is solved: words, events and marks.
    fn solving(&self, layer: u32) -> u64 {
        let ranks = self.ranks(layer);
        let marks = ranks.div_ceil(8) + 64 * ranks.div_ceil(CHUNK_RANKS);
        4 * ranks + marks + self.earlier(layer)
    }

    /// Bytes when a layer is finished: its words, and a copy of its values if they are looked up.
    pub(super) fn finished(&self, layer: u32) -> u64 {
        let is_looked_up = self.plan.last_use(layer) > layer;
        let a_rank = 4 + u64::from(is_looked_up);
        a_rank * self.ranks(layer) + self.earlier(layer)
    }
}
