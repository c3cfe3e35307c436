//! Candidates for the neighbours of a context: distances at which symbols often agree.

use rayon::prelude::*;

use crate::sample::SampleBlock;
use crate::symbol_layout::{ANY_SYMBOL, Channel};

/// Distances beyond the nearest ones that are returned, at most.
const FAR_CANDIDATES: usize = 10;

/// Blocks by which distances are chosen.
const SAMPLE_BLOCKS: usize = 64;

/// The largest distance examined.
const MAX_DISTANCE_TRIED: usize = 2600;

/// Nearest distances, from 1 on, that are always returned in a layer of several channels. They
/// reach all earlier symbols of the rank and of the rank before. In a layer of one channel only
/// distance 1 is always returned.
const NEAR_CANDIDATES: usize = 6;

/// Returns the nearest distances, then the farther ones at which symbols agree most often.
pub(crate) fn candidate_distances(sample: &[SampleBlock<'_>], channel: Channel) -> Vec<u16> {
    let channels = channel.count;
    let near = if channels == 1 { 1 } else { NEAR_CANDIDATES };
    let step = sample.len().div_ceil(SAMPLE_BLOCKS);
    let few: Vec<&[u16]> = sample
        .iter()
        .step_by(step)
        .map(|block| block.symbols)
        .collect();
    let block_symbols = channel.symbol_layout().model_block();
    let mut agreements: Vec<(u64, usize)> = (1..=MAX_DISTANCE_TRIED)
        .into_par_iter()
        .map(|distance| {
            let (mut equal, mut all) = (0_u64, 1_u64);
            // The later symbol of a pair belongs to the channel.
            let skipped = (channel.index + channels * distance - distance) % channels;
            for block in &few {
                let later = block.get(distance..).unwrap_or(&[]);
                for (&a, &b) in block.iter().zip(later).skip(skipped).step_by(channels) {
                    let stored = a != ANY_SYMBOL && b != ANY_SYMBOL;
                    all += u64::from(stored);
                    equal += u64::from(stored && a == b);
                }
            }
            // A neighbour at a large distance is missing at the beginning of a block.
            (
                equal * (1 << 20) / all * (block_symbols - distance) as u64,
                distance,
            )
        })
        .collect();
    agreements.sort_by_key(|&(score, distance)| (std::cmp::Reverse(score), distance));
    let far = agreements.iter().map(|pair| pair.1).filter(|&d| d > near);
    let all = (1..=near).chain(far.take(FAR_CANDIDATES));
    all.map(|distance| distance as u16).collect()
}
