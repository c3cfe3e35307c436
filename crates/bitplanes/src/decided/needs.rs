//! Memory of a solve that stores its values.

use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::{PIECE_RANKS, Store};

use crate::decided::row_passes::bytes_of_row_passes;
use crate::space::plan::BitplanePlan;
use crate::space::subproblem::Subproblem;

/// Fewest codes in memory at once, in a layer of as many ranks.
const LEAST_CODES: u64 = 64 * PIECE_RANKS;

/// Estimate of the bytes that the passes of a plane take in a log, for each byte of the plane.
/// Measured: up to 1.2.
const LOGGED_PLANE_BYTES: u64 = 2;

/// Bytes of a plane for each byte of the rows that wait for the end of a pass to go into a log.
/// Measured: the rows take up to a fifth of the plane, and their blob as much again.
const PLANE_BYTES_PER_OPEN_BYTE: u64 = 2;

/// Place in which a solve keeps the pass of each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PassesKept {
    /// In memory, a byte for each bit of the planes.
    InMemory,
    /// In a checkpoint, compressed.
    InLog,
}

/// Memory of a solve that stores its values, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct StorePlan {
    pub(crate) kept: PassesKept,
    /// Bytes that the passes may take, frontiers included.
    pub(crate) solve: u64,
    /// Codes of a layer, or of a piece of it.
    pub(crate) codes: u64,
    /// Bytes at the peak.
    pub(crate) peak: u64,
    layers: StoredLayers,
}

/// Largest layer, and the most bytes that a store takes for a layer.
#[derive(Clone, Copy)]
struct StoredLayers {
    most_ranks: u64,
    store: u64,
}

impl StoredLayers {
    fn new(game: &PackedGame, store: &dyn Store) -> Self {
        let mut layers = Self { most_ranks: 0, store: 0 };
        for layer in 0..game.layers() {
            let tiers = layer_tiers(game, layer);
            let ranks = tiers.iter().map(|&tier| game.tier_len(tier));
            let ranks = ranks.fold(0, u64::saturating_add);
            let bytes = store.takes(layer, ranks, tiers.len() as u64);
            layers.most_ranks = layers.most_ranks.max(ranks);
            layers.store = layers.store.max(bytes);
        }
        layers
    }

    /// Codes in memory at once, if there is room for `room`.
    fn codes(self, room: u64) -> u64 {
        let room = room.max(LEAST_CODES);
        let all = self.most_ranks.next_multiple_of(PIECE_RANKS);
        all.min(room - room % PIECE_RANKS)
    }
}

impl StorePlan {
    /// Plans a solve in `memory` bytes. Passes that do not fit go into a log, if there is a
    /// checkpoint to hold it.
    pub(crate) fn new(
        game: &PackedGame,
        store: &dyn Store,
        plan: &BitplanePlan,
        memory: u64,
        has_checkpoint: bool,
    ) -> Self {
        let layers = StoredLayers::new(game, store);
        let in_memory = Self::in_memory(layers, plan, memory);
        if in_memory.peak <= memory || !has_checkpoint {
            return in_memory;
        }
        Self::in_log(layers, plan, memory)
    }

    /// Most bytes that the store takes for a layer, besides its codes.
    pub(crate) fn store(&self) -> u64 {
        self.layers.store
    }

    /// Codes in memory at once in a solve of `memory` bytes, once `reading` bytes are known to
    /// suffice for the log.
    pub(crate) fn codes_beside_log(&self, memory: u64, reading: u64) -> u64 {
        let room = memory.saturating_sub(self.layers.store + reading);
        self.codes.max(self.layers.codes(room))
    }

    fn in_memory(layers: StoredLayers, plan: &BitplanePlan, memory: u64) -> Self {
        let passes = bytes_of_row_passes(&plan.subproblems).saturating_add(layers.store);
        let left = memory.saturating_sub(passes).saturating_sub(plan.peak(0));
        let codes = layers.codes(left);
        let beside = passes.saturating_add(codes);
        let solve = memory.saturating_sub(beside);
        Self {
            kept: PassesKept::InMemory,
            solve,
            codes,
            layers,
            peak: plan.peak(solve).saturating_add(beside),
        }
    }

    /// The planes are dropped before the codes are made.
    fn in_log(layers: StoredLayers, plan: &BitplanePlan, memory: u64) -> Self {
        let largest = plan.subproblems.iter().map(largest_plane_bytes).max();
        let largest = largest.unwrap_or(0);
        let beside = layers.store + LOGGED_PLANE_BYTES * largest;
        let open = largest / PLANE_BYTES_PER_OPEN_BYTE;
        let solve = memory.saturating_sub(open);
        let codes = layers.codes(memory.saturating_sub(beside));
        Self {
            kept: PassesKept::InLog,
            solve,
            codes,
            layers,
            peak: plan.peak(solve).saturating_add(open).max(beside.saturating_add(codes)),
        }
    }
}

fn largest_plane_bytes(subproblem: &Subproblem) -> u64 {
    let blocks = subproblem.canonical_blocks(0).max(subproblem.canonical_blocks(1));
    blocks * subproblem.block_bytes as u64
}

/// Tiers of a layer, ascending.
pub(crate) fn layer_tiers(game: &PackedGame, layer: u32) -> Vec<u64> {
    let mut tiers = Vec::new();
    game.tiers(layer, &mut tiers);
    tiers
}
