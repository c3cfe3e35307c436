//! Tiers of all layers of a game.

use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::Layer;

/// Tiers of all layers, 16 bytes each, and the last layer that looks each layer up.
#[derive(Default)]
pub(crate) struct Shapes {
    pub(crate) layers: Vec<Layer>,
    last_use: Vec<u32>,
}

impl Shapes {
    pub(crate) fn new(game: &PackedGame) -> Self {
        let mut last_use: Vec<u32> = (0..game.layers()).collect();
        let mut layers = Vec::new();
        for layer in 0..game.layers() {
            let mut tiers = Vec::new();
            game.tiers(layer, &mut tiers);
            layers.push(Layer::without_codes(game, layer, &tiers));
            for earlier in game.layer_successors(layer) {
                last_use[earlier as usize] = layer;
            }
        }
        Self { layers, last_use }
    }

    /// One layer of one tier.
    #[cfg(test)]
    pub(crate) fn of_one_layer(ranks: u64) -> Self {
        let layer = Layer {
            layer: 0,
            tiers: vec![0],
            starts: vec![0, ranks],
            codes: Vec::new(),
            palette: Vec::new(),
        };
        Self { layers: vec![layer], last_use: vec![0] }
    }

    /// Tiers of a layer.
    pub(crate) fn layer(&self, layer: u32) -> &Layer {
        &self.layers[layer as usize]
    }

    pub(crate) fn len(&self) -> u32 {
        self.layers.len() as u32
    }

    pub(crate) fn ranks(&self, layer: u32) -> u64 {
        self.layer(layer).starts.last().copied().unwrap_or(0)
    }

    /// Ranks of all layers.
    pub(crate) fn total(&self) -> u64 {
        (0..self.len()).map(|layer| self.ranks(layer)).sum()
    }

    /// True if a layer after `layer` looks `earlier` up.
    pub(crate) fn is_used_after(&self, earlier: u32, layer: u32) -> bool {
        self.last_use[earlier as usize] > layer
    }

    /// Bytes of the lists.
    pub(crate) fn bytes(&self) -> u64 {
        self.layers.iter().map(|layer| 16 * layer.tiers.len() as u64 + 8).sum()
    }
}
