//! Ranks of a table drawn at random.

use hindsight_core::{PackedGame, Tiers};

/// Returns the addresses `(tier, rank)` of some ranks of a layer, which are counted from its first
/// tier on. They must ascend.
pub fn addresses_in_layer(game: &PackedGame, layer: u32, ranks: &[u64]) -> Vec<(u64, u64)> {
    let mut tiers = Vec::new();
    if !ranks.is_empty() {
        game.tiers(layer, &mut tiers);
    }
    let mut addresses = Vec::with_capacity(ranks.len());
    let (mut ranks, mut first) = (ranks.iter().copied().peekable(), 0);
    for tier in tiers {
        let next = first + game.tier_len(tier);
        while let Some(rank) = ranks.next_if(|&rank| rank < next) {
            addresses.push((tier, rank - first));
        }
        first = next;
    }
    addresses
}

/// Draws `count` numbers in `0..end` uniformly with replacement, and returns the different ones,
/// ascending. If there are at most `count`, all of them are returned.
///
/// ```
/// use hindsight_tablebase::draw_numbers;
///
/// assert_eq!(draw_numbers(3, 5, 1), [0, 1, 2]);
/// assert_eq!(draw_numbers(1 << 40, 5, 1).len(), 5);
/// ```
#[must_use]
pub fn draw_numbers(end: u64, count: usize, seed: u64) -> Vec<u64> {
    let mut random = SplitMix64(seed);
    let mut drawn: Vec<u64> = match usize::try_from(end) {
        Ok(all) if all <= count => (0..end).collect(),
        _ => (0..count).map(|_| random.below(end)).collect(),
    };
    drawn.sort_unstable();
    drawn.dedup();
    drawn
}

/// The pseudorandom number generator SplitMix64.
///
/// # Source
/// G. L. Steele Jr. et al., "Fast splittable pseudorandom number generators" (2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a number in `0..end`. The relative bias is at most `end / 2^64`.
    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}
