use crate::combinatorics::{expand, rank_subset_within, subset_count, unrank_subset};

/// Dense numbering of the arrangements of pieces of `N` kinds on a board.
///
/// Each square holds at most one piece, and pieces of a kind are equal. An arrangement is a set of
/// squares for each kind. Its rank is a mixed-radix number with one digit per kind, the last one
/// fastest: the rank of the kind's set among the squares that the earlier kinds leave free.
///
/// # Examples
/// ```
/// use hindsight_core::combinatorics::PieceArrangements;
///
/// let men = PieceArrangements::new(9, [1, 2]).expect("room");
/// assert_eq!(men.len(), 9 * 28);
/// assert_eq!(men.unrank(men.rank([0b100, 0b011])), [0b100, 0b011]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PieceArrangements<const N: usize> {
    squares: u32,
    counts: [u32; N],
    len: u64,
}

impl<const N: usize> PieceArrangements<N> {
    /// Returns the arrangements of `counts[i]` pieces of each kind `i` on a board of `squares`.
    ///
    /// `None` if the pieces do not fit on the board, or the number of arrangements exceeds `u64`.
    ///
    /// # Panics
    /// If `squares` exceeds 64.
    #[must_use]
    #[inline]
    pub fn new(squares: u32, counts: [u32; N]) -> Option<Self> {
        let mut free = squares;
        let mut len = 1_u64;
        for count in counts {
            let left = free.checked_sub(count)?;
            len = len.checked_mul(subset_count(free, count))?;
            free = left;
        }
        Some(Self { squares, counts, len })
    }

    /// Returns the number of arrangements, at least 1.
    #[must_use]
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "there is always an arrangement")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the rank of an arrangement, given as disjoint sets in the order of the kinds.
    ///
    /// Cost: a few operations for each piece.
    #[must_use]
    #[inline]
    pub fn rank(&self, sets: [u64; N]) -> u64 {
        let mut free = self.squares;
        let mut taken = 0;
        let mut rank = 0;
        for (set, count) in sets.into_iter().zip(self.counts) {
            rank = rank * subset_count(free, count) + rank_subset_within(set, !taken);
            taken |= set;
            free -= count;
        }
        rank
    }

    /// Returns the sets of the arrangement with rank `rank`, in the order of the kinds.
    ///
    /// `rank` must be below [`PieceArrangements::len`]. Cost: a few operations for each square.
    #[must_use]
    #[inline]
    pub fn unrank(&self, rank: u64) -> [u64; N] {
        let mut place_value = self.len;
        let mut rest = rank;
        let mut free = self.squares;
        let mut taken = 0;
        self.counts.map(|count| {
            place_value /= subset_count(free, count);
            let set = expand(unrank_subset(rest / place_value, count), !taken);
            rest %= place_value;
            taken |= set;
            free -= count;
            set
        })
    }
}

#[cfg(test)]
mod tests {
    use super::PieceArrangements;

    #[test]
    fn arrangements_are_dense() {
        let two_kinds = PieceArrangements::new(7, [2, 3]).expect("210 arrangements");
        assert_eq!(two_kinds.len(), 210);
        for rank in 0..210 {
            let [first, second] = two_kinds.unrank(rank);
            assert_eq!((first.count_ones(), second.count_ones()), (2, 3));
            assert_eq!(first & second, 0);
            assert_eq!(two_kinds.rank([first, second]), rank);
        }
        assert!(PieceArrangements::new(4, [3, 2]).is_none(), "no room");
        assert!(PieceArrangements::new(64, [20, 20, 20]).is_none(), "too many");
        let full = PieceArrangements::new(64, [64]).expect("a full board");
        assert_eq!((full.len(), full.unrank(0)), (1, [u64::MAX]));
    }
}
