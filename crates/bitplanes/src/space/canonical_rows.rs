use crate::space::board_tables::BoardTables;
use crate::space::sets::set_rank;

/// The rows that a plane keeps.
#[derive(Clone)]
pub(crate) struct CanonicalRows {
    /// The followers of the major side in each of them.
    pub(crate) sets: Vec<u32>,
    /// For each number of such followers the row, twice, and 1 if it is kept as its image.
    table: Vec<u32>,
}

impl CanonicalRows {
    /// Those with so many followers of a side. If a set is kept with one side, what it becomes when the board is
    /// turned is kept with the other.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, side: usize, followers: u32) -> Self {
        let all = hindsight_combinatorics::Subsets::new(tables.squares as u32, followers);
        let sets = (0..all.len()).map(|n| all.unrank(n) as u32);
        let seen = |set| {
            if side == 0 {
                tables.half_turn(set)
            } else {
                set
            }
        };
        let is_kept = |&set: &u32| seen(set) <= tables.mirror_set(seen(set));
        let sets: Vec<u32> = sets.filter(is_kept).collect();
        let mut places = vec![0; all.len() as usize];
        for (row, &set) in (0..).zip(&sets) {
            places[set_rank(tables.mirror_set(set))] = 2 * row + 1;
            places[set_rank(set)] = 2 * row;
        }
        Self {
            sets,
            table: places,
        }
    }

    /// The row of followers of the major side, and whether it is kept as its image.
    #[inline(always)]
    pub(crate) fn row_of(&self, rank: usize) -> (usize, bool) {
        let place = self.table[rank];
        (place as usize >> 1, place & 1 == 1)
    }
}
