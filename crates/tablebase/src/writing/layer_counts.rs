//! Counts of the values of a layer.

use hindsight_engine::StateHistograms;
use std::cmp::Reverse;

use hindsight_core::{PackedGame, Value};
use hindsight_engine::{Histogram, Layer};

use super::layer_writer::WrittenLayer;
use super::shape::LayerShape;
use super::tally::LayerTally;
use crate::address::Address;
use crate::format::info::{LayerInfo, PositionValue};
use crate::layout::Layout;
use crate::symbols::symbol::{Symbol, symbols_of};

/// Fields of a layer's header that are counted, as in [`LayerInfo`].
#[derive(Clone, Default)]
pub(crate) struct LayerCounts {
    pub(crate) tiers: u64,
    pub(crate) first_tier: Option<u64>,
    pub(crate) histogram: Histogram,
    pub(crate) longest: LongestValues,
    pub(crate) states: Option<StateHistograms>,
    pub(crate) symbols: Vec<Symbol>,
}

/// The longest win and the longest loss; of several, the first by tier and rank.
#[derive(Clone, Default)]
pub(crate) struct LongestValues {
    pub(crate) win: Option<PositionValue>,
    pub(crate) loss: Option<PositionValue>,
}

impl LongestValues {
    /// Adds a value with an address at which it occurs.
    pub(crate) fn add(&mut self, position: PositionValue) {
        let longest = match position.value {
            Value::Win(_) => &mut self.win,
            Value::Loss(_) => &mut self.loss,
            Value::Draw => return,
        };
        let key = |p: &PositionValue| (p.value.remoteness(), Reverse((p.tier, p.rank)));
        if longest.is_none_or(|best| key(&position) > key(&best)) {
            *longest = Some(position);
        }
    }
}

impl LayerCounts {
    /// Counts the codes of a layer of positions that has the game's tiers.
    pub(crate) fn new(game: &PackedGame, layer: &Layer, layout: Layout) -> Self {
        let shape = LayerShape::trusted(game, layer);
        let tally = LayerTally::count_on_all_threads(&shape, shape.whole());
        Self::of_tally(&shape, &tally, layout).expect("counts of the layer itself")
    }

    /// Fields of a layer with this tally. `None` if no layer of this shape has it.
    pub(crate) fn of_tally(
        shape: &LayerShape<'_>,
        tally: &LayerTally,
        layout: Layout,
    ) -> Option<Self> {
        let mut counts = Self {
            tiers: shape.tiers_with_ranks().count() as u64,
            first_tier: shape.tiers_with_ranks().next(),
            ..Self::default()
        };
        let mut sum = 0_u64;
        for (&value, count) in &tally.values {
            sum = sum.checked_add(count.positions)?;
            let Address { tier, rank } = shape.address(count.first)?;
            counts.histogram.add(value, count.positions);
            counts.longest.add(PositionValue { tier, rank, value });
        }
        counts.symbols = symbols_of(&counts.histogram, layout);
        Some(counts)
    }

    /// Header of the layer, once it is written.
    pub(crate) fn into_info(self, name: String, ranks: u64, written: WrittenLayer) -> LayerInfo {
        LayerInfo {
            name,
            tiers: self.tiers,
            first_tier: self.first_tier,
            ranks,
            histogram: self.histogram,
            longest_win: self.longest.win,
            longest_loss: self.longest.loss,
            states: self.states,
            symbols: self.symbols,
            block_ranks: written.block_ranks,
            sections: written.sections,
        }
    }
}
