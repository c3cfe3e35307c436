//! Positions of blocks in the memory of a plane, or of a part of it.

use crate::out_of_core::partition::{Partition, TileIndex};
use crate::space::subproblem::PlaneShape;

/// First block of each row and pattern that is in memory.
///
/// A plane whose rows are all in memory, each in one piece, has a single pattern without squares.
pub(crate) struct BlockIndex {
    /// Squares below those of a pattern, as a number.
    low_squares: u32,
    /// The same squares as a set.
    low_mask: u32,
    /// Column of each pattern in `first_blocks`; meaningless for patterns that are not in memory.
    pattern_column: Vec<u16>,
    /// Columns of `first_blocks`.
    patterns_per_row: usize,
    /// Block numbers. Index: `row * patterns_per_row + column`.
    first_blocks: Vec<usize>,
    /// Number of blocks in memory.
    blocks: usize,
}

impl BlockIndex {
    /// All of `rows` rows of `blocks_per_row` blocks, one after the other.
    pub(crate) fn whole(rows: usize, blocks_per_row: usize) -> Self {
        Self {
            low_squares: u32::BITS,
            low_mask: u32::MAX,
            pattern_column: vec![0],
            patterns_per_row: 1,
            first_blocks: (0..rows).map(|row| row * blocks_per_row).collect(),
            blocks: rows * blocks_per_row,
        }
    }

    /// Some tiles of a plane, one after the other.
    pub(crate) fn of_tiles(
        partition: &Partition,
        shape: PlaneShape<'_>,
        tiles: &[TileIndex],
    ) -> Self {
        let slices = partition.columns(shape);
        let mut pattern_column = vec![u16::MAX; slices.pattern_count()];
        let mut patterns_per_row = 0;
        for tile in tiles {
            for &pattern in slices.patterns(tile.column) {
                let column = &mut pattern_column[pattern as usize];
                if *column == u16::MAX {
                    *column = patterns_per_row as u16;
                    patterns_per_row += 1;
                }
            }
        }
        let mut first_blocks = vec![0; shape.row_sets().len() * patterns_per_row];
        let mut blocks = 0;
        for &tile in tiles {
            partition.for_each_run(shape, tile, &mut |run| {
                let column = usize::from(pattern_column[run.pattern as usize]);
                first_blocks[run.row * patterns_per_row + column] = blocks;
                blocks += run.blocks as usize;
            });
        }
        Self {
            low_squares: slices.low_squares(),
            low_mask: ((1_u64 << slices.low_squares()) - 1) as u32,
            pattern_column,
            patterns_per_row,
            first_blocks,
            blocks,
        }
    }

    /// The listed ones of `all_rows` rows of `blocks_per_row` blocks, one after the other.
    pub(crate) fn of_rows(all_rows: usize, rows: &[usize], blocks_per_row: usize) -> Self {
        let mut index = Self::whole(all_rows, 0);
        for (n, &row) in rows.iter().enumerate() {
            index.first_blocks[row] = n * blocks_per_row;
        }
        index.blocks = rows.len() * blocks_per_row;
        index
    }

    /// Number of blocks in memory.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// First block of a row with the pattern of `set`, and the squares of `set` below the pattern.
    ///
    /// The block of `set` follows the first one by the rank of these squares among those that are
    /// open.
    #[inline(always)]
    pub(crate) fn first_block(&self, row: usize, set: u32) -> (usize, u32) {
        let column = self.pattern_column[(u64::from(set) >> self.low_squares) as usize];
        let first = self.first_blocks[row * self.patterns_per_row + usize::from(column)];
        (first, set & self.low_mask)
    }
}
