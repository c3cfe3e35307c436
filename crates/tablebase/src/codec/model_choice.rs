//! Choice of the models of a layer, by a sample.

use rayon::prelude::*;

use super::coder::MIN_MODEL_SYMBOLS;
use super::zstd_blocks::{QUICK_LEVEL, encode_zstd};
use crate::error::TableError;
use crate::models::SymbolModels;
use crate::models::block_history::HISTORY;
use crate::models::model::max_model_memory;
use crate::models::sample::{SampleBlock, SampleRun};
use crate::models::shape_sample::{FilledSample, comparison_bytes};
use crate::models::shape_search::{ChannelSearch, Narrowing, SearchSetting, max_contexts};
use crate::models::training::{MIN_COUNTING_BYTES, TrainedModels, Training};
use crate::symbols::symbol_layout::{Alphabet, Channel};

/// Fewest blocks of a part of the sample.
const MIN_BLOCKS: usize = 8;

/// Part of the sample by which shapes are compared.
#[derive(Clone, Copy)]
struct SearchPart {
    /// Ratio of the blocks of the sample to those of the part.
    step: usize,
    /// Blocks at most.
    most: usize,
}

/// Part by which many shapes are compared.
const COARSE: SearchPart = SearchPart { step: 48, most: 128 };

/// Part by which the best shapes of the coarse part are compared.
const MEDIUM: SearchPart = SearchPart { step: 12, most: 512 };

/// Part by which the best shapes of the medium part are compared.
const FINE: SearchPart = SearchPart { step: 3, most: 4096 };

/// Runs by which zstd is compared with models.
const ZSTD_RUNS: usize = 64;

/// Approximate bytes of a block's entry in the index.
const INDEX_ENTRY_BYTES: u128 = 10;

/// Least memory besides the sample in which the models of a layer of `layer_symbols` symbols are
/// chosen, in bytes.
pub(crate) fn minimum_room(layer_symbols: u64, channels: u64) -> u64 {
    if layer_symbols < MIN_MODEL_SYMBOLS {
        return 0;
    }
    let symbols = |part: SearchPart| layer_symbols.min((part.most * HISTORY) as u64);
    let search = comparison_bytes(symbols(COARSE)) + symbols(MEDIUM) + symbols(FINE);
    search.max(MIN_COUNTING_BYTES) + training_memory(layer_symbols, channels)
}

/// Memory of the models during training, each of which is trained by another one.
fn training_memory(layer_symbols: u64, channels: u64) -> u64 {
    2 * channels * max_model_memory(max_contexts(layer_symbols))
}

/// Models that are being chosen.
pub(super) struct ModelChoice<'a> {
    pub(crate) sample: &'a [SampleRun],
    pub(crate) alphabet: Alphabet<'a>,
    /// Candidates for periods.
    pub(crate) periods: &'a [u32],
    pub(crate) layer_symbols: u64,
    /// Memory in bytes. Less than [`minimum_room`] counts as that.
    pub(crate) room: u64,
}

impl ModelChoice<'_> {
    /// Returns the best models, unless zstd makes the layer clearly smaller: zstd encodes thirty
    /// times as slowly.
    pub(super) fn models_if_better(&self) -> Result<Option<SymbolModels>, TableError> {
        match self.train() {
            Some(trained)
                if 15 * self.model_bytes(&trained) < 16 * self.zstd_bytes(&trained)? =>
            {
                Ok(Some(trained.models))
            }
            _ => Ok(None),
        }
    }

    /// Trains models by the sample. `None` if no shape can be compared.
    fn train(&self) -> Option<TrainedModels> {
        let symbol_layout = self.alphabet.symbol_layout;
        let runs = self.sample.iter();
        let blocks: Vec<SampleBlock<'_>> = runs.flat_map(|run| run.blocks(symbol_layout)).collect();
        let searches = self.search(&blocks)?;
        let half: Vec<SampleBlock<'_>> = blocks.iter().copied().step_by(2).collect();
        let models = self.rough_models(&searches, &half);
        Some(self.training(&blocks).retrain(&models))
    }

    /// Searches for the shape of each channel's contexts.
    fn search(&self, blocks: &[SampleBlock<'_>]) -> Option<Vec<ChannelSearch>> {
        let sampled = blocks.iter().map(|block| block.symbols.len() as u64);
        let setting = SearchSetting {
            symbols: self.alphabet.symbols,
            periods: self.periods,
            layer_symbols: self.layer_symbols,
            frequency_sample: sampled.sum(),
            room: self.room(),
        };
        let [coarse, medium, fine] = [COARSE, MEDIUM, FINE].map(|part| {
            let wanted = blocks.len().div_ceil(part.step);
            let step = blocks.len().div_ceil(wanted.clamp(MIN_BLOCKS, part.most));
            blocks.iter().copied().step_by(step).collect::<Vec<_>>()
        });
        let sample = FilledSample::by_repetition(coarse, self.alphabet.symbol_layout);
        let channels = Channel::all(self.alphabet.symbol_layout);
        let searches = channels.map(|channel| ChannelSearch::new(&sample, channel, setting));
        let mut searches: Vec<ChannelSearch> = searches.collect::<Option<_>>()?;
        for (part, narrowing) in [(&medium, Narrowing::First), (&fine, Narrowing::Last)] {
            let models = self.rough_models(&searches, &medium);
            let sample = FilledSample::by_models(part, &models);
            drop(models);
            for search in &mut searches {
                search.narrow(&sample, setting, narrowing);
            }
        }
        Some(searches)
    }

    /// Trains models of the best shapes so far by some blocks.
    fn rough_models(&self, searches: &[ChannelSearch], part: &[SampleBlock<'_>]) -> SymbolModels {
        let shapes = searches.iter().map(ChannelSearch::best_shape).collect();
        let training = self.training(part);
        let models = training.train_roughly(shapes, self.alphabet.symbol_layout);
        training.retrain(&models).models
    }

    fn training<'s>(&self, sample: &'s [SampleBlock<'s>]) -> Training<'s> {
        let channels = self.alphabet.symbol_layout.channels() as u64;
        Training {
            sample,
            layer_symbols: self.layer_symbols,
            room: self.room() - training_memory(self.layer_symbols, channels),
        }
    }

    fn room(&self) -> u64 {
        let channels = self.alphabet.symbol_layout.channels() as u64;
        self.room.max(minimum_room(self.layer_symbols, channels))
    }

    /// Estimated bytes of the layer with models.
    fn model_bytes(&self, trained: &TrainedModels) -> u128 {
        let index = self.index_bytes(self.alphabet.symbol_layout.model_block());
        u128::from(trained.table_bytes) + self.model_block_bytes(trained) + index
    }

    /// Estimated bytes of the layer's blocks with models.
    fn model_block_bytes(&self, trained: &TrainedModels) -> u128 {
        let sample = self.sample.iter().map(|run| run.symbols.len() as u128);
        u128::from(trained.block_bytes) * u128::from(self.layer_symbols)
            / sample.sum::<u128>().max(1)
    }

    /// Estimated bytes of the layer with zstd.
    ///
    /// Some runs tell how many bytes zstd takes for each byte of the models. Runs differ too much
    /// for their bytes alone to tell: some have holes only.
    fn zstd_bytes(&self, trained: &TrainedModels) -> Result<u128, TableError> {
        let symbol_layout = self.alphabet.symbol_layout;
        let step = self.sample.len().div_ceil(ZSTD_RUNS).max(1);
        let few: Vec<&SampleRun> = self.sample.iter().step_by(step).collect();
        let bytes = few.par_iter().map(|run| {
            let (mut quick, mut by_models) = (Vec::new(), Vec::new());
            encode_zstd(&run.symbols, symbol_layout, QUICK_LEVEL, &mut quick)?;
            for block in run.blocks(symbol_layout) {
                let models = &trained.models;
                models.encode(block.first, block.symbols, &mut by_models);
            }
            Ok((quick.len() as u128, by_models.len() as u128))
        });
        let bytes: Vec<(u128, u128)> = bytes.collect::<Result<_, TableError>>()?;
        let quick: u128 = bytes.iter().map(|&(quick, _)| quick).sum();
        let by_models: u128 = bytes.iter().map(|&(_, by_models)| by_models).sum();
        let blocks = self.model_block_bytes(trained) * quick / by_models.max(1);
        Ok(blocks * 7 / 8 + self.index_bytes(symbol_layout.zstd_block()))
    }

    fn index_bytes(&self, block: usize) -> u128 {
        u128::from(self.layer_symbols) * INDEX_ENTRY_BYTES / block as u128
    }
}
