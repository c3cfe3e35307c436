//! What occurs in a layer.

use std::cmp::Reverse;
use std::ops::Range;

use hindsight_core::{Ranked, Value};
use hindsight_solve::{Histogram, Layer, parallel};

use crate::Layout;
use crate::header_checks::symbols_of;
use crate::info::{PositionValue, Symbol};
use crate::ordinals::{ordinal_runs, tier_pieces};

/// What a table says of a layer's values, counted.
#[derive(Default)]
pub(crate) struct LayerCounts {
    /// Tiers that have ranks, and the first of them.
    pub(crate) tiers: u64,
    pub(crate) first_tier: Option<u64>,
    pub(crate) histogram: Histogram,
    pub(crate) longest_win: Option<PositionValue>,
    pub(crate) longest_loss: Option<PositionValue>,
}

/// Ranks that are counted in one go.
const RUN: u64 = 1 << 20;

impl LayerCounts {
    /// Counts the codes of a layer.
    pub(crate) fn new<G: Ranked>(game: &G, layer: &Layer) -> Self {
        let ranks = layer.codes.len() as u64;
        let runs = ordinal_runs(ranks, RUN);
        let tally = |i| tally_codes(game, layer, runs(i));
        let tallies: Vec<CodeTally> = parallel::map(0..ranks.div_ceil(RUN), &tally);
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
            if let (&Some(value), Some((tier, rank))) = (value, first) {
                let positions = tallies.iter().map(|tally| tally.positions[code]).sum();
                counts.add(PositionValue { tier, rank, value }, positions);
            }
        }
        counts
    }

    /// Takes a value with the place where it is first.
    fn add(&mut self, example: PositionValue, positions: u64) {
        self.histogram.add(example.value, positions);
        let best = match example.value {
            Value::Win(_) => &mut self.longest_win,
            Value::Loss(_) => &mut self.longest_loss,
            Value::Draw => return,
        };
        let key = |e: &PositionValue| (e.value.remoteness(), Reverse((e.tier, e.rank)));
        if best.as_ref().is_none_or(|best| key(&example) > key(best)) {
            *best = Some(example);
        }
    }

    /// What a table stores for these values, in the order of its symbols.
    pub(crate) fn symbols(&self, layout: Layout) -> Vec<Symbol> {
        symbols_of(&self.histogram, layout)
    }
}

/// Positions of each code in a run, and where each occurs first.
struct CodeTally {
    positions: [u64; 256],
    first: [Option<(u64, u64)>; 256],
}

fn tally_codes<G: Ranked>(game: &G, layer: &Layer, ordinals: Range<u64>) -> CodeTally {
    let mut tally = CodeTally {
        positions: [0; 256],
        first: [None; 256],
    };
    let begin = ordinals.start as usize;
    for piece in tier_pieces(&layer.tiers, &layer.starts, ordinals) {
        let mut counts = [0_u64; 256];
        let codes = &layer.codes[begin + piece.span.start..begin + piece.span.end];
        for (rank, &code) in (piece.rank..).zip(codes) {
            let count = &mut counts[usize::from(code)];
            if *count == 0 {
                tally.first[usize::from(code)].get_or_insert((piece.tier, rank));
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
