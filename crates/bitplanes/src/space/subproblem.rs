//! Positions with given numbers of followers, and the sizes of their planes.

use hindsight_core::combinatorics::{Subsets, rank_subset, subset_count};

use crate::space::board_tables::BoardTables;
use crate::space::canonical_rows::CanonicalRows;
use crate::space::sets::squares;

/// Index of the subproblem with these numbers of followers, if there is one.
pub(crate) fn subproblem_of(subproblems: &[Subproblem], followers: [u32; 2]) -> Option<usize> {
    let mut subproblems = subproblems.iter();
    subproblems.position(|subproblem| subproblem.followers == followers)
}

/// All positions with `followers[0]` followers of side 0 and `followers[1]` of side 1.
pub(crate) struct Subproblem {
    /// Followers of each side.
    pub(crate) followers: [u32; 2],
    /// Number of squares without a follower.
    pub(crate) free_squares: usize,
    /// Bytes of a lane: `ceil(free_squares^2 / 8)`.
    pub(crate) lane_bytes: usize,
    /// Bytes of a block: `lanes * lane_bytes`.
    pub(crate) block_bytes: usize,
    /// Follower sets of each side on the whole board.
    pub(crate) sets: [Subsets; 2],
    /// Follower sets of each side on the squares without the other side's followers.
    pub(crate) beside: [Subsets; 2],
    /// The sets of `beside`, listed by rank.
    pub(crate) sets_beside: [Vec<u32>; 2],
    /// Rows of planes whose major side is the index.
    pub(crate) canonical_rows: [CanonicalRows; 2],
    /// For each mover, true if it is stuck in some position.
    can_be_stuck: [bool; 2],
}

/// A subproblem with the side whose followers choose the rows of a plane.
#[derive(Clone, Copy)]
pub(crate) struct PlaneShape<'a> {
    /// Positions of the plane.
    pub(crate) subproblem: &'a Subproblem,
    /// Side that does not move.
    pub(crate) major: usize,
}

impl<'a> PlaneShape<'a> {
    /// Major follower set of each row.
    pub(crate) fn row_sets(self) -> &'a [u32] {
        &self.subproblem.canonical_rows[self.major].sets
    }

    pub(crate) fn blocks_per_row(self) -> usize {
        self.subproblem.blocks_per_row(1 - self.major)
    }
}

impl Subproblem {
    /// Lists the sets and canonical rows.
    ///
    /// `can_be_stuck[mover]` is [`BoardTables::can_be_stuck`] of the mover and its followers.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, followers: [u32; 2], can_be_stuck: [bool; 2]) -> Self {
        let squares = tables.squares as u32;
        let [own, other] = followers;
        let free = (squares - own - other) as usize;
        let beside = [Subsets::new(squares - other, own), Subsets::new(squares - own, other)];
        let listed = |sets: &Subsets| (0..sets.len()).map(|n| sets.unrank(n) as u32).collect();
        Self {
            followers,
            can_be_stuck,
            sets_beside: [listed(&beside[0]), listed(&beside[1])],
            canonical_rows: [0, 1].map(|side| CanonicalRows::new(tables, side, followers[side])),
            free_squares: free,
            lane_bytes: (free * free).div_ceil(8),
            block_bytes: tables.lanes * (free * free).div_ceil(8),
            sets: followers.map(|n| Subsets::new(squares, n)),
            beside,
        }
    }

    /// Returns true if a bit of a block belongs to a line, and false if it only fills up a byte.
    #[inline]
    pub(crate) fn has_bit(&self, bit: usize) -> bool {
        bit % (8 * self.lane_bytes) < self.free_squares * self.free_squares
    }

    /// Returns false if the mover with followers `own` has a move wherever its leader is.
    #[inline(always)]
    pub(crate) fn may_be_stuck(&self, tables: &BoardTables, mover: usize, own: u32) -> bool {
        self.can_be_stuck[mover] && tables.may_lack_moves(mover, own)
    }

    /// Number of blocks of a plane, mirror images included.
    #[inline]
    pub(crate) fn blocks(&self) -> u64 {
        self.sets[0].len() * self.beside[1].len()
    }

    /// Number of blocks that a plane with this major side keeps.
    #[inline]
    pub(crate) fn canonical_blocks(&self, major: usize) -> u64 {
        self.canonical_rows[major].sets.len() as u64 * self.beside[1 - major].len()
    }

    /// Blocks of a row of the plane with this mover.
    #[inline]
    pub(crate) fn blocks_per_row(&self, mover: usize) -> usize {
        self.beside[mover].len() as usize
    }

    #[inline]
    pub(crate) fn block_after_move_len(&self, tables: &BoardTables, mover: usize) -> usize {
        let open = tables.squares - self.followers[1 - mover] as usize;
        self.blocks_per_row(mover) * self.followers[mover] as usize * open
    }

    /// Table of the mover's followers' moves inside a row.
    ///
    /// `table[(block * followers + follower) * open + target]` is the block after the `follower`-th
    /// follower of `block` has gone to `target`. `open` is the number of squares without the other
    /// side's followers, `target` an index among them. Entries where another follower stands on the
    /// target are meaningless.
    #[inline]
    pub(crate) fn block_after_move(&self, tables: &BoardTables, mover: usize) -> Vec<u32> {
        let open = tables.squares - self.followers[1 - mover] as usize;
        let mut moved = Vec::with_capacity(self.block_after_move_len(tables, mover));
        for n in 0..self.beside[mover].len() {
            let set = self.beside[mover].unrank(n);
            for from in squares(set as u32) {
                let rest = set & !(1 << from);
                moved.extend((0..open).map(|to| rank_subset(rest | 1 << to) as u32));
            }
        }
        moved
    }

    /// Number of positions with a given mover, terminal ones left out.
    #[inline]
    pub(crate) fn positions(&self, tables: &BoardTables) -> u64 {
        let taken: u32 = self.followers.iter().sum();
        let free = self.free_squares as u64;
        // Follower sets by the number of goals that they cover, times the placements of both
        // leaders.
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

/// Index of the subproblem after a capture by `mover`; `None` if there is no follower to capture.
pub(crate) fn after_capture(subproblems: &[Subproblem], i: usize, mover: usize) -> Option<usize> {
    let mut fewer = subproblems[i].followers;
    fewer[1 - mover] = fewer[1 - mover].checked_sub(1)?;
    subproblem_of(subproblems, fewer)
}
