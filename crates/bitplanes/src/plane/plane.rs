//! A plane: a bit for each position of a problem with one side to move, and where its blocks are.

use hindsight_core::Placement;

use crate::out_of_core::partition::{Partition, TileIndex};
use crate::plane::block_index::BlockIndex;
use crate::plane::packing::{ColumnMasks, MAX_LANE_BYTES, line_begin_bit, unpack_line};
use crate::simd::portable::Portable;
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::canonical_rows::CanonicalRows;
use crate::space::mirror::Mirror;
use crate::space::sets::set_rank as rank_of;
use crate::space::subproblem::Subproblem;

/// A bit for each position of a problem with one side to move. Blocks lie in order of the followers of the
/// side `major`, then of the other's on the squares that are left, or part by part (`slices.rs`).
pub(crate) struct Plane {
    pub(crate) major: usize,
    /// Blocks for each set of followers of the major side.
    pub(crate) blocks_per_row: usize,
    /// Bytes of a lane, and of a block.
    pub(crate) lane_bytes: usize,
    pub(crate) block_bytes: usize,
    /// The blocks, and so many bytes more that every lane can be read as if it was the longest.
    pub(crate) bytes: Vec<u8>,
    pub(crate) column_masks: ColumnMasks,
    canonical_rows: CanonicalRows,
    index: BlockIndex,
}

/// Where a block is.
#[derive(Clone, Copy)]
pub(crate) struct BlockRef {
    /// Its number.
    pub(crate) number: usize,
    /// Whether it is its image that is there.
    is_image: bool,
}

impl BlockRef {
    /// The mirror, if the block is its image.
    #[inline(always)]
    pub(crate) fn mirror(self, tables: &BoardTables) -> Option<&Mirror> {
        tables.mirror.as_ref().filter(|_| self.is_image)
    }

    /// The word of a row of a lane, with these free squares.
    #[inline(always)]
    pub(crate) fn line<S: Simd>(
        self,
        simd: S,
        (tables, plane): (&BoardTables, &Plane),
        free: u32,
        lane: usize,
        row: usize,
    ) -> u32 {
        let packed = plane.block(self.number);
        let Some(mirror) = self.mirror(tables) else {
            return unpack_line(
                simd,
                &packed[lane * plane.lane_bytes..],
                free,
                line_begin_bit(free, row),
            );
        };
        let (free, row) = (mirror.image(free), mirror.image_square(row));
        let packed = &packed[mirror.lane_images[lane] * plane.lane_bytes..];
        mirror.image(unpack_line(simd, packed, free, line_begin_bit(free, row)))
    }

    /// Asks for this word.
    #[inline(always)]
    pub(crate) fn prefetch_line<S: Simd>(
        self,
        simd: S,
        (tables, plane): (&BoardTables, &Plane),
        free: u32,
        lane: usize,
        row: usize,
    ) {
        let (free, lane, row) = match self.mirror(tables) {
            Some(mirror) => (
                mirror.image(free),
                mirror.lane_images[lane],
                mirror.image_square(row),
            ),
            None => (free, lane, row),
        };
        let byte = lane * plane.lane_bytes + (line_begin_bit(free, row) >> 3);
        simd.prefetch_line(&plane.bytes, self.number * plane.block_bytes + byte);
    }
}

/// Bytes after the last block.
const SLACK: usize = MAX_LANE_BYTES;

impl Plane {
    /// All of it.
    #[inline]
    pub(crate) fn new(subproblem: &Subproblem, major: usize) -> Self {
        let (rows, row) = (
            subproblem.canonical_rows[major].sets.len(),
            subproblem.blocks_per_row(1 - major),
        );
        let places = BlockIndex::whole(rows, row);
        let bytes = vec![0; Self::bytes_for(subproblem, places.blocks() as u64) as usize];
        Self::with_index(subproblem, major, places, bytes)
    }

    /// Some parts, one after the other, in memory that is there already.
    #[inline]
    pub(crate) fn of_tiles(
        cut: &Partition,
        (subproblem, major): (&Subproblem, usize),
        parts: &[TileIndex],
        mut memory: Vec<u8>,
    ) -> Self {
        let places = BlockIndex::of_tiles(cut, (subproblem, major), parts);
        memory.resize(
            Self::bytes_for(subproblem, places.blocks() as u64) as usize,
            0,
        );
        Self::with_index(subproblem, major, places, memory)
    }

    /// Some rows, one after the other, in memory that is there already.
    #[inline]
    pub(crate) fn of_rows(
        subproblem: &Subproblem,
        major: usize,
        rows: &[usize],
        mut memory: Vec<u8>,
    ) -> Self {
        let all = subproblem.canonical_rows[major].sets.len();
        let places = BlockIndex::of_rows(all, rows, subproblem.blocks_per_row(1 - major));
        memory.resize(
            Self::bytes_for(subproblem, places.blocks() as u64) as usize,
            0,
        );
        Self::with_index(subproblem, major, places, memory)
    }

    #[inline]
    fn with_index(
        subproblem: &Subproblem,
        major: usize,
        places: BlockIndex,
        bytes: Vec<u8>,
    ) -> Self {
        Self {
            major,
            canonical_rows: subproblem.canonical_rows[major].clone(),
            blocks_per_row: subproblem.blocks_per_row(1 - major),
            lane_bytes: subproblem.lane_bytes,
            block_bytes: subproblem.block_bytes,
            bytes,
            column_masks: ColumnMasks::new(subproblem.free_squares),
            index: places,
        }
    }

    /// Bytes of so many blocks.
    #[inline]
    pub(crate) fn bytes_for(subproblem: &Subproblem, blocks: u64) -> u64 {
        blocks * subproblem.block_bytes as u64 + SLACK as u64
    }

    /// Where the block of these followers is, or that of its image if that one is kept.
    #[inline(always)]
    pub(crate) fn block_of<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        followers: [u32; 2],
    ) -> BlockRef {
        let [major, minor] = [followers[self.major], followers[1 - self.major]];
        self.block_in_row(simd, tables, rank_of(major), [major, minor])
    }

    /// The same if the number of the major side's followers is known; these come first.
    #[inline(always)]
    pub(crate) fn block_in_row<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        rank: usize,
        [major, minor]: [u32; 2],
    ) -> BlockRef {
        let (row, is_image) = self.canonical_rows.row_of(rank);
        let [major, minor] = match is_image {
            true => [tables.mirror_set(major), tables.mirror_set(minor)],
            false => [major, minor],
        };
        let (begin, rest) = self.index.first_block(row, minor);
        let block = begin + rank_of(simd.extract(rest.into(), (!major).into()) as u32);
        BlockRef {
            number: block,
            is_image,
        }
    }

    /// The bit of a position with the side to move that the plane is of.
    #[inline]
    pub(crate) fn bit(&self, tables: &BoardTables, position: Placement) -> bool {
        let free = tables.board() & !(position.followers[0] | position.followers[1]);
        let lane = tables.lane_of_context[usize::from(position.context)];
        let [row, bit] = position.leaders.map(usize::from);
        let place = self.block_of(Portable, tables, position.followers);
        place.line(Portable, (tables, self), free, lane, row) >> bit & 1 == 1
    }

    /// The blocks with the same followers of the major side, set by set, if all of them are there.
    #[inline]
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let len = self.len();
        self.bytes[..len].chunks_exact_mut(self.blocks_per_row * self.block_bytes)
    }

    /// Bytes of its blocks.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - SLACK
    }

    /// The bytes of a block, and a few more.
    #[inline(always)]
    pub(crate) fn block(&self, index: usize) -> &[u8] {
        let begin = index * self.block_bytes;
        &self.bytes[begin..begin + self.block_bytes + SLACK]
    }
}
