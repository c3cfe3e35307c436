//! Counts of each symbol in each context of a sample, in as little memory as there is.

use std::ops::Range;

use crate::model::{ContextShape, Contexts};
use crate::symbol_layout::Channel;
use crate::training::FilledRun;

/// Shapes and samples to be counted.
pub(crate) struct ContextCounter<'a> {
    pub(crate) shape: &'a ContextShape,
    pub(crate) runs: &'a [FilledRun],
    /// Bytes for counts.
    pub(crate) room: u64,
    pub(crate) plane: Channel,
}

/// Bytes of counts, below which contexts are counted in turns only if there is no room for more.
const ENOUGH_ROOM: u64 = 1 << 24;

/// The least bytes in which so many symbols can be counted.
pub(crate) fn minimum_room(symbols: u64) -> u64 {
    ENOUGH_ROOM.min(4 * symbols)
}

/// The most bytes that counting takes, if there is room: a table of all counts, or where that is smaller a
/// list of the symbols of a plane.
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
    /// Hands over every context that occurs, in order, with its symbols and how often each follows. Of some
    /// symbols only, told by their block and their place in it.
    pub(crate) fn for_each_context(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let bytes = max_counting_bytes(self.shape, self.channel_symbols());
        let is_list = bytes < 4 * table_length(self.shape) as u64;
        if is_list && bytes <= self.room {
            self.count_by_sorting(counted, take);
        } else {
            self.count_in_turns(counted, take);
        }
    }

    /// Symbols of the plane at most.
    pub(crate) fn channel_symbols(&self) -> u64 {
        let symbols = self.runs.iter().map(|part| part.symbols.len() as u64);
        symbols.sum::<u64>().div_ceil(self.plane.count as u64)
    }

    /// By a table of the contexts that there is room for, then of the next.
    fn count_in_turns(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let (contexts, symbols) = (self.shape.contexts(), symbols_in(self.shape));
        let at_once = self.room / 4 / symbols as u64;
        let at_once = usize::try_from(at_once).map_or(contexts, |n| n.clamp(1, contexts.max(1)));
        let mut table = vec![0_u32; at_once * symbols];
        for first in (0..contexts).step_by(at_once) {
            table.fill(0);
            let range = first..contexts.min(first + at_once);
            self.visit_cells(range, &counted, |at| table[at] += 1);
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

    /// By a list of what was met, sorted.
    fn count_by_sorting(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let symbols = symbols_in(self.shape);
        let mut met: Vec<u32> = Vec::with_capacity(self.channel_symbols() as usize);
        // Shapes have less than 2^32 counts, or are not tried.
        self.visit_cells(0..self.shape.contexts(), counted, |at| met.push(at as u32));
        met.sort_unstable();
        let mut counts = Vec::new();
        for of_context in met.chunk_by(|&a, &b| a as usize / symbols == b as usize / symbols) {
            counts.clear();
            let runs = of_context.chunk_by(|a, b| a == b);
            counts.extend(runs.map(|run| ((run[0] as usize % symbols) as u8, run.len() as u32)));
            take(of_context[0] as usize / symbols, &counts);
        }
    }

    /// Hands over the place in a table of a range of contexts for each symbol that counts.
    #[inline]
    fn visit_cells(
        &self,
        range: Range<usize>,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize),
    ) {
        let symbols = symbols_in(self.shape);
        for (of, block) in self.runs.iter().enumerate() {
            let mut contexts = Contexts::new(self.shape, block.first, block.symbols.len());
            for (i, &symbol) in block.symbols.iter().enumerate() {
                if counted(of, i) {
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
