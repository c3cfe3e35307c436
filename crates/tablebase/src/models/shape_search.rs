//! Search for the shape of a channel's contexts, by a sample of its blocks.

use hindsight_core::Wdl;
use rayon::prelude::*;

use super::context_candidates::candidate_distances;
use super::model::{ContextShape, MAX_CONTEXTS};
use super::shape_sample::{
    ChannelSample, CountedCost, FilledSample, SampleClasses, comparison_bytes,
};
use crate::symbols::symbol::Symbol;
use crate::symbols::symbol_layout::Channel;

/// Neighbours chosen for a model, at most.
const MAX_NEIGHBOURS_TRIED: usize = 5;

/// Neighbours chosen for a model, at most, in a layer of several channels.
const MAX_NEIGHBOURS_TRIED_OF_STATES: usize = 6;

/// Candidates that are tried again for the next neighbour, at most.
const MAX_OPEN: usize = 5;

/// Classes of a shape during the choice of its neighbours.
const TRIAL_CLASSES: usize = 6;

/// Number of shapes that remain after a sample: the best ones, and the best ones of each period.
#[derive(Clone, Copy)]
struct Remaining {
    best: usize,
    of_period: usize,
}

impl Remaining {
    /// Shapes that remain of some, the best ones first.
    fn of(self, tried: &[TriedShape]) -> Vec<ContextShape> {
        let mut remaining: Vec<ContextShape> = Vec::new();
        for (i, TriedShape { shape, .. }) in tried.iter().enumerate() {
            let same_period = remaining.iter().filter(|other| other.period == shape.period);
            if i < self.best || same_period.count() < self.of_period {
                remaining.push(shape.clone());
            }
        }
        remaining
    }
}

/// A step of a search after the first.
#[derive(Clone, Copy)]
pub(crate) enum Narrowing {
    /// Many shapes are compared, and other neighbours are tried in the best one.
    First,
    /// A few shapes are compared.
    Last,
}

impl Narrowing {
    fn remaining(self) -> Remaining {
        match self {
            Self::First => Remaining { best: 8, of_period: 2 },
            Self::Last => Remaining { best: 3, of_period: 1 },
        }
    }
}

/// Numbers of classes tried in a layer of one channel, each with all numbers of neighbours.
const CLASSES_TRIED: [usize; 5] = [6, 8, 9, 12, 14];

/// Numbers of classes that are tried in a layer of several channels.
const CLASSES_TRIED_OF_STATES: [usize; 6] = [7, 8, 11, 14, 20, 28];

/// Layer, memory and periods of all comparisons of shapes.
#[derive(Clone, Copy)]
pub(crate) struct SearchSetting<'a> {
    pub(crate) symbols: &'a [Symbol],
    pub(crate) periods: &'a [u32],
    /// Symbols of the layer, and those by which frequencies will be found.
    pub(crate) layer_symbols: u64,
    pub(crate) frequency_sample: u64,
    /// Memory for comparisons, in bytes. With less, fewer run at the same time.
    pub(crate) room: u64,
}

/// A sample of a channel in which shapes are compared.
struct ShapeSearch<'a> {
    channel_sample: ChannelSample<'a>,
    setting: SearchSetting<'a>,
    counts: [u64; 256],
}

/// Most contexts of a model of a layer. A context of fewer symbols does not pay.
pub(crate) fn max_contexts(layer_symbols: u64) -> u64 {
    const SYMBOLS_PER_CONTEXT: u64 = 8;
    (layer_symbols / SYMBOLS_PER_CONTEXT).clamp(1, MAX_CONTEXTS as u64)
}

/// A shape and its estimated cost.
struct TriedShape {
    cost: u128,
    shape: ContextShape,
}

/// Neighbours of a period's contexts, and the cost with all of them.
struct Neighbours {
    period: u32,
    distances: Vec<u16>,
    cost: u128,
}

/// Search for the shape of a channel's contexts, by samples of increasing size.
pub(crate) struct ChannelSearch {
    channel: Channel,
    /// Candidates for neighbours.
    candidates: Vec<u16>,
    /// Shapes, the best ones first. Invariant: there is one.
    tried: Vec<TriedShape>,
}

impl ChannelSearch {
    /// Compares many shapes. `None` if none can be compared.
    pub(crate) fn new(
        sample: &FilledSample<'_>,
        channel: Channel,
        setting: SearchSetting<'_>,
    ) -> Option<Self> {
        let candidates = candidate_distances(&sample.blocks, channel);
        let search = ShapeSearch::new(sample, channel, setting);
        let tried = search.try_shapes(&candidates);
        (!tried.is_empty()).then_some(Self { channel, candidates, tried })
    }

    /// Compares the best shapes by another sample.
    pub(crate) fn narrow(
        &mut self,
        sample: &FilledSample<'_>,
        setting: SearchSetting<'_>,
        narrowing: Narrowing,
    ) {
        let search = ShapeSearch::new(sample, self.channel, setting);
        let mut shapes = narrowing.remaining().of(&self.tried);
        let mut tried = search.try_all(&shapes);
        if let (Narrowing::First, Some(best)) = (narrowing, tried.first()) {
            shapes = exchange_last(&best.shape, &self.candidates);
            tried.extend(search.try_all(&shapes));
            tried.sort_by_key(|tried| tried.cost);
        }
        // Shapes of too many contexts for this sample leave those of the one before.
        if !tried.is_empty() {
            self.tried = tried;
        }
    }

    /// The best shape so far. The nearest neighbour is the last digit of the context: contexts that
    /// are likely after each other lie close.
    pub(crate) fn best_shape(&self) -> ContextShape {
        let mut shape = self.tried[0].shape.clone();
        let distances = &mut shape.distances;
        distances.sort_unstable_by_key(|&distance| std::cmp::Reverse(distance));
        shape
    }
}

/// Shapes with another last neighbour.
fn exchange_last(shape: &ContextShape, candidates: &[u16]) -> Vec<ContextShape> {
    let others = candidates.iter().filter(|next| !shape.distances.contains(next));
    let with_other = |&next: &u16| {
        let mut other = shape.clone();
        other.distances.pop();
        other.distances.push(next);
        other
    };
    others.map(with_other).collect()
}

impl<'a> ShapeSearch<'a> {
    fn new(sample: &'a FilledSample<'a>, channel: Channel, setting: SearchSetting<'a>) -> Self {
        Self { channel_sample: ChannelSample { sample, channel }, setting, counts: sample.counts() }
    }

    /// Applies `act` to all items, in parallel if there is room.
    fn map<T: Sync, U: Send>(&self, items: &[T], act: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        let bytes = comparison_bytes(self.channel_sample.sample.len());
        let parallel = (self.setting.room / bytes).max(1) as usize;
        if parallel >= rayon::current_num_threads() {
            return items.par_iter().map(act).collect();
        }
        let groups = items.chunks(parallel);
        groups.flat_map(|group| group.par_iter().map(&act).collect::<Vec<U>>()).collect()
    }

    /// Tries neighbours among `candidates` with each period. Returns shapes, the best ones first.
    fn try_shapes(&self, candidates: &[u16]) -> Vec<TriedShape> {
        let class_of = self.symbol_classes(TRIAL_CLASSES);
        let trial = self.channel_sample.sample.classes(&class_of, TRIAL_CLASSES);
        let periods = self.setting.periods.iter();
        let chosen = periods.map(|&period| self.choose_neighbours(period, candidates, &trial));
        let chosen: Vec<Neighbours> = chosen.collect();
        let best = chosen.iter().map(|chosen| chosen.cost).min().unwrap_or(0);
        let promising = chosen.iter().filter(|chosen| chosen.cost <= best + best / 2);
        let shapes: Vec<ContextShape> = promising.flat_map(|chosen| self.shapes(chosen)).collect();
        self.try_all(&shapes)
    }

    /// Shapes with the first neighbours, in each number.
    fn shapes(&self, chosen: &Neighbours) -> Vec<ContextShape> {
        let all_classes: &[usize] = match self.channel_sample.channel.count {
            1 => &CLASSES_TRIED,
            _ => &CLASSES_TRIED_OF_STATES,
        };
        let mut shapes = Vec::new();
        for &classes in all_classes {
            let class_of = self.symbol_classes(classes);
            for neighbours in 1..=chosen.distances.len() {
                let shape = ContextShape {
                    period: chosen.period,
                    distances: chosen.distances[..neighbours].to_vec(),
                    class_of: class_of.clone(),
                    classes,
                };
                if shape.has_at_most(max_contexts(self.setting.layer_symbols)) {
                    shapes.push(shape);
                }
            }
        }
        shapes
    }

    /// Tries shapes. Returns them, the best ones first.
    fn try_all(&self, shapes: &[ContextShape]) -> Vec<TriedShape> {
        let tried = self.map(shapes, |shape| self.try_shape(shape)).into_iter();
        let mut tried: Vec<TriedShape> = tried.flatten().collect();
        tried.sort_by_key(|tried| tried.cost);
        tried
    }

    /// Chooses distances one after the other: each saves the most together with the distances
    /// chosen before.
    fn choose_neighbours(
        &self,
        period: u32,
        candidates: &[u16],
        classes: &SampleClasses,
    ) -> Neighbours {
        let max_neighbours = match self.channel_sample.channel.count {
            1 => MAX_NEIGHBOURS_TRIED,
            _ => MAX_NEIGHBOURS_TRIED_OF_STATES,
        };
        let mut contexts = self.channel_sample.phases(period);
        let mut chosen = Neighbours { period, distances: Vec::new(), cost: u128::MAX };
        let mut open = candidates.to_vec();
        while chosen.distances.len() < max_neighbours {
            let costs = self.map(&open, |&distance| {
                let cost = self.channel_sample.cost_with_neighbour(&contexts, classes, distance)?;
                Some((self.layer_cost(cost), distance))
            });
            let mut costs: Vec<(u128, u16)> = costs.into_iter().flatten().collect();
            costs.sort_unstable();
            let Some(&(cost, distance)) = costs.first() else {
                break;
            };
            if cost >= chosen.cost {
                break;
            }
            let others = costs[1..].iter().map(|pair| pair.1);
            open = others.take(MAX_OPEN).collect();
            let next = self.channel_sample.with_neighbour(&contexts, classes, distance);
            chosen.cost = cost;
            chosen.distances.push(distance);
            match next {
                Some(next) => contexts = next,
                None => break,
            }
        }
        chosen
    }

    fn try_shape(&self, shape: &ContextShape) -> Option<TriedShape> {
        let cost = self.channel_sample.cost_of_shape(shape)?;
        Some(TriedShape { cost: self.layer_cost(cost), shape: shape.clone() })
    }

    /// Assigns a class to each symbol.
    ///
    /// The most frequent values have a class each; all other values share one per outcome. Move
    /// numbers reuse the same classes, since they never stand in the channel of a value: the most
    /// frequent ones have a class each, the others share one.
    fn symbol_classes(&self, classes: usize) -> Vec<u8> {
        let mut order: Vec<usize> = (0..self.setting.symbols.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.counts[i]), i));
        let is_move = |&i: &usize| matches!(self.setting.symbols[i], Symbol::BestMove(_));
        let (moves, values): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_move);
        let mut class_of = vec![0; self.setting.symbols.len()];
        for (i, symbol) in values.into_iter().enumerate() {
            let wdl = match self.setting.symbols[symbol] {
                Symbol::Exact(value) => value.wdl(),
                Symbol::LossWithin(_) => Wdl::Loss,
                Symbol::Win | Symbol::BestMove(_) => Wdl::Win,
            };
            class_of[symbol] = match wdl {
                _ if i < classes - 4 => i as u8 + 4,
                Wdl::Loss => 1,
                Wdl::Draw => 2,
                Wdl::Win => 3,
            };
        }
        for (i, symbol) in moves.into_iter().enumerate() {
            class_of[symbol] = if i < classes - 2 { i as u8 + 2 } else { 1 };
        }
        class_of
    }

    /// Estimated cost of a channel of the layer, in 1/256 bit.
    ///
    /// A frequency costs the bits that store it. An inexact frequency also lengthens the code by
    /// about `layer / sample / (2 ln 2)` bits, with both sizes in symbols. A sample by which shapes
    /// are compared flatters those of many frequencies, by 1.4 bits each in what was tried.
    fn layer_cost(&self, cost: CountedCost) -> u128 {
        const BITS_STORED: u128 = 14 << 8;
        const BITS_INEXACT: u128 = 185;
        const BITS_FLATTERED: u128 = 370;
        let layer = u128::from(self.setting.layer_symbols);
        let sample = u128::from(self.channel_sample.sample.len().max(1));
        let frequency_sample = u128::from(self.setting.frequency_sample.max(1));
        let unknown = layer * BITS_FLATTERED / sample + layer * BITS_INEXACT / frequency_sample;
        u128::from(cost.bits) * layer / sample
            + u128::from(cost.frequencies) * (BITS_STORED + unknown)
    }
}
