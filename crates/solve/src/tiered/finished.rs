use game::Value;

use crate::Layer;

/// Finished layers that later ones look up.
#[derive(Default)]
pub(crate) struct Finished(pub(crate) Vec<Layer>);

impl Finished {
    /// The value of a position of a finished tier.
    pub(super) fn value(&self, tier: u64, rank: u64) -> Value {
        let holds = |layer: &&Layer| {
            layer.tiers.first().is_some_and(|&first| first <= tier)
                && layer.tiers.last().is_some_and(|&last| tier <= last)
        };
        let layer = self.0.iter().find(holds);
        layer
            .and_then(|layer| layer.value(tier, rank))
            .expect("a successor outside the tier lies in a layer of layer_successors")
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().map(|layer| layer.codes.len() as u64).sum()
    }
}
