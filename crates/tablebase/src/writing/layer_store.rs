//! Checkpoints of solves of positions, layer by layer.

use std::fs::File;

use hindsight_core::{Game, PackedGame, Ranked, Tiers, Value};
use hindsight_engine::{CodesInMemory, Error, Layer, LayerCodes, Poll, Store, StoreError};

use super::encoding::{LayerEncoding, SampledRun};
use super::layer_writer::{LayerSections, sampled_runs};
use super::memory::write_layer_memory;
use super::shape::{LayerPiece, LayerShape};
use super::tally::LayerTally;
use crate::address::Address;
use crate::checkpoint::checkpoint_dir::CheckpointDir;
use crate::checkpoint::checkpoint_layer::check_trailer;
use crate::checkpoint::checkpoint_layer::{LayerTrailer, write_layer_file};
use crate::error::TableError;
use crate::layout::Layout;
use crate::reading::decode::decode_layer;
use crate::symbols::restore_plies::layers_for_plies;
use crate::symbols::symbol_layout::SymbolLayout;

/// Memory for coder and index of a layer that is read back, in bytes.
const READ_BYTES: u64 = 16 << 20;

/// Memory for the block that a thread decodes, in bytes.
const READ_BYTES_PER_THREAD: u64 = 1 << 20;

impl CheckpointDir {
    /// Returns the store that a solver of `game` writes its layers to.
    pub fn layer_store<'a>(&'a self, game: &'a PackedGame) -> impl Store {
        CheckpointLayerStore { checkpoint: self, game, memory: u64::MAX }
    }
}

/// Store of a solver's layers: a file of a [`CheckpointDir`] each.
#[derive(Debug)]
struct CheckpointLayerStore<'a> {
    checkpoint: &'a CheckpointDir,
    game: &'a PackedGame,
    /// Memory allowed for writing, besides the layer, in bytes.
    memory: u64,
}

impl CheckpointLayerStore<'_> {
    /// Memory for the layers that are decoded with a layer, in bytes.
    fn other_layers_memory(&self, layer: u32) -> u64 {
        let layers = layers_for_plies(self.game, layer, self.checkpoint.layout());
        let sizes = layers.into_iter().map(|layer| {
            let mut tiers = Vec::new();
            self.game.tiers(layer, &mut tiers);
            let ranks = tiers.iter().map(|&tier| self.game.tier_len(tier));
            ranks.fold(16 * tiers.len() as u64, u64::saturating_add)
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// Opens the file of a layer, and checks its trailer against the game.
    fn checked_trailer(&self, layer: u32) -> Result<(LayerTrailer, File), TableError> {
        let (trailer, file) = self.checkpoint.layer_trailer(layer)?;
        let start = self.game.rank(self.game.start()).map(|(tier, rank)| Address { tier, rank });
        check_trailer(&trailer, self.game, start, self.checkpoint.layout())?;
        Ok((trailer, file))
    }
}

impl Store for CheckpointLayerStore<'_> {
    fn takes(&self, layer: u32, ranks: u64, tiers: u64) -> u64 {
        let threads = rayon::current_num_threads();
        let writing = write_layer_memory(ranks, tiers, self.checkpoint.layout(), threads);
        if matches!(self.checkpoint.has_layer(layer), Ok(true)) {
            // Models and blocks need no more memory than in writing, and there is no sample.
            let reading =
                writing.min(32 * tiers + READ_BYTES + threads as u64 * READ_BYTES_PER_THREAD);
            return reading + self.other_layers_memory(layer);
        }
        writing
    }

    fn allow(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error> {
        let codes = &layer.codes;
        self.put_pieces(layer, &mut CodesInMemory { codes, poll })
    }

    fn rounds(&self) -> u64 {
        // Values are counted before they are encoded.
        2
    }

    fn put_pieces(&mut self, layer: &Layer, codes: &mut dyn LayerCodes) -> Result<(), Error> {
        let layout = self.checkpoint.layout();
        layout.check_content(Layout::Full).map_err(store_error)?;
        let shape = LayerShape::new(self.game, layer).map_err(store_error)?;
        let (tally, runs) = count_and_sample(shape, &layer.palette, codes)?;
        let encoding = LayerEncoding::new(shape, layout, &tally).map_err(store_error)?;
        let coder = encoding.choose_coder_by_codes(runs, &layer.palette, self.memory);
        let coder = coder.map_err(store_error)?;
        let mut refused = None;
        let put = self.checkpoint.put_layer(layer.layer, |out| {
            write_layer_file(out, encoding.identity(), |out| {
                let block_ranks = coder.block_ranks(encoding.alphabet().symbol_layout);
                let coder_bytes = coder.to_bytes()?;
                let mut sections = LayerSections::new(out, &coder_bytes, block_ranks);
                let written = codes.for_each_piece(&mut |first, codes| {
                    let piece = LayerPiece { first, codes, palette: &layer.palette };
                    Ok(encoding.put_piece(piece, &coder, &mut sections)?)
                });
                if let Err(error) = written {
                    refused = Some(error);
                    return Err(TableError::Stopped);
                }
                Ok(encoding.info(sections.finish()?))
            })
        });
        match (refused, put) {
            (Some(Error::Store(error)), Err(_)) => Err(Error::Store(error)),
            (Some(error), Err(_)) => Err(error),
            (_, put) => put.map_err(store_error),
        }
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        match self.checked_trailer(layer) {
            Ok(_) => Ok(true),
            Err(TableError::MissingLayer(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let layout = self.checkpoint.layout();
        let open = |layer| {
            let (trailer, file) = self.checked_trailer(layer)?;
            Ok(trailer.layer_file(file, layout))
        };
        Ok(decode_layer(self.game, layer, layout, &open)?)
    }
}

fn store_error(error: TableError) -> Error {
    Error::Store(error.into())
}

/// Counts the values of a layer, and returns the codes of the runs by which its coder is chosen.
fn count_and_sample(
    shape: LayerShape<'_>,
    palette: &[Option<Value>],
    codes: &mut dyn LayerCodes,
) -> Result<(LayerTally, Vec<SampledRun>), Error> {
    let mut tally = LayerTally::default();
    let mut wanted = sampled_runs(shape.ranks(), SymbolLayout::of(Layout::Full)).peekable();
    let mut runs = Vec::new();
    codes.for_each_piece(&mut |first, codes| {
        let piece = LayerPiece { first, codes, palette };
        piece.check(&shape)?;
        tally.merge(&LayerTally::count_on_all_threads(&shape, piece));
        while let Some(run) = wanted.next_if(|&run| shape.run(run).end <= piece.ordinals().end) {
            runs.push(SampledRun { number: run, codes: piece.part(shape.run(run)).codes.to_vec() });
        }
        Ok(())
    })?;
    Ok((tally, runs))
}
