//! Encoding of a layer of positions, from its counts to its blocks.

use std::io::Write;
use std::ops::Range;

use hindsight_core::{Packed, Ranked, Tiers, Value};
use hindsight_engine::parallel;

use super::layer_counts::LayerCounts;
use super::layer_writer::{
    self, LayerSections, SymbolSource, WrittenLayer, choose_coder, encode_block, sampled_runs,
};
use super::memory::WriteMemory;
use super::piece_symbols::PieceSymbols;
use super::run_bytes::put_run;
use super::shape::{LayerPiece, LayerShape, RUN_RANKS};
use super::tally::LayerTally;
use crate::address::Address;
use crate::checkpoint::checkpoint_layer::LayerIdentity;
use crate::codec::coder::{Coder, LayerDimensions};
use crate::error::TableError;
use crate::format::info::{LayerInfo, PositionValue};
use crate::layout::Layout;
use crate::models::sample::SampleRun;
use crate::symbols::symbol_layout::{ANY_SYMBOL, Alphabet, SymbolLayout};

/// A layer of positions about to be written: all its values are counted.
///
/// Each process that holds pieces of the layer makes the same encoding from the merged tally.
pub struct LayerEncoding<'a> {
    pub(super) shape: LayerShape<'a>,
    pub(super) layout: Layout,
    counts: LayerCounts,
    start: Option<PositionValue>,
}

impl<'a> LayerEncoding<'a> {
    /// Lists the symbols of a layer by the tally of all its pieces.
    ///
    /// # Errors
    /// - [`TableError::OtherContent`] if the layout is not one of positions.
    /// - [`TableError::Unfit`] if the tally is not one of all ranks of the layer.
    /// - [`TableError::TooManySymbols`] if the layer has more than 256 values.
    pub fn new(
        shape: LayerShape<'a>,
        layout: Layout,
        tally: &LayerTally,
    ) -> Result<Self, TableError> {
        layout.check_content(Layout::Full)?;
        if tally.ranks != shape.ranks() {
            return Err(shape.unfit_error("it has too few codes, or too many"));
        }
        if tally.values.len() > 256 {
            return Err(TableError::TooManySymbols {
                layer: shape.layer(),
                symbols: tally.values.len(),
            });
        }
        let counts = LayerCounts::of_tally(&shape, tally, layout);
        let counts = counts.ok_or_else(|| shape.unfit_error("its counts are impossible"))?;
        let start = shape.start().zip(tally.start());
        let start =
            start.map(|((_, Address { tier, rank }), value)| PositionValue { tier, rank, value });
        Ok(Self { shape, layout, counts, start })
    }

    /// Numbers of the runs by which the coder is chosen, ascending: at most 2048 at equal
    /// distances.
    pub fn sampled_runs(&self) -> impl Iterator<Item = u64> + use<> {
        sampled_runs(self.shape.ranks(), self.alphabet().symbol_layout)
    }

    /// Symbols to be stored for a run, for [`LayerEncoding::choose_coder`]. The piece is one run.
    ///
    /// # Errors
    /// - [`TableError::Unfit`] if the piece is not one run of the layer, a hole has a value, or a
    ///   position has none.
    /// - [`TableError::Contradiction`] if a value contradicts the rules.
    pub fn sample(&self, piece: LayerPiece<'_>) -> Result<Vec<u16>, TableError> {
        piece.run(&self.shape)?;
        let required = self.symbols_of(piece).required_symbols(piece.ordinals())?;
        Ok(required.symbols)
    }

    /// Chooses the coder, on all threads. `samples` are the symbols of the runs of
    /// [`LayerEncoding::sampled_runs`], in their order. Takes `memory` bytes besides them, or the
    /// minimum if that is more. The coder depends neither on it nor on the number of threads.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the samples are not those of the layer.
    pub fn choose_coder(&self, samples: Vec<Vec<u16>>, memory: u64) -> Result<Vec<u8>, TableError> {
        let damaged = || TableError::damaged("the sample of a layer is not one of its runs");
        let runs: Vec<u64> = self.sampled_runs().collect();
        if samples.len() != runs.len() {
            return Err(damaged());
        }
        let symbols = self.counts.symbols.len() as u16;
        let is_known = |&symbol: &u16| symbol < symbols || symbol == ANY_SYMBOL;
        let mut sample = Vec::with_capacity(runs.len());
        for (run, symbols) in runs.into_iter().zip(samples) {
            let Range { start: first, end } = self.shape.run(run);
            if symbols.len() as u64 != end - first || !symbols.iter().all(is_known) {
                return Err(damaged());
            }
            sample.push(SampleRun { first, symbols });
        }
        let (periods, ranks) = (self.shape.game.rank_periods(), self.shape.ranks());
        choose_coder(&sample, self.alphabet(), periods, ranks, memory)?.to_bytes()
    }

    /// Reads the coder that [`LayerEncoding::choose_coder`] returned.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if it is not one of this layer.
    pub fn encoder(&self, coder: &[u8]) -> Result<BlockEncoder<'_>, TableError> {
        Ok(BlockEncoder { encoding: self, coder: self.coder(coder)? })
    }

    pub(super) fn coder(&self, bytes: &[u8]) -> Result<Coder, TableError> {
        let dimensions = LayerDimensions {
            ranks: self.shape.ranks(),
            channels: self.alphabet().symbol_layout.channels(),
        };
        let coder = Coder::read(bytes, dimensions)?;
        if coder.encodes(self.counts.symbols.len()) {
            Ok(coder)
        } else {
            Err(TableError::damaged("the coder is one of another layer"))
        }
    }

    /// Chooses the coder by the codes of [`LayerEncoding::sampled_runs`]. Takes `memory` bytes
    /// besides them, or the minimum if that is more.
    pub(super) fn choose_coder_by_codes(
        &self,
        runs: Vec<SampledRun>,
        palette: &[Option<Value>],
        memory: u64,
    ) -> Result<Coder, TableError> {
        let needed = WriteMemory {
            ranks: self.shape.ranks(),
            tiers: self.shape.tiers(),
            layout: self.layout,
            position_bytes: size_of::<Packed>(),
        };
        let room = needed.coder_choice_room(memory, rayon::current_num_threads());
        let sample = parallel::try_of(&runs, &|run: &SampledRun| {
            let first = self.shape.run(run.number).start;
            let piece = LayerPiece { first, codes: &run.codes, palette };
            let symbols = self.sample(piece)?;
            Ok::<_, TableError>(SampleRun { first, symbols })
        })?;
        drop(runs);
        let (periods, ranks) = (self.shape.game.rank_periods(), self.shape.ranks());
        choose_coder(&sample, self.alphabet(), periods, ranks, room)
    }

    /// Encodes a piece on all threads, and appends its blocks. The piece begins with a run.
    pub(super) fn put_piece<W: Write>(
        &self,
        piece: LayerPiece<'_>,
        coder: &Coder,
        sections: &mut LayerSections<'_, W>,
    ) -> Result<(), TableError> {
        piece.check(&self.shape)?;
        let source = self.symbols_of(piece);
        layer_writer::put_blocks(&source, coder, piece.ordinals(), sections)
    }

    /// Header of the layer, once it is written.
    pub(crate) fn info(&self, written: WrittenLayer) -> LayerInfo {
        let name = self.shape.game.layer_name(self.shape.layer());
        let counts = self.counts.clone();
        counts.into_info(name, self.shape.ranks(), written)
    }

    pub(crate) fn identity(&self) -> LayerIdentity {
        LayerIdentity {
            layer: self.shape.layer(),
            layers: self.shape.game.layers(),
            start: self.start,
        }
    }

    pub(crate) fn alphabet(&self) -> Alphabet<'_> {
        Alphabet { symbols: &self.counts.symbols, symbol_layout: SymbolLayout::of(self.layout) }
    }

    fn symbols_of<'s>(&'s self, piece: LayerPiece<'s>) -> PieceSymbols<'s> {
        PieceSymbols::new(self.shape, self.alphabet(), self.layout, piece)
    }
}

/// Codes of a run.
pub(super) struct SampledRun {
    pub(crate) number: u64,
    pub(crate) codes: Vec<u8>,
}

/// Encoder of the runs of a layer, with its coder. Several threads may use it at the same time.
pub struct BlockEncoder<'a> {
    encoding: &'a LayerEncoding<'a>,
    coder: Coder,
}

impl BlockEncoder<'_> {
    /// Encodes a run, on the current thread. The piece is one run. The bytes are for
    /// [`CheckpointDir::put_layer_parts`](crate::CheckpointDir::put_layer_parts).
    ///
    /// # Errors
    /// As [`LayerEncoding::sample`].
    pub fn encode_run(&self, piece: LayerPiece<'_>) -> Result<Vec<u8>, TableError> {
        let shape = &self.encoding.shape;
        let run = piece.run(shape)?;
        let source = self.encoding.symbols_of(piece);
        let block_ranks = self.coder.block_ranks(self.encoding.alphabet().symbol_layout);
        let blocks: Vec<_> = blocks_of_run(piece.ordinals(), block_ranks)
            .map(|ordinals| encode_block(&source, &self.coder, ordinals))
            .collect::<Result<_, _>>()?;
        Ok(put_run(shape.layer(), run, blocks.iter().map(|block| &block.1)))
    }
}

/// Ordinals of the blocks of a run.
pub(super) fn blocks_of_run(
    run: Range<u64>,
    block_ranks: u32,
) -> impl Iterator<Item = Range<u64>> + Clone {
    debug_assert!(RUN_RANKS.is_multiple_of(u64::from(block_ranks)));
    let begins = run.clone().step_by(block_ranks as usize);
    begins.map(move |begin| begin..run.end.min(begin + u64::from(block_ranks)))
}
