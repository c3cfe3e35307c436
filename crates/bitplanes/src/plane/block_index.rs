//! Where the blocks of a plane are, of those that are there.

use crate::out_of_core::partition::{Partition, TileIndex};
use crate::space::subproblem::Subproblem;

/// Where the blocks of each row and pattern begin. If all blocks are there, in one piece each row, there is one pattern.
pub(crate) struct BlockIndex {
    /// Squares below those of a pattern, as a number and as a set.
    low_squares: u32,
    low_mask: u32,
    /// Which of those of a row each pattern is.
    pattern_column: Vec<u16>,
    /// Patterns of a row.
    patterns_per_row: usize,
    /// For each row and pattern the number of its first block.
    first_blocks: Vec<usize>,
    /// All blocks.
    blocks: usize,
}

impl BlockIndex {
    /// Of so many rows of so many blocks, one after the other.
    pub(crate) fn whole(rows: usize, blocks: usize) -> Self {
        Self {
            low_squares: u32::BITS,
            low_mask: u32::MAX,
            pattern_column: vec![0],
            patterns_per_row: 1,
            first_blocks: (0..rows).map(|row| row * blocks).collect(),
            blocks: rows * blocks,
        }
    }

    /// Of some parts of a plane, one after the other.
    pub(crate) fn of_tiles(
        cut: &Partition,
        plane: (&Subproblem, usize),
        parts: &[TileIndex],
    ) -> Self {
        let (subproblem, major) = plane;
        let slices = cut.slices(subproblem, 1 - major);
        let mut number = vec![u16::MAX; slices.pattern_count()];
        let mut each = 0;
        for &(_, column) in parts {
            for &pattern in slices.patterns(column) {
                let number = &mut number[pattern as usize];
                if *number == u16::MAX {
                    *number = each as u16;
                    each += 1;
                }
            }
        }
        let mut begins = vec![0; subproblem.canonical_rows[major].sets.len() * each];
        let mut at = 0;
        for &part in parts {
            cut.for_each_run(plane, part, &mut |row, pattern, blocks| {
                begins[row * each + usize::from(number[pattern as usize])] = at;
                at += blocks as usize;
            });
        }
        Self {
            low_squares: slices.low_squares(),
            low_mask: ((1_u64 << slices.low_squares()) - 1) as u32,
            pattern_column: number,
            patterns_per_row: each,
            first_blocks: begins,
            blocks: at,
        }
    }

    /// Of some rows of so many blocks, one after the other.
    pub(crate) fn of_rows(all: usize, rows: &[usize], blocks: usize) -> Self {
        let mut places = Self::whole(all, 0);
        for (n, &row) in rows.iter().enumerate() {
            places.first_blocks[row] = n * blocks;
        }
        places.blocks = rows.len() * blocks;
        places
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The first block of a row that has the pattern of a set, and what of the set the others of them differ in.
    #[inline(always)]
    pub(crate) fn first_block(&self, row: usize, set: u32) -> (usize, u32) {
        let number = self.pattern_column[(u64::from(set) >> self.low_squares) as usize];
        let begin = self.first_blocks[row * self.patterns_per_row + usize::from(number)];
        (begin, set & self.low_mask)
    }
}
