//! Memory that writing a layer takes besides the layer.

use hindsight_core::Packed;

use super::layer_writer::MAX_SAMPLE_RUNS;
use crate::codec::model_choice::minimum_room;
use crate::layout::Layout;
use crate::symbols::symbol_layout::SymbolLayout;

/// Dimensions of a layer to be written.
#[derive(Clone, Copy)]
pub(crate) struct WriteMemory {
    pub(crate) ranks: u64,
    pub(crate) tiers: u64,
    pub(crate) layout: Layout,
    /// Size of a position of the game, in bytes.
    pub(crate) position_bytes: usize,
}

/// Bytes for file buffers and small items.
const FIXED_BYTES: u64 = 1 << 20;

/// Most bytes of encoded blocks that wait to be written.
const WAITING_BYTES: u64 = 4 << 20;

/// Bytes per thread for a block or a run of the sample, besides its positions.
const THREAD_BYTES: u64 = 3 << 19;

/// Bytes per tier for the lists of tiers and starts, while the layer is compared with the game.
const TIER_BYTES: u64 = 32;

impl WriteMemory {
    /// Most symbols of the sample.
    fn sampled_symbols(&self) -> u64 {
        let symbol_layout = SymbolLayout::of(self.layout);
        let run_symbols = symbol_layout.zstd_block() as u64;
        let symbols = self.ranks.saturating_mul(symbol_layout.channels() as u64);
        symbols.min(MAX_SAMPLE_RUNS * run_symbols)
    }

    /// Bytes that are needed even if the choice of the coder has minimal room.
    fn without_coder_choice(&self, threads: usize) -> u64 {
        let symbol_layout = SymbolLayout::of(self.layout);
        let symbols = self.ranks.saturating_mul(symbol_layout.channels() as u64);
        let run_ranks = (symbol_layout.zstd_block() / symbol_layout.channels()) as u64;
        // Lists of positions with their ranks grow by doubling: the rules fill one of their own.
        let positions = run_ranks.min(self.ranks) * 6 * (self.position_bytes as u64 + 8);
        let thread_bytes = threads as u64 * (THREAD_BYTES + positions);
        // Counts of runs of ranks, and the index.
        let rank_bytes = self.ranks / 100 + symbols / 75;
        let sample = self.sampled_symbols();
        let waiting = symbols.min(WAITING_BYTES);
        FIXED_BYTES + waiting + thread_bytes + rank_bytes + TIER_BYTES * self.tiers + 2 * sample
    }

    /// Fewest bytes that writing takes.
    pub(super) fn minimum(&self, threads: usize) -> u64 {
        let channels = SymbolLayout::of(self.layout).channels() as u64;
        let room = minimum_room(self.ranks.saturating_mul(channels), channels);
        self.without_coder_choice(threads) + room
    }

    /// Room for the choice of the coder if writing may take `allowed` bytes.
    pub(crate) fn coder_choice_room(&self, allowed: u64, threads: usize) -> u64 {
        allowed.saturating_sub(self.without_coder_choice(threads))
    }
}

/// Returns the fewest bytes of memory, besides the layer, in which `threads` threads can write a
/// layer of `ranks` ranks and `tiers` tiers.
pub fn write_layer_memory(ranks: u64, tiers: u64, layout: Layout, threads: usize) -> u64 {
    let needed = WriteMemory { ranks, tiers, layout, position_bytes: size_of::<Packed>() };
    needed.minimum(threads)
}
