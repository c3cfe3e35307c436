use alloc::vec::Vec;

use crate::combinatorics::subset_count;

/// Table for [`rank_subset`](super::rank_subset) on boards of at most 32 squares.
///
/// Ranking looks up each byte of the set instead of each square. Memory: `4 * (max_squares + 1)`
/// KiB.
///
/// # Examples
/// ```
/// use hindsight_core::combinatorics::{SubsetRankTable, rank_subset};
///
/// let table = SubsetRankTable::new(5);
/// assert_eq!(table.rank(0b1_0001_0000_1100), rank_subset(0b1_0001_0000_1100));
/// ```
#[derive(Clone, Debug)]
pub struct SubsetRankTable {
    /// `counts[value]`: number of squares in a byte.
    counts: [u8; 256],
    /// `ranks[index * (max_squares + 1) + lower][value]`: summand of the rank for byte `index`
    /// (0..4, lowest first) with this value, if the lower bytes hold `lower` squares.
    ranks: Vec<[u32; 256]>,
    max_squares: usize,
}

impl SubsetRankTable {
    /// Returns the table for sets of at most `max_squares` squares.
    #[must_use]
    #[inline]
    pub fn new(max_squares: u8) -> Self {
        let mut ranks = Vec::with_capacity(4 * (usize::from(max_squares) + 1));
        for index in 0..4_u32 {
            for lower in 0..=u32::from(max_squares) {
                ranks.push(core::array::from_fn(|value| {
                    let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
                    let terms = (lower + 1..)
                        .zip(bits)
                        .map(|(k, bit)| subset_count(8 * index + bit, k.min(64)));
                    // Invariant: the sum fits `u32`, for it has at most eight terms of at most
                    // C(31, 15).
                    u32::try_from(terms.sum::<u64>()).unwrap_or(u32::MAX)
                }));
            }
        }
        Self {
            counts: core::array::from_fn(|value| (value.count_ones() & 15) as u8),
            ranks,
            max_squares: usize::from(max_squares),
        }
    }

    /// Returns the rank of a set among all sets with the same number of squares.
    ///
    /// # Panics
    /// May panic if the set has more than `max_squares` squares; its rank is meaningless otherwise.
    #[inline]
    #[must_use]
    pub fn rank(&self, set: u32) -> u64 {
        self.rank_and_count(set).0
    }

    /// Returns the rank of a set and its number of squares.
    ///
    /// # Panics
    /// As [`SubsetRankTable::rank`].
    #[inline]
    #[must_use]
    pub fn rank_and_count(&self, set: u32) -> (u64, usize) {
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        let rows = self.max_squares + 1;
        let below_b = usize::from(self.counts[a]);
        let below_c = below_b + usize::from(self.counts[b]);
        let mut count = below_c + usize::from(self.counts[c]);
        let low = self.ranks[0][a] + self.ranks[rows + below_b][b];
        let mut rank = low + self.ranks[2 * rows + below_c][c];
        if d != 0 {
            rank += self.ranks[3 * rows + count][d];
            count += usize::from(self.counts[d]);
        }
        (rank.into(), count)
    }
}

#[cfg(test)]
mod tests {
    use super::SubsetRankTable;
    use crate::combinatorics::{rank_subset, subset_count, unrank_subset};

    #[test]
    fn table_agrees_with_rank_subset() {
        let table = SubsetRankTable::new(5);
        for k in 0..=5 {
            let len = subset_count(32, k);
            let step = (len / 5000).max(1);
            for rank in (0..len).step_by(step as usize).chain([len - 1]) {
                let set = unrank_subset(rank, k);
                let narrow = u32::try_from(set).expect("a set of 32 squares");
                let expected = (rank_subset(set), k as usize);
                assert_eq!(table.rank_and_count(narrow), expected);
            }
        }
    }
}
