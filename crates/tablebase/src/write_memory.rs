//! Memory that the writing of a layer takes beside the layer.

use hindsight_core::Game;

use crate::context_counts::minimum_room;
use crate::layer_writer::MAX_SAMPLE_RUNS;
use crate::layout::Layout;
use crate::symbol_layout::SymbolLayout;

/// A layer that is to be written.
#[derive(Clone, Copy)]
pub(crate) struct WriteMemory {
    pub(crate) ranks: u64,
    pub(crate) tiers: u64,
    pub(crate) layout: Layout,
    /// Bytes of a position of the game.
    pub(crate) position_bytes: usize,
}

/// Bytes of the files' buffers, of encoded blocks that wait, and of what is small.
const FIXED_BYTES: u64 = 5 << 20;
/// Bytes a thread takes for a block or a part of a sample, beside its positions.
const THREAD_BYTES: u64 = 3 << 19;
/// Bytes of the listed tiers of a layer, while they are compared with the game's.
const TIER_BYTES: u64 = 32;

impl WriteMemory {
    /// The symbols of a sample and of the part of it by which a model is chosen, at most.
    fn sampled_symbols(&self) -> [u64; 2] {
        const MOST_CHOSEN_BY: u64 = 512;
        let grain = SymbolLayout::of(self.layout);
        let unit = grain.zstd_block() as u64;
        let symbols = self.ranks.saturating_mul(grain.channels() as u64);
        [MAX_SAMPLE_RUNS, MOST_CHOSEN_BY].map(|parts| symbols.min(parts * unit))
    }

    /// Bytes that are taken however little room there is for a choice of coder.
    fn without_coder_choice(&self, threads: usize) -> u64 {
        let grain = SymbolLayout::of(self.layout);
        let symbols = self.ranks.saturating_mul(grain.channels() as u64);
        // A list of positions with their ranks grows by doubling.
        let positions =
            (grain.zstd_block() / grain.channels()) as u64 * 3 * (self.position_bytes as u64 + 8);
        let of_threads = threads as u64 * (THREAD_BYTES + positions);
        // Counts of runs of ranks, and the index.
        let of_ranks = self.ranks / 100 + symbols / 75;
        let [sample, _] = self.sampled_symbols();
        FIXED_BYTES + of_threads + of_ranks + TIER_BYTES * self.tiers + 2 * sample
    }

    /// The fewest bytes it takes.
    pub(crate) fn minimum(&self, threads: usize) -> u64 {
        let [sample, few] = self.sampled_symbols();
        let choice = [sample, few].map(|symbols| symbols + minimum_room(symbols));
        self.without_coder_choice(threads) + choice[0].max(choice[1])
    }

    /// The room there is for a choice of coder if it may take so many bytes.
    pub(crate) fn coder_choice_room(&self, allowed: u64, threads: usize) -> u64 {
        allowed.saturating_sub(self.without_coder_choice(threads))
    }
}

/// The fewest bytes that the writing of a layer takes beside the layer itself, with so many ranks and tiers.
pub fn write_layer_memory<G: Game>(ranks: u64, tiers: u64, layout: Layout, threads: usize) -> u64 {
    let written = WriteMemory {
        ranks,
        tiers,
        layout,
        position_bytes: size_of::<G::Position>(),
    };
    written.minimum(threads)
}
