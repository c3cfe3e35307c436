//! Finds a model for a layer, from a sample of its blocks. Whole numbers only: every machine finds the
//! same.

use hindsight_core::Wdl;
use rayon::prelude::*;

use crate::coder::ANY_SYMBOL;
use crate::context_candidates::candidate_distances;
use crate::context_counts::{ContextCounter, max_counting_bytes};
use crate::info::Symbol;
use crate::model::{ContextModel, ContextShape, FREQUENCY_BITS, FREQUENCY_TOTAL};
use crate::models::SymbolModels;
use crate::symbol_layout::{Alphabet, Channel, SymbolLayout};

/// Neighbours that are looked for, and the classes with which they are compared.
const MAX_NEIGHBOURS_TRIED: usize = 5;
const TRIAL_CLASSES: usize = 6;

/// Where a rank has several symbols, as many are looked for as a model can have.
const MAX_NEIGHBOURS_TRIED_OF_STATES: usize = 6;

/// Neighbours and classes that are tried with each period.
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

/// Neighbours and classes that are tried where a rank has several symbols.
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

/// Symbols of a layer that follow each other, each as it must be stored.
pub(crate) struct SampleRun {
    /// The ordinal of the first in the layer.
    pub(crate) first: u64,
    pub(crate) symbols: Vec<u16>,
}

impl SampleRun {
    /// The same cut into blocks.
    pub(crate) fn blocks(&self, grain: SymbolLayout) -> impl Iterator<Item = SampleBlock<'_>> {
        let firsts = (self.first..).step_by(grain.model_block());
        let blocks = firsts.zip(self.symbols.chunks(grain.model_block()));
        blocks.map(|(first, symbols)| SampleBlock { first, symbols })
    }
}

/// A block of a part of a sample.
#[derive(Clone, Copy)]
pub(crate) struct SampleBlock<'a> {
    /// The ordinal of the first symbol in the layer.
    pub(crate) first: u64,
    pub(crate) symbols: &'a [u16],
}

/// A part with a symbol everywhere.
pub(crate) struct FilledRun {
    pub(crate) first: u64,
    pub(crate) symbols: Vec<u8>,
}

/// Models with their cost in bytes on a sample: tables, and blocks.
pub(crate) struct TrainedModels {
    pub(crate) models: SymbolModels,
    pub(crate) table_bytes: u64,
    pub(crate) block_bytes: u64,
}

/// How many symbols a layer has, and the samples of it by which a shape is chosen and frequencies are
/// counted.
#[derive(Clone, Copy)]
pub(crate) struct SampleSizes {
    pub(crate) layer_symbols: u64,
    pub(crate) shape_sample: u64,
    pub(crate) frequency_sample: u64,
    /// Bytes for counting, with several shapes at once where they suffice. Fewer take longer, for the same
    /// models.
    pub(crate) room: u64,
}

/// A sample with what is needed to compare shapes by it. Each part is a block.
struct ShapeSearch<'a> {
    sample: &'a [SampleBlock<'a>],
    filled: Vec<FilledRun>,
    symbols: &'a [Symbol],
    counts: [u64; 256],
    sizes: SampleSizes,
}

/// The best models by a sample.
pub(crate) fn train_models(
    sample: &[SampleBlock<'_>],
    Alphabet {
        symbols,
        symbol_layout: grain,
    }: Alphabet<'_>,
    periods: &[u32],
    sizes: SampleSizes,
) -> Option<SymbolModels> {
    let repeated = |part: &SampleBlock<'_>| FilledRun {
        first: part.first,
        symbols: repeat_previous(part.symbols, grain),
    };
    let filled: Vec<FilledRun> = sample.iter().map(repeated).collect();
    let judge = ShapeSearch {
        sample,
        symbols,
        counts: count_symbols(&filled),
        filled,
        sizes,
    };
    let shapes = Channel::all(grain).map(|plane| judge.best_shape(plane, periods));
    let shapes: Vec<ContextShape> = shapes.collect::<Option<_>>()?;
    Some(judge.train_refined(shapes))
}

/// The same shapes with the counts of another, larger sample.
pub(crate) fn retrain_models(
    models: SymbolModels,
    sample: &[SampleBlock<'_>],
    room: u64,
) -> TrainedModels {
    let shapes = models.all().iter().map(|model| model.shape().clone());
    let (shapes, filled) = (shapes.collect(), fill_runs(&models, sample));
    drop(models);
    let models = count_models((shapes, room), &filled, |_, _| true);
    drop(filled);
    measure_models(models, sample)
}

fn fill_runs(models: &SymbolModels, sample: &[SampleBlock<'_>]) -> Vec<FilledRun> {
    let fill = |part: &SampleBlock<'_>| {
        let mut symbols = Vec::with_capacity(part.symbols.len());
        models.fill(part.first, part.symbols, |_, _, symbol| {
            symbols.push(symbol);
        });
        FilledRun {
            first: part.first,
            symbols,
        }
    };
    sample.par_iter().map(fill).collect()
}

fn measure_models(models: SymbolModels, sample: &[SampleBlock<'_>]) -> TrainedModels {
    let mut head = Vec::new();
    // Compression into memory does not fail; if it did, the models would not be chosen.
    let written = models.write(&mut head);
    let bits = |part: &SampleBlock<'_>| {
        let mut bits = 0;
        models.fill(part.first, part.symbols, |model, context, symbol| {
            let slots = model.slots_of(context, symbol);
            bits += symbol_cost(u32::from(slots.freq));
            bits += if slots.symbol == ANY_SYMBOL {
                8 << 8
            } else {
                0
            };
        });
        bits
    };
    let bits: u64 = sample.par_iter().map(bits).sum();
    TrainedModels {
        models,
        table_bytes: if written.is_ok() {
            head.len() as u64
        } else {
            u64::MAX / 2
        },
        block_bytes: (bits >> 8) / 8 + 4 * sample.len() as u64,
    }
}

/// Bits of a symbol of some frequency, in 1/256.
fn symbol_cost(freq: u32) -> u64 {
    u64::from(FREQUENCY_BITS) * 256 - log2(u64::from(freq))
}

/// The logarithm in 1/256, for numbers from 1.
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

/// Puts the symbol of the rank before where any will do.
pub(crate) fn repeat_previous(block: &[u16], grain: SymbolLayout) -> Vec<u8> {
    let planes = grain.channels();
    let mut filled = vec![0; block.len()];
    for plane in 0..planes {
        let symbols = || block.iter().skip(plane).step_by(planes);
        let first = symbols().find(|&&symbol| symbol != ANY_SYMBOL);
        let mut last = first.map_or(0, |&symbol| symbol as u8);
        let out = filled.iter_mut().skip(plane).step_by(planes);
        for (out, &symbol) in out.zip(symbols()) {
            last = if symbol == ANY_SYMBOL {
                last
            } else {
                symbol as u8
            };
            *out = last;
        }
    }
    filled
}

fn count_symbols(filled: &[FilledRun]) -> [u64; 256] {
    let mut counts = [0; 256];
    for &symbol in filled.iter().flat_map(|part| &part.symbols) {
        counts[usize::from(symbol)] += 1;
    }
    counts
}

impl ShapeSearch<'_> {
    /// The best shape of a model for a plane.
    fn best_shape(&self, plane: Channel, periods: &[u32]) -> Option<ContextShape> {
        let candidates = candidate_distances(self.sample, plane);
        let tried = match plane.count {
            1 => SHAPES_TRIED.as_slice(),
            _ => &SHAPES_TRIED_OF_STATES,
        };
        let shapes = periods.iter().flat_map(|&period| {
            let distances = self.choose_distances((period, plane), &candidates);
            let shape = |&(neighbours, classes): &(usize, usize)| {
                let distances = &distances[..neighbours.min(distances.len())];
                self.shape(period, distances, classes)
            };
            let tried = tried
                .iter()
                .filter(|&&pair| self.has_enough_samples(plane, pair));
            tried.filter_map(shape).collect::<Vec<ContextShape>>()
        });
        let mut shapes: Vec<ContextShape> = shapes.collect();
        let costs = self.shape_costs(&shapes, plane);
        let best = (0..shapes.len()).min_by_key(|&i| (costs[i], i))?;
        Some(shapes.swap_remove(best))
    }

    /// The cost of each of some shapes. As many are counted at once as there is room for.
    fn shape_costs(&self, shapes: &[ContextShape], plane: Channel) -> Vec<u128> {
        let symbols = self.filled.iter().map(|part| part.symbols.len() as u64);
        let symbols = symbols.sum::<u64>().div_ceil(plane.count as u64);
        let most = shapes
            .iter()
            .map(|shape| max_counting_bytes(shape, symbols));
        let at_once = self.sizes.room / most.max().unwrap_or(1).max(1);
        let cost = |shape: &ContextShape| self.shape_cost(shape, plane);
        if at_once >= rayon::current_num_threads() as u64 {
            return shapes.par_iter().map(cost).collect();
        }
        let groups = shapes.chunks(at_once.max(1) as usize);
        let costs = groups.flat_map(|group| group.par_iter().map(cost).collect::<Vec<_>>());
        costs.collect()
    }

    /// Whether a sample can fill so many contexts, where a rank has several symbols.
    fn has_enough_samples(&self, plane: Channel, (neighbours, classes): (usize, usize)) -> bool {
        let contexts = (classes as u64).pow(neighbours as u32);
        let counts = contexts * self.symbols.len() as u64;
        plane.count == 1 || counts <= 4 * self.sizes.shape_sample
    }

    /// A shape with the classes of [`Judge::classes`]. `None` if there are too many contexts to compare.
    fn shape(&self, period: u32, distances: &[u16], classes: usize) -> Option<ContextShape> {
        // Counts take four bytes for each context and symbol: 128 MiB a thread at most.
        const MOST: usize = 1 << 18;
        const MOST_COUNTS: usize = 1 << 25;
        let shape = ContextShape {
            period,
            distances: distances.to_vec(),
            class_of: self.symbol_classes(classes),
            classes,
        };
        let contexts = classes.pow(distances.len() as u32) * period as usize;
        (contexts <= MOST && contexts * self.symbols.len() <= MOST_COUNTS).then_some(shape)
    }

    /// The most frequent values have a class each, the others one with all that end as they do. Ways have
    /// the same classes again, as they are never in the place of a value: the most frequent one each, the
    /// others one together.
    fn symbol_classes(&self, classes: usize) -> Vec<u8> {
        let mut order: Vec<usize> = (0..self.symbols.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.counts[i]), i));
        let is_way = |&i: &usize| matches!(self.symbols[i], Symbol::BestMove(_));
        let (ways, values): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_way);
        let mut class_of = vec![0; self.symbols.len()];
        for (i, symbol) in values.into_iter().enumerate() {
            let ends = match self.symbols[symbol] {
                Symbol::Exact(value) => value.wdl(),
                Symbol::Win | Symbol::BestMove(_) => Wdl::Win,
            };
            class_of[symbol] = match ends {
                _ if i < classes - 4 => i as u8 + 4,
                Wdl::Loss => 1,
                Wdl::Draw => 2,
                Wdl::Win => 3,
            };
        }
        for (i, symbol) in ways.into_iter().enumerate() {
            class_of[symbol] = if i < classes - 2 { i as u8 + 2 } else { 1 };
        }
        class_of
    }

    /// Distances that together say most, one after the other by the bits they save.
    fn choose_distances(&self, (period, plane): (u32, Channel), candidates: &[u16]) -> Vec<u16> {
        let mut chosen: Vec<u16> = Vec::new();
        let most = match plane.count {
            1 => MAX_NEIGHBOURS_TRIED,
            _ => MAX_NEIGHBOURS_TRIED_OF_STATES,
        };
        for _ in 0..most {
            if !self.has_enough_samples(plane, (chosen.len() + 1, TRIAL_CLASSES)) {
                break;
            }
            let open = candidates.iter().filter(|next| !chosen.contains(next));
            let shape_with = |&next: &u16| {
                let distances = [&chosen[..], &[next]].concat();
                Some((next, self.shape(period, &distances, TRIAL_CLASSES)?))
            };
            let (open, shapes): (Vec<u16>, Vec<ContextShape>) = open.filter_map(shape_with).unzip();
            let costs = self.shape_costs(&shapes, plane);
            let Some((_, best)) = costs.into_iter().zip(open).min() else {
                break;
            };
            chosen.push(best);
        }
        chosen
    }

    /// Bits of a plane of a layer in 1/256, judged by the sample. Frequencies cost their bytes, and each costs about
    /// 1 / (2 ln 2) bits in every sample's worth of ranks, because it is not known exactly; the sample
    /// hides as much again.
    fn shape_cost(&self, shape: &ContextShape, plane: Channel) -> u128 {
        const BITS_STORED: u128 = 12 << 8;
        const BITS_UNKNOWN: u128 = 185;
        let SampleSizes {
            layer_symbols: layer,
            shape_sample: chosen_by,
            frequency_sample: counted_by,
            room,
        } = self.sizes;
        let stored = |block: usize, i: usize| {
            plane.contains(i) && self.sample[block].symbols[i] != ANY_SYMBOL
        };
        let (mut bits, mut frequencies) = (0, 0);
        let counting = ContextCounter {
            shape,
            runs: &self.filled,
            room,
            plane,
        };
        counting.for_each_context(stored, |_, counts| {
            let sum: u64 = counts.iter().map(|&(_, n)| u64::from(n)).sum();
            for &(_, n) in counts {
                bits += u128::from(u64::from(n) * (log2(sum) - log2(u64::from(n))));
                frequencies += 1;
            }
        });
        let times = |sample: u64| u128::from(layer) * BITS_UNKNOWN / u128::from(sample.max(1));
        bits * u128::from(layer) / u128::from(chosen_by.max(1))
            + frequencies * (BITS_STORED + times(chosen_by) + times(counted_by))
    }

    /// Counts, fills in what the counts predict, and counts again.
    fn train_refined(self, shapes: Vec<ContextShape>) -> SymbolModels {
        let (sample, room) = (self.sample, self.sizes.room);
        let stored = |block: usize, i: usize| sample[block].symbols[i] != ANY_SYMBOL;
        let mut models = count_models((shapes.clone(), room), &self.filled, stored);
        drop(self.filled);
        for _ in 0..2 {
            models = count_models(
                (shapes.clone(), room),
                &fill_runs(&models, sample),
                |_, _| true,
            );
        }
        models
    }
}

/// Models of what follows in each context, one for each symbol of a rank.
fn count_models(
    (shapes, room): (Vec<ContextShape>, u64),
    filled: &[FilledRun],
    counted: impl Fn(usize, usize) -> bool + Sync,
) -> SymbolModels {
    let planes = shapes.len();
    let shapes = shapes.into_par_iter().enumerate();
    let models = shapes.map(|(plane, shape)| {
        let plane = Channel {
            index: plane,
            count: planes,
        };
        let room = room / planes as u64;
        let counting = ContextCounter {
            shape: &shape,
            runs: filled,
            room,
            plane,
        };
        counting.train_model(|block, i| plane.contains(i) && counted(block, i))
    });
    SymbolModels::new(models.collect())
}

/// Frequencies in proportion to counts, the largest first, one slot left for the escape.
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
    /// A model of what follows in each context.
    fn train_model(&self, counted: impl Fn(usize, usize) -> bool) -> ContextModel {
        /// Contexts seen more rarely are not worth their bytes.
        const SELDOM: u32 = 16;
        let mut all = [0; 256];
        for (block, part) in self.runs.iter().enumerate() {
            for (i, &symbol) in part.symbols.iter().enumerate() {
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
            if seen >= SELDOM {
                model.skip(context - next);
                model.push(&scaled_frequencies(counts));
                next = context + 1;
            }
        });
        model.skip(self.shape.contexts() - next);
        model
    }
}
