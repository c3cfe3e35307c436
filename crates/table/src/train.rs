//! Finds a model for a layer, from a sample of its blocks. Whole numbers only: every machine finds the
//! same.

use game::Wdl;
use rayon::prelude::*;

use crate::coder::FREE;
use crate::info::Symbol;
use crate::model::{BITS, Model, Shape, TOTAL};

/// Ranks of a block that a model writes.
pub(crate) const BLOCK: usize = 4096;

/// Distances that may be chosen, at most.
const CANDIDATES: usize = 10;

/// Blocks by which distances are chosen.
const FEW: usize = 64;

/// The farthest neighbour looked for.
const FARTHEST: usize = 2600;

/// Neighbours that are looked for, and the classes with which they are compared.
const NEIGHBOURS: usize = 5;
const ROUGH: usize = 6;

/// Neighbours and classes that are tried.
const TRIED: [(usize, usize); 8] = [
    (1, 8),
    (2, 8),
    (3, 6),
    (3, 12),
    (4, 6),
    (4, 9),
    (4, 14),
    (5, 8),
];

/// A model with its cost in bytes on a sample: tables, and blocks.
pub(crate) struct Trained {
    pub(crate) model: Model,
    pub(crate) head: u64,
    pub(crate) blocks: u64,
}

/// The best model of a sample of `sampled` ranks for a layer of `ranks`. Each part is a block.
pub(crate) fn train(sample: &[Vec<u16>], symbols: &[Symbol], ranks: u64, sampled: u64) -> Trained {
    let filled: Vec<Vec<u8>> = sample.iter().map(|block| repeat(block)).collect();
    let counts = count_all(&filled);
    let distances = choose_distances(sample, &filled, symbols, &counts);
    // More contexts than a 64th of the ranks would hardly be seen.
    let seen = |(neighbours, classes): &(usize, usize)| {
        (*neighbours, *classes) == TRIED[0]
            || classes.pow(*neighbours as u32) as u64 <= sampled / 64
    };
    let tried: Vec<Trained> = TRIED
        .par_iter()
        .filter(|tried| seen(tried))
        .map(|&(neighbours, classes)| {
            let distances = &distances[..neighbours.min(distances.len())];
            refine(shape(distances, symbols, &counts, classes), sample, &filled)
        })
        .collect();
    let cost = |trained: &Trained| {
        let blocks = u128::from(trained.blocks) * u128::from(ranks) / u128::from(sampled);
        u128::from(trained.head) + blocks
    };
    let best = tried.into_iter().min_by_key(cost);
    best.expect("several were tried")
}

/// The same shape with the counts of another, larger sample.
pub(crate) fn retrain(model: &Model, sample: &[Vec<u16>]) -> Trained {
    let filled: Vec<Vec<u8>> = sample.par_iter().map(|block| model.fill(block)).collect();
    let model = count(model.shape().clone(), &filled, |_, _| true);
    measure(model, sample)
}

/// Counts, fills in what the counts predict, and counts again.
fn refine(shape: Shape, sample: &[Vec<u16>], filled: &[Vec<u8>]) -> Trained {
    let mut model = count(shape, filled, |block, i| sample[block][i] != FREE);
    for _ in 0..2 {
        let filled: Vec<Vec<u8>> = sample.par_iter().map(|block| model.fill(block)).collect();
        model = count(model.shape().clone(), &filled, |_, _| true);
    }
    measure(model, sample)
}

fn measure(model: Model, sample: &[Vec<u16>]) -> Trained {
    let mut head = Vec::new();
    // Compression into memory does not fail; if it did, the model would not be chosen.
    let written = model.write(&mut head);
    let mut bits = 0;
    for block in sample {
        let symbols = model.fill(block);
        for (i, &symbol) in symbols.iter().enumerate() {
            let slots = model.find(model.shape().context(&symbols, i), symbol);
            bits += cost(u32::from(slots.freq));
            bits += if slots.symbol == FREE { 8 << 8 } else { 0 };
        }
    }
    Trained {
        model,
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

/// Puts the symbol before where any will do.
pub(crate) fn repeat(block: &[u16]) -> Vec<u8> {
    let first = block.iter().find(|&&symbol| symbol != FREE);
    let mut last = first.map_or(0, |&symbol| symbol as u8);
    let mut filled = Vec::with_capacity(block.len());
    for &symbol in block {
        last = if symbol == FREE { last } else { symbol as u8 };
        filled.push(last);
    }
    filled
}

fn count_all(filled: &[Vec<u8>]) -> [u64; 256] {
    let mut counts = [0; 256];
    for &symbol in filled.iter().flatten() {
        counts[usize::from(symbol)] += 1;
    }
    counts
}

/// The most frequent symbols have a class each, the others one with all that end as they do.
fn shape(distances: &[u16], symbols: &[Symbol], counts: &[u64; 256], classes: usize) -> Shape {
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(counts[i]), i));
    let single = classes - 4;
    let mut class_of = vec![0; symbols.len()];
    for (i, &symbol) in order.iter().enumerate() {
        let ends = match symbols[symbol] {
            Symbol::Exact(value) => value.wdl(),
            Symbol::Win => Wdl::Win,
        };
        class_of[symbol] = match ends {
            _ if i < single => i as u8 + 4,
            Wdl::Loss => 1,
            Wdl::Draw => 2,
            Wdl::Win => 3,
        };
    }
    Shape {
        distances: distances.to_vec(),
        class_of,
        classes,
    }
}

/// Distances that together say most: the likeliest by how often symbols are the same there, then
/// one after the other by the bits they save.
fn choose_distances(
    sample: &[Vec<u16>],
    filled: &[Vec<u8>],
    symbols: &[Symbol],
    counts: &[u64; 256],
) -> Vec<u16> {
    let step = sample.len().div_ceil(FEW);
    let few: Vec<&Vec<u16>> = sample.iter().step_by(step).collect();
    let filled: Vec<Vec<u8>> = filled.iter().step_by(step).cloned().collect();
    let mut same: Vec<(u64, usize)> = (1..=FARTHEST)
        .into_par_iter()
        .map(|distance| {
            let (mut equal, mut all) = (0_u64, 1_u64);
            for block in &few {
                let later = block.get(distance..).unwrap_or(&[]);
                for (&a, &b) in block.iter().zip(later) {
                    let stored = a != FREE && b != FREE;
                    all += u64::from(stored);
                    equal += u64::from(stored && a == b);
                }
            }
            // What lies far is missing at the begin of a block.
            (
                equal * (1 << 20) / all * (BLOCK - distance) as u64,
                distance,
            )
        })
        .collect();
    same.sort_by_key(|&(same, distance)| (std::cmp::Reverse(same), distance));
    let mut candidates: Vec<u16> = vec![1];
    candidates.extend(
        same.iter()
            .map(|pair| pair.1 as u16)
            .filter(|&d| d > 1)
            .take(CANDIDATES),
    );
    let mut chosen: Vec<u16> = Vec::new();
    for _ in 0..NEIGHBOURS {
        let cost_with = |&distance: &u16| {
            let mut distances = chosen.clone();
            distances.push(distance);
            let shape = shape(&distances, symbols, counts, ROUGH);
            entropy(&shape, &few, &filled)
        };
        let open = candidates
            .iter()
            .filter(|distance| !chosen.contains(distance));
        let Some(&best) = open.min_by_key(|distance| (cost_with(distance), **distance)) else {
            break;
        };
        chosen.push(best);
    }
    chosen
}

/// Bits of what must be stored of some blocks if the frequencies of every context were known, in 1/256.
fn entropy(shape: &Shape, sample: &[&Vec<u16>], filled: &[Vec<u8>]) -> u64 {
    let stored = |block: usize, i: usize| sample[block][i] != FREE;
    let counts = count_contexts(shape, filled, stored);
    let each = |counts: &[u32]| {
        let sum: u64 = counts.iter().map(|&n| u64::from(n)).sum();
        let seen = counts.iter().filter(|&&n| n > 0);
        seen.map(|&n| u64::from(n) * (log2(sum) - log2(u64::from(n))))
            .sum::<u64>()
    };
    let symbols = shape.class_of.len().max(1);
    counts.chunks(symbols).map(each).sum()
}

/// How often each symbol follows in each context; of some ranks only.
fn count_contexts(
    shape: &Shape,
    filled: &[Vec<u8>],
    counted: impl Fn(usize, usize) -> bool,
) -> Vec<u32> {
    let symbols = shape.class_of.len().max(1);
    let mut counts = vec![0; shape.contexts() * symbols];
    for (of, block) in filled.iter().enumerate() {
        for (i, &symbol) in block.iter().enumerate() {
            if counted(of, i) {
                counts[shape.context(block, i) * symbols + usize::from(symbol)] += 1;
            }
        }
    }
    counts
}

/// A model of what follows in each context.
fn count(shape: Shape, filled: &[Vec<u8>], counted: impl Fn(usize, usize) -> bool) -> Model {
    /// Contexts seen more rarely are not worth their bytes.
    const SELDOM: u32 = 16;
    let symbols = shape.class_of.len().max(1);
    let counts = count_contexts(&shape, filled, counted);
    let mut all = vec![0; symbols];
    for context in counts.chunks(symbols) {
        for (sum, n) in all.iter_mut().zip(context) {
            *sum += n;
        }
    }
    let mut lists = vec![list(&all)];
    for context in counts.chunks(symbols) {
        let seen: u32 = context.iter().sum();
        lists.push(if seen < SELDOM {
            Vec::new()
        } else {
            list(context)
        });
    }
    Model::new(shape, lists)
}

/// Frequencies in proportion to counts, the largest first, one slot left for the escape.
fn list(counts: &[u32]) -> Vec<(u8, u32)> {
    let sum: u64 = counts.iter().map(|&n| u64::from(n)).sum();
    let mut list: Vec<(u8, u32)> = (0..=255)
        .zip(counts)
        .filter(|(_, n)| **n > 0)
        .map(|(symbol, &n)| {
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
