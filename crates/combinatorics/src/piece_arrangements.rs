use alloc::vec::Vec;

use crate::{Subsets, expand, rank_subset_within};

/// Dense numbering of the arrangements of pieces of several kinds on a board.
///
/// Each square holds at most one piece, and pieces of a kind are equal. An arrangement is a set of
/// squares for each kind. Its rank is a mixed-radix number with one digit per kind, the last one
/// fastest: the rank of the kind's set among the squares that the earlier kinds leave free.
#[derive(Clone, Debug)]
pub struct PieceArrangements {
    /// Set of all squares.
    board: u64,
    /// Possible sets of each kind, renumbered to the squares that earlier kinds leave free.
    kinds: Vec<Subsets>,
}

impl PieceArrangements {
    /// Returns the arrangements of `counts[i]` pieces of each kind `i` on a board of `squares`.
    ///
    /// `None` if the pieces do not fit on the board, or the count exceeds `u64`.
    ///
    /// # Panics
    /// If `squares` exceeds 64.
    #[must_use]
    #[inline]
    pub fn new(squares: u32, counts: &[u32]) -> Option<Self> {
        let mut free = squares;
        let mut kinds = Vec::new();
        let mut len = 1_u64;
        for &count in counts {
            let sets = (count <= free).then(|| Subsets::new(free, count))?;
            len = len.checked_mul(sets.len())?;
            kinds.push(sets);
            free -= count;
        }
        let board = if squares == 64 {
            u64::MAX
        } else {
            (1 << squares) - 1
        };
        Some(Self { board, kinds })
    }

    /// Returns the number of arrangements.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        self.kinds.iter().map(Subsets::len).product()
    }

    /// Returns false: [`PieceArrangements::new`] never returns an empty numbering.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the sets of a kind, renumbered to the squares that the earlier kinds leave free.
    ///
    /// # Panics
    /// If there is no such kind.
    #[must_use]
    #[inline]
    pub fn kind(&self, kind: usize) -> &Subsets {
        &self.kinds[kind]
    }

    /// Returns the rank of an arrangement, given as disjoint sets in the order of the kinds.
    ///
    /// # Panics
    /// If the number of sets differs from the number of kinds.
    #[inline]
    #[must_use]
    pub fn rank(&self, sets: &[u64]) -> u64 {
        assert_eq!(sets.len(), self.kinds.len(), "one set for each kind");
        let mut free = self.board;
        let mut rank = 0;
        for (kind, &set) in self.kinds.iter().zip(sets) {
            rank = rank * kind.len() + rank_subset_within(set, free);
            free &= !set;
        }
        rank
    }

    /// Appends the sets of the arrangement with rank `rank`, one for each kind, in the order of the
    /// kinds.
    ///
    /// `rank` must be below [`PieceArrangements::len`].
    #[inline]
    pub fn unrank(&self, rank: u64, sets: &mut Vec<u64>) {
        let mut place_value = self.len();
        let mut rest = rank;
        let mut free = self.board;
        for kind in &self.kinds {
            place_value /= kind.len();
            let set = expand(kind.unrank(rest / place_value), free);
            rest %= place_value;
            free &= !set;
            sets.push(set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PieceArrangements;
    use alloc::vec::Vec;

    #[test]
    fn arrangements_are_dense() {
        let two_kinds = PieceArrangements::new(7, &[2, 3]).expect("210 arrangements");
        assert_eq!(two_kinds.len(), 210);
        for rank in 0..210 {
            let mut sets = Vec::new();
            two_kinds.unrank(rank, &mut sets);
            assert_eq!(
                (
                    sets[0].count_ones(),
                    sets[1].count_ones(),
                    sets[0] & sets[1]
                ),
                (2, 3, 0)
            );
            assert_eq!(two_kinds.rank(&sets), rank);
        }
        assert!(PieceArrangements::new(4, &[3, 2]).is_none(), "no room");
        assert!(
            PieceArrangements::new(64, &[20, 20, 20]).is_none(),
            "too many"
        );
    }
}
