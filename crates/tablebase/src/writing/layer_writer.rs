//! Writing of a layer: blocks, pages of the index, coder, top of the index.

use std::io::Write;
use std::ops::Range;

use hindsight_engine::parallel;

use crate::address::Address;
use crate::codec::coder::Coder;
use crate::error::TableError;
use crate::format::block_tiers::{BlockTiers, put_tiers};
use crate::format::index::BlockIndexWriter;
use crate::models::model::MAX_PERIOD;
use crate::models::sample::SampleRun;
use crate::symbols::ordinals::ordinal_runs;
use crate::symbols::symbol_layout::{Alphabet, SymbolLayout};

/// Most runs in the sample by which the coder of a layer is chosen: 33 million symbols.
pub(super) const MAX_SAMPLE_RUNS: u64 = 2048;

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
    /// Channels are interleaved. [`ANY_SYMBOL`] where nothing need be stored.
    ///
    /// [`ANY_SYMBOL`]: crate::symbols::symbol_layout::ANY_SYMBOL
    pub(crate) symbols: Vec<u16>,
}

/// Sizes of a written layer.
pub(crate) struct WrittenLayer {
    pub(crate) block_ranks: u32,
    /// Lengths of the sections, as in [`crate::LayerInfo::sections`].
    pub(crate) sections: [u64; 4],
}

/// Sections of a layer, on their way into a file.
///
/// The coder follows the pages, so that a reader gets it together with the top.
pub(super) struct LayerSections<'a, W> {
    out: W,
    coder: &'a [u8],
    block_ranks: u32,
    blocks_bytes: u64,
    index: BlockIndexWriter,
}

impl<'a, W: Write> LayerSections<'a, W> {
    /// Begins a layer with this coder. The blocks will have `block_ranks` ranks.
    pub(crate) fn new(out: W, coder: &'a [u8], block_ranks: u32) -> Self {
        Self { out, coder, block_ranks, blocks_bytes: 0, index: BlockIndexWriter::default() }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.out.write_all(bytes).map_err(TableError::io("write"))
    }

    /// Writes the next block, whose first rank has the address `first`.
    pub(super) fn put_block(&mut self, first: Address, bytes: &[u8]) -> Result<(), TableError> {
        self.put(bytes)?;
        self.index.push(first, bytes);
        self.blocks_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes the index and the coder.
    pub(crate) fn finish(mut self) -> Result<WrittenLayer, TableError> {
        let (pages, top) = std::mem::take(&mut self.index).finish();
        self.put(&pages)?;
        self.put(self.coder)?;
        self.put(&top)?;
        Ok(WrittenLayer {
            block_ranks: self.block_ranks,
            sections: [
                self.coder.len() as u64,
                self.blocks_bytes,
                pages.len() as u64,
                top.len() as u64,
            ],
        })
    }
}

/// Writes blocks, coder and index. The bytes depend neither on the number of threads nor on `room`,
/// the memory for the choice of the coder.
pub(crate) fn write_layer(
    source: &impl SymbolSource,
    room: u64,
    out: &mut impl Write,
) -> Result<WrittenLayer, TableError> {
    let (alphabet, ranks) = (source.alphabet(), source.ranks());
    let coder = {
        let sample = sample_layer(source)?;
        choose_coder(&sample, alphabet, source.periods(), ranks, room)?
    };
    let block_ranks = coder.block_ranks(alphabet.symbol_layout);
    let coder_bytes = coder.to_bytes()?;
    let mut sections = LayerSections::new(out, &coder_bytes, block_ranks);
    put_blocks(source, &coder, 0..ranks, &mut sections)?;
    sections.finish()
}

/// Encodes the blocks of a range of ordinals, which begins with a block, and appends them.
pub(super) fn put_blocks<W: Write>(
    source: &impl SymbolSource,
    coder: &Coder,
    ordinals: Range<u64>,
    sections: &mut LayerSections<'_, W>,
) -> Result<(), TableError> {
    let step = u64::from(coder.block_ranks(source.alphabet().symbol_layout));
    let blocks = ordinals.start / step..ordinals.end.div_ceil(step);
    for batch in blocks.clone().step_by(BATCH_BLOCKS as usize) {
        let block = |i| encode_block(source, coder, ordinal_runs(ordinals.end, step)(i));
        let encoded = parallel::try_map(batch..blocks.end.min(batch + BATCH_BLOCKS), &block)?;
        for (first, bytes) in encoded {
            sections.put_block(first, &bytes)?;
        }
    }
    Ok(())
}

/// Ranks of a run of the sample: those of the largest block.
fn run_ranks(symbol_layout: SymbolLayout) -> u64 {
    u64::from(symbol_layout.block_ranks()[1])
}

/// Numbers of the runs in the sample of a layer, at equal distances.
pub(super) fn sampled_runs(
    ranks: u64,
    symbol_layout: SymbolLayout,
) -> impl Iterator<Item = u64> + use<> {
    let runs = ranks.div_ceil(run_ranks(symbol_layout));
    let step = runs.div_ceil(MAX_SAMPLE_RUNS).max(1);
    (0..runs.div_ceil(step)).map(move |i| i * step)
}

/// Symbols of the sampled runs.
fn sample_layer(source: &impl SymbolSource) -> Result<Vec<SampleRun>, TableError> {
    let (ranks, symbol_layout) = (source.ranks(), source.alphabet().symbol_layout);
    let runs: Vec<u64> = sampled_runs(ranks, symbol_layout).collect();
    parallel::try_of(&runs, &|&run| {
        let ordinals = ordinal_runs(ranks, run_ranks(symbol_layout))(run);
        let first = ordinals.start * symbol_layout.channels() as u64;
        let required: RequiredSymbols = source.required_symbols(ordinals)?;
        let symbols = required.symbols;
        Ok(SampleRun { first, symbols })
    })
}

/// Chooses the coder of a layer of `ranks` ranks by the runs of [`sampled_runs`]. `periods` are in
/// ranks. Takes `room` bytes besides the runs.
pub(super) fn choose_coder(
    sample: &[SampleRun],
    alphabet: Alphabet<'_>,
    periods: Vec<u32>,
    ranks: u64,
    room: u64,
) -> Result<Coder, TableError> {
    let channels = alphabet.symbol_layout.channels();
    let mut symbol_periods = vec![1];
    let hints = periods.into_iter().filter(|&period| period > 1);
    let hints = hints.filter_map(|period| period.checked_mul(channels as u32));
    symbol_periods.extend(hints.filter(|&period| period <= MAX_PERIOD));
    let layer_symbols = ranks * channels as u64;
    Coder::choose(sample, alphabet, &symbol_periods, layer_symbols, room)
}

/// Encodes a block. Returns the address of its first rank, and its bytes.
pub(crate) fn encode_block(
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

#[cfg(test)]
mod tests {
    use super::{MAX_SAMPLE_RUNS, run_ranks, sampled_runs};
    use crate::layout::Layout;
    use crate::symbols::symbol_layout::SymbolLayout;

    #[test]
    fn runs_are_sampled_at_equal_distances() {
        let symbol_layout = SymbolLayout::of(Layout::Full);
        let sampled = |runs: u64| {
            let ranks = runs * run_ranks(symbol_layout);
            let last_run_is_short = ranks.saturating_sub(1);
            let sampled: Vec<u64> = sampled_runs(last_run_is_short, symbol_layout).collect();
            assert!(sampled.iter().all(|&run| run < runs));
            sampled
        };
        assert_eq!(sampled(0), [0; 0]);
        assert_eq!(sampled(1), [0]);
        let all = Vec::from_iter(0..MAX_SAMPLE_RUNS);
        assert_eq!(sampled(MAX_SAMPLE_RUNS), all);
        let second = Vec::from_iter((0..=MAX_SAMPLE_RUNS).step_by(2));
        assert_eq!(sampled(MAX_SAMPLE_RUNS + 1), second);
        assert_eq!(sampled(100 * MAX_SAMPLE_RUNS).len() as u64, MAX_SAMPLE_RUNS);
    }
}
