//! Writing of a layer: coder, blocks and index.

use std::io::Write;
use std::ops::Range;

use hindsight_solve::parallel;

use crate::address::Address;
use crate::block_tiers::{BlockTiers, put_tiers};
use crate::coder::Coder;
use crate::error::TableError;
use crate::index::BlockIndexWriter;
use crate::model::MAX_PERIOD;
use crate::ordinals::ordinal_runs;
use crate::sample::SampleRun;
use crate::symbol_layout::Alphabet;

/// Most runs in the sample by which the coder of a layer is chosen: 33 million symbols.
pub(crate) const MAX_SAMPLE_RUNS: u64 = 2048;

/// Blocks that are encoded in parallel before they are written.
const BATCH_BLOCKS: u64 = 256;

/// Source of the symbols of a layer, with random access.
pub(crate) trait SymbolSource: Sync {
    /// Number of ranks, holes included.
    fn ranks(&self) -> u64;

    /// Symbols of the layer, and their arrangement.
    fn alphabet(&self) -> Alphabet<'_>;

    /// Candidates for a period, in ranks: symbols at equal ranks modulo a period may be alike.
    fn periods(&self) -> Vec<u32>;

    /// Symbols to be stored for a range of ordinals of ranks.
    fn required_symbols(&self, ordinals: Range<u64>) -> Result<RequiredSymbols, TableError>;
}

/// Symbols to be stored in a block.
pub(crate) struct RequiredSymbols {
    /// Address of the first rank.
    pub(crate) first: Address,
    pub(crate) tiers: BlockTiers,
    /// Channels are interleaved. [`ANY_SYMBOL`](crate::symbol_layout::ANY_SYMBOL) where nothing
    /// need be stored.
    pub(crate) symbols: Vec<u16>,
}

/// Sizes of a written layer.
pub(crate) struct WrittenLayer {
    pub(crate) block_ranks: u32,
    /// Lengths of the sections, as in [`crate::LayerInfo::sections`].
    pub(crate) sections: [u64; 4],
}

/// Writes coder, blocks and index. The bytes depend neither on the number of threads nor on `room`,
/// the memory for the choice of the coder.
pub(crate) fn write_layer(
    source: &impl SymbolSource,
    room: u64,
    out: &mut impl Write,
) -> Result<WrittenLayer, TableError> {
    let coder = choose_coder(source, room)?;
    let block_ranks = coder.block_ranks(source.alphabet().symbol_layout);
    let coder_bytes = coder.to_bytes()?;
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(TableError::io("write"));
    put(&coder_bytes)?;
    let (mut index, mut blocks_bytes) = (BlockIndexWriter::default(), 0);
    let (ranks, step) = (source.ranks(), u64::from(block_ranks));
    let blocks = ranks.div_ceil(step);
    for batch in (0..blocks).step_by(BATCH_BLOCKS as usize) {
        let block = |i| encode_block(source, &coder, ordinal_runs(ranks, step)(i));
        let encoded = parallel::try_map(batch..blocks.min(batch + BATCH_BLOCKS), &block)?;
        for (first, bytes) in encoded {
            put(&bytes)?;
            index.push(first, &bytes);
            blocks_bytes += bytes.len() as u64;
        }
    }
    let (pages, top) = index.finish();
    put(&pages)?;
    put(&top)?;
    Ok(WrittenLayer {
        block_ranks,
        sections: [
            coder_bytes.len() as u64,
            blocks_bytes,
            pages.len() as u64,
            top.len() as u64,
        ],
    })
}

/// Chooses the coder of a layer by runs at equal distances. Takes `room` bytes besides the runs.
fn choose_coder(source: &impl SymbolSource, room: u64) -> Result<Coder, TableError> {
    let alphabet = source.alphabet();
    let channels = alphabet.symbol_layout.channels();
    let run_ranks = (alphabet.symbol_layout.zstd_block() / channels) as u64;
    let ranks = source.ranks();
    let runs = ranks.div_ceil(run_ranks);
    let step = runs.div_ceil(MAX_SAMPLE_RUNS).max(1);
    let run = |i: u64| {
        let ordinals = ordinal_runs(ranks, run_ranks)(i * step);
        let first = ordinals.start * channels as u64;
        let required: RequiredSymbols = source.required_symbols(ordinals)?;
        let symbols = required.symbols;
        Ok::<_, TableError>(SampleRun { first, symbols })
    };
    let sample: Vec<SampleRun> = parallel::try_map(0..runs.div_ceil(step), &run)?;
    let mut periods = vec![1];
    let hints = source.periods().into_iter().filter(|&period| period > 1);
    let hints = hints.filter_map(|period| period.checked_mul(channels as u32));
    periods.extend(hints.filter(|&period| period <= MAX_PERIOD));
    Coder::choose(&sample, alphabet, &periods, ranks * channels as u64, room)
}

/// Encodes a block. Returns the address of its first rank, and its bytes.
fn encode_block(
    source: &impl SymbolSource,
    coder: &Coder,
    ordinals: Range<u64>,
) -> Result<(Address, Vec<u8>), TableError> {
    let symbol_layout = source.alphabet().symbol_layout;
    let first = ordinals.start * symbol_layout.channels() as u64;
    let required = source.required_symbols(ordinals)?;
    let mut bytes = Vec::new();
    put_tiers(&mut bytes, &required.tiers);
    coder.encode(first, symbol_layout, &required.symbols, &mut bytes)?;
    Ok((required.first, bytes))
}
