//! How the symbols of a block become bytes.

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::TableError;
use crate::bytes::{Cursor, push_checksum, put_varint, split_checksum};
use crate::context_counts::minimum_room;
use crate::models::{self, SymbolModels};
use crate::symbol_layout::{Alphabet, SymbolLayout};
use crate::training::{
    SampleBlock, SampleRun, SampleSizes, repeat_previous, retrain_models, train_models,
};

/// Says that any symbol will do: the reader knows the value without.
pub(crate) const ANY_SYMBOL: u16 = 256;

/// The level of zstd. Higher ones are slower and gain little on blocks this small.
const ZSTD_LEVEL: i32 = 19;

/// Layers of fewer symbols are left to zstd: a model's tables would take more than it saves.
const MIN_MODEL_SYMBOLS: u64 = 1 << 18;

/// Parts of a sample by which models are compared: so many at least and at most.
const MIN_RUNS: usize = 64;
const MAX_RUNS: usize = 512;

/// About the bytes of a block's entry in the index.
const INDEX_ENTRY_BYTES: u128 = 10;

/// Bytes of a coder that say how large it is: its kind, the number of its models, the length of these.
pub(crate) const PREFIX_BYTES: usize = 1 + 10 + 10;

/// Bytes of the shortest coder.
pub(crate) const MIN_CODER_BYTES: u64 = 1 + 4;

/// Bytes of the longest coder of a layer of so many ranks, with so many symbols each.
pub(crate) fn max_coder_bytes(ranks: u64, planes: usize) -> u64 {
    let plain = models::max_plain_bytes(ranks, planes as u64) as usize;
    (PREFIX_BYTES + zstd::zstd_safe::compress_bound(plain)) as u64 + 4
}

/// The number of models; `None` for zstd.
fn take_kind(cursor: &mut Cursor<'_>) -> Result<Option<u64>, TableError> {
    match cursor.byte()? {
        0 => Ok(None),
        1 => Ok(Some(1)),
        2 => cursor.varint().map(Some),
        _ => Err(cursor.fail("an unknown coder")),
    }
}

/// Refuses models where no writer makes them: in layers of few symbols, or of another number.
fn check_model_count(cursor: &Cursor<'_>, models: u64, of: (u64, usize)) -> Result<(), TableError> {
    let (ranks, planes) = of;
    if models != planes as u64 {
        return Err(cursor.fail("too many models, or too few"));
    }
    match ranks.saturating_mul(models) < MIN_MODEL_SYMBOLS {
        true => Err(cursor.fail("a model in a layer of few ranks")),
        false => Ok(()),
    }
}

/// What every frame of zstd begins with; left out of the file.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A way to write blocks, chosen for each layer.
pub(crate) enum Coder {
    /// zstd, a free symbol being the one before it.
    Zstd,
    /// Context models and rANS.
    Models(SymbolModels),
}

/// What a thread keeps from block to block.
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
    /// The ranks of a block.
    pub(crate) fn block_ranks(&self, grain: SymbolLayout) -> u32 {
        let symbols = match self {
            Self::Zstd => grain.zstd_block(),
            Self::Models(_) => grain.model_block(),
        };
        (symbols / grain.channels()) as u32
    }

    /// The coder that makes a layer of `len` symbols smallest, judged by a sample of it: parts of
    /// [`Grain::unit`] symbols, the last perhaps of fewer. `periods` may make symbols alike. Beside the sample it
    /// takes so many bytes as there is room for, or as few as it can; the coder does not depend on that.
    pub(crate) fn choose(
        sample: &[SampleRun],
        alphabet: Alphabet<'_>,
        periods: &[u32],
        (len, room): (u64, u64),
    ) -> Result<Self, TableError> {
        let grain = alphabet.symbol_layout;
        let len_of =
            |parts: &[&SampleRun]| parts.iter().map(|part| part.symbols.len() as u64).sum();
        let all: Vec<&SampleRun> = sample.iter().collect();
        let sampled: u64 = len_of(&all);
        if len < MIN_MODEL_SYMBOLS {
            return Ok(Self::Zstd);
        }
        let scale = |bytes: u64| u128::from(bytes) * u128::from(len) / u128::from(sampled);
        // Small layers are not worth the time, larger ones have more contexts.
        let wanted = (sample.len() / 4).clamp(MIN_RUNS, MAX_RUNS);
        let step = sample.len().div_ceil(wanted);
        let few: Vec<&SampleRun> = sample.iter().step_by(step).collect();
        let few_len: u64 = len_of(&few);
        let sizes = SampleSizes {
            layer_symbols: len,
            shape_sample: few_len,
            frequency_sample: sampled,
            room: room.saturating_sub(few_len).max(minimum_room(few_len)),
        };
        let Some(models) = train_models(&sample_blocks(&few, grain), alphabet, periods, sizes)
        else {
            return Ok(Self::Zstd);
        };
        let room = room.saturating_sub(sampled).max(minimum_room(sampled));
        let trained = retrain_models(models, &sample_blocks(&all, grain), room);
        let zstd: Vec<usize> = few
            .par_iter()
            .map(|part| {
                let mut out = Vec::new();
                encode_zstd(&part.symbols, grain, &mut out).map(|()| out.len())
            })
            .collect::<Result<_, _>>()?;
        let zstd: usize = zstd.into_iter().sum();
        let zstd = zstd as u128 * u128::from(len) / u128::from(few_len);
        // A block of either kind takes some bytes in the index.
        let entries = |block: usize| u128::from(len) * INDEX_ENTRY_BYTES / block as u128;
        let model = u128::from(trained.table_bytes) + scale(trained.block_bytes);
        if model + entries(grain.model_block()) < zstd + entries(grain.zstd_block()) {
            Ok(Self::Models(trained.models))
        } else {
            Ok(Self::Zstd)
        }
    }

    /// The bytes from which `read` makes the same coder.
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

    /// Reads the coder of a layer of so many ranks, with so many symbols each.
    pub(crate) fn read(bytes: &[u8], of: (u64, usize)) -> Result<Self, TableError> {
        let what = "the coder of a layer";
        let mut cursor = Cursor::new(split_checksum(bytes, what)?, what);
        let Some(models) = take_kind(&mut cursor)? else {
            return cursor.end().map(|()| Self::Zstd);
        };
        check_model_count(&cursor, models, of)?;
        SymbolModels::read(cursor, models, of.0).map(Self::Models)
    }

    /// Bytes of memory that [`Coder::read`] takes beside those that it is given, by the first of these.
    ///
    /// # Errors
    /// When these are enough to see that the coder is not one of a layer `of` so many ranks and symbols a rank.
    pub(crate) fn bytes_to_read(begin: &[u8], of: (u64, usize)) -> Result<u64, TableError> {
        let mut cursor = Cursor::new(begin, "the coder of a layer");
        let Some(models) = take_kind(&mut cursor)? else {
            return Ok(0);
        };
        check_model_count(&cursor, models, of)?;
        let length = SymbolModels::take_length(&mut cursor, models, of.0)?;
        Ok(SymbolModels::bytes_to_read(length))
    }

    /// Appends the symbols of a block the first of which has the ordinal `first` in the layer; those that
    /// are [`FREE`] become what costs least.
    pub(crate) fn encode(
        &self,
        (first, grain): (u64, SymbolLayout),
        symbols: &[u16],
        out: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        match self {
            Self::Zstd => encode_zstd(symbols, grain, out),
            Self::Models(models) => {
                models.encode(first, symbols, out);
                Ok(())
            }
        }
    }

    /// The symbols of a block of `len` symbols, the first of which has the ordinal `first` in the layer; at
    /// least the first `wanted` of them.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        first: u64,
        (len, wanted): (usize, usize),
        scratch: &mut DecodeScratch,
    ) -> Result<Vec<u8>, TableError> {
        let mut symbols;
        match self {
            Self::Zstd => {
                symbols = vec![0; len];
                decode_zstd(bytes, &mut symbols, scratch)?;
            }
            Self::Models(models) => {
                symbols = vec![0; wanted.min(len)];
                models.decode(bytes, first, &mut symbols, wanted >= len)?;
            }
        }
        Ok(symbols)
    }
}

/// Parts of a sample cut into blocks.
fn sample_blocks<'a>(parts: &[&'a SampleRun], grain: SymbolLayout) -> Vec<SampleBlock<'a>> {
    let blocks = parts.iter().map(|part| part.blocks(grain));
    blocks.flatten().collect()
}

fn encode_zstd(symbols: &[u16], grain: SymbolLayout, out: &mut Vec<u8>) -> Result<(), TableError> {
    let plain = repeat_previous(symbols, grain);
    let compress = || {
        let mut compressor = Compressor::new(ZSTD_LEVEL)?;
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
    let n = scratch
        .decompressor
        .decompress_to_buffer(&scratch.frame, symbols);
    match n {
        Ok(n) if n == symbols.len() => Ok(()),
        _ => Err(TableError::damaged("a block cannot be decoded")),
    }
}

#[cfg(test)]
mod tests {
    use super::{ANY_SYMBOL, Coder, DecodeScratch};
    use crate::info::Symbol;
    use crate::layout::Layout;
    use crate::symbol_layout::{Alphabet, SymbolLayout};
    use crate::training::{SampleBlock, SampleRun};
    use hindsight_core::Value;

    const SYMBOLS: [Symbol; 4] = [
        Symbol::Exact(Value::Loss(2)),
        Symbol::Exact(Value::Win(3)),
        Symbol::Exact(Value::Draw),
        Symbol::Win,
    ];

    const GRAIN: SymbolLayout = SymbolLayout::of(Layout::Full);
    const UNIT: usize = GRAIN.zstd_block();
    const ALPHABET: Alphabet<'_> = Alphabet {
        symbols: &SYMBOLS,
        symbol_layout: GRAIN,
    };

    /// Parts of symbols that mostly follow from those three before and from the rank modulo 5, some free.
    fn noisy(parts: usize) -> Vec<SampleRun> {
        let mut seed = 1_u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let part = |i: usize| {
            let first = (i * 3 * UNIT) as u64;
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
                symbols: (first..first + UNIT as u64).map(next).collect(),
            }
        };
        (0..parts).map(part).collect()
    }

    fn model() -> (Coder, Vec<SampleRun>) {
        let sample = noisy(8);
        let coder =
            Coder::choose(&sample, ALPHABET, &[1, 5], (1 << 24, u64::MAX)).expect("a coder");
        assert!(matches!(coder, Coder::Models(_)));
        let bytes = coder.to_bytes().expect("bytes");
        (
            Coder::read(&bytes, (1 << 24, 1)).expect("the same coder"),
            sample,
        )
    }

    #[test]
    fn what_must_be_stored_is_read_back() {
        let mut scratch = DecodeScratch::new().expect("zstd");
        let (model, mut sample) = model();
        // A symbol that the sample has not: the escape.
        sample[0].symbols[5] = 3;
        let more = [vec![ANY_SYMBOL; 100], vec![3; 33]];
        sample.extend(more.map(|symbols| SampleRun { first: 7, symbols }));
        for coder in [model, Coder::Zstd] {
            for SampleBlock {
                first,
                symbols: wanted,
            } in sample.iter().flat_map(|part| part.blocks(GRAIN))
            {
                let mut bytes = Vec::new();
                let encoded = coder.encode((first, GRAIN), wanted, &mut bytes);
                encoded.expect("bytes");
                let ranks = wanted.len();
                let mut decode = |wanted| {
                    let decoded = coder.decode(&bytes, first, (ranks, wanted), &mut scratch);
                    decoded.expect("symbols")
                };
                let symbols = decode(ranks);
                let some = decode(ranks / 3);
                assert!(some.len() >= ranks / 3 && symbols.starts_with(&some));
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
            let encoded = coder.encode((0, GRAIN), wanted, &mut bytes);
            encoded.expect("bytes");
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                drop(coder.decode(&bytes, 0, (512, 512), &mut scratch));
                drop(coder.decode(&bytes[..bit / 8], 0, (512, 300), &mut scratch));
            }
        }
    }
}
