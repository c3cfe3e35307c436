//! Training of the models of a layer, by a sample of its blocks.
//!
//! All arithmetic is in integers, so every machine finds the same models.

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;

use crate::block_history::{BlockExtent, ClassedSymbol, Place, walk};
use crate::frequency_lists::{FrequencyList, LayerScale, SymbolCounts};
use crate::model::{ContextModel, ContextShape};
use crate::models::SymbolModels;
use crate::sample::{SampleBlock, repeat_previous};
use crate::symbol_layout::{ANY_SYMBOL, SymbolLayout};

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
        self.count(&blank, Fill::Before(symbol_layout)).0
    }

    /// Trains models of the same shapes. The symbols that need not be stored are those that
    /// `models` predicts.
    pub(crate) fn retrain(&self, models: &SymbolModels) -> TrainedModels {
        let (models, bits, stored) = self.count(models, Fill::Likeliest(models));
        TrainedModels {
            models,
            table_bytes: (stored >> 8) / 8,
            block_bytes: (bits >> 8) / 8 + 4 * self.sample.len() as u64,
        }
    }

    fn scale(&self) -> LayerScale {
        let counted = self.sample.iter().map(|block| block.symbols.len() as u64);
        LayerScale {
            layer_symbols: self.layer_symbols,
            counted: counted.sum(),
        }
    }

    /// Counts the symbols in each context of `shapes`. Returns a model per channel, and the bits of
    /// all symbols in 1/256.
    fn count(&self, models: &SymbolModels, fill: Fill<'_>) -> (SymbolModels, u64, u64) {
        let symbols = models.symbol_count().max(1);
        let counter = Counter {
            models: models.all(),
            symbols,
            fill,
        };
        let mut built: Vec<ModelBuilder> = Vec::new();
        for (channel, model) in models.all().iter().enumerate() {
            let all = self.count_all(&counter, channel);
            let mut builder = ModelBuilder::new(model.shape().clone(), &all, self.scale());
            let per_pass = self.room / 4 / symbols as u64;
            let contexts = model.shape().contexts();
            let per_pass = usize::try_from(per_pass).map_or(contexts, |n| n.clamp(1, contexts));
            for first in (0..contexts).step_by(per_pass) {
                let range = first..contexts.min(first + per_pass);
                self.count_range(&counter, channel, range.clone(), |table| {
                    for (context, row) in range.zip(table.chunks_exact(symbols)) {
                        builder.add(context, row);
                    }
                });
            }
            builder.finish();
            built.push(builder);
        }
        let bits = built.iter().map(|builder| builder.bits).sum();
        let stored = built.iter().map(|builder| builder.stored).sum();
        let models = built.into_iter().map(|builder| builder.model);
        (SymbolModels::new(models.collect()), bits, stored)
    }

    /// Counts of all symbols of a channel.
    fn count_all(&self, counter: &Counter<'_>, channel: usize) -> Vec<(u8, u32)> {
        let count = |block: &SampleBlock<'_>| {
            let mut counts = [0_u32; 256];
            counter.for_each(block, |place, symbol| {
                counts[usize::from(symbol)] += u32::from(place.channel == channel);
            });
            counts
        };
        let sum = |mut a: [u32; 256], b: [u32; 256]| {
            for (a, b) in a.iter_mut().zip(b) {
                *a += b;
            }
            a
        };
        let counts = self.sample.par_iter().map(count).reduce(|| [0; 256], sum);
        (0..=255).zip(counts).filter(|&(_, n)| n > 0).collect()
    }

    /// Counts in the contexts of a range. As many threads count as `room` allows.
    fn count_range(
        &self,
        counter: &Counter<'_>,
        channel: usize,
        range: Range<usize>,
        take: impl FnOnce(&[u32]),
    ) {
        let cells = range.len() * counter.symbols;
        let threads = (self.room / 4 / cells as u64).clamp(1, rayon::current_num_threads() as u64);
        let share = self.sample.len().div_ceil(threads as usize).max(1);
        let count = |blocks: &[SampleBlock<'_>]| {
            let mut table = vec![0_u32; cells];
            for block in blocks {
                counter.for_each(block, |place, symbol| {
                    if place.channel == channel && range.contains(&place.context) {
                        let row = (place.context - range.start) * counter.symbols;
                        table[row + usize::from(symbol)] += 1;
                    }
                });
            }
            table
        };
        let tables: Vec<Vec<u32>> = self.sample.par_chunks(share).map(count).collect();
        let mut tables = tables.into_iter();
        let mut sum = tables.next().unwrap_or_default();
        for table in tables {
            for (a, b) in sum.iter_mut().zip(table) {
                *a += b;
            }
        }
        take(&sum);
    }
}

/// The contexts in which symbols are counted.
struct Counter<'a> {
    models: &'a [ContextModel],
    /// Number of different symbols, at least 1.
    symbols: usize,
    fill: Fill<'a>,
}

impl Counter<'_> {
    /// Calls `take` for each symbol of a block that counts.
    #[inline(always)]
    fn for_each(&self, block: &SampleBlock<'_>, mut take: impl FnMut(Place<'_>, u8)) {
        match self.fill {
            Fill::Likeliest(models) => models.fill(block.first, block.symbols, take),
            Fill::Before(symbol_layout) => {
                let filled = repeat_previous(block.symbols, symbol_layout);
                let extent = BlockExtent {
                    first: block.first,
                    len: filled.len(),
                };
                let step = |place: Place<'_>| {
                    let symbol = filled[place.index];
                    let class = place.class_of(symbol);
                    if block.symbols[place.index] != ANY_SYMBOL {
                        take(place, symbol);
                    }
                    Ok::<_, Infallible>(ClassedSymbol { symbol, class })
                };
                let Ok(()) = walk(self.models, extent, step);
            }
        }
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
        Self {
            model: ContextModel::new(shape, &all.0),
            all,
            scale,
            next: 0,
            bits: 0,
            stored: 0,
        }
    }

    /// Adds a context by the counts of all symbols.
    fn add(&mut self, context: usize, row: &[u32]) {
        let counts: Vec<(u8, u32)> = (0..=255)
            .zip(row.iter().copied())
            .filter(|&(_, n)| n > 0)
            .collect();
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

    fn finish(&mut self) {
        let contexts = self.model.shape().contexts();
        self.model.skip(contexts - self.next);
    }
}
