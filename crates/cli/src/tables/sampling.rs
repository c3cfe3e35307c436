//! Random samples of the ranks of a table.

use hindsight_core::Ranked;
use hindsight_tablebase::TableInfo;

/// Draws `count` ranks of a table uniformly with replacement, and returns the different ones.
///
/// The result is a list of `(tier, rank)` in the order of the table; holes may be among them. If
/// the table has at most `count` ranks, all of them are returned.
pub(crate) fn sample_ranks<G: Ranked>(
    game: &G,
    info: &TableInfo,
    count: usize,
    seed: u64,
) -> Vec<(u64, u64)> {
    let total: u64 = info.layers.iter().map(|layer| layer.ranks).sum();
    let mut random = SplitMix64(seed);
    let mut drawn: Vec<u64> = match usize::try_from(total) {
        Ok(all) if all <= count => (0..total).collect(),
        _ => (0..count).map(|_| random.below(total)).collect(),
    };
    drawn.sort_unstable();
    drawn.dedup();
    let mut addresses = Vec::with_capacity(drawn.len());
    let mut drawn = drawn.into_iter().peekable();
    let mut begin = 0;
    for (layer, info) in (0..).zip(&info.layers) {
        let end = begin + info.ranks;
        let mut tiers = Vec::new();
        if drawn.peek().is_some_and(|&rank| rank < end) {
            game.tiers(layer, &mut tiers);
        }
        let mut first = begin;
        for tier in tiers {
            let next = first + game.tier_len(tier);
            while let Some(rank) = drawn.next_if(|&rank| rank < next) {
                addresses.push((tier, rank - first));
            }
            first = next;
        }
        begin = end;
    }
    addresses
}

/// Iterates over the positions at some addresses `(tier, rank)`; holes are left out.
pub(crate) fn positions_at<'a, G: Ranked>(
    game: &'a G,
    addresses: &'a [(u64, u64)],
) -> impl Iterator<Item = G::Position> + 'a {
    addresses
        .iter()
        .filter_map(|&(tier, rank)| game.unrank(tier, rank))
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
