//! What passes find, rank by rank: the layers of a table.

use std::sync::atomic::{AtomicU8, Ordering};

use hindsight_core::{Placement, Ranked, TwoSided, Value};
use hindsight_run::{Error, Layer, Store};
use rayon::prelude::*;

use crate::values::value_of_pass;

/// No position has this rank.
const HOLE: u8 = 0;

/// A draw. The codes of wins and losses follow, by plies.
const DRAW: u8 = 1;

/// The longest remoteness that there is a code for.
pub(crate) const MAX_PLIES: u16 = 254;

/// Ranks whose draws are found at once.
const RANKS_PER_CHUNK: usize = 1 << 14;

/// A code for each rank of all layers.
pub(crate) struct ValueLayers<'a, G> {
    game: &'a G,
    /// All tiers, ascending, with the layer of each and where it begins there.
    tiers: Vec<(u64, usize, usize)>,
    layers: Vec<Vec<AtomicU8>>,
}

/// Ranks of all layers, a byte each.
pub(crate) fn total_ranks<G: Ranked>(game: &G) -> u64 {
    let of = |layer| {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let lens = tiers.into_iter().map(|tier| game.tier_len(tier));
        lens.fold(0, u64::saturating_add)
    };
    (0..game.layers()).map(of).fold(0, u64::saturating_add)
}

/// The most bytes that a store takes for a layer, beside the layer.
pub(crate) fn max_store_bytes<G: Ranked>(game: &G, store: &dyn Store) -> u64 {
    let of = |layer| {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let ranks = tiers.iter().map(|&tier| game.tier_len(tier));
        let ranks = ranks.fold(0, u64::saturating_add);
        store.takes(layer, ranks, tiers.len() as u64)
    };
    (0..game.layers()).map(of).max().unwrap_or(0)
}

impl<'a, G: TwoSided> ValueLayers<'a, G> {
    pub(crate) fn new(game: &'a G) -> Self {
        let (mut tiers, mut layers) = (Vec::new(), Vec::new());
        for layer in 0..game.layers() {
            let mut of_layer = Vec::new();
            game.tiers(layer, &mut of_layer);
            let mut len = 0;
            for tier in of_layer {
                tiers.push((tier, layers.len(), len));
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

    /// Takes a position that is won or lost in so many plies, at most [`MOST_PLIES`].
    pub(crate) fn record(&self, position: Placement, plies: u16) {
        let position = self.game.position_of(position);
        let (tier, rank) = self.game.rank(position).expect("a game that is not over");
        let i = self.tiers.partition_point(|&(first, ..)| first <= tier) - 1;
        let (_, layer, start) = self.tiers[i];
        let code = DRAW.saturating_add(plies.min(255) as u8);
        // Every position is found once.
        self.layers[layer][start + rank as usize].store(code, Ordering::Relaxed);
    }

    /// The codes of all layers, taken out.
    pub(crate) fn take_codes(&mut self) -> Vec<Vec<u8>> {
        self.layers.iter_mut().map(unshare).collect()
    }

    /// Puts the codes of all layers back.
    pub(crate) fn restore_codes(&mut self, layers: Vec<Vec<u8>>) {
        self.layers = layers.into_iter().map(share).collect();
    }

    /// True if no code is of more plies.
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

    pub(crate) fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Ranks of the layers before one.
    pub(crate) fn ranks_before(&self, layer: usize) -> u64 {
        let before = self.layers[..layer].iter();
        before.map(|codes| codes.len() as u64).sum()
    }

    /// Hands a layer to a store. What was not found is a draw.
    pub(crate) fn store_layer(
        &mut self,
        layer: usize,
        plies: u16,
        store: &mut dyn Store,
    ) -> Result<(), Error> {
        let mut palette = vec![None, Some(Value::Draw)];
        palette.extend((1..=usize::from(plies)).map(|pass| Some(value_of_pass(pass))));
        let of_layer = self.tiers.iter().filter(|&&(_, l, _)| l == layer);
        let tiers: Vec<u64> = of_layer.map(|&(tier, ..)| tier).collect();
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

/// Codes that are one thread's own.
fn unshare(codes: &mut Vec<AtomicU8>) -> Vec<u8> {
    let codes = std::mem::take(codes).into_iter();
    codes.map(AtomicU8::into_inner).collect()
}

/// Codes that threads share.
fn share(codes: Vec<u8>) -> Vec<AtomicU8> {
    codes.into_iter().map(AtomicU8::new).collect()
}

/// Tells draws from holes.
fn mark_draws<G: Ranked>(game: &G, tier: u64, codes: &mut [u8]) {
    let each = |(n, codes): (usize, &mut [u8])| {
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
        .for_each(each);
}

/// The longest remoteness, in plies, that is kept in the layers of a table, a byte a position. Planes alone
/// only count, and have no such limit.
pub const LONGEST_STORED: u16 = MAX_PLIES;
