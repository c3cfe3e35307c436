use game::Ranked;

use super::BYTES_IN_WORK;
use crate::Error;

/// What a solve of every position takes, known before it starts.
#[derive(Clone, Debug)]
pub struct Plan {
    tiers: Vec<Vec<u64>>,
    /// The last layer that looks a layer up, itself if none does.
    last_use: Vec<u32>,
    ranks: u64,
    peak: u64,
}

impl Plan {
    /// Lists the tiers of a game, eight bytes each, and adds up what they need.
    #[must_use]
    pub fn new<G: Ranked>(game: &G) -> Self {
        let layers = game.layers();
        let mut last_use: Vec<u32> = (0..layers).collect();
        let mut tiers: Vec<Vec<u64>> = Vec::new();
        let mut sizes = Vec::new();
        let mut largest = Vec::new();
        for layer in 0..layers {
            for earlier in game.layer_successors(layer) {
                last_use[earlier as usize] = layer;
            }
            let mut own = Vec::new();
            game.tiers(layer, &mut own);
            let lens = || own.iter().map(|&tier| game.tier_len(tier));
            sizes.push(lens().sum::<u64>());
            largest.push(lens().max().unwrap_or(0));
            tiers.push(own);
        }
        let peak = |layer: usize| {
            let kept = (0..layer).filter(|&earlier| last_use[earlier] as usize >= layer);
            let kept: u64 = kept.map(|earlier| sizes[earlier]).sum();
            kept + sizes[layer] + (BYTES_IN_WORK - 1) * largest[layer]
        };
        let lists: u64 = tiers.iter().map(|tiers| 8 * tiers.len() as u64).sum();
        Self {
            peak: lists + (0..tiers.len()).map(peak).max().unwrap_or(0),
            ranks: sizes.iter().sum(),
            tiers,
            last_use,
        }
    }

    /// The tiers of a layer, ascending.
    #[must_use]
    pub fn tiers(&self, layer: u32) -> &[u64] {
        &self.tiers[layer as usize]
    }

    /// Ranks of all tiers, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.ranks
    }

    /// Bytes of memory at the peak of a solve.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    pub(super) fn last_use(&self, layer: u32) -> u32 {
        self.last_use[layer as usize]
    }

    /// Whether a solve may begin with so much memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with the figure that is needed.
    pub fn check(&self, limit: u64) -> Result<(), Error> {
        if self.peak <= limit {
            return Ok(());
        }
        Err(Error::TooLarge {
            ranks: self.ranks,
            needed: self.peak,
            limit,
        })
    }
}
