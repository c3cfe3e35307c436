//! Memory that the writing of a layer takes beside the layer.

use hindsight_core::Game;

use crate::grain::Grain;
use crate::layout::Layout;
use crate::stream::SAMPLE;
use crate::tallies::least_room;

/// A layer that is to be written.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    pub(crate) ranks: u64,
    pub(crate) tiers: u64,
    pub(crate) layout: Layout,
    /// Bytes of a position of the game.
    pub(crate) position: usize,
}

/// Bytes of the files' buffers, of encoded blocks that wait, and of what is small.
const FIXED: u64 = 5 << 20;
/// Bytes a thread takes for a block or a part of a sample, beside its positions.
const OF_THREAD: u64 = 3 << 19;
/// Bytes of the listed tiers of a layer, while they are compared with the game's.
const OF_TIER: u64 = 32;

impl Written {
    /// The symbols of a sample and of the part of it by which a model is chosen, at most.
    fn sampled(&self) -> [u64; 2] {
        const MOST_CHOSEN_BY: u64 = 512;
        let grain = Grain::of(self.layout);
        let unit = grain.unit() as u64;
        let symbols = self.ranks.saturating_mul(grain.planes() as u64);
        [SAMPLE, MOST_CHOSEN_BY].map(|parts| symbols.min(parts * unit))
    }

    /// Bytes that are taken however little room there is for a choice of coder.
    fn besides_choice(&self, threads: usize) -> u64 {
        let grain = Grain::of(self.layout);
        let symbols = self.ranks.saturating_mul(grain.planes() as u64);
        // A list of positions with their ranks grows by doubling.
        let positions = (grain.unit() / grain.planes()) as u64 * 3 * (self.position as u64 + 8);
        let of_threads = threads as u64 * (OF_THREAD + positions);
        // Counts of runs of ranks, and the index.
        let of_ranks = self.ranks / 100 + symbols / 75;
        let [sample, _] = self.sampled();
        FIXED + of_threads + of_ranks + OF_TIER * self.tiers + 2 * sample
    }

    /// The fewest bytes it takes.
    pub(crate) fn least(&self, threads: usize) -> u64 {
        let [sample, few] = self.sampled();
        let choice = [sample, few].map(|symbols| symbols + least_room(symbols));
        self.besides_choice(threads) + choice[0].max(choice[1])
    }

    /// The room there is for a choice of coder if it may take so many bytes.
    pub(crate) fn room(&self, allowed: u64, threads: usize) -> u64 {
        allowed.saturating_sub(self.besides_choice(threads))
    }
}

/// The fewest bytes that the writing of a layer takes beside the layer itself, with so many ranks and tiers.
pub fn writing_memory<G: Game>(ranks: u64, tiers: u64, layout: Layout, threads: usize) -> u64 {
    let written = Written {
        ranks,
        tiers,
        layout,
        position: size_of::<G::Position>(),
    };
    written.least(threads)
}
