//! A plane: one bit for each position of a subproblem with one side to move.

use hindsight_core::Placement;

use crate::out_of_core::partition::{Partition, TileIndex};
use crate::plane::block_index::BlockIndex;
use crate::plane::packing::{ColumnMasks, MAX_LANE_BYTES, line_begin_bit, unpack_line};
use crate::simd::portable::Portable;
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::canonical_rows::CanonicalRows;
use crate::space::mirror::Mirror;
use crate::space::sets::set_rank;
use crate::space::subproblem::{PlaneShape, Subproblem};

/// A plane, or the part of it that is in memory.
///
/// Blocks of a whole plane lie in order of the major side's follower sets, then of the minor side's
/// among the squares that are left. Blocks of tiles lie in the order of
/// [`Partition::for_each_run`], rows that were asked for in the order of the request.
pub(crate) struct Plane {
    /// Side whose followers choose the row: the one that does not move.
    pub(crate) major: usize,
    pub(crate) blocks_per_row: usize,
    pub(crate) lane_bytes: usize,
    pub(crate) block_bytes: usize,
    /// The blocks, and [`SLACK`] bytes, so that every lane can be read as if it were the longest.
    pub(crate) bytes: Vec<u8>,
    /// Masks for reading one bit of each line of a lane.
    pub(crate) column_masks: ColumnMasks,
    canonical_rows: CanonicalRows,
    index: BlockIndex,
}

/// A block of a plane.
#[derive(Clone, Copy)]
pub(crate) struct BlockRef {
    /// Number of the block in memory.
    pub(crate) number: usize,
    /// True if the block in memory is the mirror image of the one that was looked for.
    is_image: bool,
}

/// A line of the block that was looked for.
#[derive(Clone, Copy)]
pub(crate) struct LineRef {
    /// Free squares of the block.
    pub(crate) free: u32,
    pub(crate) lane: usize,
    /// Square of side 0's leader.
    pub(crate) line: usize,
}

impl BlockRef {
    /// The mirror, if the block in memory is a mirror image.
    #[inline(always)]
    pub(crate) fn mirror(self, tables: &BoardTables) -> Option<&Mirror> {
        tables.mirror.as_ref().filter(|_| self.is_image)
    }

    /// A line of the block, unpacked.
    #[inline(always)]
    pub(crate) fn line<S: Simd>(
        self,
        simd: S,
        tables: &BoardTables,
        plane: &Plane,
        at: LineRef,
    ) -> u32 {
        let LineRef { free, lane, line } = at;
        let packed = plane.block(self.number);
        let Some(mirror) = self.mirror(tables) else {
            let packed = &packed[lane * plane.lane_bytes..];
            return unpack_line(simd, packed, free, line_begin_bit(free, line));
        };
        let (free, line) = (mirror.image(free), mirror.image_square(line));
        let packed = &packed[mirror.lane_images[lane] * plane.lane_bytes..];
        mirror.image(unpack_line(simd, packed, free, line_begin_bit(free, line)))
    }

    /// Prefetches the cache line in which a line of the block begins.
    #[inline(always)]
    pub(crate) fn prefetch_line<S: Simd>(
        self,
        simd: S,
        tables: &BoardTables,
        plane: &Plane,
        at: LineRef,
    ) {
        let LineRef { free, lane, line } = match self.mirror(tables) {
            Some(mirror) => LineRef {
                free: mirror.image(at.free),
                lane: mirror.lane_images[at.lane],
                line: mirror.image_square(at.line),
            },
            None => at,
        };
        let byte = lane * plane.lane_bytes + (line_begin_bit(free, line) >> 3);
        simd.prefetch_line(&plane.bytes, self.number * plane.block_bytes + byte);
    }
}

/// Bytes after the last block.
const SLACK: usize = MAX_LANE_BYTES;

impl Plane {
    /// A whole plane, all bits 0.
    #[inline]
    pub(crate) fn new(shape: PlaneShape<'_>) -> Self {
        let index = BlockIndex::whole(shape.row_sets().len(), shape.blocks_per_row());
        Self::with_index(shape, index, Vec::new())
    }

    /// Some tiles, one after the other, in memory that may have other contents.
    #[inline]
    pub(crate) fn of_tiles(
        partition: &Partition,
        shape: PlaneShape<'_>,
        tiles: &[TileIndex],
        memory: Vec<u8>,
    ) -> Self {
        Self::with_index(shape, BlockIndex::of_tiles(partition, shape, tiles), memory)
    }

    /// Some canonical rows, one after the other, in memory that may have other contents.
    #[inline]
    pub(crate) fn of_rows(shape: PlaneShape<'_>, rows: &[usize], memory: Vec<u8>) -> Self {
        let (all_rows, blocks) = (shape.row_sets().len(), shape.blocks_per_row());
        Self::with_index(shape, BlockIndex::of_rows(all_rows, rows, blocks), memory)
    }

    /// The blocks of an index, in memory that is resized for them.
    #[inline]
    fn with_index(shape: PlaneShape<'_>, index: BlockIndex, mut memory: Vec<u8>) -> Self {
        let PlaneShape { subproblem, major } = shape;
        let bytes = Self::bytes_for(subproblem, index.blocks() as u64) as usize;
        if memory.capacity() == 0 {
            // Fresh pages of zeros cost nothing until they are written.
            memory = vec![0; bytes];
        }
        memory.resize(bytes, 0);
        Self {
            major,
            canonical_rows: subproblem.canonical_rows[major].clone(),
            blocks_per_row: shape.blocks_per_row(),
            lane_bytes: subproblem.lane_bytes,
            block_bytes: subproblem.block_bytes,
            bytes: memory,
            column_masks: ColumnMasks::new(subproblem.free_squares),
            index,
        }
    }

    /// Bytes of memory for a number of blocks.
    #[inline]
    pub(crate) fn bytes_for(subproblem: &Subproblem, blocks: u64) -> u64 {
        blocks * subproblem.block_bytes as u64 + SLACK as u64
    }

    /// Finds the block of the followers of sides 0 and 1.
    #[inline(always)]
    pub(crate) fn block_of<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        followers: [u32; 2],
    ) -> BlockRef {
        let [major, minor] = [followers[self.major], followers[1 - self.major]];
        self.block_of_ranked(simd, tables, set_rank(major), [major, minor])
    }

    /// As [`Plane::block_of`], for the major and the minor side's followers.
    ///
    /// `rank` is the set rank of the major side's followers, which callers know already. The block
    /// must be in memory; a column of tiles has the mirror images of all its blocks, too.
    #[inline(always)]
    pub(crate) fn block_of_ranked<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        rank: usize,
        [major, minor]: [u32; 2],
    ) -> BlockRef {
        let (row, is_image) = self.canonical_rows.row_of(rank);
        let [major, minor] = if is_image {
            [tables.mirror_set(major), tables.mirror_set(minor)]
        } else {
            [major, minor]
        };
        let (first, low) = self.index.first_block(row, minor);
        let number = first + set_rank(simd.extract(low.into(), (!major).into()) as u32);
        BlockRef { number, is_image }
    }

    /// Bit of a position whose mover is the plane's.
    #[inline]
    pub(crate) fn bit(&self, tables: &BoardTables, position: Placement) -> bool {
        let [line, bit] = position.leaders.map(usize::from);
        let at = LineRef {
            free: tables.board() & !(position.followers[0] | position.followers[1]),
            lane: tables.lane_of_context[usize::from(position.context)],
            line,
        };
        let block = self.block_of(Portable, tables, position.followers);
        block.line(Portable, tables, self, at) >> bit & 1 == 1
    }

    /// Bytes of each row, if rows are in one piece.
    #[inline]
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let len = self.len();
        self.bytes[..len].chunks_exact_mut(self.blocks_per_row * self.block_bytes)
    }

    /// Bytes of the blocks in memory.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - SLACK
    }

    /// Bytes of a block, and [`SLACK`] more.
    #[inline(always)]
    pub(crate) fn block(&self, number: usize) -> &[u8] {
        let begin = number * self.block_bytes;
        &self.bytes[begin..begin + self.block_bytes + SLACK]
    }
}
