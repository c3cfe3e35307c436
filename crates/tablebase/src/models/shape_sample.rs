//! A sample of a channel, prepared for comparing context shapes.

use rayon::prelude::*;

use super::SymbolModels;
use super::block_history::HISTORY;
use super::log2::{jackknife_term, log2};
use super::model::ContextShape;
use super::sample::{SampleBlock, repeat_previous};
use crate::symbols::symbol_layout::{Channel, SymbolLayout};

/// Most counts in a comparison: a count per context that occurs and symbol.
const MAX_CELLS: usize = 1 << 22;

/// Memory of a comparison in a sample of `symbols` symbols, in bytes: the counts, classes, and two
/// numbers of contexts.
pub(crate) fn comparison_bytes(symbols: u64) -> u64 {
    4 * MAX_CELLS as u64 + 9 * symbols
}

/// Blocks of a sample, with all symbols filled.
pub(crate) struct FilledSample<'a> {
    pub(crate) blocks: Vec<SampleBlock<'a>>,
    /// Symbols of all blocks.
    filled: Vec<u8>,
}

/// The symbols of a channel in a sample.
#[derive(Clone, Copy)]
pub(super) struct ChannelSample<'a> {
    pub(crate) sample: &'a FilledSample<'a>,
    pub(crate) channel: Channel,
}

/// Classes of the symbols of a sample.
pub(super) struct SampleClasses {
    /// Number of different symbols.
    symbols: usize,
    classes: usize,
    /// Class of each filled symbol.
    of_filled: Vec<u8>,
}

/// Contexts that occur, numbered, and the number of the context of each symbol of a channel.
pub(super) struct OccurringContexts {
    count: usize,
    of_symbol: Vec<u32>,
}

/// Cost of the symbols of a sample in the contexts of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CountedCost {
    /// Bits of the symbols, in 1/256, apart from those of the frequencies.
    pub(super) bits: u64,
    /// Pairs of context and symbol that occur.
    pub(super) frequencies: u64,
}

impl<'a> FilledSample<'a> {
    /// Fills the sample by [`repeat_previous`].
    pub(crate) fn by_repetition(blocks: Vec<SampleBlock<'a>>, symbol_layout: SymbolLayout) -> Self {
        let mut filled = Vec::new();
        for block in &blocks {
            filled.extend_from_slice(&repeat_previous(block.symbols, symbol_layout));
        }
        Self { blocks, filled }
    }

    /// Fills the sample by the likeliest symbols.
    pub(crate) fn by_models(blocks: &[SampleBlock<'a>], models: &SymbolModels) -> Self {
        let of_block = |block: &SampleBlock<'_>| {
            let mut filled = Vec::with_capacity(block.symbols.len());
            models.fill(block.first, block.symbols, |_, symbol| filled.push(symbol));
            filled
        };
        let filled: Vec<Vec<u8>> = blocks.par_iter().map(of_block).collect();
        Self { blocks: blocks.to_vec(), filled: filled.concat() }
    }

    pub(crate) fn len(&self) -> u64 {
        self.filled.len() as u64
    }

    /// Number of each filled symbol.
    pub(crate) fn counts(&self) -> [u64; 256] {
        let mut counts = [0; 256];
        for &symbol in &self.filled {
            counts[usize::from(symbol)] += 1;
        }
        counts
    }

    /// Classes of the symbols; `class_of` has one for each symbol of the layer.
    pub(super) fn classes(&self, class_of: &[u8], classes: usize) -> SampleClasses {
        let of_filled = self.filled.iter().map(|&symbol| class_of[usize::from(symbol)]);
        SampleClasses { of_filled: of_filled.collect(), symbols: class_of.len(), classes }
    }
}

impl ChannelSample<'_> {
    /// The contexts without neighbours.
    pub(super) fn phases(&self, period: u32) -> OccurringContexts {
        let Channel { index, count } = self.channel;
        let mut of_symbol = Vec::new();
        let step = (count % period as usize) as u32;
        for block in &self.sample.blocks {
            let symbols = block.symbols.iter().skip(index).step_by(count);
            let mut phase = ((block.first + index as u64) % u64::from(period)) as u32;
            of_symbol.extend(symbols.map(|_| {
                let own = phase;
                phase += step;
                phase -= if phase >= period { period } else { 0 };
                own
            }));
        }
        OccurringContexts { count: period as usize, of_symbol }
    }

    /// Adds a neighbour to all contexts. `None` if there are too many.
    pub(super) fn with_neighbour(
        &self,
        contexts: &OccurringContexts,
        classes: &SampleClasses,
        distance: u16,
    ) -> Option<OccurringContexts> {
        let cells = contexts.count * classes.classes;
        if cells > MAX_CELLS {
            return None;
        }
        let mut number_of = vec![u32::MAX; cells];
        let mut count = 0;
        let mut of_symbol = Vec::with_capacity(contexts.of_symbol.len());
        self.for_each(contexts, classes, distance, |row, _| {
            let number = &mut number_of[row];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            of_symbol.push(*number);
        });
        Some(OccurringContexts { of_symbol, count: count as usize })
    }

    /// Cost of the symbols if a neighbour is added to all contexts. `None` if there are too many
    /// contexts.
    pub(super) fn cost_with_neighbour(
        &self,
        contexts: &OccurringContexts,
        classes: &SampleClasses,
        distance: u16,
    ) -> Option<CountedCost> {
        // The last column counts the symbols that need not be stored.
        let symbols = classes.symbols;
        let columns = symbols + 1;
        let rows = contexts.count * classes.classes;
        if rows * columns > MAX_CELLS {
            return None;
        }
        let mut counts = vec![0_u32; rows * columns];
        self.for_each(contexts, classes, distance, |row, symbol| {
            counts[row * columns + usize::from(symbol).min(symbols)] += 1;
        });
        Some(cost_of_counts(&counts, columns))
    }

    /// Cost of the symbols in the contexts of a shape. `None` if too many contexts occur.
    pub(super) fn cost_of_shape(&self, shape: &ContextShape) -> Option<CountedCost> {
        let Channel { index, count } = self.channel;
        let symbols = shape.class_of.len();
        let columns = symbols + 1;
        let mut row_of = vec![u32::MAX; shape.contexts()];
        let mut counts: Vec<u32> = Vec::new();
        let mut filled = &self.sample.filled[..];
        let mut block_contexts = BlockContexts::default();
        for block in &self.sample.blocks {
            let (own, later) = filled.split_at(block.symbols.len());
            filled = later;
            let contexts = block_contexts.of_block(shape, block.first, own);
            let channel = contexts.iter().zip(block.symbols).skip(index).step_by(count);
            for (&context, &symbol) in channel {
                let row = &mut row_of[context as usize];
                if *row == u32::MAX {
                    *row = counts.len() as u32;
                    counts.resize(counts.len() + columns, 0);
                }
                counts[*row as usize + usize::from(symbol).min(symbols)] += 1;
            }
            if counts.len() > MAX_CELLS {
                return None;
            }
        }
        Some(cost_of_counts(&counts, columns))
    }

    /// Calls `act` for each symbol of the channel, with the number of its context after a neighbour
    /// is added.
    #[inline(always)]
    fn for_each(
        &self,
        contexts: &OccurringContexts,
        classes: &SampleClasses,
        distance: u16,
        mut act: impl FnMut(usize, u16),
    ) {
        let Channel { index, count } = self.channel;
        let distance = usize::from(distance);
        let mut contexts = &contexts.of_symbol[..];
        let mut of_filled = &classes.of_filled[..];
        for block in &self.sample.blocks {
            let (own, later) = of_filled.split_at(block.symbols.len());
            of_filled = later;
            let symbols = || block.symbols.iter().skip(index).step_by(count);
            let (own_contexts, later) = contexts.split_at(symbols().len());
            contexts = later;
            let mut act = |context: u32, class: u8, symbol: u16| {
                act(context as usize * classes.classes + usize::from(class), symbol);
            };
            // Neighbours before the block have class 0.
            let outside = distance.saturating_sub(index).div_ceil(count).min(own_contexts.len());
            let (before, after) = own_contexts.split_at(outside);
            for (&context, &symbol) in before.iter().zip(symbols()) {
                act(context, 0, symbol);
            }
            let neighbours = own.iter().skip((index + outside * count).saturating_sub(distance));
            let neighbours = neighbours.step_by(count);
            for ((&context, &symbol), &class) in
                after.iter().zip(symbols().skip(outside)).zip(neighbours)
            {
                act(context, class, symbol);
            }
        }
    }
}

/// Buffers for the contexts of a block.
#[derive(Default)]
struct BlockContexts {
    /// Classes of the symbols, after zeros for those before the block.
    classes: Vec<u8>,
    contexts: Vec<u32>,
}

impl BlockContexts {
    /// Contexts of all symbols of a block, in every channel.
    fn of_block(&mut self, shape: &ContextShape, first: u64, filled: &[u8]) -> &[u32] {
        self.classes.clear();
        self.classes.resize(HISTORY, 0);
        let of_filled = filled.iter().map(|&symbol| shape.class_of[usize::from(symbol)]);
        self.classes.extend(of_filled);
        let mut phase = (first % u64::from(shape.period)) as u32;
        self.contexts.clear();
        self.contexts.extend(filled.iter().map(|_| {
            let own = phase;
            phase = if phase + 1 == shape.period { 0 } else { phase + 1 };
            own
        }));
        for &distance in &shape.distances {
            let neighbours = &self.classes[HISTORY - usize::from(distance)..];
            for (context, &class) in self.contexts.iter_mut().zip(neighbours) {
                *context = *context * shape.classes as u32 + u32::from(class);
            }
        }
        &self.contexts
    }
}

/// Cost of rows of counts. The last count of a row adds to the largest one.
///
/// A context seen once tells nothing: its symbol costs what it costs in all contexts together.
fn cost_of_counts(counts: &[u32], columns: usize) -> CountedCost {
    let (mut bits, mut frequencies) = (0, 0);
    let (mut all, mut once) = (vec![0_u64; columns], vec![0_u64; columns]);
    let term = |n: u32| jackknife_term(n.into()) as i64;
    for row in counts.chunks_exact(columns) {
        let Some((&free, stored)) = row.split_last() else {
            break;
        };
        let (mut sum, mut largest) = (0, 0);
        for (&n, all) in stored.iter().zip(&mut all).filter(|(n, _)| **n > 0) {
            sum += n;
            largest = largest.max(n);
            bits -= term(n);
            frequencies += 1;
            *all += u64::from(n);
        }
        bits += term(largest) - term(largest + free) + term(sum + free);
        if sum == 1 && free == 0 {
            for (&n, once) in stored.iter().zip(&mut once) {
                *once += u64::from(n);
            }
        }
    }
    let sum: u64 = all.iter().sum();
    let cost = |(once, all): (&u64, &u64)| once * (log2(sum) - log2(*all));
    let of_once: u64 = once.iter().zip(&all).map(cost).sum();
    CountedCost { bits: bits.max(0) as u64 + of_once, frequencies }
}

#[cfg(test)]
mod tests {
    use super::{ChannelSample, FilledSample};
    use crate::layout::Layout;
    use crate::models::model::ContextShape;
    use crate::models::sample::SampleBlock;
    use crate::symbols::symbol_layout::{ANY_SYMBOL, Channel, SymbolLayout};

    /// Symbols 0, 1, 2 and some that need not be stored.
    fn symbols(len: u64) -> Vec<u16> {
        let symbol = |i: u64| match i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61 {
            n @ 0..3 => n as u16,
            3 | 4 => ANY_SYMBOL,
            _ => (i % 3) as u16,
        };
        (0..len).map(symbol).collect()
    }

    #[test]
    fn neighbours_one_by_one_cost_what_the_shape_costs() {
        let symbols = symbols(900);
        let blocks = [(0, 0..300), (1800, 300..600), (3000, 600..900)];
        for layout in [Layout::Full, Layout::States] {
            let symbol_layout = SymbolLayout::of(layout);
            let block = |(first, range): &(u64, std::ops::Range<usize>)| SampleBlock {
                first: *first,
                symbols: &symbols[range.clone()],
            };
            let sample =
                FilledSample::by_repetition(blocks.iter().map(block).collect(), symbol_layout);
            let class_of = vec![1, 2, 1];
            let classes = sample.classes(&class_of, 3);
            for channel in Channel::all(symbol_layout) {
                let channel_sample = ChannelSample { sample: &sample, channel };
                for distances in [vec![1], vec![200, 5, 2], vec![299, 300, 301]] {
                    let (&last, before) = distances.split_last().expect("a distance");
                    let mut contexts = channel_sample.phases(5);
                    for &distance in before {
                        let more = channel_sample.with_neighbour(&contexts, &classes, distance);
                        contexts = more.expect("few contexts");
                    }
                    let stepwise = channel_sample.cost_with_neighbour(&contexts, &classes, last);
                    let shape = ContextShape {
                        period: 5,
                        distances,
                        class_of: class_of.clone(),
                        classes: 3,
                    };
                    let at_once = channel_sample.cost_of_shape(&shape);
                    assert!(stepwise.is_some() && stepwise == at_once);
                }
            }
        }
    }
}
