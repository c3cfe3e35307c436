//! A sample of a channel, prepared for comparing context shapes.

use crate::log2::log2;
use crate::model::ContextShape;
use crate::sample::{SampleBlock, repeat_previous};
use crate::symbol_layout::{Channel, SymbolLayout};

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
pub(crate) struct ChannelSample<'a> {
    pub(crate) sample: &'a FilledSample<'a>,
    pub(crate) channel: Channel,
}

/// Classes of the symbols of a sample.
pub(crate) struct SampleClasses {
    class_of: Vec<u8>,
    classes: usize,
    /// Class of each filled symbol.
    of_filled: Vec<u8>,
}

/// Contexts that occur, numbered, and the number of the context of each symbol of a channel.
pub(crate) struct OccurringContexts {
    count: usize,
    of_symbol: Vec<u32>,
    /// Number of contexts of the shape.
    pub(crate) possible: usize,
}

/// Cost of the symbols of a sample in the contexts of a shape.
#[derive(Clone, Copy)]
pub(crate) struct CountedCost {
    /// Bits of the symbols, in 1/256, apart from those of the frequencies.
    pub(crate) bits: u64,
    /// Pairs of context and symbol that occur.
    pub(crate) frequencies: u64,
}

impl<'a> FilledSample<'a> {
    pub(crate) fn new(blocks: Vec<SampleBlock<'a>>, symbol_layout: SymbolLayout) -> Self {
        let filled = blocks
            .iter()
            .map(|block| repeat_previous(block.symbols, symbol_layout));
        let filled = filled.flatten().collect();
        Self { blocks, filled }
    }

    /// Number of symbols.
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
    pub(crate) fn classes(&self, class_of: Vec<u8>, classes: usize) -> SampleClasses {
        let of_filled = self
            .filled
            .iter()
            .map(|&symbol| class_of[usize::from(symbol)]);
        SampleClasses {
            of_filled: of_filled.collect(),
            class_of,
            classes,
        }
    }
}

impl ChannelSample<'_> {
    /// The contexts without neighbours.
    pub(crate) fn phases(&self, period: u32) -> OccurringContexts {
        let Channel { index, count } = self.channel;
        let mut of_symbol = Vec::new();
        for block in &self.sample.blocks {
            let ordinals = (block.first..).take(block.symbols.len());
            let ordinals = ordinals.skip(index).step_by(count);
            of_symbol.extend(ordinals.map(|ordinal| (ordinal % u64::from(period)) as u32));
        }
        OccurringContexts {
            count: period as usize,
            of_symbol,
            possible: period as usize,
        }
    }

    /// Adds a neighbour to all contexts. `None` if there are too many.
    pub(crate) fn with_neighbour(
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
        Some(OccurringContexts {
            of_symbol,
            count: count as usize,
            possible: contexts.possible * classes.classes,
        })
    }

    /// Cost of the symbols if a neighbour is added to all contexts. `None` if there are too many
    /// contexts.
    pub(crate) fn cost_with_neighbour(
        &self,
        contexts: &OccurringContexts,
        classes: &SampleClasses,
        distance: u16,
    ) -> Option<CountedCost> {
        // The last column counts the symbols that need not be stored.
        let symbols = classes.class_of.len();
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
                act(
                    context as usize * classes.classes + usize::from(class),
                    symbol,
                );
            };
            // Neighbours before the block have class 0.
            let outside = distance
                .saturating_sub(index)
                .div_ceil(count)
                .min(own_contexts.len());
            let (before, after) = own_contexts.split_at(outside);
            for (&context, &symbol) in before.iter().zip(symbols()) {
                act(context, 0, symbol);
            }
            let neighbours = own
                .iter()
                .skip((index + outside * count).saturating_sub(distance));
            let neighbours = neighbours.step_by(count);
            for ((&context, &symbol), &class) in
                after.iter().zip(symbols().skip(outside)).zip(neighbours)
            {
                act(context, class, symbol);
            }
        }
    }
}

impl SampleClasses {
    /// The shape with these classes.
    pub(crate) fn shape(&self, period: u32, distances: &[u16]) -> ContextShape {
        ContextShape {
            period,
            distances: distances.to_vec(),
            class_of: self.class_of.clone(),
            classes: self.classes,
        }
    }
}

/// Cost of rows of counts. The last count of a row adds to the largest one.
fn cost_of_counts(counts: &[u32], columns: usize) -> CountedCost {
    let (mut bits, mut frequencies) = (0, 0);
    let weighted = |n: u32| (u64::from(n) * log2(n.into())) as i64;
    for row in counts.chunks_exact(columns) {
        let Some((&free, stored)) = row.split_last() else {
            break;
        };
        let (mut sum, mut largest) = (0, 0);
        for &n in stored.iter().filter(|&&n| n > 0) {
            sum += n;
            largest = largest.max(n);
            bits -= weighted(n);
            frequencies += 1;
        }
        bits += weighted(largest) - weighted(largest + free) + weighted(sum + free);
    }
    CountedCost {
        bits: bits.max(0) as u64,
        frequencies,
    }
}
