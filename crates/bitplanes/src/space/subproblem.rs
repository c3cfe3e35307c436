use hindsight_combinatorics::{Subsets, rank_subset, subsets};

use crate::space::board_tables::Frame;
use crate::space::canonical_rows::Kept;
use crate::space::sets::squares;

/// The problem with so many followers, if there is one.
pub(crate) fn problem_of(problems: &[Problem], followers: [u32; 2]) -> Option<usize> {
    let mut problems = problems.iter();
    problems.position(|problem| problem.followers == followers)
}

/// A problem: so many followers of each side.
pub(crate) struct Problem {
    pub(crate) followers: [u32; 2],
    /// Squares free for leaders.
    pub(crate) free: usize,
    /// Bytes of a lane, and of a block.
    pub(crate) bytes: usize,
    pub(crate) stride: usize,
    /// All sets of followers of each side, and how many of them there are beside one of the other's.
    pub(crate) sets: [Subsets; 2],
    pub(crate) beside: [Subsets; 2],
    /// The latter, listed.
    pub(crate) sets_beside: [Vec<u32>; 2],
    /// The rows that planes keep which have these followers of one side together.
    pub(crate) kept: [Kept; 2],
    /// Whether there are positions in which a side has no move.
    stuck: [bool; 2],
}

impl Problem {
    /// `stuck`: whether there are positions in which a side with its followers has no move.
    #[inline]
    pub(crate) fn new(frame: &Frame, followers: [u32; 2], stuck: [bool; 2]) -> Self {
        let squares = frame.squares as u32;
        let [own, other] = followers;
        let free = (squares - own - other) as usize;
        let beside = [
            Subsets::new(squares - other, own),
            Subsets::new(squares - own, other),
        ];
        let listed = |sets: &Subsets| (0..sets.len()).map(|n| sets.unrank(n) as u32).collect();
        Self {
            followers,
            stuck,
            sets_beside: [listed(&beside[0]), listed(&beside[1])],
            kept: [0, 1].map(|side| Kept::new(frame, side, followers[side])),
            free,
            bytes: (free * free).div_ceil(8),
            stride: frame.lanes * (free * free).div_ceil(8),
            sets: followers.map(|n| Subsets::new(squares, n)),
            beside,
        }
    }

    /// True if a bit of a block is one of a place of two leaders, and not one that fills a byte up.
    #[inline]
    pub(crate) fn has_bit(&self, bit: usize) -> bool {
        bit % (8 * self.bytes) < self.free * self.free
    }

    /// Whether a side may have no move with these followers, wherever its leader is.
    #[inline(always)]
    pub(crate) fn may_be_stuck(&self, frame: &Frame, mover: usize, own: u32) -> bool {
        self.stuck[mover] && frame.is_tight(mover, own)
    }

    /// How many blocks it has.
    #[inline]
    pub(crate) fn blocks(&self) -> u64 {
        self.sets[0].len() * self.beside[1].len()
    }

    /// How many of them planes keep that have rows of a side's followers.
    #[inline]
    pub(crate) fn kept_blocks(&self, major: usize) -> u64 {
        self.kept[major].sets.len() as u64 * self.beside[1 - major].len()
    }

    /// The blocks of a row with a side to move.
    #[inline]
    pub(crate) fn row(&self, mover: usize) -> usize {
        self.beside[mover].len() as usize
    }

    /// Words of [`Problem::moved`].
    #[inline]
    pub(crate) fn len_of_moved(&self, frame: &Frame, mover: usize) -> usize {
        let places = frame.squares - self.followers[1 - mover] as usize;
        self.row(mover) * self.followers[mover] as usize * places
    }

    /// Where the followers of a side move: for each block of a row, follower, and place, counted among the
    /// squares without the other side's, the number of the block with it there. Without a meaning where
    /// another follower is.
    #[inline]
    pub(crate) fn moved(&self, frame: &Frame, mover: usize) -> Vec<u32> {
        let places = frame.squares - self.followers[1 - mover] as usize;
        let mut moved = Vec::with_capacity(self.len_of_moved(frame, mover));
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
    pub(crate) fn positions(&self, frame: &Frame) -> u64 {
        let taken: u32 = self.followers.iter().sum();
        let free = self.free as u64;
        // Sets of followers by how many of the two goals they cover, and ways to place both leaders.
        let sets = |covered: u32| match taken.checked_sub(covered) {
            Some(rest) => subsets(frame.squares as u32 - 2, rest),
            None => 0,
        };
        let pairs = free * (free - 1);
        let one_open = pairs - (free - 1);
        let both_open = one_open + 1 - (free - 1);
        let placed = sets(0) * both_open + 2 * sets(1) * one_open + sets(2) * pairs;
        placed * subsets(taken, self.followers[0]) * frame.lanes as u64
    }
}

/// The problem that captures lead to, if there is anything to capture.
pub(crate) fn captured(problems: &[Problem], i: usize, mover: usize) -> Option<usize> {
    let mut fewer = problems[i].followers;
    fewer[1 - mover] = fewer[1 - mover].checked_sub(1)?;
    problem_of(problems, fewer)
}
