//! At which distances symbols may say something of each other.

use rayon::prelude::*;

use crate::coder::FREE;
use crate::grain::Plane;
use crate::train::PartBlock;

/// Distances that may be chosen, at most.
const CANDIDATES: usize = 10;

/// Blocks by which distances are chosen.
const FEW: usize = 64;

/// The farthest neighbour looked for.
const FARTHEST: usize = 2600;

/// Distances that may be chosen whatever is there, where a rank has several symbols: to all of the rank and
/// of the one before.
const NEAR: usize = 6;

/// The likeliest distances by how often symbols are the same there, after the nearest.
pub(crate) fn candidates(sample: &[PartBlock<'_>], plane: Plane) -> Vec<u16> {
    let planes = plane.planes;
    let near = if planes == 1 { 1 } else { NEAR };
    let step = sample.len().div_ceil(FEW);
    let few: Vec<&[u16]> = sample
        .iter()
        .step_by(step)
        .map(|part| part.symbols)
        .collect();
    let block = plane.grain().block();
    let mut same: Vec<(u64, usize)> = (1..=FARTHEST)
        .into_par_iter()
        .map(|distance| {
            let (mut equal, mut all) = (0_u64, 1_u64);
            // The later of two symbols is one of the plane.
            let skipped = (plane.plane + planes * distance - distance) % planes;
            for block in &few {
                let later = block.get(distance..).unwrap_or(&[]);
                for (&a, &b) in block.iter().zip(later).skip(skipped).step_by(planes) {
                    let stored = a != FREE && b != FREE;
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
    let all = (1..=near).chain(far.take(CANDIDATES));
    all.map(|distance| distance as u16).collect()
}
