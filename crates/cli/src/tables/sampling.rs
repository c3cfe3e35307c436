//! Places of a table drawn at random.

use hindsight_core::Ranked;
use hindsight_tablebase::TableInfo;

/// Tier and rank.
pub(crate) type Place = (u64, u64);

/// Draws so many ranks of a table, each as likely as any other, and gives their places without repetition,
/// in the order of the table; holes may be among them.
pub(crate) fn sample_ranks<G: Ranked>(
    game: &G,
    info: &TableInfo,
    count: usize,
    seed: u64,
) -> Vec<Place> {
    let total: u64 = info.layers.iter().map(|layer| layer.ranks).sum();
    let mut random = SplitMix64(seed);
    let mut drawn: Vec<u64> = match usize::try_from(total) {
        Ok(all) if all <= count => (0..total).collect(),
        _ => (0..count).map(|_| random.below(total)).collect(),
    };
    drawn.sort_unstable();
    drawn.dedup();
    let mut places = Vec::with_capacity(drawn.len());
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
                places.push((tier, rank - first));
            }
            first = next;
        }
        begin = end;
    }
    places
}

/// The positions at some places, without the holes.
pub(crate) fn positions_at<'a, G: Ranked>(
    game: &'a G,
    places: &'a [Place],
) -> impl Iterator<Item = G::Position> + 'a {
    places
        .iter()
        .filter_map(|&(tier, rank)| game.unrank(tier, rank))
}

/// A generator of numbers by G. L. Steele Jr. et al., "Fast splittable pseudorandom number generators"
/// (2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below another, almost evenly.
    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}
