//! Symbols predicted from earlier ones of the block, encoded by range asymmetric numeral systems
//! (rANS).
//!
//! Each channel has a model of its own. The code follows J. Duda, "Asymmetric numeral systems"
//! (arXiv:1311.2540), with a state of 32 bits that is refilled by words of 16 bits.
//!
//! Models know symbols only, not tables or files.

mod block_decoder;
mod block_encoder;
pub(crate) mod block_history;
mod context_candidates;
mod frequency_lists;
mod log2;
pub(crate) mod model;
pub(crate) mod sample;
pub(crate) mod shape_sample;
pub(crate) mod shape_search;
pub(crate) mod training;

use std::convert::Infallible;

use crate::error::TableError;
use crate::layout::MAX_CHANNELS;
use block_decoder::decode_block;
use block_encoder::encode_block;
use block_history::{BlockExtent, BlockStep, ClassedSymbol, HISTORY, Place, walk};
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use model::{ContextModel, MAX_CONTEXTS, Row};

/// zstd level of the models. Higher levels take twice the time and save a fiftieth.
const ZSTD_LEVEL: i32 = 16;

/// Most bytes of the models of a layer before compression.
const MAX_PLAIN_BYTES: u64 = 1 << 25;

/// Most bytes of `models` models before compression, in a layer of `ranks` ranks.
pub(crate) fn max_plain_bytes(ranks: u64, models: u64) -> u64 {
    let model_bytes = model::max_model_bytes(ranks);
    models.saturating_mul(model_bytes).min(MAX_PLAIN_BYTES)
}

/// One model per channel.
pub(crate) struct SymbolModels(Vec<ContextModel>);

/// Worker that replaces each [`ANY_SYMBOL`] by the likeliest symbol.
struct Filler<'a, F> {
    required: &'a [u16],
    take: F,
}

impl<F: FnMut(Place<'_>, u8)> BlockStep for Filler<'_, F> {
    type Error = Infallible;

    #[inline(always)]
    fn step(&mut self, place: Place<'_>) -> Result<ClassedSymbol, Infallible> {
        let symbol = place.row.likeliest_or(self.required[place.index]);
        let class = place.class_of(symbol);
        (self.take)(place, symbol);
        Ok(ClassedSymbol { symbol, class })
    }
}

impl SymbolModels {
    /// `models` must not be empty.
    pub(crate) fn new(mut models: Vec<ContextModel>) -> Self {
        assert!(!models.is_empty(), "a symbol has a model");
        for i in 0..models.len() {
            let next = models[(i + 1) % models.len()].shape().clone();
            models[i].link(&next);
        }
        Self(models)
    }

    pub(crate) fn all(&self) -> &[ContextModel] {
        &self.0
    }

    /// Number of different symbols in the layer.
    pub(crate) fn symbol_count(&self) -> usize {
        self.0[0].shape().class_of.len()
    }

    /// Replaces each [`ANY_SYMBOL`] by the likeliest symbol, and calls `take` with place and symbol
    /// of each. `first` is the ordinal of the first symbol in the layer.
    #[inline(always)]
    pub(crate) fn fill(&self, first: u64, required: &[u16], take: impl FnMut(Place<'_>, u8)) {
        let len = required.len();
        let filler = Filler { required, take };
        let Ok(_) = walk(&self.0, BlockExtent { first, len }, filler);
    }

    /// Appends a block. `first` is the ordinal of its first symbol in the layer.
    pub(crate) fn encode(&self, first: u64, required: &[u16], out: &mut Vec<u8>) {
        encode_block(&self.0, first, required, out);
    }

    /// Decodes the first `symbols.len()` symbols of a block. `first` is the ordinal of the first
    /// one in the layer, and `whole` is true if they are all of the block.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        first: u64,
        symbols: &mut [u8],
        whole: bool,
    ) -> Result<(), TableError> {
        let damaged = || TableError::damaged("a block cannot be decoded");
        if symbols.len() > HISTORY {
            return Err(damaged());
        }
        decode_block(&self.0, bytes, first, symbols, whole).ok_or_else(damaged)
    }

    /// Appends the length of the models and a zstd frame of them.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), TableError> {
        let mut plain = Vec::new();
        for model in &self.0 {
            model.put(&mut plain);
        }
        put_varint(out, plain.len() as u64);
        let packed =
            zstd::bulk::compress(&plain, ZSTD_LEVEL).map_err(TableError::io("compress"))?;
        out.extend_from_slice(&packed);
        Ok(())
    }

    /// Reads the length of the models before compression, in bytes.
    pub(crate) fn take_length(
        cursor: &mut Cursor<'_>,
        models: u64,
        ranks: u64,
    ) -> Result<u64, TableError> {
        if !(1..=MAX_CHANNELS as u64).contains(&models) {
            return Err(cursor.fail("too many models, or none").into());
        }
        match cursor.varint()? {
            length if length > max_plain_bytes(ranks, models) => {
                Err(cursor.fail("it is larger than its layer makes it").into())
            }
            length => Ok(length),
        }
    }

    /// Memory to read `models` models of `length` bytes, in bytes. Each byte takes itself and up to
    /// four bytes of further symbols; each context, which has a byte at least, takes a row.
    pub(crate) fn read_memory(length: u64, models: u64) -> u64 {
        const ROW_BYTES: u64 = size_of::<Row>() as u64;
        let contexts = models.saturating_mul(MAX_CONTEXTS as u64 + 1).min(length);
        5 * length + ROW_BYTES * contexts
    }

    /// Reads the bytes of [`SymbolModels::write`] for `models` models of a layer of `ranks` ranks.
    pub(crate) fn read(
        mut cursor: Cursor<'_>,
        models: u64,
        ranks: u64,
    ) -> Result<Self, TableError> {
        let length = Self::take_length(&mut cursor, models, ranks)?;
        let plain = zstd::bulk::decompress(cursor.rest(), length as usize)
            .map_err(|_| TableError::damaged("the model of a layer cannot be decoded"))?;
        let mut cursor = Cursor::new(&plain, "the model of a layer");
        let all = (0..models).map(|_| ContextModel::take(&mut cursor));
        let all: Vec<ContextModel> = all.collect::<Result<_, _>>()?;
        let symbols = |model: &ContextModel| model.shape().class_of.len();
        if all.iter().any(|model| symbols(model) != symbols(&all[0])) {
            return Err(cursor.fail("models of different symbols").into());
        }
        cursor.end()?;
        Ok(Self::new(all))
    }
}
