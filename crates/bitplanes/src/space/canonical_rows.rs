use crate::space::board_tables::Frame;
use crate::space::sets::rank;

/// The rows that a plane keeps.
#[derive(Clone)]
pub(crate) struct Kept {
    /// The followers of the major side in each of them.
    pub(crate) sets: Vec<u32>,
    /// For each number of such followers the row, twice, and 1 if it is kept as its image.
    places: Vec<u32>,
}

impl Kept {
    /// Those with so many followers of a side. If a set is kept with one side, what it becomes when the board is
    /// turned is kept with the other.
    #[inline]
    pub(crate) fn new(frame: &Frame, side: usize, followers: u32) -> Self {
        let all = hindsight_combinatorics::Subsets::new(frame.squares as u32, followers);
        let sets = (0..all.len()).map(|n| all.unrank(n) as u32);
        let seen = |set| if side == 0 { frame.turned(set) } else { set };
        let is_kept = |&set: &u32| seen(set) <= frame.mirrored(seen(set));
        let sets: Vec<u32> = sets.filter(is_kept).collect();
        let mut places = vec![0; all.len() as usize];
        for (row, &set) in (0..).zip(&sets) {
            places[rank(frame.mirrored(set))] = 2 * row + 1;
            places[rank(set)] = 2 * row;
        }
        Self { sets, places }
    }

    /// The row of followers of the major side, and whether it is kept as its image.
    #[inline(always)]
    pub(crate) fn place(&self, rank: usize) -> (usize, bool) {
        let place = self.places[rank];
        (place as usize >> 1, place & 1 == 1)
    }
}
