//! Look-up in finished layers.

use hindsight_core::Value;
use hindsight_engine::Layer;

/// Finished layers that later layers look up.
#[derive(Default)]
pub(crate) struct FinishedLayers(pub(crate) Vec<Layer>);

impl FinishedLayers {
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().map(|layer| layer.codes.len() as u64).sum()
    }
}

/// Returns the layer whose range of tiers contains `tier`, if it is loaded.
#[inline]
pub(super) fn layer_with_tier(layers: &[Layer], tier: u64) -> Option<&Layer> {
    let holds = |layer: &&Layer| {
        layer.tiers.first().is_some_and(|&first| first <= tier)
            && layer.tiers.last().is_some_and(|&last| tier <= last)
    };
    layers.iter().find(holds)
}

/// Returns the value of a position of a finished tier.
#[inline]
pub(super) fn value_at(layers: &[Layer], tier: u64, rank: u64) -> Value {
    layer_with_tier(layers, tier)
        .and_then(|layer| layer.value(tier, rank))
        .expect("a successor outside the tier lies in a layer of layer_successors")
}
