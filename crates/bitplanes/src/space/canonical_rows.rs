//! Rows that a plane keeps: of a row and its mirror image one.

use hindsight_core::combinatorics::Subsets;

use crate::space::board_tables::BoardTables;
use crate::space::sets::set_rank;

/// Follower sets of the major side that have a row of their own.
#[derive(Clone)]
pub(crate) struct CanonicalRows {
    /// Follower set of each row, ascending.
    pub(crate) sets: Vec<u32>,
    /// `table[set rank] = 2 * row + mirrored`; `mirrored` is 1 if only the mirror image has a row.
    table: Vec<u32>,
}

impl CanonicalRows {
    /// Chooses the rows for `followers` followers of `side`.
    ///
    /// Invariant: a set has a row with one side if and only if its half-turn has one with the
    /// other.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, side: usize, followers: u32) -> Self {
        let all = Subsets::new(tables.squares as u32, followers);
        let sets = (0..all.len()).map(|n| all.unrank(n) as u32);
        let from_side_1 = |set| match side {
            0 => tables.half_turn(set),
            _ => set,
        };
        let is_canonical = |&set: &u32| from_side_1(set) <= tables.mirror_set(from_side_1(set));
        let sets: Vec<u32> = sets.filter(is_canonical).collect();
        let mut table = vec![0; all.len() as usize];
        for (row, &set) in (0..).zip(&sets) {
            // In this order: a set that is its own image is no image.
            table[set_rank(tables.mirror_set(set))] = 2 * row + 1;
            table[set_rank(set)] = 2 * row;
        }
        Self { sets, table }
    }

    /// Row of the set with this rank, and true if the row holds its mirror image.
    #[inline(always)]
    pub(crate) fn row_of(&self, rank: usize) -> (usize, bool) {
        let entry = self.table[rank];
        (entry as usize >> 1, entry & 1 == 1)
    }
}
