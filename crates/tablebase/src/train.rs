//! Finds a model for a layer, from a sample of its blocks. Whole numbers only: every machine finds the
//! same.

use hindsight_core::Wdl;
use rayon::prelude::*;

use crate::candidates::candidates;
use crate::coder::FREE;
use crate::grain::{Alphabet, Grain, Plane};
use crate::info::Symbol;
use crate::model::{BITS, Model, Shape, TOTAL};
use crate::models::Models;
use crate::tallies::{Counting, most_bytes};

/// Neighbours that are looked for, and the classes with which they are compared.
const NEIGHBOURS: usize = 5;
const ROUGH: usize = 6;

/// Where a rank has several symbols, as many are looked for as a model can have.
const NEIGHBOURS_OF_STATES: usize = 6;

/// Neighbours and classes that are tried with each period.
const TRIED: [(usize, usize); 9] = [
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
const TRIED_OF_STATES: [(usize, usize); 11] = [
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
pub(crate) struct Part {
    /// The ordinal of the first in the layer.
    pub(crate) first: u64,
    pub(crate) symbols: Vec<u16>,
}

impl Part {
    /// The same cut into blocks.
    pub(crate) fn blocks(&self, grain: Grain) -> impl Iterator<Item = PartBlock<'_>> {
        let firsts = (self.first..).step_by(grain.block());
        let blocks = firsts.zip(self.symbols.chunks(grain.block()));
        blocks.map(|(first, symbols)| PartBlock { first, symbols })
    }
}

/// A block of a part of a sample.
#[derive(Clone, Copy)]
pub(crate) struct PartBlock<'a> {
    /// The ordinal of the first symbol in the layer.
    pub(crate) first: u64,
    pub(crate) symbols: &'a [u16],
}

/// A part with a symbol everywhere.
pub(crate) struct Filled {
    pub(crate) first: u64,
    pub(crate) symbols: Vec<u8>,
}

/// Models with their cost in bytes on a sample: tables, and blocks.
pub(crate) struct Trained {
    pub(crate) models: Models,
    pub(crate) head: u64,
    pub(crate) blocks: u64,
}

/// How many symbols a layer has, and the samples of it by which a shape is chosen and frequencies are
/// counted.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) layer: u64,
    pub(crate) chosen_by: u64,
    pub(crate) counted_by: u64,
    /// Bytes for counting, with several shapes at once where they suffice. Fewer take longer, for the same
    /// models.
    pub(crate) room: u64,
}

/// A sample with what is needed to compare shapes by it. Each part is a block.
struct Judge<'a> {
    sample: &'a [PartBlock<'a>],
    filled: Vec<Filled>,
    symbols: &'a [Symbol],
    counts: [u64; 256],
    sizes: Sizes,
}

/// The best models by a sample.
pub(crate) fn train(
    sample: &[PartBlock<'_>],
    Alphabet { symbols, grain }: Alphabet<'_>,
    periods: &[u32],
    sizes: Sizes,
) -> Option<Models> {
    let repeated = |part: &PartBlock<'_>| Filled {
        first: part.first,
        symbols: repeat(part.symbols, grain),
    };
    let filled: Vec<Filled> = sample.iter().map(repeated).collect();
    let judge = Judge {
        sample,
        symbols,
        counts: count_all(&filled),
        filled,
        sizes,
    };
    let shapes = Plane::all(grain).map(|plane| judge.best(plane, periods));
    let shapes: Vec<Shape> = shapes.collect::<Option<_>>()?;
    Some(judge.refine(shapes))
}

/// The same shapes with the counts of another, larger sample.
pub(crate) fn retrain(models: Models, sample: &[PartBlock<'_>], room: u64) -> Trained {
    let shapes = models.all().iter().map(|model| model.shape().clone());
    let (shapes, filled) = (shapes.collect(), fill(&models, sample));
    drop(models);
    let models = count((shapes, room), &filled, |_, _| true);
    drop(filled);
    measure(models, sample)
}

fn fill(models: &Models, sample: &[PartBlock<'_>]) -> Vec<Filled> {
    let fill = |part: &PartBlock<'_>| {
        let mut symbols = Vec::with_capacity(part.symbols.len());
        models.fill(part.first, part.symbols, |_, _, symbol| {
            symbols.push(symbol);
        });
        Filled {
            first: part.first,
            symbols,
        }
    };
    sample.par_iter().map(fill).collect()
}

fn measure(models: Models, sample: &[PartBlock<'_>]) -> Trained {
    let mut head = Vec::new();
    // Compression into memory does not fail; if it did, the models would not be chosen.
    let written = models.write(&mut head);
    let bits = |part: &PartBlock<'_>| {
        let mut bits = 0;
        models.fill(part.first, part.symbols, |model, context, symbol| {
            let slots = model.find(context, symbol);
            bits += cost(u32::from(slots.freq));
            bits += if slots.symbol == FREE { 8 << 8 } else { 0 };
        });
        bits
    };
    let bits: u64 = sample.par_iter().map(bits).sum();
    Trained {
        models,
        head: if written.is_ok() {
            head.len() as u64
        } else {
            u64::MAX / 2
        },
        blocks: (bits >> 8) / 8 + 4 * sample.len() as u64,
    }
}

/// Bits of a symbol of some frequency, in 1/256.
fn cost(freq: u32) -> u64 {
    u64::from(BITS) * 256 - log2(u64::from(freq))
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
pub(crate) fn repeat(block: &[u16], grain: Grain) -> Vec<u8> {
    let planes = grain.planes();
    let mut filled = vec![0; block.len()];
    for plane in 0..planes {
        let symbols = || block.iter().skip(plane).step_by(planes);
        let first = symbols().find(|&&symbol| symbol != FREE);
        let mut last = first.map_or(0, |&symbol| symbol as u8);
        let out = filled.iter_mut().skip(plane).step_by(planes);
        for (out, &symbol) in out.zip(symbols()) {
            last = if symbol == FREE { last } else { symbol as u8 };
            *out = last;
        }
    }
    filled
}

fn count_all(filled: &[Filled]) -> [u64; 256] {
    let mut counts = [0; 256];
    for &symbol in filled.iter().flat_map(|part| &part.symbols) {
        counts[usize::from(symbol)] += 1;
    }
    counts
}

impl Judge<'_> {
    /// The best shape of a model for a plane.
    fn best(&self, plane: Plane, periods: &[u32]) -> Option<Shape> {
        let candidates = candidates(self.sample, plane);
        let tried = match plane.planes {
            1 => TRIED.as_slice(),
            _ => &TRIED_OF_STATES,
        };
        let shapes = periods.iter().flat_map(|&period| {
            let distances = self.distances((period, plane), &candidates);
            let shape = |&(neighbours, classes): &(usize, usize)| {
                let distances = &distances[..neighbours.min(distances.len())];
                self.shape(period, distances, classes)
            };
            let tried = tried.iter().filter(|&&pair| self.is_worth(plane, pair));
            tried.filter_map(shape).collect::<Vec<Shape>>()
        });
        let mut shapes: Vec<Shape> = shapes.collect();
        let costs = self.costs(&shapes, plane);
        let best = (0..shapes.len()).min_by_key(|&i| (costs[i], i))?;
        Some(shapes.swap_remove(best))
    }

    /// The cost of each of some shapes. As many are counted at once as there is room for.
    fn costs(&self, shapes: &[Shape], plane: Plane) -> Vec<u128> {
        let symbols = self.filled.iter().map(|part| part.symbols.len() as u64);
        let symbols = symbols.sum::<u64>().div_ceil(plane.planes as u64);
        let most = shapes.iter().map(|shape| most_bytes(shape, symbols));
        let at_once = self.sizes.room / most.max().unwrap_or(1).max(1);
        let cost = |shape: &Shape| self.cost(shape, plane);
        if at_once >= rayon::current_num_threads() as u64 {
            return shapes.par_iter().map(cost).collect();
        }
        let groups = shapes.chunks(at_once.max(1) as usize);
        let costs = groups.flat_map(|group| group.par_iter().map(cost).collect::<Vec<_>>());
        costs.collect()
    }

    /// Whether a sample can fill so many contexts, where a rank has several symbols.
    fn is_worth(&self, plane: Plane, (neighbours, classes): (usize, usize)) -> bool {
        let contexts = (classes as u64).pow(neighbours as u32);
        let counts = contexts * self.symbols.len() as u64;
        plane.planes == 1 || counts <= 4 * self.sizes.chosen_by
    }

    /// A shape with the classes of [`Judge::classes`]. `None` if there are too many contexts to compare.
    fn shape(&self, period: u32, distances: &[u16], classes: usize) -> Option<Shape> {
        // Counts take four bytes for each context and symbol: 128 MiB a thread at most.
        const MOST: usize = 1 << 18;
        const MOST_COUNTS: usize = 1 << 25;
        let shape = Shape {
            period,
            distances: distances.to_vec(),
            class_of: self.classes(classes),
            classes,
        };
        let contexts = classes.pow(distances.len() as u32) * period as usize;
        (contexts <= MOST && contexts * self.symbols.len() <= MOST_COUNTS).then_some(shape)
    }

    /// The most frequent values have a class each, the others one with all that end as they do. Ways have
    /// the same classes again, as they are never in the place of a value: the most frequent one each, the
    /// others one together.
    fn classes(&self, classes: usize) -> Vec<u8> {
        let mut order: Vec<usize> = (0..self.symbols.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.counts[i]), i));
        let is_way = |&i: &usize| matches!(self.symbols[i], Symbol::Way(_));
        let (ways, values): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_way);
        let mut class_of = vec![0; self.symbols.len()];
        for (i, symbol) in values.into_iter().enumerate() {
            let ends = match self.symbols[symbol] {
                Symbol::Exact(value) => value.wdl(),
                Symbol::Win | Symbol::Way(_) => Wdl::Win,
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
    fn distances(&self, (period, plane): (u32, Plane), candidates: &[u16]) -> Vec<u16> {
        let mut chosen: Vec<u16> = Vec::new();
        let most = match plane.planes {
            1 => NEIGHBOURS,
            _ => NEIGHBOURS_OF_STATES,
        };
        for _ in 0..most {
            if !self.is_worth(plane, (chosen.len() + 1, ROUGH)) {
                break;
            }
            let open = candidates.iter().filter(|next| !chosen.contains(next));
            let shape_with = |&next: &u16| {
                let distances = [&chosen[..], &[next]].concat();
                Some((next, self.shape(period, &distances, ROUGH)?))
            };
            let (open, shapes): (Vec<u16>, Vec<Shape>) = open.filter_map(shape_with).unzip();
            let costs = self.costs(&shapes, plane);
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
    fn cost(&self, shape: &Shape, plane: Plane) -> u128 {
        const BITS_STORED: u128 = 12 << 8;
        const BITS_UNKNOWN: u128 = 185;
        let Sizes {
            layer,
            chosen_by,
            counted_by,
            room,
        } = self.sizes;
        let stored = |block: usize, i: usize| plane.has(i) && self.sample[block].symbols[i] != FREE;
        let (mut bits, mut frequencies) = (0, 0);
        let counting = Counting {
            shape,
            filled: &self.filled,
            room,
            plane,
        };
        counting.each(stored, |_, counts| {
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
    fn refine(self, shapes: Vec<Shape>) -> Models {
        let (sample, room) = (self.sample, self.sizes.room);
        let stored = |block: usize, i: usize| sample[block].symbols[i] != FREE;
        let mut models = count((shapes.clone(), room), &self.filled, stored);
        drop(self.filled);
        for _ in 0..2 {
            models = count((shapes.clone(), room), &fill(&models, sample), |_, _| true);
        }
        models
    }
}

/// Models of what follows in each context, one for each symbol of a rank.
fn count(
    (shapes, room): (Vec<Shape>, u64),
    filled: &[Filled],
    counted: impl Fn(usize, usize) -> bool + Sync,
) -> Models {
    let planes = shapes.len();
    let shapes = shapes.into_par_iter().enumerate();
    let models = shapes.map(|(plane, shape)| {
        let plane = Plane { plane, planes };
        let room = room / planes as u64;
        let counting = Counting {
            shape: &shape,
            filled,
            room,
            plane,
        };
        counting.model(|block, i| plane.has(i) && counted(block, i))
    });
    Models::new(models.collect())
}

/// Frequencies in proportion to counts, the largest first, one slot left for the escape.
fn list(counts: &[(u8, u32)]) -> Vec<(u8, u32)> {
    let sum: u64 = counts.iter().map(|&(_, n)| u64::from(n)).sum();
    let mut list: Vec<(u8, u32)> = counts
        .iter()
        .map(|&(symbol, n)| {
            let share = u64::from(n) * u64::from(TOTAL - 1) / sum;
            (symbol, share.max(1) as u32)
        })
        .collect();
    list.sort_by_key(|&(symbol, freq)| (std::cmp::Reverse(freq), symbol));
    let used: u32 = list.iter().map(|pair| pair.1).sum();
    if let Some(first) = list.first_mut() {
        first.1 = (first.1 + (TOTAL - 1)).saturating_sub(used);
    }
    list
}

impl Counting<'_> {
    /// A model of what follows in each context.
    fn model(&self, counted: impl Fn(usize, usize) -> bool) -> Model {
        /// Contexts seen more rarely are not worth their bytes.
        const SELDOM: u32 = 16;
        let mut all = [0; 256];
        for (block, part) in self.filled.iter().enumerate() {
            for (i, &symbol) in part.symbols.iter().enumerate() {
                all[usize::from(symbol)] += u32::from(counted(block, i));
            }
        }
        let all = (0..=255).zip(all).filter(|&(_, n)| n > 0);
        let mut model = Model::new(self.shape.clone(), &list(&all.collect::<Vec<_>>()));
        let mut next = 0;
        self.each(counted, |context, counts| {
            let seen: u32 = counts.iter().map(|&(_, n)| n).sum();
            if seen >= SELDOM {
                model.skip(context - next);
                model.push(&list(counts));
                next = context + 1;
            }
        });
        model.skip(self.shape.contexts() - next);
        model
    }
}
