//! A plane: a bit for each position of a problem with one side to move, and where its blocks are.

use hindsight_core::Placement;

use crate::out_of_core::partition::{Cut, Part};
use crate::plane::block_index::Places;
use crate::plane::packing::{Columns, LONGEST, bit_of, word_of};
use crate::simd::portable::Portable;
use crate::simd::token::Cpu;
use crate::space::board_tables::Frame;
use crate::space::canonical_rows::Kept;
use crate::space::mirror::Mirror;
use crate::space::sets::rank as rank_of;
use crate::space::subproblem::Problem;

/// A bit for each position of a problem with one side to move. Blocks lie in order of the followers of the
/// side `major`, then of the other's on the squares that are left, or part by part (`slices.rs`).
pub(crate) struct Plane {
    pub(crate) major: usize,
    /// Blocks for each set of followers of the major side.
    pub(crate) row: usize,
    /// Bytes of a lane, and of a block.
    pub(crate) lane: usize,
    pub(crate) stride: usize,
    /// The blocks, and so many bytes more that every lane can be read as if it was the longest.
    pub(crate) bytes: Vec<u8>,
    pub(crate) columns: Columns,
    kept: Kept,
    places: Places,
}

/// Where a block is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Its number.
    pub(crate) block: usize,
    /// Whether it is its image that is there.
    is_image: bool,
}

impl Place {
    /// The mirror, if the block is its image.
    #[inline(always)]
    pub(crate) fn mirror(self, frame: &Frame) -> Option<&Mirror> {
        frame.mirror.as_ref().filter(|_| self.is_image)
    }

    /// The word of a row of a lane, with these free squares.
    #[inline(always)]
    pub(crate) fn word<C: Cpu>(
        self,
        cpu: C,
        (frame, plane): (&Frame, &Plane),
        free: u32,
        lane: usize,
        row: usize,
    ) -> u32 {
        let packed = plane.block(self.block);
        let Some(mirror) = self.mirror(frame) else {
            return word_of(cpu, &packed[lane * plane.lane..], free, bit_of(free, row));
        };
        let (free, row) = (mirror.set(free), mirror.square(row));
        let packed = &packed[mirror.lanes[lane] * plane.lane..];
        mirror.set(word_of(cpu, packed, free, bit_of(free, row)))
    }

    /// Asks for this word.
    #[inline(always)]
    pub(crate) fn ask_for<C: Cpu>(
        self,
        cpu: C,
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
        cpu.ask_for_line(&plane.bytes, self.block * plane.stride + byte);
    }
}

/// Bytes after the last block.
const SLACK: usize = LONGEST;

impl Plane {
    /// All of it.
    #[inline]
    pub(crate) fn new(problem: &Problem, major: usize) -> Self {
        let (rows, row) = (problem.kept[major].sets.len(), problem.row(1 - major));
        let places = Places::whole(rows, row);
        let bytes = vec![0; Self::bytes_of(problem, places.blocks() as u64) as usize];
        Self::at(problem, major, places, bytes)
    }

    /// Some parts, one after the other, in memory that is there already.
    #[inline]
    pub(crate) fn of_parts(
        cut: &Cut,
        (problem, major): (&Problem, usize),
        parts: &[Part],
        mut memory: Vec<u8>,
    ) -> Self {
        let places = Places::of_parts(cut, (problem, major), parts);
        memory.resize(Self::bytes_of(problem, places.blocks() as u64) as usize, 0);
        Self::at(problem, major, places, memory)
    }

    /// Some rows, one after the other, in memory that is there already.
    #[inline]
    pub(crate) fn of_rows(
        problem: &Problem,
        major: usize,
        rows: &[usize],
        mut memory: Vec<u8>,
    ) -> Self {
        let all = problem.kept[major].sets.len();
        let places = Places::of_rows(all, rows, problem.row(1 - major));
        memory.resize(Self::bytes_of(problem, places.blocks() as u64) as usize, 0);
        Self::at(problem, major, places, memory)
    }

    #[inline]
    fn at(problem: &Problem, major: usize, places: Places, bytes: Vec<u8>) -> Self {
        Self {
            major,
            kept: problem.kept[major].clone(),
            row: problem.row(1 - major),
            lane: problem.bytes,
            stride: problem.stride,
            bytes,
            columns: Columns::new(problem.free),
            places,
        }
    }

    /// Bytes of so many blocks.
    #[inline]
    pub(crate) fn bytes_of(problem: &Problem, blocks: u64) -> u64 {
        blocks * problem.stride as u64 + SLACK as u64
    }

    /// Where the block of these followers is, or that of its image if that one is kept.
    #[inline(always)]
    pub(crate) fn find<C: Cpu>(&self, cpu: C, frame: &Frame, followers: [u32; 2]) -> Place {
        let [major, minor] = [followers[self.major], followers[1 - self.major]];
        self.find_in_row(cpu, frame, rank_of(major), [major, minor])
    }

    /// The same if the number of the major side's followers is known; these come first.
    #[inline(always)]
    pub(crate) fn find_in_row<C: Cpu>(
        &self,
        cpu: C,
        frame: &Frame,
        rank: usize,
        [major, minor]: [u32; 2],
    ) -> Place {
        let (row, is_image) = self.kept.place(rank);
        let [major, minor] = match is_image {
            true => [frame.mirrored(major), frame.mirrored(minor)],
            false => [major, minor],
        };
        let (begin, rest) = self.places.begin(row, minor);
        let block = begin + rank_of(cpu.extract(rest.into(), (!major).into()) as u32);
        Place { block, is_image }
    }

    /// The bit of a position with the side to move that the plane is of.
    #[inline]
    pub(crate) fn bit(&self, frame: &Frame, position: Placement) -> bool {
        let free = frame.board() & !(position.followers[0] | position.followers[1]);
        let lane = frame.lane_of[usize::from(position.context)];
        let [row, bit] = position.leaders.map(usize::from);
        let place = self.find(Portable, frame, position.followers);
        place.word(Portable, (frame, self), free, lane, row) >> bit & 1 == 1
    }

    /// The blocks with the same followers of the major side, set by set, if all of them are there.
    #[inline]
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let len = self.len();
        self.bytes[..len].chunks_exact_mut(self.row * self.stride)
    }

    /// Bytes of its blocks.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - SLACK
    }

    /// The bytes of a block, and a few more.
    #[inline(always)]
    pub(crate) fn block(&self, index: usize) -> &[u8] {
        let begin = index * self.stride;
        &self.bytes[begin..begin + self.stride + SLACK]
    }
}
