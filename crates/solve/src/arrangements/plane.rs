//! A plane: a bit for each position of a problem with one side to move, and where its blocks are.

use super::cpu::Cpu;
use super::mirror::{Kept, Mirror};
use super::pack::{Columns, LONGEST, bit_of, word_of};
use super::shape::{Frame, Problem, rank};

/// A bit for each position of a problem with one side to move. Blocks lie in order of the followers of the
/// side `major`, then of the other's on the squares that are left.
pub(super) struct Plane {
    pub(super) major: usize,
    /// Blocks for each set of followers of the major side.
    pub(super) row: usize,
    /// Bytes of a lane, and of a block.
    pub(super) lane: usize,
    pub(super) stride: usize,
    /// The blocks, and so many bytes more that every lane can be read as if it was the longest.
    pub(super) bytes: Vec<u8>,
    pub(super) columns: Columns,
    kept: Kept,
}

/// Where a block is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Its number.
    pub(super) block: usize,
    /// Whether it is its image that is there.
    is_image: bool,
}

impl Place {
    /// The mirror, if the block is its image.
    #[inline(always)]
    pub(super) fn mirror(self, frame: &Frame) -> Option<&Mirror> {
        frame.mirror.as_ref().filter(|_| self.is_image)
    }

    /// The word of a row of a lane, with these free squares.
    #[inline(always)]
    pub(super) fn word<C: Cpu>(
        self,
        (frame, plane): (&Frame, &Plane),
        free: u32,
        lane: usize,
        row: usize,
    ) -> u32 {
        let packed = plane.block(self.block);
        let Some(mirror) = self.mirror(frame) else {
            return word_of::<C>(&packed[lane * plane.lane..], free, bit_of(free, row));
        };
        let (free, row) = (mirror.set(free), mirror.square(row));
        let packed = &packed[mirror.lanes[lane] * plane.lane..];
        mirror.set(word_of::<C>(packed, free, bit_of(free, row)))
    }

    /// Asks for this word.
    #[inline(always)]
    pub(super) fn ask_for<C: Cpu>(
        self,
        (frame, plane): (&Frame, &Plane),
        free: u32,
        lane: usize,
        row: usize,
    ) {
        let (free, lane, row) = match self.mirror(frame) {
            Some(mirror) => (mirror.set(free), mirror.lanes[lane], mirror.square(row)),
            None => (free, lane, row),
        };
        let byte = lane * plane.lane + (bit_of(free, row) >> 3);
        C::ask_for_line(&plane.bytes, self.block * plane.stride + byte);
    }
}

/// Bytes after the last block.
const SLACK: usize = LONGEST;

impl Plane {
    pub(super) fn new(problem: &Problem, major: usize) -> Self {
        let blocks = problem.kept_blocks(major) as usize;
        Self {
            major,
            kept: problem.kept[major].clone(),
            row: problem.row(1 - major),
            lane: problem.bytes,
            stride: problem.stride,
            bytes: vec![0; blocks * problem.stride + SLACK],
            columns: Columns::new(problem.free),
        }
    }

    /// Where the block of these followers is, or that of its image if that one is kept.
    #[inline(always)]
    pub(super) fn find<C: Cpu>(&self, frame: &Frame, followers: [u32; 2]) -> Place {
        let [major, minor] = [followers[self.major], followers[1 - self.major]];
        self.find_in_row::<C>(frame, rank(major), [major, minor])
    }

    /// The same if the number of the major side's followers is known; these come first.
    #[inline(always)]
    pub(super) fn find_in_row<C: Cpu>(
        &self,
        frame: &Frame,
        rank: usize,
        [major, minor]: [u32; 2],
    ) -> Place {
        let (row, is_image) = self.kept.place(rank);
        let [major, minor] = match is_image {
            true => [frame.mirrored(major), frame.mirrored(minor)],
            false => [major, minor],
        };
        let block = row * self.row + self.index_in_row::<C>(major, minor);
        Place { block, is_image }
    }

    /// The number of a block among those with the same followers of the major side.
    #[inline(always)]
    fn index_in_row<C: Cpu>(&self, major: u32, minor: u32) -> usize {
        rank(C::extract(minor.into(), (!major).into()) as u32)
    }

    /// The blocks with the same followers of the major side, set by set.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let len = self.bytes.len() - SLACK;
        self.bytes[..len].chunks_exact_mut(self.row * self.stride)
    }

    /// The bytes of a block, and a few more.
    #[inline(always)]
    pub(super) fn block(&self, index: usize) -> &[u8] {
        let begin = index * self.stride;
        &self.bytes[begin..begin + self.stride + SLACK]
    }
}
