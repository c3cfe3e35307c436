//! Memory of a solve that stores its values, besides the solve.

use hindsight_core::Ranked;
use hindsight_run::{PIECE_RANKS, Store};

use crate::decided::row_passes::bytes_of_row_passes;
use crate::space::subproblem::Subproblem;

/// Codes of a layer in memory, at least, if the layer has as many.
const LEAST_CODES: u64 = 4096 * PIECE_RANKS;

/// Bytes of memory by use.
#[derive(Clone, Copy)]
pub(crate) struct StoreNeeds {
    /// Passes of all positions, in the order of the planes.
    pub(crate) passes: u64,
    /// Codes of a layer, or of a piece of it.
    pub(crate) codes: u64,
    /// Most bytes that the store takes for a layer, besides its codes.
    pub(crate) store: u64,
}

impl StoreNeeds {
    /// Bytes of a solve that may take `memory` bytes in all. Codes take a whole layer, up to half
    /// of what the passes leave.
    pub(crate) fn new<G: Ranked>(
        game: &G,
        store: &dyn Store,
        subproblems: &[Subproblem],
        memory: u64,
    ) -> Self {
        let layers = 0..game.layers();
        let (mut largest, mut store_bytes) = (0, 0);
        for layer in layers {
            let tiers = layer_tiers(game, layer);
            let ranks = tiers.iter().map(|&tier| game.tier_len(tier));
            let ranks = ranks.fold(0, u64::saturating_add);
            largest = ranks.max(largest);
            store_bytes = store
                .takes(layer, ranks, tiers.len() as u64)
                .max(store_bytes);
        }
        let passes = bytes_of_row_passes(subproblems);
        let left = memory.saturating_sub(passes).saturating_sub(store_bytes);
        let room = (left / 2).max(LEAST_CODES);
        Self {
            passes,
            codes: largest
                .next_multiple_of(PIECE_RANKS)
                .min(room - room % PIECE_RANKS),
            store: store_bytes,
        }
    }

    /// Sum of all.
    pub(crate) fn bytes(self) -> u64 {
        let kept = self.passes.saturating_add(self.codes);
        kept.saturating_add(self.store)
    }
}

/// Tiers of a layer, ascending.
pub(crate) fn layer_tiers<G: Ranked>(game: &G, layer: u32) -> Vec<u64> {
    let mut tiers = Vec::new();
    game.tiers(layer, &mut tiers);
    tiers
}
