//! Training of the models of a layer, by a sample of its blocks.
//!
//! All arithmetic is in integers, so every machine finds the same models.

use hindsight_core::Wdl;
use rayon::prelude::*;

use crate::context_candidates::candidate_distances;
use crate::context_counts::{ContextCounter, max_counting_bytes};
use crate::model::{ContextModel, ContextShape, ESCAPE, FREQUENCY_BITS, FREQUENCY_TOTAL};
use crate::models::SymbolModels;
use crate::sample::{FilledBlock, SampleBlock, repeat_previous};
use crate::symbol::Symbol;
use crate::symbol_layout::{ANY_SYMBOL, Alphabet, Channel};

/// Neighbours chosen for a model, at most, in a layer of one channel.
const MAX_NEIGHBOURS_TRIED: usize = 5;

/// Classes of a shape during the choice of its neighbours.
const TRIAL_CLASSES: usize = 6;

/// Neighbours chosen for a model, at most, in a layer of several channels.
const MAX_NEIGHBOURS_TRIED_OF_STATES: usize = 6;

/// Shapes tried with each period in a layer of one channel: numbers of neighbours and of classes.
const SHAPES_TRIED: [(usize, usize); 9] = [
    (1, 8),
    (2, 8),
    (2, 14),
    (3, 6),
    (3, 12),
    (4, 6),
    (4, 9),
    (4, 14),
    (5, 8),
];

/// Shapes tried with each period in a layer of several channels: numbers of neighbours and of
/// classes.
const SHAPES_TRIED_OF_STATES: [(usize, usize); 11] = [
    (2, 8),
    (2, 24),
    (3, 8),
    (3, 14),
    (3, 28),
    (4, 8),
    (4, 12),
    (4, 20),
    (5, 8),
    (5, 11),
    (6, 7),
];

/// Models, with their cost in bytes: the models themselves, and the sample's blocks.
pub(crate) struct TrainedModels {
    pub(crate) models: SymbolModels,
    pub(crate) table_bytes: u64,
    pub(crate) block_bytes: u64,
}

/// Numbers of symbols in a layer and in two samples of it.
#[derive(Clone, Copy)]
pub(crate) struct SampleSizes {
    pub(crate) layer_symbols: u64,
    pub(crate) shape_sample: u64,
    pub(crate) frequency_sample: u64,
    /// Memory for counting, in bytes. With less, counting takes longer and finds the same models.
    pub(crate) room: u64,
}

/// A sample, prepared for comparing context shapes.
struct ShapeSearch<'a> {
    sample: &'a [SampleBlock<'a>],
    filled: Vec<FilledBlock>,
    symbols: &'a [Symbol],
    counts: [u64; 256],
    sizes: SampleSizes,
}

/// Returns the best models by a sample, one per channel. `None` if no shape can be compared.
pub(crate) fn train_models(
    sample: &[SampleBlock<'_>],
    alphabet: Alphabet<'_>,
    periods: &[u32],
    sizes: SampleSizes,
) -> Option<SymbolModels> {
    let Alphabet {
        symbols,
        symbol_layout,
    } = alphabet;
    let repeated = |block: &SampleBlock<'_>| FilledBlock {
        first: block.first,
        symbols: repeat_previous(block.symbols, symbol_layout),
    };
    let filled: Vec<FilledBlock> = sample.iter().map(repeated).collect();
    let search = ShapeSearch {
        sample,
        symbols,
        counts: count_symbols(&filled),
        filled,
        sizes,
    };
    let shapes = Channel::all(symbol_layout).map(|channel| search.best_shape(channel, periods));
    let shapes: Vec<ContextShape> = shapes.collect::<Option<_>>()?;
    Some(search.train_refined(shapes))
}

/// Trains models of the same shapes by a larger sample.
pub(crate) fn retrain_models(
    models: SymbolModels,
    sample: &[SampleBlock<'_>],
    room: u64,
) -> TrainedModels {
    let shapes = models.all().iter().map(|model| model.shape().clone());
    let (shapes, filled) = (shapes.collect(), fill_blocks(&models, sample));
    drop(models);
    let models = count_models(shapes, room, &filled, |_, _| true);
    drop(filled);
    measure_models(models, sample)
}

fn fill_blocks(models: &SymbolModels, sample: &[SampleBlock<'_>]) -> Vec<FilledBlock> {
    let fill = |block: &SampleBlock<'_>| {
        let mut symbols = Vec::with_capacity(block.symbols.len());
        models.fill(block.first, block.symbols, |_, _, symbol| {
            symbols.push(symbol);
        });
        FilledBlock {
            first: block.first,
            symbols,
        }
    };
    sample.par_iter().map(fill).collect()
}

fn measure_models(models: SymbolModels, sample: &[SampleBlock<'_>]) -> TrainedModels {
    let mut tables = Vec::new();
    // Compression into memory does not fail. If it did, the size would rule the models out.
    let written = models.write(&mut tables);
    let bits = |block: &SampleBlock<'_>| {
        let mut bits = 0;
        models.fill(block.first, block.symbols, |model, context, symbol| {
            let slots = model.slots_of(context, symbol);
            bits += symbol_cost(u32::from(slots.freq));
            bits += if slots.symbol == ESCAPE { 8 << 8 } else { 0 };
        });
        bits
    };
    let bits: u64 = sample.par_iter().map(bits).sum();
    TrainedModels {
        models,
        table_bytes: if written.is_ok() {
            tables.len() as u64
        } else {
            u64::MAX / 2
        },
        block_bytes: (bits >> 8) / 8 + 4 * sample.len() as u64,
    }
}

/// Cost of a symbol of frequency `freq`, in 1/256 bit.
fn symbol_cost(freq: u32) -> u64 {
    u64::from(FREQUENCY_BITS) * 256 - log2(u64::from(freq))
}

/// Binary logarithm of `n`, in 1/256; `log2(0) = 0`.
fn log2(n: u64) -> u64 {
    let whole = u64::from(n.max(1).ilog2());
    let mut mantissa = (u128::from(n.max(1)) << 63) >> whole;
    let mut bits = whole;
    for _ in 0..8 {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = (mantissa >> 64) as u64;
        mantissa >>= bit;
        bits = bits << 1 | bit;
    }
    bits
}

fn count_symbols(filled: &[FilledBlock]) -> [u64; 256] {
    let mut counts = [0; 256];
    for &symbol in filled.iter().flat_map(|block| &block.symbols) {
        counts[usize::from(symbol)] += 1;
    }
    counts
}

impl ShapeSearch<'_> {
    /// Returns the best shape of a model for a channel.
    fn best_shape(&self, channel: Channel, periods: &[u32]) -> Option<ContextShape> {
        let candidates = candidate_distances(self.sample, channel);
        let tried = match channel.count {
            1 => SHAPES_TRIED.as_slice(),
            _ => &SHAPES_TRIED_OF_STATES,
        };
        let shapes = periods.iter().flat_map(|&period| {
            let distances = self.choose_distances(period, channel, &candidates);
            let shape = |&(neighbours, classes): &(usize, usize)| {
                let distances = &distances[..neighbours.min(distances.len())];
                self.shape(period, distances, classes)
            };
            let tried = tried.iter().filter(|&&(neighbours, classes)| {
                self.has_enough_samples(channel, neighbours, classes)
            });
            tried.filter_map(shape).collect::<Vec<ContextShape>>()
        });
        let mut shapes: Vec<ContextShape> = shapes.collect();
        let costs = self.shape_costs(&shapes, channel);
        let best = (0..shapes.len()).min_by_key(|&i| (costs[i], i))?;
        Some(shapes.swap_remove(best))
    }

    /// Returns the cost of each shape. Counts as many shapes in parallel as `room` allows.
    fn shape_costs(&self, shapes: &[ContextShape], channel: Channel) -> Vec<u128> {
        let symbols = self.filled.iter().map(|block| block.symbols.len() as u64);
        let symbols = symbols.sum::<u64>().div_ceil(channel.count as u64);
        let counting_bytes = shapes
            .iter()
            .map(|shape| max_counting_bytes(shape, symbols));
        let parallel = self.sizes.room / counting_bytes.max().unwrap_or(1).max(1);
        let cost = |shape: &ContextShape| self.shape_cost(shape, channel);
        if parallel >= rayon::current_num_threads() as u64 {
            return shapes.par_iter().map(cost).collect();
        }
        let groups = shapes.chunks(parallel.max(1) as usize);
        let costs = groups.flat_map(|group| group.par_iter().map(cost).collect::<Vec<_>>());
        costs.collect()
    }

    /// Returns true if the sample can fill the contexts of a shape with these numbers of neighbours
    /// and classes. The limit is a quarter of a sampled symbol per context and symbol. Always true
    /// in a layer of one channel.
    fn has_enough_samples(&self, channel: Channel, neighbours: usize, classes: usize) -> bool {
        let contexts = (classes as u64).pow(neighbours as u32);
        let counts = contexts * self.symbols.len() as u64;
        channel.count == 1 || counts <= 4 * self.sizes.shape_sample
    }

    /// Returns a shape with the classes of [`ShapeSearch::symbol_classes`]. `None` if there are too
    /// many contexts to compare.
    fn shape(&self, period: u32, distances: &[u16], classes: usize) -> Option<ContextShape> {
        // Counts take four bytes per context and symbol: at most 128 MiB per thread.
        const MAX_CONTEXTS: usize = 1 << 18;
        const MAX_COUNTS: usize = 1 << 25;
        let shape = ContextShape {
            period,
            distances: distances.to_vec(),
            class_of: self.symbol_classes(classes),
            classes,
        };
        let contexts = classes.pow(distances.len() as u32) * period as usize;
        (contexts <= MAX_CONTEXTS && contexts * self.symbols.len() <= MAX_COUNTS).then_some(shape)
    }

    /// Assigns a class to each symbol.
    ///
    /// The most frequent values have a class each; all other values share one per outcome. Move
    /// numbers reuse the same classes, since they never stand in the channel of a value: the most
    /// frequent ones have a class each, the others share one.
    fn symbol_classes(&self, classes: usize) -> Vec<u8> {
        let mut order: Vec<usize> = (0..self.symbols.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.counts[i]), i));
        let is_move = |&i: &usize| matches!(self.symbols[i], Symbol::BestMove(_));
        let (moves, values): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_move);
        let mut class_of = vec![0; self.symbols.len()];
        for (i, symbol) in values.into_iter().enumerate() {
            let wdl = match self.symbols[symbol] {
                Symbol::Exact(value) => value.wdl(),
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

    /// Chooses distances one after the other: each saves the most bits together with the distances
    /// chosen before.
    fn choose_distances(&self, period: u32, channel: Channel, candidates: &[u16]) -> Vec<u16> {
        let mut chosen: Vec<u16> = Vec::new();
        let max_neighbours = match channel.count {
            1 => MAX_NEIGHBOURS_TRIED,
            _ => MAX_NEIGHBOURS_TRIED_OF_STATES,
        };
        for _ in 0..max_neighbours {
            if !self.has_enough_samples(channel, chosen.len() + 1, TRIAL_CLASSES) {
                break;
            }
            let open = candidates.iter().filter(|next| !chosen.contains(next));
            let shape_with = |&next: &u16| {
                let distances = [&chosen[..], &[next]].concat();
                Some((next, self.shape(period, &distances, TRIAL_CLASSES)?))
            };
            let (open, shapes): (Vec<u16>, Vec<ContextShape>) = open.filter_map(shape_with).unzip();
            let costs = self.shape_costs(&shapes, channel);
            let Some((_, best)) = costs.into_iter().zip(open).min() else {
                break;
            };
            chosen.push(best);
        }
        chosen
    }

    /// Estimated cost of a channel of the layer, in 1/256 bit.
    ///
    /// A frequency costs the bits that store it. An inexact frequency also lengthens the code by
    /// about `layer / sample / (2 ln 2)` bits, with both sizes in symbols. The term counts once for
    /// the sample of frequencies and once for the sample of shapes.
    fn shape_cost(&self, shape: &ContextShape, channel: Channel) -> u128 {
        const BITS_STORED: u128 = 12 << 8;
        const BITS_UNKNOWN: u128 = 185;
        let SampleSizes {
            layer_symbols,
            shape_sample,
            frequency_sample,
            room,
        } = self.sizes;
        let stored = |block: usize, i: usize| {
            channel.contains(i) && self.sample[block].symbols[i] != ANY_SYMBOL
        };
        let (mut bits, mut frequencies) = (0, 0);
        let counter = ContextCounter {
            shape,
            blocks: &self.filled,
            room,
            channel,
        };
        counter.for_each_context(stored, |_, counts| {
            let sum: u64 = counts.iter().map(|&(_, n)| u64::from(n)).sum();
            for &(_, n) in counts {
                bits += u128::from(u64::from(n) * (log2(sum) - log2(u64::from(n))));
                frequencies += 1;
            }
        });
        let unknown =
            |sample: u64| u128::from(layer_symbols) * BITS_UNKNOWN / u128::from(sample.max(1));
        bits * u128::from(layer_symbols) / u128::from(shape_sample.max(1))
            + frequencies * (BITS_STORED + unknown(shape_sample) + unknown(frequency_sample))
    }

    /// Counts, predicts the symbols that need not be stored, and counts again.
    fn train_refined(self, shapes: Vec<ContextShape>) -> SymbolModels {
        let (sample, room) = (self.sample, self.sizes.room);
        let stored = |block: usize, i: usize| sample[block].symbols[i] != ANY_SYMBOL;
        let mut models = count_models(shapes.clone(), room, &self.filled, stored);
        drop(self.filled);
        for _ in 0..2 {
            let filled = fill_blocks(&models, sample);
            models = count_models(shapes.clone(), room, &filled, |_, _| true);
        }
        models
    }
}

/// Counts the symbols in each context and returns a model per channel.
fn count_models(
    shapes: Vec<ContextShape>,
    room: u64,
    filled: &[FilledBlock],
    counted: impl Fn(usize, usize) -> bool + Sync,
) -> SymbolModels {
    let count = shapes.len();
    let shapes = shapes.into_par_iter().enumerate();
    let models = shapes.map(|(index, shape)| {
        let channel = Channel { index, count };
        let room = room / count as u64;
        let counter = ContextCounter {
            shape: &shape,
            blocks: filled,
            room,
            channel,
        };
        counter.train_model(|block, i| channel.contains(i) && counted(block, i))
    });
    SymbolModels::new(models.collect())
}

/// Frequencies proportional to counts, in descending order. They leave one slot for the escape.
fn scaled_frequencies(counts: &[(u8, u32)]) -> Vec<(u8, u32)> {
    let sum: u64 = counts.iter().map(|&(_, n)| u64::from(n)).sum();
    let mut list: Vec<(u8, u32)> = counts
        .iter()
        .map(|&(symbol, n)| {
            let share = u64::from(n) * u64::from(FREQUENCY_TOTAL - 1) / sum;
            (symbol, share.max(1) as u32)
        })
        .collect();
    list.sort_by_key(|&(symbol, freq)| (std::cmp::Reverse(freq), symbol));
    let used: u32 = list.iter().map(|pair| pair.1).sum();
    if let Some(first) = list.first_mut() {
        first.1 = (first.1 + (FREQUENCY_TOTAL - 1)).saturating_sub(used);
    }
    list
}

impl ContextCounter<'_> {
    /// Returns a model of the symbols that follow each context.
    fn train_model(&self, counted: impl Fn(usize, usize) -> bool) -> ContextModel {
        /// Fewest symbols in a context with a list of its own; the list of a rarer one costs more
        /// than it saves.
        const MIN_SEEN: u32 = 16;
        let mut all = [0; 256];
        for (block, filled) in self.blocks.iter().enumerate() {
            for (i, &symbol) in filled.symbols.iter().enumerate() {
                all[usize::from(symbol)] += u32::from(counted(block, i));
            }
        }
        let all = (0..=255).zip(all).filter(|&(_, n)| n > 0);
        let mut model = ContextModel::new(
            self.shape.clone(),
            &scaled_frequencies(&all.collect::<Vec<_>>()),
        );
        let mut next = 0;
        self.for_each_context(counted, |context, counts| {
            let seen: u32 = counts.iter().map(|&(_, n)| n).sum();
            if seen >= MIN_SEEN {
                model.skip(context - next);
                model.push(&scaled_frequencies(counts));
                next = context + 1;
            }
        });
        model.skip(self.shape.contexts() - next);
        model
    }
}
