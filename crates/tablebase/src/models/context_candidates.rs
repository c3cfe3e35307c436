//! Candidates for the neighbours of a context: distances at which symbols often agree.

use rayon::prelude::*;

use super::sample::SampleBlock;
use crate::symbols::symbol_layout::{ANY_SYMBOL, Channel};

/// Distances beyond the nearest ones that are returned, at most.
const FAR_CANDIDATES: usize = 10;

/// Blocks by which distances are chosen, at most.
const SAMPLE_BLOCKS: usize = 24;

const MAX_DISTANCE_TRIED: usize = 2600;

/// Nearest distances, from 1 on, that are always returned in a layer of several channels. They
/// reach all earlier symbols of the rank and of the rank before. In a layer of one channel only
/// distance 1 is always returned.
const NEAR_CANDIDATES: usize = 6;

/// The symbols of a block by channel, twice.
struct SplitBlock {
    /// Symbols of each channel.
    symbols: Vec<Vec<u16>>,
    /// The same, with another number for [`ANY_SYMBOL`], so that it agrees with nothing.
    others: Vec<Vec<u16>>,
}

impl SplitBlock {
    fn new(block: &[u16], channels: usize) -> Self {
        let split = |of_symbol: fn(u16) -> u16| {
            let channel = |c| block.iter().skip(c).step_by(channels).map(|&s| of_symbol(s));
            (0..channels).map(|c| channel(c).collect()).collect()
        };
        Self {
            symbols: split(|symbol| symbol),
            others: split(|symbol| symbol + u16::from(symbol == ANY_SYMBOL)),
        }
    }

    /// Adds pairs of a symbol of `channel` and the one `distance` before it: those that agree, and
    /// those that are both stored.
    fn count(&self, channel: Channel, distance: usize, agreement: &mut Agreement) {
        let Channel { index, count } = channel;
        let (back, earlier) = (distance / count, distance % count);
        // The earlier symbol belongs to a rank before if its channel has a higher number.
        let (earlier, back) = match index.checked_sub(earlier) {
            Some(earlier) => (earlier, back),
            None => (index + count - earlier, back + 1),
        };
        let later = self.symbols[index].get(back..).unwrap_or(&[]);
        let (mut equal, mut stored) = (0, 0);
        for (&a, &b) in later.iter().zip(&self.others[earlier]) {
            equal += u16::from(a == b);
            stored += u16::from((a | b) < ANY_SYMBOL);
        }
        agreement.equal += u64::from(equal);
        agreement.stored += u64::from(stored);
    }
}

/// Numbers of pairs.
#[derive(Default)]
struct Agreement {
    equal: u64,
    stored: u64,
}

/// Returns the nearest distances, then the farther ones at which symbols agree most often.
pub(super) fn candidate_distances(sample: &[SampleBlock<'_>], channel: Channel) -> Vec<u16> {
    let channels = channel.count;
    let near = if channels == 1 { 1 } else { NEAR_CANDIDATES };
    let step = sample.len().div_ceil(SAMPLE_BLOCKS);
    let few = sample.iter().step_by(step.max(1));
    let few: Vec<SplitBlock> = few.map(|block| SplitBlock::new(block.symbols, channels)).collect();
    let block_symbols = channel.symbol_layout().model_block();
    let scores = (1..MAX_DISTANCE_TRIED + 1).into_par_iter().with_min_len(64).map(|distance| {
        let mut agreement = Agreement::default();
        for block in &few {
            block.count(channel, distance, &mut agreement);
        }
        let rate = agreement.equal * (1 << 20) / (1 + agreement.stored);
        // A neighbour at a large distance is missing at the beginning of a block.
        (rate * (block_symbols - distance) as u64, distance)
    });
    let mut scores: Vec<(u64, usize)> = scores.collect();
    scores.sort_unstable_by_key(|&(score, distance)| (std::cmp::Reverse(score), distance));
    let far = scores.iter().map(|pair| pair.1).filter(|&d| d > near);
    let all = (1..=near).chain(far.take(FAR_CANDIDATES));
    all.map(|distance| distance as u16).collect()
}
