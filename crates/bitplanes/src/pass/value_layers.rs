//! Values that passes decide, by rank: the layers of a table.

use std::sync::atomic::{AtomicU8, Ordering};

use hindsight_core::{Placement, Ranked, TwoSided, Value};
use hindsight_run::{Error, Layer, Store};
use rayon::prelude::*;

use crate::values::value_of_pass;

/// Code of a hole, and of a position that is not decided yet.
const HOLE: u8 = 0;

/// Code of a draw. A win or loss in `n` plies has the code `DRAW + n`.
const DRAW: u8 = 1;

/// Longest remoteness that has a code, in plies.
pub(crate) const MAX_PLIES: u16 = 254;

/// Ranks of a chunk in which draws are told from holes.
const RANKS_PER_CHUNK: usize = 1 << 14;

/// A code for each rank of all layers.
///
/// Allocates a byte a rank, holes included. Threads record codes at the same time.
pub(crate) struct ValueLayers<'a, G> {
    game: &'a G,
    /// All tiers, ascending.
    tiers: Vec<TierStart>,
    /// Codes of each layer, tier after tier.
    layers: Vec<Vec<AtomicU8>>,
}

/// Start of a tier's codes.
struct TierStart {
    tier: u64,
    layer: usize,
    /// Index of rank 0 in the layer.
    start: usize,
}

/// Number of ranks of all layers, holes included.
pub(crate) fn total_ranks<G: Ranked>(game: &G) -> u64 {
    let ranks = |layer| {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let lens = tiers.into_iter().map(|tier| game.tier_len(tier));
        lens.fold(0, u64::saturating_add)
    };
    (0..game.layers()).map(ranks).fold(0, u64::saturating_add)
}

/// Most bytes that a store takes for a layer, beside the layer itself.
pub(crate) fn max_store_bytes<G: Ranked>(game: &G, store: &dyn Store) -> u64 {
    let bytes = |layer| {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let ranks = tiers.iter().map(|&tier| game.tier_len(tier));
        let ranks = ranks.fold(0, u64::saturating_add);
        store.takes(layer, ranks, tiers.len() as u64)
    };
    (0..game.layers()).map(bytes).max().unwrap_or(0)
}

impl<'a, G: TwoSided> ValueLayers<'a, G> {
    /// Allocates the codes, all 0.
    pub(crate) fn new(game: &'a G) -> Self {
        let (mut tiers, mut layers) = (Vec::new(), Vec::new());
        for layer in 0..game.layers() {
            let mut layer_tiers = Vec::new();
            game.tiers(layer, &mut layer_tiers);
            let mut len = 0;
            for tier in layer_tiers {
                tiers.push(TierStart {
                    tier,
                    layer: layers.len(),
                    start: len,
                });
                len += game.tier_len(tier) as usize;
            }
            let mut codes = Vec::new();
            codes.resize_with(len, || AtomicU8::new(HOLE));
            layers.push(codes);
        }
        Self {
            game,
            tiers,
            layers,
        }
    }

    /// Records a position that is won or lost in `plies` plies, at most [`MAX_PLIES`].
    pub(crate) fn record(&self, position: Placement, plies: u16) {
        let position = self.game.position_of(position);
        let (tier, rank) = self.game.rank(position).expect("a game that is not over");
        let i = self.tiers.partition_point(|start| start.tier <= tier) - 1;
        let TierStart { layer, start, .. } = self.tiers[i];
        let code = DRAW.saturating_add(plies.min(255) as u8);
        // No race: every position is decided once.
        self.layers[layer][start + rank as usize].store(code, Ordering::Relaxed);
    }

    /// Takes the codes of all layers out.
    pub(crate) fn take_codes(&mut self) -> Vec<Vec<u8>> {
        self.layers.iter_mut().map(unshare).collect()
    }

    /// Puts the codes of all layers back.
    pub(crate) fn restore_codes(&mut self, layers: Vec<Vec<u8>>) {
        self.layers = layers.into_iter().map(share).collect();
    }

    /// Returns true if no code stands for more than `plies` plies.
    pub(crate) fn is_within(&self, plies: usize) -> bool {
        let most = usize::from(DRAW) + plies;
        let mut layers = self.layers.iter();
        layers.all(|codes| {
            let codes = codes.par_iter();
            codes
                .map(|code| usize::from(code.load(Ordering::Relaxed)))
                .all(|code| code <= most)
        })
    }

    /// Number of layers.
    pub(crate) fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Number of ranks of the layers before `layer`.
    pub(crate) fn ranks_before(&self, layer: usize) -> u64 {
        let before = self.layers[..layer].iter();
        before.map(|codes| codes.len() as u64).sum()
    }

    /// Hands a layer to a store. A position that was not recorded is a draw.
    ///
    /// `plies` is the longest remoteness of all layers.
    pub(crate) fn store_layer(
        &mut self,
        layer: usize,
        plies: u16,
        store: &mut dyn Store,
    ) -> Result<(), Error> {
        let mut palette = vec![None, Some(Value::Draw)];
        palette.extend((1..=usize::from(plies)).map(|pass| Some(value_of_pass(pass))));
        let starts = self.tiers.iter().filter(|start| start.layer == layer);
        let tiers: Vec<u64> = starts.map(|start| start.tier).collect();
        let mut whole = Layer {
            codes: unshare(&mut self.layers[layer]),
            palette,
            ..Layer::without_codes(self.game, layer as u32, &tiers)
        };
        for (i, &tier) in tiers.iter().enumerate() {
            mark_draws(self.game, tier, whole.tier_codes_mut(i));
        }
        let stored = store.put(&whole).map_err(Error::Store);
        self.layers[layer] = share(whole.codes);
        stored
    }
}

/// Converts codes that threads share to codes of one thread.
fn unshare(codes: &mut Vec<AtomicU8>) -> Vec<u8> {
    let codes = std::mem::take(codes).into_iter();
    codes.map(AtomicU8::into_inner).collect()
}

/// Converts codes of one thread to codes that threads share.
fn share(codes: Vec<u8>) -> Vec<AtomicU8> {
    codes.into_iter().map(AtomicU8::new).collect()
}

/// Marks the positions of a tier that were not recorded as draws.
fn mark_draws<G: Ranked>(game: &G, tier: u64, codes: &mut [u8]) {
    let mark = |(n, codes): (usize, &mut [u8])| {
        if !codes.contains(&HOLE) {
            return;
        }
        let first = (n * RANKS_PER_CHUNK) as u64;
        let mut positions = Vec::new();
        game.unrank_range(tier, first..first + codes.len() as u64, &mut positions);
        for (rank, _) in positions {
            let code = &mut codes[(rank - first) as usize];
            *code = (*code).max(DRAW);
        }
    };
    codes
        .par_chunks_mut(RANKS_PER_CHUNK)
        .enumerate()
        .for_each(mark);
}

/// Longest remoteness that a solve with a store keeps, in plies.
///
/// Solves that only count have no such limit.
pub const LONGEST_STORED: u16 = MAX_PLIES;
