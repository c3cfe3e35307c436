//! Coders: the two ways in which the symbols of a block become bytes.

use super::model_choice::ModelChoice;
use super::zstd_blocks::{SLOW_LEVEL, decode_zstd, encode_zstd};
pub(crate) use crate::codec::zstd_blocks::DecodeScratch;
use crate::error::TableError;
use crate::models::sample::SampleRun;
use crate::models::{self, SymbolModels};
use crate::symbols::symbol_layout::{Alphabet, SymbolLayout};
use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};

/// A layer of fewer symbols is encoded by zstd, since the tables of a model would outweigh its
/// gain.
pub(super) const MIN_MODEL_SYMBOLS: u64 = 1 << 18;

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

/// Coder of the blocks of one layer.
pub(crate) enum Coder {
    /// zstd, after [`repeat_previous`].
    Zstd,
    /// Context models and rANS.
    Models(SymbolModels),
}

impl Coder {
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
        let choice = ModelChoice { sample, alphabet, periods, layer_symbols, room };
        let models = choice.models_if_better()?;
        Ok(models.map_or(Self::Zstd, Self::Models))
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
    /// [`ANY_SYMBOL`] becomes a symbol that costs little.
    ///
    /// [`ANY_SYMBOL`]: crate::symbols::symbol_layout::ANY_SYMBOL
    pub(crate) fn encode(
        &self,
        first: u64,
        symbol_layout: SymbolLayout,
        symbols: &[u16],
        out: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        match self {
            Self::Zstd => encode_zstd(symbols, symbol_layout, SLOW_LEVEL, out),
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
        let BlockSymbols { first, count, wanted } = block;
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

#[cfg(test)]
mod tests {
    use super::{BlockSymbols, Coder, DecodeScratch, LayerDimensions};
    use crate::layout::Layout;
    use crate::models::sample::{SampleBlock, SampleRun};
    use crate::symbols::symbol::Symbol;
    use crate::symbols::symbol_layout::{ANY_SYMBOL, Alphabet, SymbolLayout};
    use hindsight_core::Value;

    const SYMBOLS: [Symbol; 4] = [
        Symbol::Exact(Value::Loss(2)),
        Symbol::Exact(Value::Win(3)),
        Symbol::Exact(Value::Draw),
        Symbol::Win,
    ];

    const LAYOUT: SymbolLayout = SymbolLayout::of(Layout::Full);
    const RUN: usize = LAYOUT.zstd_block();
    const ALPHABET: Alphabet<'_> = Alphabet { symbols: &SYMBOLS, symbol_layout: LAYOUT };

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
                if random(4) == 0 { ANY_SYMBOL } else { symbol as u16 }
            };
            SampleRun { first, symbols: (first..first + RUN as u64).map(next).collect() }
        };
        (0..runs).map(run).collect()
    }

    fn model() -> (Coder, Vec<SampleRun>) {
        let sample = noisy(8);
        let coder = Coder::choose(&sample, ALPHABET, &[1, 5], 1 << 24, u64::MAX).expect("a coder");
        assert!(matches!(coder, Coder::Models(_)));
        let bytes = coder.to_bytes().expect("bytes");
        let dimensions = LayerDimensions { ranks: 1 << 24, channels: 1 };
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
            for SampleBlock { first, symbols: wanted } in
                sample.iter().flat_map(|run| run.blocks(LAYOUT))
            {
                let mut bytes = Vec::new();
                let encoded = coder.encode(first, LAYOUT, wanted, &mut bytes);
                encoded.expect("bytes");
                let count = wanted.len();
                let mut decode = |wanted| {
                    let block = BlockSymbols { first, count, wanted };
                    let decoded = coder.decode(&bytes, block, &mut scratch);
                    decoded.expect("symbols")
                };
                let symbols = decode(count);
                let some = decode(count / 3);
                assert!(some.len() >= count / 3 && symbols.starts_with(&some));
                let stored = wanted.iter().zip(symbols);
                assert!(stored.into_iter().all(|(&a, b)| a == ANY_SYMBOL || a == u16::from(b)));
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
                let block = |wanted| BlockSymbols { first: 0, count: 512, wanted };
                drop(coder.decode(&bytes, block(512), &mut scratch));
                drop(coder.decode(&bytes[..bit / 8], block(300), &mut scratch));
            }
        }
    }
}
