//! Counts of the values of a layer.

use std::cmp::Reverse;
use std::ops::Range;

use hindsight_core::{Ranked, Value};
use hindsight_solve::{Histogram, Layer, parallel};

use crate::address::Address;
use crate::info::{LayerInfo, PositionValue, StateHistograms};
use crate::layer_writer::WrittenLayer;
use crate::layout::Layout;
use crate::ordinals::{TierStarts, ordinal_runs, tier_pieces};
use crate::symbol::{Symbol, symbols_of};

/// Fields of a layer's header that are counted, as in [`LayerInfo`].
#[derive(Default)]
pub(crate) struct LayerCounts {
    pub(crate) tiers: u64,
    pub(crate) first_tier: Option<u64>,
    pub(crate) histogram: Histogram,
    pub(crate) longest: LongestValues,
    pub(crate) states: Option<StateHistograms>,
    pub(crate) symbols: Vec<Symbol>,
}

/// The longest win and the longest loss; of several, the first by tier and rank.
#[derive(Default)]
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

/// Ranks per task.
const RUN_RANKS: u64 = 1 << 20;

impl LayerCounts {
    /// Counts the codes of a layer of positions.
    pub(crate) fn new<G: Ranked>(game: &G, layer: &Layer, layout: Layout) -> Self {
        let ranks = layer.codes.len() as u64;
        let runs = ordinal_runs(ranks, RUN_RANKS);
        let tally = |i| tally_codes(game, layer, runs(i));
        let tallies: Vec<CodeTally> = parallel::map(0..ranks.div_ceil(RUN_RANKS), &tally);
        let lengths = layer.tiers.iter().zip(layer.starts.windows(2));
        let mut tiers = lengths.filter(|(_, two)| two[0] < two[1]);
        let first_tier = tiers.next().map(|(&tier, _)| tier);
        let mut counts = Self {
            tiers: tiers.count() as u64 + u64::from(first_tier.is_some()),
            first_tier,
            ..Self::default()
        };
        for (code, value) in layer.palette.iter().enumerate() {
            let first = tallies.iter().find_map(|tally| tally.first[code]);
            if let (&Some(value), Some(Address { tier, rank })) = (value, first) {
                let positions = tallies.iter().map(|tally| tally.positions[code]).sum();
                counts.histogram.add(value, positions);
                counts.longest.add(PositionValue { tier, rank, value });
            }
        }
        counts.symbols = symbols_of(&counts.histogram, layout);
        counts
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

/// Count and first address of each code in a run.
struct CodeTally {
    positions: [u64; 256],
    first: [Option<Address>; 256],
}

fn tally_codes<G: Ranked>(game: &G, layer: &Layer, ordinals: Range<u64>) -> CodeTally {
    let mut tally = CodeTally {
        positions: [0; 256],
        first: [None; 256],
    };
    let begin = ordinals.start as usize;
    for piece in tier_pieces(TierStarts::of(layer), ordinals) {
        let mut counts = [0_u64; 256];
        let codes = &layer.codes[begin + piece.span.start..begin + piece.span.end];
        for (rank, &code) in (piece.rank..).zip(codes) {
            let count = &mut counts[usize::from(code)];
            if *count == 0 {
                tally.first[usize::from(code)].get_or_insert(piece.address(rank));
            }
            *count += 1;
        }
        let copies = game.tier_orbit_size(piece.tier);
        for (sum, count) in tally.positions.iter_mut().zip(counts) {
            *sum += count * copies;
        }
    }
    tally
}
