//! Numbers of blocks in the memory of a plane, or of a part of it.

use crate::out_of_core::partition::{Partition, TileIndex};
use crate::space::subproblem::PlaneShape;

/// First block of each row and pattern that is in memory.
///
/// If rows are kept in one piece each, there is a single pattern, without squares.
pub(crate) struct BlockIndex {
    /// Number of squares below those of a pattern; 32 for a pattern without squares.
    low_squares: u32,
    /// The same squares as a set.
    low_mask: u32,
    /// Column of each pattern in `first_blocks`, or [`NOT_IN_MEMORY`].
    column_of_pattern: Vec<u16>,
    /// Columns of `first_blocks`.
    patterns_in_memory: usize,
    /// Block numbers. Index: `row * patterns_per_row + column`.
    first_blocks: Vec<usize>,
    /// Number of blocks in memory.
    blocks: usize,
}

/// Column of a pattern without blocks in memory.
const NOT_IN_MEMORY: u16 = u16::MAX;

impl BlockIndex {
    /// All of `rows` rows of `blocks_per_row` blocks, one after the other.
    pub(crate) fn whole(rows: usize, blocks_per_row: usize) -> Self {
        Self {
            low_squares: u32::BITS,
            low_mask: u32::MAX,
            column_of_pattern: vec![0],
            patterns_in_memory: 1,
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
        let mut pattern_column = vec![NOT_IN_MEMORY; slices.pattern_count()];
        let mut patterns_per_row = 0;
        for tile in tiles {
            for &pattern in slices.patterns(tile.column) {
                let column = &mut pattern_column[pattern as usize];
                if *column == NOT_IN_MEMORY {
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
            column_of_pattern: pattern_column,
            patterns_in_memory: patterns_per_row,
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
    /// The block of `set` follows the first one by the rank of these squares among the low squares
    /// without followers of the major side. The row and the pattern must be in memory; `set` is
    /// that of the block in memory, so already mirrored if the row is an image.
    #[inline(always)]
    pub(crate) fn first_block(&self, row: usize, set: u32) -> (usize, u32) {
        // In 64 bits, since a shift of 32 bits by 32 would overflow.
        let column = self.column_of_pattern[(u64::from(set) >> self.low_squares) as usize];
        debug_assert_ne!(column, NOT_IN_MEMORY, "a pattern that is not in memory");
        let first = self.first_blocks[row * self.patterns_in_memory + usize::from(column)];
        (first, set & self.low_mask)
    }
}
