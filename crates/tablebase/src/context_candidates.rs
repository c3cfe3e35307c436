//! At which distances symbols may say something of each other.

use rayon::prelude::*;

use crate::coder::ANY_SYMBOL;
use crate::symbol_layout::Channel;
use crate::training::SampleBlock;

/// Distances that may be chosen, at most.
const FAR_CANDIDATES: usize = 10;

/// Blocks by which distances are chosen.
const SAMPLE_BLOCKS: usize = 64;

/// The farthest neighbour looked for.
const MAX_DISTANCE_TRIED: usize = 2600;

/// Distances that may be chosen whatever is there, where a rank has several symbols: to all of the rank and
/// of the one before.
const NEAR_CANDIDATES: usize = 6;

/// The likeliest distances by how often symbols are the same there, after the nearest.
pub(crate) fn candidate_distances(sample: &[SampleBlock<'_>], plane: Channel) -> Vec<u16> {
    let planes = plane.count;
    let near = if planes == 1 { 1 } else { NEAR_CANDIDATES };
    let step = sample.len().div_ceil(SAMPLE_BLOCKS);
    let few: Vec<&[u16]> = sample
        .iter()
        .step_by(step)
        .map(|part| part.symbols)
        .collect();
    let block = plane.symbol_layout().model_block();
    let mut same: Vec<(u64, usize)> = (1..=MAX_DISTANCE_TRIED)
        .into_par_iter()
        .map(|distance| {
            let (mut equal, mut all) = (0_u64, 1_u64);
            // The later of two symbols is one of the plane.
            let skipped = (plane.index + planes * distance - distance) % planes;
            for block in &few {
                let later = block.get(distance..).unwrap_or(&[]);
                for (&a, &b) in block.iter().zip(later).skip(skipped).step_by(planes) {
                    let stored = a != ANY_SYMBOL && b != ANY_SYMBOL;
                    all += u64::from(stored);
                    equal += u64::from(stored && a == b);
                }
            }
            // What lies far is missing at the begin of a block.
            (
                equal * (1 << 20) / all * (block - distance) as u64,
                distance,
            )
        })
        .collect();
    same.sort_by_key(|&(same, distance)| (std::cmp::Reverse(same), distance));
    let far = same.iter().map(|pair| pair.1).filter(|&d| d > near);
    let all = (1..=near).chain(far.take(FAR_CANDIDATES));
    all.map(|distance| distance as u16).collect()
}
