//! Coders: the two ways in which the symbols of a block become bytes.

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::block_history::HISTORY;
use crate::error::TableError;
use crate::model::{ContextShape, max_model_memory};
use crate::models::{self, SymbolModels};
use crate::sample::{SampleBlock, SampleRun, repeat_previous};
use crate::shape_sample::{FilledSample, comparison_bytes};
use crate::shape_search::{SAMPLES, SearchSetting, best_shape, max_contexts};
use crate::symbol_layout::{Alphabet, Channel, SymbolLayout};
use crate::training::{MIN_COUNTING_BYTES, TrainedModels, Training};
use hindsight_checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};

/// zstd level. Higher levels are slower and gain little on blocks this small.
const ZSTD_LEVEL: i32 = 19;

/// A layer of fewer symbols is encoded by zstd, since the tables of a model would outweigh its
/// gain.
const MIN_MODEL_SYMBOLS: u64 = 1 << 18;

/// Fewest blocks of the smallest sample by which shapes are compared.
const MIN_SEARCH_BLOCKS: usize = 8;

/// Most blocks of the smallest sample by which shapes are compared.
const MAX_SEARCH_BLOCKS: usize = 64;

/// Part of all sampled blocks in the smallest sample by which shapes are compared.
const SEARCH_SHARE: usize = 32;

/// Sizes of the samples by which shapes are compared, relative to the smallest.
const SEARCH_SIZES: [usize; SAMPLES] = [1, 4, 16];

/// Runs by which zstd is compared with models.
const ZSTD_RUNS: usize = 16;

/// zstd level by which zstd is compared with models. It takes a thirtieth of the time of
/// [`ZSTD_LEVEL`], which makes blocks smaller by an eighth.
const QUICK_ZSTD_LEVEL: i32 = 6;

/// Number of the sample by which the models for filling the whole sample are trained.
const ROUGH_SAMPLE: usize = 1;

/// Approximate bytes of a block's entry in the index.
const INDEX_ENTRY_BYTES: u128 = 10;

/// Bytes of a coder that determine its size: kind, number of models, length of their tables.
pub(crate) const PREFIX_BYTES: usize = 1 + 10 + 10;

/// Bytes of the shortest coder: kind and checksum.
pub(crate) const MIN_CODER_BYTES: u64 = 1 + 4;

/// Size of a layer, which bounds the size of its coder.
#[derive(Clone, Copy)]
pub(crate) struct LayerDimensions {
    pub(crate) ranks: u64,
    /// Symbols per rank.
    pub(crate) channels: usize,
}

/// Symbols of a block to be decoded.
#[derive(Clone, Copy)]
pub(crate) struct BlockSymbols {
    /// Ordinal of the first symbol in the layer.
    pub(crate) first: u64,
    /// Number of symbols in the block.
    pub(crate) count: usize,
    /// Number of symbols to decode, from the first on.
    pub(crate) wanted: usize,
}

/// Bytes of the longest coder of a layer.
pub(crate) fn max_coder_bytes(ranks: u64, channels: usize) -> u64 {
    let plain = models::max_plain_bytes(ranks, channels as u64) as usize;
    (PREFIX_BYTES + zstd::zstd_safe::compress_bound(plain)) as u64 + 4
}

/// Reads the number of models; `None` stands for zstd.
fn take_kind(cursor: &mut Cursor<'_>) -> Result<Option<u64>, TableError> {
    match cursor.byte()? {
        0 => Ok(None),
        1 => Ok(Some(1)),
        2 => Ok(Some(cursor.varint()?)),
        _ => Err(cursor.fail("an unknown coder").into()),
    }
}

/// Refuses models that no writer makes: in layers of few symbols, or not one per channel.
fn check_model_count(
    cursor: &Cursor<'_>,
    models: u64,
    dimensions: LayerDimensions,
) -> Result<(), TableError> {
    if models != dimensions.channels as u64 {
        return Err(cursor.fail("too many models, or too few").into());
    }
    if dimensions.ranks.saturating_mul(models) < MIN_MODEL_SYMBOLS {
        return Err(cursor.fail("a model in a layer of few ranks").into());
    }
    Ok(())
}

/// First bytes of every zstd frame. They are not stored.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Coder of the blocks of one layer.
pub(crate) enum Coder {
    /// zstd, after [`repeat_previous`].
    Zstd,
    /// Context models and rANS.
    Models(SymbolModels),
}

/// Buffers that a thread reuses from block to block.
pub(crate) struct DecodeScratch {
    decompressor: Decompressor<'static>,
    frame: Vec<u8>,
}

impl DecodeScratch {
    pub(crate) fn new() -> Result<Self, TableError> {
        Ok(Self {
            decompressor: Decompressor::new().map_err(TableError::io("start zstd"))?,
            frame: Vec::new(),
        })
    }
}

impl Coder {
    /// Ranks per block.
    pub(crate) fn block_ranks(&self, symbol_layout: SymbolLayout) -> u32 {
        let symbols = match self {
            Self::Zstd => symbol_layout.zstd_block(),
            Self::Models(_) => symbol_layout.model_block(),
        };
        (symbols / symbol_layout.channels()) as u32
    }

    /// Returns true if the coder can be one of a layer of `symbols` different symbols.
    pub(crate) fn encodes(&self, symbols: usize) -> bool {
        match self {
            Self::Zstd => true,
            Self::Models(models) => symbols > 0 && models.symbol_count() == symbols,
        }
    }

    /// Returns the coder that makes a layer of `layer_symbols` symbols smallest, judged by a
    /// sample.
    ///
    /// The runs of the sample have [`SymbolLayout::zstd_block`] symbols, the last one perhaps
    /// fewer. `periods` are candidates for the period of a model. Takes `room` bytes besides the
    /// sample, or the minimum if that is more; the result does not depend on `room`.
    pub(crate) fn choose(
        sample: &[SampleRun],
        alphabet: Alphabet<'_>,
        periods: &[u32],
        layer_symbols: u64,
        room: u64,
    ) -> Result<Self, TableError> {
        // A layer without positions has no symbols.
        if layer_symbols < MIN_MODEL_SYMBOLS || alphabet.symbols.is_empty() {
            return Ok(Self::Zstd);
        }
        let choice = CoderChoice {
            sample,
            alphabet,
            layer_symbols,
            room: room.max(minimum_room(
                layer_symbols,
                alphabet.symbol_layout.channels() as u64,
            )),
        };
        let Some(trained) = choice.train(periods) else {
            return Ok(Self::Zstd);
        };
        if choice.model_bytes(&trained) < choice.zstd_bytes()? {
            Ok(Self::Models(trained.models))
        } else {
            Ok(Self::Zstd)
        }
    }

    /// Returns the bytes of the coder's section.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let mut out = Vec::new();
        match self {
            Self::Zstd => out.push(0),
            Self::Models(models) => {
                match models.all() {
                    [_] => out.push(1),
                    several => {
                        out.push(2);
                        put_varint(&mut out, several.len() as u64);
                    }
                }
                models.write(&mut out)?;
            }
        }
        push_checksum(&mut out, 0);
        Ok(out)
    }

    /// Reads the bytes of [`Coder::to_bytes`].
    pub(crate) fn read(bytes: &[u8], dimensions: LayerDimensions) -> Result<Self, TableError> {
        let subject = "the coder of a layer";
        let mut cursor = Cursor::new(split_checksum(bytes, subject)?, subject);
        let Some(models) = take_kind(&mut cursor)? else {
            cursor.end()?;
            return Ok(Self::Zstd);
        };
        check_model_count(&cursor, models, dimensions)?;
        SymbolModels::read(cursor, models, dimensions.ranks).map(Self::Models)
    }

    /// Memory that [`Coder::read`] takes besides its argument, in bytes, computed from the first
    /// [`PREFIX_BYTES`] of the argument.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if no coder of a layer with these dimensions begins with `prefix`.
    pub(crate) fn read_memory(
        prefix: &[u8],
        dimensions: LayerDimensions,
    ) -> Result<u64, TableError> {
        let mut cursor = Cursor::new(prefix, "the coder of a layer");
        let Some(models) = take_kind(&mut cursor)? else {
            return Ok(0);
        };
        check_model_count(&cursor, models, dimensions)?;
        let length = SymbolModels::take_length(&mut cursor, models, dimensions.ranks)?;
        Ok(SymbolModels::read_memory(length, models))
    }

    /// Appends the bytes of a block. `first` is the ordinal of its first symbol in the layer. Each
    /// [`ANY_SYMBOL`](crate::symbol_layout::ANY_SYMBOL) becomes a symbol that costs little.
    pub(crate) fn encode(
        &self,
        first: u64,
        symbol_layout: SymbolLayout,
        symbols: &[u16],
        out: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        match self {
            Self::Zstd => encode_zstd(symbols, symbol_layout, ZSTD_LEVEL, out),
            Self::Models(models) => {
                models.encode(first, symbols, out);
                Ok(())
            }
        }
    }

    /// Decodes at least the wanted symbols of a block.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        block: BlockSymbols,
        scratch: &mut DecodeScratch,
    ) -> Result<Vec<u8>, TableError> {
        let BlockSymbols {
            first,
            count,
            wanted,
        } = block;
        let mut symbols;
        match self {
            Self::Zstd => {
                symbols = vec![0; count];
                decode_zstd(bytes, &mut symbols, scratch)?;
            }
            Self::Models(models) => {
                symbols = vec![0; wanted.min(count)];
                models.decode(bytes, first, &mut symbols, wanted >= count)?;
            }
        }
        Ok(symbols)
    }
}

/// Least memory besides the sample in which the coder of a layer of `layer_symbols` symbols is
/// chosen, in bytes.
pub(crate) fn minimum_room(layer_symbols: u64, channels: u64) -> u64 {
    let [.., largest] = SEARCH_SIZES;
    let most = (largest * MAX_SEARCH_BLOCKS * HISTORY) as u64;
    let searched = layer_symbols.min(most);
    let search = 2 * searched + comparison_bytes(searched);
    // Each model is trained by another one.
    let models = 2 * channels * max_model_memory(max_contexts(layer_symbols));
    search.max(models + MIN_COUNTING_BYTES)
}

/// A coder that is being chosen.
struct CoderChoice<'a> {
    sample: &'a [SampleRun],
    alphabet: Alphabet<'a>,
    layer_symbols: u64,
    room: u64,
}

impl CoderChoice<'_> {
    /// Trains models by the sample. `None` if no shape can be compared.
    fn train(&self, periods: &[u32]) -> Option<TrainedModels> {
        let symbol_layout = self.alphabet.symbol_layout;
        let runs = self.sample.iter();
        let blocks: Vec<SampleBlock<'_>> = runs.flat_map(|run| run.blocks(symbol_layout)).collect();
        let counted = blocks.iter().map(|block| block.symbols.len() as u64);
        let wanted = blocks.len().div_ceil(SEARCH_SHARE);
        let wanted = wanted.clamp(MIN_SEARCH_BLOCKS, MAX_SEARCH_BLOCKS);
        let samples = SEARCH_SIZES.map(|size| {
            let step = blocks.len().div_ceil(size * wanted);
            let few = blocks.iter().copied().step_by(step);
            FilledSample::new(few.collect(), symbol_layout)
        });
        let setting = SearchSetting {
            symbols: self.alphabet.symbols,
            periods,
            layer_symbols: self.layer_symbols,
            frequency_sample: counted.sum(),
            room: self.room,
        };
        let channels = Channel::all(symbol_layout);
        let shapes = channels.map(|channel| best_shape(&samples, channel, setting));
        let shapes: Vec<ContextShape> = shapes.collect::<Option<_>>()?;
        let channels = symbol_layout.channels() as u64;
        let model_memory = 2 * channels * max_model_memory(max_contexts(self.layer_symbols));
        let room = self.room - model_memory;
        let rough = Training {
            sample: &samples[ROUGH_SAMPLE].blocks,
            layer_symbols: self.layer_symbols,
            room,
        };
        let rough_models = rough.train_roughly(shapes, symbol_layout);
        let models = rough.retrain(&rough_models).models;
        drop((samples, rough_models));
        let training = Training {
            sample: &blocks,
            layer_symbols: self.layer_symbols,
            room,
        };
        Some(training.retrain(&models))
    }

    /// Estimated bytes of the layer with models.
    fn model_bytes(&self, trained: &TrainedModels) -> u128 {
        let sample = self.sample.iter().map(|run| run.symbols.len() as u128);
        let blocks = u128::from(trained.block_bytes) * u128::from(self.layer_symbols)
            / sample.sum::<u128>().max(1);
        let index = self.index_bytes(self.alphabet.symbol_layout.model_block());
        u128::from(trained.table_bytes) + blocks + index
    }

    /// Estimated bytes of the layer with zstd, by some runs at a quick level.
    fn zstd_bytes(&self) -> Result<u128, TableError> {
        let symbol_layout = self.alphabet.symbol_layout;
        let step = self.sample.len().div_ceil(ZSTD_RUNS).max(1);
        let few: Vec<&SampleRun> = self.sample.iter().step_by(step).collect();
        let bytes = few.par_iter().map(|run| {
            let mut out = Vec::new();
            let done = encode_zstd(&run.symbols, symbol_layout, QUICK_ZSTD_LEVEL, &mut out);
            done.map(|()| out.len() as u128)
        });
        let bytes: Vec<u128> = bytes.collect::<Result<_, _>>()?;
        let symbols = few.iter().map(|run| run.symbols.len() as u128);
        let quick = bytes.into_iter().sum::<u128>() * u128::from(self.layer_symbols)
            / symbols.sum::<u128>().max(1);
        Ok(quick * 7 / 8 + self.index_bytes(symbol_layout.zstd_block()))
    }

    fn index_bytes(&self, block: usize) -> u128 {
        u128::from(self.layer_symbols) * INDEX_ENTRY_BYTES / block as u128
    }
}

fn encode_zstd(
    symbols: &[u16],
    symbol_layout: SymbolLayout,
    level: i32,
    out: &mut Vec<u8>,
) -> Result<(), TableError> {
    let plain = repeat_previous(symbols, symbol_layout);
    let compress = || {
        let mut compressor = Compressor::new(level)?;
        compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
        compressor.set_parameter(CParameter::ChecksumFlag(false))?;
        compressor.compress(&plain)
    };
    let frame: Vec<u8> = compress().map_err(TableError::io("compress"))?;
    out.extend_from_slice(frame.strip_prefix(&ZSTD_MAGIC).unwrap_or(&frame));
    Ok(())
}

fn decode_zstd(
    bytes: &[u8],
    symbols: &mut [u8],
    scratch: &mut DecodeScratch,
) -> Result<(), TableError> {
    scratch.frame.clear();
    scratch.frame.extend_from_slice(&ZSTD_MAGIC);
    scratch.frame.extend_from_slice(bytes);
    let decoded = scratch
        .decompressor
        .decompress_to_buffer(&scratch.frame, symbols);
    match decoded {
        Ok(n) if n == symbols.len() => Ok(()),
        _ => Err(TableError::damaged("a block cannot be decoded")),
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockSymbols, Coder, DecodeScratch, LayerDimensions};
    use crate::layout::Layout;
    use crate::sample::{SampleBlock, SampleRun};
    use crate::symbol::Symbol;
    use crate::symbol_layout::{ANY_SYMBOL, Alphabet, SymbolLayout};
    use hindsight_core::Value;

    const SYMBOLS: [Symbol; 4] = [
        Symbol::Exact(Value::Loss(2)),
        Symbol::Exact(Value::Win(3)),
        Symbol::Exact(Value::Draw),
        Symbol::Win,
    ];

    const LAYOUT: SymbolLayout = SymbolLayout::of(Layout::Full);
    const RUN: usize = LAYOUT.zstd_block();
    const ALPHABET: Alphabet<'_> = Alphabet {
        symbols: &SYMBOLS,
        symbol_layout: LAYOUT,
    };

    /// Runs of symbols that mostly follow from the three before and from the ordinal modulo 5. A
    /// quarter of them need not be stored.
    fn noisy(runs: usize) -> Vec<SampleRun> {
        let mut seed = 1_u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let run = |i: usize| {
            let first = (i * 3 * RUN) as u64;
            let mut last = [0; 3];
            let next = |ordinal: u64| {
                let sum = last[0] + last[2] * 2 + u64::from(ordinal.is_multiple_of(5));
                let symbol = if random(5) == 0 { random(3) } else { sum % 3 };
                last = [last[1], last[2], symbol];
                if random(4) == 0 {
                    ANY_SYMBOL
                } else {
                    symbol as u16
                }
            };
            SampleRun {
                first,
                symbols: (first..first + RUN as u64).map(next).collect(),
            }
        };
        (0..runs).map(run).collect()
    }

    fn model() -> (Coder, Vec<SampleRun>) {
        let sample = noisy(8);
        let coder = Coder::choose(&sample, ALPHABET, &[1, 5], 1 << 24, u64::MAX).expect("a coder");
        assert!(matches!(coder, Coder::Models(_)));
        let bytes = coder.to_bytes().expect("bytes");
        let dimensions = LayerDimensions {
            ranks: 1 << 24,
            channels: 1,
        };
        let coder = Coder::read(&bytes, dimensions).expect("the same coder");
        (coder, sample)
    }

    #[test]
    fn what_must_be_stored_is_read_back() {
        let mut scratch = DecodeScratch::new().expect("zstd");
        let (model, mut sample) = model();
        // A symbol that the sample lacks is encoded by the escape.
        sample[0].symbols[5] = 3;
        let more = [vec![ANY_SYMBOL; 100], vec![3; 33]];
        sample.extend(more.map(|symbols| SampleRun { first: 7, symbols }));
        for coder in [model, Coder::Zstd] {
            for SampleBlock {
                first,
                symbols: wanted,
            } in sample.iter().flat_map(|run| run.blocks(LAYOUT))
            {
                let mut bytes = Vec::new();
                let encoded = coder.encode(first, LAYOUT, wanted, &mut bytes);
                encoded.expect("bytes");
                let count = wanted.len();
                let mut decode = |wanted| {
                    let block = BlockSymbols {
                        first,
                        count,
                        wanted,
                    };
                    let decoded = coder.decode(&bytes, block, &mut scratch);
                    decoded.expect("symbols")
                };
                let symbols = decode(count);
                let some = decode(count / 3);
                assert!(some.len() >= count / 3 && symbols.starts_with(&some));
                let stored = wanted.iter().zip(symbols);
                assert!(
                    stored
                        .into_iter()
                        .all(|(&a, b)| a == ANY_SYMBOL || a == u16::from(b))
                );
            }
        }
    }

    #[test]
    fn any_bytes_are_symbols_or_an_error() {
        let mut scratch = DecodeScratch::new().expect("zstd");
        let (model, sample) = model();
        for coder in [model, Coder::Zstd] {
            let mut bytes = Vec::new();
            let wanted = &sample[0].symbols[..512];
            let encoded = coder.encode(0, LAYOUT, wanted, &mut bytes);
            encoded.expect("bytes");
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let block = |wanted| BlockSymbols {
                    first: 0,
                    count: 512,
                    wanted,
                };
                drop(coder.decode(&bytes, block(512), &mut scratch));
                drop(coder.decode(&bytes[..bit / 8], block(300), &mut scratch));
            }
        }
    }
}
