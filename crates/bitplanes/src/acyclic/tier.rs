//! The values of a tier: the mover's followers at some heights, the other side's at some.
//!
//! A *block* has the positions with the same followers of both sides: for each context a *lane*, a row of bytes for each square of
//! the other side's leader, in each row a byte for each square of the mover's leader. Followers are as seen by their side,
//! leaders as seen by the other side: so a move of a follower, which exchanges the sides, leads from bytes to bytes in the same places.
//! Where there is no position, the byte is what a move that leads there is worth: lost where it ends the game, [`NONE`]
//! where there is no such move, or where another block tells what it leads to.

use hindsight_core::Value;

use crate::acyclic::heights::{Class, Member, Sets};
use crate::acyclic::lane_permutations::Orders;
use crate::simd::chunk::{Chunk, WIDE};
use crate::space::board_tables::Frame;

/// The value of a byte.
pub(crate) fn value_of(byte: u8) -> Option<Value> {
    match byte {
        OVER | DRAW | NONE => None,
        ..DRAW => Some(Value::Loss(2 * u16::from(byte))),
        _ => Some(Value::Win(2 * (254 - u16::from(byte)) + 1)),
    }
}

/// A value of a successor, the better for who moves there the larger: lost in d plies d / 2, won in d plies 254 - (d - 1) / 2.
pub(crate) const DRAW: u8 = 127;

/// A leader was captured, or is where it wants to be.
pub(crate) const OVER: u8 = 0;

/// Where no move leads.
pub(crate) const NONE: u8 = 255;

/// Plies from which on a loss would be taken for a draw.
pub(crate) const MOST_PLIES: u16 = 252;

/// A board has no more squares.
const SQUARES: usize = 32;

/// There is no such block: both sides' followers would be on a square.
pub(crate) const NO_BLOCK: u32 = u32::MAX;

pub(crate) struct Tier {
    /// For each row that is kept of the mover's followers and each set of the other side's the number of the block.
    numbers: Vec<u32>,
    width: usize,
    /// Chunks of a block.
    stride: usize,
    /// Blocks between margins.
    chunks: Vec<Chunk>,
    margin: usize,
    /// For each row where its blocks begin, then where the last ones end.
    begins: Vec<u32>,
}

/// Chunks of a block.
#[inline]
pub(crate) fn stride(frame: &Frame) -> usize {
    frame.lanes * (frame.squares * frame.squares).div_ceil(WIDE)
}

/// Bytes of a tier.
#[inline]
pub(crate) fn size(frame: &Frame, [one, other]: [&Class; 2]) -> u64 {
    let beside = |&own: &u32| {
        let own = frame.turned(own);
        let mut blocks = 0;
        for set in &other.sets {
            blocks += u64::from(set & own == 0);
        }
        blocks
    };
    let blocks: u64 = one.kept.iter().map(beside).sum();
    let numbers = one.kept.len() * (other.sets.len() + 1);
    blocks * (stride(frame) * WIDE) as u64 + 4 * numbers as u64
}

impl Tier {
    /// All positions are drawn so far.
    #[inline]
    pub(crate) fn new(frame: &Frame, orders: &Orders, [one, other]: [&Class; 2]) -> Self {
        let mut numbers = Vec::with_capacity(one.kept.len() * other.sets.len());
        let mut begins = vec![0];
        let mut blocks = 0;
        for &own in &one.kept {
            let own = frame.turned(own);
            for set in &other.sets {
                let is_there = set & own == 0;
                numbers.push(if is_there { blocks } else { NO_BLOCK });
                blocks += u32::from(is_there);
            }
            begins.push(blocks);
        }
        let stride = stride(frame);
        let margin = vec![Chunk([NONE; WIDE]); orders.margin];
        let mut chunks = Vec::with_capacity(blocks as usize * stride + 2 * margin.len());
        chunks.extend_from_slice(&margin);
        let bytes = stride / frame.lanes * WIDE;
        let mut lane = vec![NONE; bytes + SQUARES];
        for &own in &one.kept {
            let own = frame.turned(own);
            for &set in other.sets.iter().filter(|&set| set & own == 0) {
                fill(frame, [own, set], &mut lane);
                for _ in 0..frame.lanes {
                    chunks.extend(
                        lane[..bytes]
                            .as_chunks()
                            .0
                            .iter()
                            .map(|&bytes| Chunk(bytes)),
                    );
                }
            }
        }
        chunks.extend_from_slice(&margin);
        Self {
            numbers,
            width: other.sets.len(),
            stride,
            chunks,
            margin: margin.len(),
            begins,
        }
    }

    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.begins[self.begins.len() - 1] as usize
    }

    #[inline(always)]
    pub(crate) fn number(&self, mover: Member, other: Member) -> Option<usize> {
        let number = self.numbers(mover)[other.at as usize];
        (number != NO_BLOCK).then_some(number as usize)
    }

    /// A block.
    #[inline(always)]
    pub(crate) fn block(&self, number: usize) -> &[Chunk] {
        &self.chunks[self.margin + number * self.stride..][..self.stride]
    }

    #[inline(always)]
    pub(crate) fn block_mut(&mut self, number: usize) -> &mut [Chunk] {
        &mut self.chunks[self.margin + number * self.stride..][..self.stride]
    }

    /// The bytes so far after the begin of a chunk.
    #[inline(always)]
    pub(crate) fn shifted(&self, chunk: usize, by: isize) -> &[u8; WIDE] {
        let begin = ((self.margin + chunk) * WIDE).wrapping_add_signed(by);
        let bytes = Chunk::flat(&self.chunks)[begin..].first_chunk();
        bytes.expect("margins at both ends")
    }

    /// The numbers of the blocks of a row, by sets of the other side's followers.
    #[inline(always)]
    pub(crate) fn numbers(&self, mover: Member) -> &[u32] {
        &self.numbers[mover.row as usize * self.width..][..self.width]
    }

    /// A row of blocks.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[Chunk] {
        let begin = |row: usize| self.margin + self.begins[row] as usize * self.stride;
        &self.chunks[begin(row)..begin(row + 1)]
    }
}

/// A lane with all positions drawn, for followers of the mover and of the other side, both as that other side sees them; of more
/// bytes than a lane.
#[inline]
fn fill(frame: &Frame, [mover, other]: [u32; 2], lane: &mut [u8]) {
    let mut open = [NONE; SQUARES];
    for (square, open) in open.iter_mut().take(frame.squares).enumerate() {
        let set = 1 << square;
        *open = match () {
            () if other & set != 0 => OVER,
            () if (mover | frame.goals[1]) & set != 0 => NONE,
            () => DRAW,
        };
    }
    for leader in 0..frame.squares {
        let set = 1 << leader;
        let mut row = open;
        row[leader] = OVER;
        if (mover | other) & set != 0 {
            row = [NONE; SQUARES];
        } else if frame.goals[0] == set {
            row = [OVER; SQUARES];
        }
        // What is too much in a row the next one replaces.
        let to = lane[leader * frame.squares..].first_chunk_mut();
        *to.expect("more bytes than a lane") = row;
    }
    lane[frame.squares * frame.squares..].fill(NONE);
}

/// A block as it is read.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    pub(crate) chunks: &'a [Chunk],
    /// Whether it is there as its image.
    pub(crate) is_image: bool,
}

/// All tiers that are there, and their classes.
pub(crate) struct Tiers {
    /// By number of followers.
    pub(crate) sets: Vec<Sets>,
    /// By followers of both sides, then by classes.
    tiers: Vec<Vec<Option<Tier>>>,
}

/// Which tier: followers and class of the mover, then of the other side.
pub(crate) type Key = [(u32, u32); 2];

impl Tiers {
    #[inline]
    pub(crate) fn new(sets: Vec<Sets>) -> Self {
        let pairs = sets
            .iter()
            .flat_map(|one| sets.iter().map(move |other| [one, other]));
        let empty = |pair: [&Sets; 2]| {
            let [one, other] = pair.map(|sets| sets.classes.len());
            (0..one * other).map(|_| None).collect()
        };
        Self {
            tiers: pairs.map(empty).collect(),
            sets,
        }
    }

    #[inline]
    pub(crate) fn class(&self, (followers, class): (u32, u32)) -> &Class {
        &self.sets[followers as usize].classes[class as usize]
    }

    #[inline]
    pub(crate) fn classes(&self, key: Key) -> [&Class; 2] {
        key.map(|side| self.class(side))
    }

    /// Where a set of followers is, if there are not too many.
    #[inline(always)]
    pub(crate) fn find(&self, set: u32) -> Option<Member> {
        let sets = self.sets.get(set.count_ones() as usize);
        sets.map(|sets| sets.find(set))
    }

    #[inline(always)]
    fn place(&self, [one, other]: Key) -> (usize, usize) {
        let problem = one.0 as usize * self.sets.len() + other.0 as usize;
        let width = self.sets[other.0 as usize].classes.len();
        (problem, one.1 as usize * width + other.1 as usize)
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: Key) -> Option<&Tier> {
        let (problem, tier) = self.place(key);
        self.tiers[problem][tier].as_ref()
    }

    #[inline]
    pub(crate) fn put(&mut self, key: Key, tier: Option<Tier>) {
        let (problem, at) = self.place(key);
        self.tiers[problem][at] = tier;
    }
}
