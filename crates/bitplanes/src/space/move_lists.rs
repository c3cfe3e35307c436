//! Follower sets after each move of a follower.

use hindsight_core::combinatorics::{Subsets, subset_count};

use crate::space::board_tables::{BoardTables, MoveKind};
use crate::space::sets::{set_rank, squares};

/// For each follower set of the mover, the sets after each move of a follower by one kind of move.
///
/// The other side's followers do not matter: a set may share squares with them, which is a capture.
pub(crate) struct MoveLists {
    /// Index into `sets` of each set's first successor, then the number of all successors.
    begins: Vec<u32>,
    /// Set ranks of the successors.
    sets: Vec<u32>,
}

impl MoveLists {
    /// Lists the moves of all sets of `followers` followers.
    #[inline]
    pub(crate) fn new(tables: &BoardTables, kind: &MoveKind, mover: usize, followers: u32) -> Self {
        let all = Subsets::new(tables.squares as u32, followers);
        let mut begins = vec![0];
        let mut sets = Vec::new();
        for n in 0..all.len() {
            let own = all.unrank(n) as u32;
            for from in squares(own) {
                let rest = own & !(1 << from);
                let targets = kind.moves[mover].targets[from] & !rest;
                sets.extend(squares(targets).map(|to| set_rank(rest | 1 << to) as u32));
            }
            begins.push(sets.len() as u32);
        }
        Self { begins, sets }
    }

    /// Bytes that [`MoveLists::new`] allocates for the same arguments, without making the lists.
    #[inline]
    pub(crate) fn bytes(
        tables: &BoardTables,
        kind: &MoveKind,
        mover: usize,
        followers: u32,
    ) -> u64 {
        let squares = tables.squares as u32;
        let Some(others) = followers.checked_sub(1) else {
            return 8;
        };
        let lists = |(from, set): (usize, &u32)| {
            let stays = u64::from(set >> from & 1);
            // The other followers are on neither square of a move.
            let moves = u64::from(set.count_ones()) - stays;
            stays * subset_count(squares - 1, others) + moves * subset_count(squares - 2, others)
        };
        let targets = kind.moves[mover].targets[..tables.squares].iter();
        let sets: u64 = targets.enumerate().map(lists).sum();
        4 * (sets + subset_count(squares, followers) + 1)
    }

    /// Ranks of the sets after one move, by the rank of the set before it.
    #[inline(always)]
    pub(crate) fn successors(&self, set: usize) -> &[u32] {
        &self.sets[self.begins[set] as usize..self.begins[set + 1] as usize]
    }
}
