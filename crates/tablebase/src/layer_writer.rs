//! Symbols become coder, blocks and index.

use std::io::Write;
use std::ops::Range;

use hindsight_solve::parallel;

use crate::TableError;
use crate::block_tiers::{BlockTiers, put_tiers};
use crate::coder::Coder;
use crate::index::{Address, BlockIndexWriter};
use crate::model::MAX_PERIOD;
use crate::ordinals::ordinal_runs;
use crate::symbol_layout::Alphabet;
use crate::training::SampleRun;

/// Parts of a layer by which its coder is chosen, at most: 33 million symbols.
pub(crate) const MAX_SAMPLE_RUNS: u64 = 2048;

/// Blocks that are encoded before they are written.
const BATCH_BLOCKS: u64 = 256;

/// A layer as the symbols that are to be stored, asked for in any order.
pub(crate) trait SymbolSource: Sync {
    /// Ranks, holes included.
    fn ranks(&self) -> u64;

    /// What the symbols are, and how many a rank has.
    fn alphabet(&self) -> Alphabet<'_>;

    /// Numbers of ranks modulo which symbols may be alike.
    fn periods(&self) -> Vec<u32>;

    /// What must be stored at some ordinals of ranks.
    fn required_symbols(&self, ordinals: Range<u64>) -> Result<RequiredSymbols, TableError>;
}

/// What a block must say.
pub(crate) struct RequiredSymbols {
    pub(crate) first: Address,
    pub(crate) tiers: BlockTiers,
    /// Those of a rank follow each other; [`crate::coder::FREE`] where any will do.
    pub(crate) symbols: Vec<u16>,
}

/// What a layer became.
pub(crate) struct WrittenLayer {
    pub(crate) block_ranks: u32,
    pub(crate) sections: [u64; 4],
}

/// Writes coder, blocks and index, the same bytes for any number of threads and any room for the choice of a
/// coder.
pub(crate) fn write_layer(
    stream: &impl SymbolSource,
    room: u64,
    out: &mut impl Write,
) -> Result<WrittenLayer, TableError> {
    let coder = choose_coder(stream, room)?;
    let block_ranks = coder.block_ranks(stream.alphabet().symbol_layout);
    let head = coder.to_bytes()?;
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(TableError::io("write"));
    put(&head)?;
    let (mut index, mut length) = (BlockIndexWriter::default(), 0);
    let (ranks, step) = (stream.ranks(), u64::from(block_ranks));
    let blocks = ranks.div_ceil(step);
    for batch in (0..blocks).step_by(BATCH_BLOCKS as usize) {
        let block = |i| encode_block(stream, &coder, ordinal_runs(ranks, step)(i));
        let encoded = parallel::try_map(batch..blocks.min(batch + BATCH_BLOCKS), &block)?;
        for (first, bytes) in encoded {
            put(&bytes)?;
            index.push(first, &bytes);
            length += bytes.len() as u64;
        }
    }
    let (pages, top) = index.finish();
    put(&pages)?;
    put(&top)?;
    Ok(WrittenLayer {
        block_ranks,
        sections: [
            head.len() as u64,
            length,
            pages.len() as u64,
            top.len() as u64,
        ],
    })
}

/// The coder for a layer, by parts of it that lie evenly, with so many bytes of room beside the parts.
fn choose_coder(stream: &impl SymbolSource, room: u64) -> Result<Coder, TableError> {
    let alphabet = stream.alphabet();
    let planes = alphabet.symbol_layout.channels();
    let unit = (alphabet.symbol_layout.zstd_block() / planes) as u64;
    let ranks = stream.ranks();
    let units = ranks.div_ceil(unit);
    let step = units.div_ceil(MAX_SAMPLE_RUNS).max(1);
    let part = |i: u64| {
        let ordinals = ordinal_runs(ranks, unit)(i * step);
        Ok(SampleRun {
            first: ordinals.start * planes as u64,
            symbols: stream.required_symbols(ordinals)?.symbols,
        })
    };
    let sample: Vec<SampleRun> = parallel::try_map(0..units.div_ceil(step), &part)?;
    let mut periods = vec![1];
    let hints = stream.periods().into_iter().filter(|&period| period > 1);
    let hints = hints.filter_map(|period| period.checked_mul(planes as u32));
    periods.extend(hints.filter(|&period| period <= MAX_PERIOD));
    Coder::choose(&sample, alphabet, &periods, (ranks * planes as u64, room))
}

/// A block of some ordinals: the place it begins with, and its bytes.
fn encode_block(
    stream: &impl SymbolSource,
    coder: &Coder,
    ordinals: Range<u64>,
) -> Result<(Address, Vec<u8>), TableError> {
    let grain = stream.alphabet().symbol_layout;
    let first = ordinals.start * grain.channels() as u64;
    let wanted = stream.required_symbols(ordinals)?;
    let mut bytes = Vec::new();
    put_tiers(&mut bytes, &wanted.tiers);
    coder.encode((first, grain), &wanted.symbols, &mut bytes)?;
    Ok((wanted.first, bytes))
}
