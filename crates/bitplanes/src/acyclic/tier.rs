//! The values of a tier: the mover's followers at some heights, the other side's at some.
//!
//! A *block* has the positions with the same followers of both sides: for each context a *lane*, a row of bytes for each square of
//! the other side's leader, in each row a byte for each square of the mover's leader. Followers are as seen by their side,
//! leaders as seen by the other side: so a move of a follower, which exchanges the sides, leads from bytes to bytes in the same places.
//! Where there is no position, the byte is what a move that leads there is worth: lost where it ends the game, [`NONE`]
//! where there is no such move, or where another block tells what it leads to.

use hindsight_core::Value;

use crate::acyclic::heights::{ClassMember, HeightClass, HeightClasses};
use crate::acyclic::lane_permutations::LanePermutations;
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::space::board_tables::BoardTables;

/// The value of a byte.
pub(crate) fn value_of_byte(byte: u8) -> Option<Value> {
    match byte {
        MOVER_LOST | DRAW | NO_SUCCESSOR => None,
        ..DRAW => Some(Value::Loss(2 * u16::from(byte))),
        _ => Some(Value::Win(2 * (254 - u16::from(byte)) + 1)),
    }
}

/// A value of a successor, the better for who moves there the larger: lost in d plies d / 2, won in d plies 254 - (d - 1) / 2.
pub(crate) const DRAW: u8 = 127;

/// A leader was captured, or is where it wants to be.
pub(crate) const MOVER_LOST: u8 = 0;

/// Where no move leads.
pub(crate) const NO_SUCCESSOR: u8 = 255;

/// Plies from which on a loss would be taken for a draw.
pub(crate) const MAX_PLIES: u16 = 252;

/// A board has no more squares.
const MAX_SQUARES: usize = 32;

/// There is no such block: both sides' followers would be on a square.
pub(crate) const NO_BLOCK: u32 = u32::MAX;

pub(crate) struct ByteTier {
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
pub(crate) fn chunks_per_block(tables: &BoardTables) -> usize {
    tables.lanes * (tables.squares * tables.squares).div_ceil(CHUNK_BYTES)
}

/// Bytes of a tier.
#[inline]
pub(crate) fn tier_bytes(tables: &BoardTables, [one, other]: [&HeightClass; 2]) -> u64 {
    let beside = |&own: &u32| {
        let own = tables.half_turn(own);
        let mut blocks = 0;
        for set in &other.sets {
            blocks += u64::from(set & own == 0);
        }
        blocks
    };
    let blocks: u64 = one.canonical.iter().map(beside).sum();
    let numbers = one.canonical.len() * (other.sets.len() + 1);
    blocks * (chunks_per_block(tables) * CHUNK_BYTES) as u64 + 4 * numbers as u64
}

impl ByteTier {
    /// All positions are drawn so far.
    #[inline]
    pub(crate) fn new(
        tables: &BoardTables,
        orders: &LanePermutations,
        [one, other]: [&HeightClass; 2],
    ) -> Self {
        let mut numbers = Vec::with_capacity(one.canonical.len() * other.sets.len());
        let mut begins = vec![0];
        let mut blocks = 0;
        for &own in &one.canonical {
            let own = tables.half_turn(own);
            for set in &other.sets {
                let is_there = set & own == 0;
                numbers.push(if is_there { blocks } else { NO_BLOCK });
                blocks += u32::from(is_there);
            }
            begins.push(blocks);
        }
        let stride = chunks_per_block(tables);
        let margin = vec![Chunk([NO_SUCCESSOR; CHUNK_BYTES]); orders.margin];
        let mut chunks = Vec::with_capacity(blocks as usize * stride + 2 * margin.len());
        chunks.extend_from_slice(&margin);
        let bytes = stride / tables.lanes * CHUNK_BYTES;
        let mut lane = vec![NO_SUCCESSOR; bytes + MAX_SQUARES];
        for &own in &one.canonical {
            let own = tables.half_turn(own);
            for &set in other.sets.iter().filter(|&set| set & own == 0) {
                fill_drawn_lane(tables, [own, set], &mut lane);
                for _ in 0..tables.lanes {
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
    pub(crate) fn number(&self, mover: ClassMember, other: ClassMember) -> Option<usize> {
        let number = self.numbers(mover)[other.number as usize];
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
    pub(crate) fn shifted_chunk(&self, chunk: usize, by: isize) -> &[u8; CHUNK_BYTES] {
        let begin = ((self.margin + chunk) * CHUNK_BYTES).wrapping_add_signed(by);
        let bytes = Chunk::as_bytes(&self.chunks)[begin..].first_chunk();
        bytes.expect("margins at both ends")
    }

    /// The numbers of the blocks of a row, by sets of the other side's followers.
    #[inline(always)]
    pub(crate) fn numbers(&self, mover: ClassMember) -> &[u32] {
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
fn fill_drawn_lane(tables: &BoardTables, [mover, other]: [u32; 2], lane: &mut [u8]) {
    let mut open = [NO_SUCCESSOR; MAX_SQUARES];
    for (square, open) in open.iter_mut().take(tables.squares).enumerate() {
        let set = 1 << square;
        *open = match () {
            () if other & set != 0 => MOVER_LOST,
            () if (mover | tables.goals[1]) & set != 0 => NO_SUCCESSOR,
            () => DRAW,
        };
    }
    for leader in 0..tables.squares {
        let set = 1 << leader;
        let mut row = open;
        row[leader] = MOVER_LOST;
        if (mover | other) & set != 0 {
            row = [NO_SUCCESSOR; MAX_SQUARES];
        } else if tables.goals[0] == set {
            row = [MOVER_LOST; MAX_SQUARES];
        }
        // What is too much in a row the next one replaces.
        let to = lane[leader * tables.squares..].first_chunk_mut();
        *to.expect("more bytes than a lane") = row;
    }
    lane[tables.squares * tables.squares..].fill(NO_SUCCESSOR);
}

/// A block as it is read.
#[derive(Clone, Copy)]
pub(crate) struct ByteBlock<'a> {
    pub(crate) chunks: &'a [Chunk],
    /// Whether it is there as its image.
    pub(crate) is_image: bool,
}

/// All tiers that are there, and their classes.
pub(crate) struct ByteTiers {
    /// By number of followers.
    pub(crate) sets: Vec<HeightClasses>,
    /// By followers of both sides, then by classes.
    tiers: Vec<Vec<Option<ByteTier>>>,
}

/// Which tier: followers and class of the mover, then of the other side.
pub(crate) type TierKey = [(u32, u32); 2];

impl ByteTiers {
    #[inline]
    pub(crate) fn new(sets: Vec<HeightClasses>) -> Self {
        let pairs = sets
            .iter()
            .flat_map(|one| sets.iter().map(move |other| [one, other]));
        let empty = |pair: [&HeightClasses; 2]| {
            let [one, other] = pair.map(|sets| sets.classes.len());
            (0..one * other).map(|_| None).collect()
        };
        Self {
            tiers: pairs.map(empty).collect(),
            sets,
        }
    }

    #[inline]
    pub(crate) fn class(&self, (followers, class): (u32, u32)) -> &HeightClass {
        &self.sets[followers as usize].classes[class as usize]
    }

    #[inline]
    pub(crate) fn classes(&self, key: TierKey) -> [&HeightClass; 2] {
        key.map(|side| self.class(side))
    }

    /// Where a set of followers is, if there are not too many.
    #[inline(always)]
    pub(crate) fn find(&self, set: u32) -> Option<ClassMember> {
        let sets = self.sets.get(set.count_ones() as usize);
        sets.map(|sets| sets.member(set))
    }

    #[inline(always)]
    fn place(&self, [one, other]: TierKey) -> (usize, usize) {
        let subproblem = one.0 as usize * self.sets.len() + other.0 as usize;
        let width = self.sets[other.0 as usize].classes.len();
        (subproblem, one.1 as usize * width + other.1 as usize)
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: TierKey) -> Option<&ByteTier> {
        let (subproblem, tier) = self.place(key);
        self.tiers[subproblem][tier].as_ref()
    }

    #[inline]
    pub(crate) fn put(&mut self, key: TierKey, tier: Option<ByteTier>) {
        let (subproblem, at) = self.place(key);
        self.tiers[subproblem][at] = tier;
    }
}
