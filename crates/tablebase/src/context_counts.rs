//! Counts of the symbols in each context of a sample, in bounded memory.

use std::ops::Range;

use crate::model::{ContextShape, Contexts};
use crate::sample::FilledBlock;
use crate::symbol_layout::Channel;

/// A shape, and the sample to be counted by it.
pub(crate) struct ContextCounter<'a> {
    pub(crate) shape: &'a ContextShape,
    pub(crate) blocks: &'a [FilledBlock],
    /// Memory for counts, in bytes.
    pub(crate) room: u64,
    pub(crate) channel: Channel,
}

/// Memory for counts that is used in any case, in bytes, unless the sample needs less.
const MIN_COUNTING_BYTES: u64 = 1 << 24;

/// Least memory in which `symbols` symbols can be counted, in bytes.
pub(crate) fn minimum_room(symbols: u64) -> u64 {
    MIN_COUNTING_BYTES.min(4 * symbols)
}

/// Most memory that counting uses, in bytes: a table of all counts, or a list of the channel's
/// symbols if that is smaller.
pub(crate) fn max_counting_bytes(shape: &ContextShape, symbols: u64) -> u64 {
    4 * (table_length(shape) as u64).min(symbols)
}

fn table_length(shape: &ContextShape) -> usize {
    shape.contexts() * symbols_in(shape)
}

fn symbols_in(shape: &ContextShape) -> usize {
    shape.class_of.len().max(1)
}

impl ContextCounter<'_> {
    /// Calls `take` for every context that occurs, in ascending order, with the counts of its
    /// symbols. Counts only the symbols for which `counted(block, index in the block)` is true.
    pub(crate) fn for_each_context(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let bytes = max_counting_bytes(self.shape, self.channel_symbols());
        let sorts = bytes < 4 * table_length(self.shape) as u64;
        if sorts && bytes <= self.room {
            self.count_by_sorting(counted, take);
        } else {
            self.count_in_passes(counted, take);
        }
    }

    /// Upper bound for the symbols of the channel.
    pub(crate) fn channel_symbols(&self) -> u64 {
        let symbols = self.blocks.iter().map(|block| block.symbols.len() as u64);
        symbols.sum::<u64>().div_ceil(self.channel.count as u64)
    }

    /// Counts in a table of as many contexts as fit into `room`, in several passes over the sample.
    fn count_in_passes(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let (contexts, symbols) = (self.shape.contexts(), symbols_in(self.shape));
        let per_pass = self.room / 4 / symbols as u64;
        let per_pass = usize::try_from(per_pass).map_or(contexts, |n| n.clamp(1, contexts.max(1)));
        let mut table = vec![0_u32; per_pass * symbols];
        for first in (0..contexts).step_by(per_pass) {
            table.fill(0);
            let range = first..contexts.min(first + per_pass);
            self.visit_cells(range, &counted, |cell| table[cell] += 1);
            let mut counts = Vec::new();
            for (context, row) in (first..).zip(table.chunks(symbols)) {
                counts.clear();
                let row = (0..=255).zip(row).filter(|(_, n)| **n > 0);
                counts.extend(row.map(|(symbol, &n)| (symbol, n)));
                if !counts.is_empty() {
                    take(context, &counts);
                }
            }
        }
    }

    /// Counts by sorting a list of all pairs of context and symbol.
    fn count_by_sorting(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let symbols = symbols_in(self.shape);
        let mut cells: Vec<u32> = Vec::with_capacity(self.channel_symbols() as usize);
        // A shape with 2^32 pairs or more is never tried.
        self.visit_cells(0..self.shape.contexts(), counted, |cell| {
            cells.push(cell as u32)
        });
        cells.sort_unstable();
        let mut counts = Vec::new();
        for context_cells in cells.chunk_by(|&a, &b| a as usize / symbols == b as usize / symbols) {
            counts.clear();
            let runs = context_cells.chunk_by(|a, b| a == b);
            counts.extend(runs.map(|run| ((run[0] as usize % symbols) as u8, run.len() as u32)));
            take(context_cells[0] as usize / symbols, &counts);
        }
    }

    /// Calls `take` for each counted symbol whose context lies in `range`, with its index in a
    /// table: `(context - range.start) * symbols + symbol`.
    #[inline]
    fn visit_cells(
        &self,
        range: Range<usize>,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize),
    ) {
        let symbols = symbols_in(self.shape);
        for (number, block) in self.blocks.iter().enumerate() {
            let mut contexts = Contexts::new(self.shape, block.first, block.symbols.len());
            for (i, &symbol) in block.symbols.iter().enumerate() {
                if counted(number, i) {
                    let context = contexts.next();
                    if range.contains(&context) {
                        take((context - range.start) * symbols + usize::from(symbol));
                    }
                }
                contexts.push(symbol);
            }
        }
    }
}
