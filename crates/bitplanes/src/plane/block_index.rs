//! Where the blocks of a plane are, of those that are there.

use crate::out_of_core::partition::{Cut, Part};
use crate::space::subproblem::Problem;

/// Where the blocks of each row and pattern begin. If all blocks are there, in one piece each row, there is one pattern.
pub(crate) struct Places {
    /// Squares below those of a pattern, as a number and as a set.
    low: u32,
    below: u32,
    /// Which of those of a row each pattern is.
    number: Vec<u16>,
    /// Patterns of a row.
    each: usize,
    /// For each row and pattern the number of its first block.
    begins: Vec<usize>,
    /// All blocks.
    blocks: usize,
}

impl Places {
    /// Of so many rows of so many blocks, one after the other.
    pub(crate) fn whole(rows: usize, blocks: usize) -> Self {
        Self {
            low: u32::BITS,
            below: u32::MAX,
            number: vec![0],
            each: 1,
            begins: (0..rows).map(|row| row * blocks).collect(),
            blocks: rows * blocks,
        }
    }

    /// Of some parts of a plane, one after the other.
    pub(crate) fn of_parts(cut: &Cut, plane: (&Problem, usize), parts: &[Part]) -> Self {
        let (problem, major) = plane;
        let slices = cut.of(problem, 1 - major);
        let mut number = vec![u16::MAX; slices.all_patterns()];
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
        let mut begins = vec![0; problem.kept[major].sets.len() * each];
        let mut at = 0;
        for &part in parts {
            cut.walk(plane, part, &mut |row, pattern, blocks| {
                begins[row * each + usize::from(number[pattern as usize])] = at;
                at += blocks as usize;
            });
        }
        Self {
            low: slices.low(),
            below: ((1_u64 << slices.low()) - 1) as u32,
            number,
            each,
            begins,
            blocks: at,
        }
    }

    /// Of some rows of so many blocks, one after the other.
    pub(crate) fn of_rows(all: usize, rows: &[usize], blocks: usize) -> Self {
        let mut places = Self::whole(all, 0);
        for (n, &row) in rows.iter().enumerate() {
            places.begins[row] = n * blocks;
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
    pub(crate) fn begin(&self, row: usize, set: u32) -> (usize, u32) {
        let number = self.number[(u64::from(set) >> self.low) as usize];
        let begin = self.begins[row * self.each + usize::from(number)];
        (begin, set & self.below)
    }
}
