//! Counts of each symbol in each context of a sample, in as little memory as there is.

use std::ops::Range;

use crate::grain::Plane;
use crate::model::{Contexts, Shape};
use crate::train::Filled;

/// Shapes and samples to be counted.
pub(crate) struct Counting<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) filled: &'a [Filled],
    /// Bytes for counts.
    pub(crate) room: u64,
    pub(crate) plane: Plane,
}

/// Bytes of counts, below which contexts are counted in turns only if there is no room for more.
const FEW_TURNS: u64 = 1 << 24;

/// The least bytes in which so many symbols can be counted.
pub(crate) fn least_room(symbols: u64) -> u64 {
    FEW_TURNS.min(4 * symbols)
}

/// The most bytes that counting takes, if there is room: a table of all counts, or where that is smaller a
/// list of the symbols of a plane.
pub(crate) fn most_bytes(shape: &Shape, symbols: u64) -> u64 {
    4 * (table_length(shape) as u64).min(symbols)
}

fn table_length(shape: &Shape) -> usize {
    shape.contexts() * symbols_of(shape)
}

fn symbols_of(shape: &Shape) -> usize {
    shape.class_of.len().max(1)
}

impl Counting<'_> {
    /// Hands over every context that occurs, in order, with its symbols and how often each follows. Of some
    /// symbols only, told by their block and their place in it.
    pub(crate) fn each(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let bytes = most_bytes(self.shape, self.symbols());
        let is_list = bytes < 4 * table_length(self.shape) as u64;
        if is_list && bytes <= self.room {
            self.each_of_list(counted, take);
        } else {
            self.each_in_turns(counted, take);
        }
    }

    /// Symbols of the plane at most.
    pub(crate) fn symbols(&self) -> u64 {
        let symbols = self.filled.iter().map(|part| part.symbols.len() as u64);
        symbols.sum::<u64>().div_ceil(self.plane.planes as u64)
    }

    /// By a table of the contexts that there is room for, then of the next.
    fn each_in_turns(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let (contexts, symbols) = (self.shape.contexts(), symbols_of(self.shape));
        let at_once = self.room / 4 / symbols as u64;
        let at_once = usize::try_from(at_once).map_or(contexts, |n| n.clamp(1, contexts.max(1)));
        let mut table = vec![0_u32; at_once * symbols];
        for first in (0..contexts).step_by(at_once) {
            table.fill(0);
            let range = first..contexts.min(first + at_once);
            self.count(range, &counted, |at| table[at] += 1);
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
    fn each_of_list(
        &self,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize, &[(u8, u32)]),
    ) {
        let symbols = symbols_of(self.shape);
        let mut met: Vec<u32> = Vec::with_capacity(self.symbols() as usize);
        // Shapes have less than 2^32 counts, or are not tried.
        self.count(0..self.shape.contexts(), counted, |at| met.push(at as u32));
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
    fn count(
        &self,
        range: Range<usize>,
        counted: impl Fn(usize, usize) -> bool,
        mut take: impl FnMut(usize),
    ) {
        let symbols = symbols_of(self.shape);
        for (of, block) in self.filled.iter().enumerate() {
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
