//! Training of the models of a layer, by a sample of its blocks.
//!
//! All arithmetic is in integers, so every machine finds the same models.

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;

use super::SymbolModels;
use super::block_history::{BlockExtent, BlockStep, ClassedSymbol, Place, walk};
use super::frequency_lists::{FrequencyList, LayerScale, SymbolCounts};
use super::model::{ContextModel, ContextShape};
use super::sample::{SampleBlock, repeat_previous};
use crate::symbols::symbol_layout::{ANY_SYMBOL, SymbolLayout};

/// Models, with their cost in bytes: the models themselves, and the sample's blocks.
pub(crate) struct TrainedModels {
    pub(crate) models: SymbolModels,
    pub(crate) table_bytes: u64,
    pub(crate) block_bytes: u64,
}

/// Memory for counts that is used in any case, in bytes.
pub(crate) const MIN_COUNTING_BYTES: u64 = 1 << 24;

/// Way in which the symbols that need not be stored are replaced.
#[derive(Clone, Copy)]
enum Fill<'a> {
    /// By the symbol before, and they are not counted.
    Before(SymbolLayout),
    /// By the likeliest symbol of these models.
    Likeliest(&'a SymbolModels),
}

/// Blocks to be counted.
#[derive(Clone, Copy)]
pub(crate) struct Training<'a> {
    pub(crate) sample: &'a [SampleBlock<'a>],
    pub(crate) layer_symbols: u64,
    /// Memory for counting, in bytes. With less, counting takes longer and finds the same models.
    pub(crate) room: u64,
}

impl Training<'_> {
    /// Trains models of these shapes. The symbols that need not be stored are not counted, and not
    /// predicted well.
    pub(crate) fn train_roughly(
        &self,
        shapes: Vec<ContextShape>,
        symbol_layout: SymbolLayout,
    ) -> SymbolModels {
        let blank = shapes.into_iter().map(|shape| {
            let contexts = shape.contexts();
            let mut model = ContextModel::new(shape, &[]);
            model.skip(contexts);
            model
        });
        let blank = SymbolModels::new(blank.collect());
        self.count(&blank, Fill::Before(symbol_layout)).models
    }

    /// Trains models of the same shapes. The symbols that need not be stored are those that
    /// `models` predicts.
    pub(crate) fn retrain(&self, models: &SymbolModels) -> TrainedModels {
        self.count(models, Fill::Likeliest(models))
    }

    fn scale(&self) -> LayerScale {
        let counted = self.sample.iter().map(|block| block.symbols.len() as u64);
        LayerScale { layer_symbols: self.layer_symbols, counted: counted.sum() }
    }

    /// Counts the symbols in each context of the models' shapes, in one pass over the sample if
    /// `room` allows.
    fn count(&self, models: &SymbolModels, fill: Fill<'_>) -> TrainedModels {
        let counter = Counter { models: models.all(), symbols: models.symbol_count().max(1), fill };
        let passes = counter.passes(self.room / 4);
        let scale = self.scale();
        let builder = |(model, all): (&ContextModel, Vec<u32>)| {
            ModelBuilder::new(model.shape().clone(), &counts_of_row(&all), scale)
        };
        let builders = |all: Vec<Vec<u32>>| models.all().iter().zip(all).map(builder).collect();
        let mut built: Vec<ModelBuilder>;
        if let [pass] = &passes[..] {
            let table = self.count_pass(&counter, pass);
            built = builders(counter.sums(pass, &table));
            counter.take_pass(pass, &table, &mut built);
        } else {
            built = builders(self.count_all(&counter));
            for pass in &passes {
                let table = self.count_pass(&counter, pass);
                counter.take_pass(pass, &table, &mut built);
            }
        }
        TrainedModels {
            table_bytes: (built.iter().map(|builder| builder.stored).sum::<u64>() >> 8) / 8,
            block_bytes: (built.iter().map(|builder| builder.bits).sum::<u64>() >> 8) / 8
                + 4 * self.sample.len() as u64,
            models: SymbolModels::new(built.into_iter().map(ModelBuilder::finish).collect()),
        }
    }

    /// Counts of all symbols of each channel.
    fn count_all(&self, counter: &Counter<'_>) -> Vec<Vec<u32>> {
        let symbols = counter.symbols;
        let counts = self.count_in_parallel(counter, counter.models.len() * symbols, |place, _| {
            Some(place.channel * symbols)
        });
        counts.chunks_exact(symbols).map(<[u32]>::to_vec).collect()
    }

    fn count_pass(&self, counter: &Counter<'_>, pass: &[CountedContexts]) -> Vec<u32> {
        let contexts = pass.iter().map(|counted| counted.contexts.len());
        let cells = contexts.sum::<usize>() * counter.symbols;
        self.count_in_parallel(counter, cells, |place, symbols| {
            let CountedContexts { contexts, row } = &pass[place.channel];
            let index = place.context.wrapping_sub(contexts.start);
            (index < contexts.len()).then(|| (row + index) * symbols)
        })
    }

    /// Counts in a table of `cells` cells; `row_of` has the first cell of a context. As many
    /// threads count as `room` allows.
    fn count_in_parallel(
        &self,
        counter: &Counter<'_>,
        cells: usize,
        row_of: impl Fn(&Place<'_>, usize) -> Option<usize> + Sync,
    ) -> Vec<u32> {
        let threads = (self.room / 4 / cells as u64).clamp(1, rayon::current_num_threads() as u64);
        let share = self.sample.len().div_ceil(threads as usize).max(1);
        let count = |blocks: &[SampleBlock<'_>]| {
            let mut table = vec![0_u32; cells];
            for block in blocks {
                counter.for_each(block, |place, symbol| {
                    if let Some(row) = row_of(&place, counter.symbols) {
                        table[row + usize::from(symbol)] += 1;
                    }
                });
            }
            table
        };
        let tables: Vec<Vec<u32>> = self.sample.par_chunks(share).map(count).collect();
        let mut tables = tables.into_iter();
        let mut sum = tables.next().unwrap_or_else(|| vec![0; cells]);
        for table in tables {
            for (a, b) in sum.iter_mut().zip(table) {
                *a += b;
            }
        }
        sum
    }
}

/// Contexts of a channel that are counted in a pass.
#[derive(Clone)]
struct CountedContexts {
    contexts: Range<usize>,
    /// Number of the first context's row in the table.
    row: usize,
}

/// Pairs of symbol and count, of the symbols that occur.
fn counts_of_row(row: &[u32]) -> Vec<(u8, u32)> {
    let counts = (0..=255).zip(row.iter().copied());
    counts.filter(|&(_, n)| n > 0).collect()
}

/// The contexts in which symbols are counted.
struct Counter<'a> {
    models: &'a [ContextModel],
    /// Number of different symbols, at least 1.
    symbols: usize,
    fill: Fill<'a>,
}

impl Counter<'_> {
    /// Divides the contexts of all channels among passes of at most `cells` cells, if one context
    /// has no more. A pass has an entry for each channel.
    fn passes(&self, cells: u64) -> Vec<Vec<CountedContexts>> {
        let rows = usize::try_from(cells / self.symbols as u64).unwrap_or(usize::MAX).max(1);
        let mut begins = vec![0; self.models.len()];
        let mut passes = Vec::new();
        loop {
            let mut row = 0;
            let pass = self.models.iter().zip(&mut begins).map(|(model, begin)| {
                let end = model.shape().contexts().min(*begin + (rows - row));
                let contexts = std::mem::replace(begin, end)..end;
                let counted = CountedContexts { contexts, row };
                row += counted.contexts.len();
                counted
            });
            let pass: Vec<CountedContexts> = pass.collect();
            if row == 0 {
                return passes;
            }
            passes.push(pass);
        }
    }

    /// Sums of the counts of each channel, all of whose contexts are counted in `pass`.
    fn sums(&self, pass: &[CountedContexts], table: &[u32]) -> Vec<Vec<u32>> {
        let sum = |counted: &CountedContexts| {
            let mut sums = vec![0; self.symbols];
            for row in self.rows(counted, table) {
                for (sum, n) in sums.iter_mut().zip(row) {
                    *sum += n;
                }
            }
            sums
        };
        pass.iter().map(sum).collect()
    }

    /// Rows of a channel's contexts.
    fn rows<'t>(
        &self,
        counted: &CountedContexts,
        table: &'t [u32],
    ) -> impl Iterator<Item = &'t [u32]> + use<'t> {
        let rows = table[counted.row * self.symbols..].chunks_exact(self.symbols);
        rows.take(counted.contexts.len())
    }

    fn take_pass(&self, pass: &[CountedContexts], table: &[u32], built: &mut [ModelBuilder]) {
        let channels: Vec<_> = pass.iter().zip(built).collect();
        channels.into_par_iter().for_each(|(counted, builder)| {
            for (context, row) in counted.contexts.clone().zip(self.rows(counted, table)) {
                builder.add(context, row);
            }
        });
    }

    /// Calls `take` for each symbol of a block that counts.
    #[inline(always)]
    fn for_each(&self, block: &SampleBlock<'_>, take: impl FnMut(Place<'_>, u8)) {
        match self.fill {
            Fill::Likeliest(models) => models.fill(block.first, block.symbols, take),
            Fill::Before(symbol_layout) => {
                let filled = repeat_previous(block.symbols, symbol_layout);
                let extent = BlockExtent { first: block.first, len: filled.len() };
                let follower = Follower { block, filled: &filled, take };
                let Ok(_) = walk(self.models, extent, follower);
            }
        }
    }
}

/// Worker that calls `take` for each symbol that must be stored.
struct Follower<'a, F> {
    block: &'a SampleBlock<'a>,
    /// All symbols of the block.
    filled: &'a [u8],
    take: F,
}

impl<F: FnMut(Place<'_>, u8)> BlockStep for Follower<'_, F> {
    type Error = Infallible;

    #[inline(always)]
    fn step(&mut self, place: Place<'_>) -> Result<ClassedSymbol, Infallible> {
        let symbol = self.filled[place.index];
        let class = place.class_of(symbol);
        if self.block.symbols[place.index] != ANY_SYMBOL {
            (self.take)(place, symbol);
        }
        Ok(ClassedSymbol { symbol, class })
    }
}

/// A model that grows context by context.
struct ModelBuilder {
    model: ContextModel,
    /// List for the contexts without a list of their own.
    all: FrequencyList,
    scale: LayerScale,
    next: usize,
    bits: u64,
    stored: u64,
}

impl ModelBuilder {
    fn new(shape: ContextShape, all: &SymbolCounts, scale: LayerScale) -> Self {
        let all = FrequencyList::of_counts(all, scale);
        Self { model: ContextModel::new(shape, &all.0), all, scale, next: 0, bits: 0, stored: 0 }
    }

    /// Adds a context by the counts of all symbols.
    fn add(&mut self, context: usize, row: &[u32]) {
        let counts = counts_of_row(row);
        if counts.is_empty() {
            return;
        }
        let own = FrequencyList::of_counts(&counts, self.scale);
        if own.pays(&self.all, &counts, self.scale) {
            self.model.skip(context - self.next);
            self.model.push(&own.0);
            self.next = context + 1;
            self.bits += own.bits(&counts);
            self.stored += own.stored_bits();
        } else {
            self.bits += self.all.bits(&counts);
        }
    }

    fn finish(mut self) -> ContextModel {
        let contexts = self.model.shape().contexts();
        self.model.skip(contexts - self.next);
        self.model
    }
}
