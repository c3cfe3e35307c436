//! Tiers and memory needs, known before a solve.

use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::{Error, Store};

/// Tiers solved between two calls of the monitor.
pub(super) const TIERS_PER_REPORT: usize = 256;
/// Bytes per rank of a tier in work.
const BYTES_PER_RANK_IN_WORK: u64 = 2;

/// Lowest limit in bytes that the checks without a list of tiers compare with.
const ROUGH_CHECK_FLOOR: u64 = 1 << 27;

/// Bytes for a tier in the lists of a plan and of a layer.
const TIER_LIST_BYTES: u64 = 32;

/// Tiers and memory needs of a solve of every position, known before it starts.
#[derive(Clone, Debug)]
pub struct TierPlan {
    tiers: Vec<Vec<u64>>,
    /// The last layer that looks this layer up; the layer itself if none does.
    last_use: Vec<u32>,
    /// Bytes of each layer while it is solved.
    sizes: Vec<u64>,
    /// Ranks of the largest tier of each layer.
    largest: Vec<u64>,
    /// Most bytes that the game takes for a tier of each layer.
    by_game: Vec<u64>,
    ranks: u64,
    peak: u64,
    streamed: bool,
    peak_bottom_up: u64,
}

fn sum_of_layers(game: &PackedGame, of_layer: impl Fn(&PackedGame, u32) -> u64) -> u64 {
    let layers = (0..game.layers()).map(|layer| of_layer(game, layer));
    layers.fold(0, u64::saturating_add)
}

impl TierPlan {
    /// Checks, without listing tiers, that a solve needs at most twice `limit` bytes. A larger game
    /// may have too many tiers to list. `can_stream` is true for solvers that need not keep layer
    /// 0.
    ///
    /// A solve that needs at most 2^28 bytes always passes: its list is short, and its exact need
    /// can be shown.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with rough figures.
    pub fn check_roughly(game: &PackedGame, can_stream: bool, limit: u64) -> Result<(), Error> {
        let needed = Self::rough_bytes(game, can_stream);
        if needed / 2 <= limit.max(ROUGH_CHECK_FLOOR) {
            return Ok(());
        }
        Err(Error::TooLarge { ranks: sum_of_layers(game, Tiers::estimated_ranks), needed, limit })
    }

    /// Checks, without listing them, that the lists of the tiers of a game fit into `limit` bytes,
    /// or into 2^27 if that is more. Its layers may be far larger.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with rough figures.
    pub fn check_tier_lists(game: &PackedGame, limit: u64) -> Result<(), Error> {
        let tiers = sum_of_layers(game, Tiers::estimated_tiers);
        let needed = tiers.saturating_mul(TIER_LIST_BYTES);
        if needed <= limit.max(ROUGH_CHECK_FLOOR) {
            return Ok(());
        }
        Err(Error::TooLarge { ranks: sum_of_layers(game, Tiers::estimated_ranks), needed, limit })
    }

    /// Estimates the bytes that a solve needs, without listing tiers: those of the largest layer
    /// with the layers that it looks up. `can_stream` is as in [`TierPlan::check_roughly`].
    pub(crate) fn rough_bytes(game: &PackedGame, can_stream: bool) -> u64 {
        let kept = |layer: u32| match (can_stream, layer) {
            (true, 0) => 0,
            _ => game.estimated_ranks(layer),
        };
        let needed = |layer: u32| {
            let successors = game.layer_successors(layer).into_iter().map(kept);
            successors.fold(kept(layer), u64::saturating_add)
        };
        (0..game.layers()).map(needed).max().unwrap_or(0)
    }

    /// Lists the tiers of a game, eight bytes each, and sums their memory needs. Call
    /// [`TierPlan::check_roughly`] first for a game that may have too many tiers.
    #[must_use]
    pub fn new(game: &PackedGame) -> Self {
        let layers = game.layers();
        let mut last_use: Vec<u32> = (0..layers).collect();
        let mut tiers: Vec<Vec<u64>> = Vec::new();
        let mut sizes = Vec::new();
        let (mut largest, mut by_game) = (Vec::new(), Vec::new());
        for layer in 0..layers {
            for earlier in game.layer_successors(layer) {
                last_use[earlier as usize] = layer;
            }
            let mut own = Vec::new();
            game.tiers(layer, &mut own);
            let lens = || own.iter().map(|&tier| game.tier_len(tier));
            sizes.push(lens().sum::<u64>());
            largest.push(lens().max().unwrap_or(0));
            by_game.push(own.iter().map(|&tier| game.work_bytes(tier)).max().unwrap_or(0));
            tiers.push(own);
        }
        // Layer in work, and copies of layers solved again, as long as others look them up.
        let lists = |layer: usize| 16 * tiers[layer].len() as u64;
        let reduced = |layer: usize| {
            let copied = (1..layer).filter(|&earlier| last_use[earlier] as usize >= layer);
            let copies: u64 = copied.map(|earlier| sizes[earlier] + lists(earlier)).sum();
            copies
                + sizes[layer]
                + lists(layer)
                + bytes_in_work(tiers[layer].len(), sizes[layer], largest[layer])
        };
        let lowest = bytes_in_work(tiers[0].len(), sizes[0], largest[0]);
        let most_copied = (1..tiers.len()).map(reduced).max().unwrap_or(0).max(lowest);
        let ranks: u64 = sizes.iter().sum();
        let mut plan = Self {
            peak_bottom_up: 3 * tier_list_bytes(&tiers) + ranks + most_copied,
            tiers,
            last_use,
            sizes,
            largest,
            by_game,
            ranks,
            peak: 0,
            streamed: false,
        };
        plan.peak = plan.peak_by_layers();
        plan
    }

    /// Plans a solve that does not keep layer 0. Each of its tiers is reduced at once to the exit
    /// values that layer 1 needs: at most one byte per rank of layer 1.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        if let [first, second, ..] = &mut self.sizes[..] {
            *first = 0;
            *second *= 2;
            self.streamed = true;
            self.peak = self.peak_by_layers();
        }
        self
    }

    /// True if layer 0 is not kept.
    #[must_use]
    pub(crate) fn is_streamed(&self) -> bool {
        self.streamed
    }

    /// Most bytes at any time.
    fn peak_by_layers(&self) -> u64 {
        let peak = |layer| self.resident_bytes(layer as u32) + self.bytes_in_work(layer);
        (0..self.tiers.len()).map(peak).max().unwrap_or(0)
    }

    /// Bytes needed besides a layer while its tiers are solved.
    fn bytes_in_work(&self, layer: usize) -> u64 {
        let in_work =
            bytes_in_work(self.tiers[layer].len(), self.sizes[layer], self.largest[layer]);
        in_work + self.by_game[layer]
    }

    /// Bytes of a layer with the lists of its tiers.
    fn layer_bytes(&self, layer: usize) -> u64 {
        // Streaming keeps nothing of layer 0, but layer 1 has a list for each side of its tiers.
        let each = match (self.streamed, layer) {
            (true, 0) => 0,
            (true, 1) => 16 + 96,
            _ => 16,
        };
        self.sizes[layer] + each * self.tiers[layer].len() as u64
    }

    /// Returns the bytes that a solve holds when a layer is finished.
    #[must_use]
    pub fn resident_bytes(&self, layer: u32) -> u64 {
        let kept = (0..layer).filter(|&earlier| self.last_use(earlier) >= layer);
        let kept_bytes: u64 = kept.map(|earlier| self.layer_bytes(earlier as usize)).sum();
        tier_list_bytes(&self.tiers) + kept_bytes + self.layer_bytes(layer as usize)
    }

    /// Bytes at the peak of a solve that keeps every layer, but not layer 0 if it is streamed.
    pub(crate) fn peak_with_all_layers(&self) -> u64 {
        let layers = 0..self.tiers.len();
        let kept: u64 = layers.clone().map(|layer| self.layer_bytes(layer)).sum();
        let in_work = layers.map(|layer| self.bytes_in_work(layer)).max();
        tier_list_bytes(&self.tiers) + kept + in_work.unwrap_or(0)
    }

    /// Returns the tier and rank of one of all ranks, which are counted from the first layer on.
    pub(crate) fn address(&self, game: &PackedGame, mut ordinal: u64) -> Option<(u64, u64)> {
        for (layer, &size) in self.sizes.iter().enumerate() {
            if ordinal >= size {
                ordinal -= size;
                continue;
            }
            for &tier in &self.tiers[layer] {
                let len = game.tier_len(tier);
                if ordinal < len {
                    return Some((tier, ordinal));
                }
                ordinal -= len;
            }
        }
        None
    }

    /// Returns the tiers of a layer, ascending.
    #[must_use]
    pub fn tiers(&self, layer: u32) -> &[u64] {
        &self.tiers[layer as usize]
    }

    /// Returns the number of ranks of all tiers, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.ranks
    }

    /// Returns the bytes of memory at the peak of a solve.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Returns the bytes of memory at the peak of a solve that writes to or reads from a store.
    #[must_use]
    pub fn peak_with_store(&self, store: &dyn Store) -> u64 {
        let first = u32::from(self.streamed);
        let stored = (first..self.tiers.len() as u32).map(|layer| {
            let tiers = self.tiers(layer).len() as u64;
            let ranks =
                self.sizes[layer as usize] / if self.streamed && layer == 1 { 2 } else { 1 };
            self.resident_bytes(layer) + store.takes(layer, ranks, tiers)
        });
        stored.fold(self.peak, u64::max)
    }

    /// Returns the bytes of memory at the peak of a solve that keeps every layer, and solves it
    /// again with those that are added.
    #[must_use]
    pub fn peak_bottom_up(&self) -> u64 {
        self.peak_bottom_up
    }

    /// Returns the last layer whose moves lead to a layer.
    #[must_use]
    pub fn last_use(&self, layer: u32) -> u32 {
        self.last_use[layer as usize]
    }

    /// Checks that a solve fits into `limit` bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with the bytes needed.
    pub fn check(&self, limit: u64) -> Result<(), Error> {
        self.check_needed(self.peak, limit)
    }

    /// Same as [`TierPlan::check`], for a solve with a store.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with the bytes needed.
    pub(crate) fn check_with_store(&self, store: &dyn Store, limit: u64) -> Result<(), Error> {
        self.check_needed(self.peak_with_store(store), limit)
    }

    /// Same as [`TierPlan::check`], for a given peak in bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with the bytes needed.
    pub fn check_peak(&self, peak: u64, limit: u64) -> Result<(), Error> {
        self.check_needed(peak, limit)
    }

    fn check_needed(&self, needed: u64, limit: u64) -> Result<(), Error> {
        if needed <= limit {
            return Ok(());
        }
        Err(Error::TooLarge { ranks: self.ranks, needed, limit })
    }
}

/// Bytes needed besides a layer while its tiers are solved. The layer has `ranks` ranks, its
/// largest tier `largest`.
fn bytes_in_work(tiers: usize, ranks: u64, largest: u64) -> u64 {
    // Ply marks take 32 bytes per chunk of 16,384 ranks, that is 1/512; twice as much is allowed
    // for.
    let marked = |ranks: u64| ranks + ranks / 256;
    let moves = BYTES_PER_RANK_IN_WORK - 1;
    if tiers == 1 {
        return moves * marked(largest);
    }
    let threads = rayon::current_num_threads() as u64;
    let at_once = ranks.min(tiers.min(TIERS_PER_REPORT) as u64 * largest);
    at_once + ranks.min(threads * moves * marked(largest))
}

fn tier_list_bytes(tiers: &[Vec<u64>]) -> u64 {
    tiers.iter().map(|tiers| 8 * tiers.len() as u64).sum()
}
