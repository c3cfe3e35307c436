use alloc::vec::Vec;

use crate::subset_count;

/// [`rank_subset`](crate::rank_subset) for sets of at most 32 squares, a look-up a byte instead of a step
/// a square.
///
/// ```
/// let ranks = hindsight_combinatorics::ByteRanks::new(5);
/// assert_eq!(ranks.rank(0b1_0001_0000_1100), hindsight_combinatorics::rank_subset(0b1_0001_0000_1100));
/// ```
#[derive(Clone, Debug)]
pub struct SubsetRankTable {
    /// How many squares a byte has.
    squares: [u8; 256],
    /// `ranks[byte * (most + 1) + squares in lower bytes]`
    ranks: Vec<[u32; 256]>,
    most: usize,
}

impl SubsetRankTable {
    /// For sets of at most `most` squares. A kilobyte for each number of squares and each of four bytes.
    #[must_use]
    #[inline]
    pub fn new(most: u8) -> Self {
        let squares = u32::from(most);
        let most = usize::from(most);
        let mut ranks = Vec::with_capacity(4 * (most + 1));
        for byte in 0..4_u32 {
            for before in 0..=squares {
                ranks.push(core::array::from_fn(|squares| {
                    let here = (0..8).filter(|bit| squares >> bit & 1 == 1);
                    let ranks = (before + 1..)
                        .zip(here)
                        .map(|(k, bit)| subset_count(8 * byte + bit, k.min(64)));
                    // Sets of more squares than `most` are not asked for.
                    u32::try_from(ranks.sum::<u64>()).unwrap_or(u32::MAX)
                }));
            }
        }
        Self {
            squares: core::array::from_fn(|byte| (byte.count_ones() & 15) as u8),
            ranks,
            most,
        }
    }

    /// The rank of a set among all sets of as many squares.
    ///
    /// # Panics
    /// When there are more squares than were promised in the lower bytes alone; else the rank of a set of
    /// more is meaningless.
    #[inline]
    #[must_use]
    pub fn rank(&self, set: u32) -> u64 {
        self.rank_and_count(set).0
    }

    /// The rank of a set, and how many squares it has.
    ///
    /// # Panics
    /// As [`ByteRanks::rank`].
    #[inline]
    #[must_use]
    pub fn rank_and_count(&self, set: u32) -> (u64, usize) {
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        let rows = self.most + 1;
        let before_b = usize::from(self.squares[a]);
        let before_c = before_b + usize::from(self.squares[b]);
        let mut squares = before_c + usize::from(self.squares[c]);
        let low = self.ranks[0][a] + self.ranks[rows + before_b][b];
        let mut rank = low + self.ranks[2 * rows + before_c][c];
        if d != 0 {
            rank += self.ranks[3 * rows + squares][d];
            squares += usize::from(self.squares[d]);
        }
        (rank.into(), squares)
    }
}

#[cfg(test)]
mod tests {
    use super::SubsetRankTable;
    use crate::{rank_subset, subset_count, unrank_subset};

    #[test]
    fn bytes_tell_the_rank() {
        let ranks = SubsetRankTable::new(5);
        for k in 0..=5 {
            let len = subset_count(32, k);
            let step = (len / 5000).max(1);
            for rank in (0..len).step_by(step as usize).chain([len - 1]) {
                let set = unrank_subset(rank, k);
                let both = ranks.rank_and_count(u32::try_from(set).expect("a set of 32 squares"));
                assert_eq!(both, (rank_subset(set), k as usize));
            }
        }
    }
}
