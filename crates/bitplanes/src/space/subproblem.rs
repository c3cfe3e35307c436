use hindsight_combinatorics::{Subsets, rank_subset, subset_count};

use crate::space::board_tables::BoardTables;
use crate::space::canonical_rows::CanonicalRows;
use crate::space::sets::squares;

/// The problem with so many followers, if there is one.
pub(crate) fn subproblem_of(subproblems: &[Subproblem], followers: [u32; 2]) -> Option<usize> {
    let mut subproblems = subproblems.iter();
    subproblems.position(|subproblem| subproblem.followers == followers)
}

/// A problem: so many followers of each side.
pub(crate) struct Subproblem {
    pub(crate) followers: [u32; 2],
    /// Squares free for leaders.
    pub(crate) free_squares: usize,
    /// Bytes of a lane, and of a block.
    pub(crate) lane_bytes: usize,
    pub(crate) block_bytes: usize,
    /// All sets of followers of each side, and how many of them there are beside one of the other's.
    pub(crate) sets: [Subsets; 2],
    pub(crate) beside: [Subsets; 2],
    /// The latter, listed.
    pub(crate) sets_beside: [Vec<u32>; 2],
    /// The rows that planes keep which have these followers of one side together.
    pub(crate) canonical_rows: [CanonicalRows; 2],
    /// Whether there are positions in which a side has no move.
    can_be_stuck: [bool; 2],
}

impl Subproblem {
    /// `stuck`: whether there are positions in which a side with its followers has no move.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, followers: [u32; 2], stuck: [bool; 2]) -> Self {
        let squares = tables.squares as u32;
        let [own, other] = followers;
        let free = (squares - own - other) as usize;
        let beside = [
            Subsets::new(squares - other, own),
            Subsets::new(squares - own, other),
        ];
        let listed = |sets: &Subsets| (0..sets.len()).map(|n| sets.unrank(n) as u32).collect();
        Self {
            followers,
            can_be_stuck: stuck,
            sets_beside: [listed(&beside[0]), listed(&beside[1])],
            canonical_rows: [0, 1].map(|side| CanonicalRows::new(tables, side, followers[side])),
            free_squares: free,
            lane_bytes: (free * free).div_ceil(8),
            block_bytes: tables.lanes * (free * free).div_ceil(8),
            sets: followers.map(|n| Subsets::new(squares, n)),
            beside,
        }
    }

    /// True if a bit of a block is one of a place of two leaders, and not one that fills a byte up.
    #[inline]
    pub(crate) fn has_bit(&self, bit: usize) -> bool {
        bit % (8 * self.lane_bytes) < self.free_squares * self.free_squares
    }

    /// Whether a side may have no move with these followers, wherever its leader is.
    #[inline(always)]
    pub(crate) fn may_be_stuck(&self, tables: &BoardTables, mover: usize, own: u32) -> bool {
        self.can_be_stuck[mover] && tables.may_lack_moves(mover, own)
    }

    /// How many blocks it has.
    #[inline]
    pub(crate) fn blocks(&self) -> u64 {
        self.sets[0].len() * self.beside[1].len()
    }

    /// How many of them planes keep that have rows of a side's followers.
    #[inline]
    pub(crate) fn canonical_blocks(&self, major: usize) -> u64 {
        self.canonical_rows[major].sets.len() as u64 * self.beside[1 - major].len()
    }

    /// The blocks of a row with a side to move.
    #[inline]
    pub(crate) fn blocks_per_row(&self, mover: usize) -> usize {
        self.beside[mover].len() as usize
    }

    /// Words of [`Problem::moved`].
    #[inline]
    pub(crate) fn block_after_move_len(&self, tables: &BoardTables, mover: usize) -> usize {
        let places = tables.squares - self.followers[1 - mover] as usize;
        self.blocks_per_row(mover) * self.followers[mover] as usize * places
    }

    /// Where the followers of a side move: for each block of a row, follower, and place, counted among the
    /// squares without the other side's, the number of the block with it there. Without a meaning where
    /// another follower is.
    #[inline]
    pub(crate) fn block_after_move(&self, tables: &BoardTables, mover: usize) -> Vec<u32> {
        let places = tables.squares - self.followers[1 - mover] as usize;
        let mut moved = Vec::with_capacity(self.block_after_move_len(tables, mover));
        for n in 0..self.beside[mover].len() {
            let set = self.beside[mover].unrank(n);
            for from in squares(set as u32) {
                let rest = set & !(1 << from);
                moved.extend((0..places).map(|to| rank_subset(rest | 1 << to) as u32));
            }
        }
        moved
    }

    /// How many positions with a given side to move, none of them over.
    #[inline]
    pub(crate) fn positions(&self, tables: &BoardTables) -> u64 {
        let taken: u32 = self.followers.iter().sum();
        let free = self.free_squares as u64;
        // Sets of followers by how many of the two goals they cover, and ways to place both leaders.
        let sets = |covered: u32| match taken.checked_sub(covered) {
            Some(rest) => subset_count(tables.squares as u32 - 2, rest),
            None => 0,
        };
        let pairs = free * (free - 1);
        let one_open = pairs - (free - 1);
        let both_open = one_open + 1 - (free - 1);
        let placed = sets(0) * both_open + 2 * sets(1) * one_open + sets(2) * pairs;
        placed * subset_count(taken, self.followers[0]) * tables.lanes as u64
    }
}

/// The problem that captures lead to, if there is anything to capture.
pub(crate) fn after_capture(subproblems: &[Subproblem], i: usize, mover: usize) -> Option<usize> {
    let mut fewer = subproblems[i].followers;
    fewer[1 - mover] = fewer[1 - mover].checked_sub(1)?;
    subproblem_of(subproblems, fewer)
}
