//! Values of a tier, one byte for each position.
//!
//! A tier holds the positions whose mover's followers are in one height class and whose other
//! side's followers are in another.
//!
//! ```text
//! tier    row 0 | row 1 | ...       a row for each canonical follower set of the mover
//! row     block 0 | block 1 | ...   a block for each follower set of the other side beside it
//! block   lane 0 | lane 1 | ...     a lane for each context, filled up to whole chunks
//! lane    line | line | ...         a line for each square of the other side's leader
//! line    byte | byte | ...         a byte for each square of the mover's leader
//! ```
//!
//! Each side's followers are as it sees them; both leaders are as the other side sees them. A move
//! of a follower exchanges the sides, so it leads from bytes to bytes at the same offsets of a
//! block.
//!
//! # Encoding
//!
//! | byte | value of the position for its mover |
//! |---|---|
//! | `0` | lost by the rules: its leader was captured, or the other leader is on its goal |
//! | `d`, from 1 to 126 | loss in `2 * d` plies |
//! | `127` | draw |
//! | `d`, from 128 to 254 | win in `2 * (254 - d) + 1` plies |
//! | `255` | no position, or one that another block tells the value of: no move leads here |
//!
//! A larger byte is better for the position's mover. So the best move leads to the least byte.

use hindsight_core::Value;

use crate::acyclic::heights::{ClassMember, HeightClass, HeightClasses};
use crate::acyclic::lane_permutations::AcyclicTables;
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::space::board_tables::BoardTables;

/// Value of a byte; `None` for a draw, a position lost by the rules, and no position.
pub(crate) fn value_of_byte(byte: u8) -> Option<Value> {
    match byte {
        MOVER_LOST | DRAW | NO_SUCCESSOR => None,
        ..DRAW => Some(Value::Loss(2 * u16::from(byte))),
        _ => Some(Value::Win(2 * (254 - u16::from(byte)) + 1)),
    }
}

/// Byte of a draw, and of a position that is not decided yet.
pub(crate) const DRAW: u8 = 127;

/// Byte of a position lost by the rules.
pub(crate) const MOVER_LOST: u8 = 0;

/// Byte that no move leads to.
pub(crate) const NO_SUCCESSOR: u8 = 255;

/// Longest loss that has a byte of its own, in plies.
///
/// `Loss(254)` would be byte 127, the draw. A `Win(253)`, byte 128, shows that this may have
/// happened.
pub(crate) const MAX_PLIES: u16 = 252;

const MAX_SQUARES: usize = 32;

/// Number of a block that does not exist, since both sides' followers would share a square.
pub(crate) const NO_BLOCK: u32 = u32::MAX;

/// All positions of a tier, a byte each.
pub(crate) struct ByteTier {
    /// Block numbers, or [`NO_BLOCK`]. Index: `row * sets_per_row + set of the other side`.
    block_numbers: Vec<u32>,
    /// Follower sets of the other side.
    sets_per_row: usize,
    block_chunks: usize,
    /// All blocks, with a margin at both ends.
    chunks: Vec<Chunk>,
    /// Chunks of a margin, all bytes [`NO_SUCCESSOR`].
    margin: usize,
    /// First block of each row, then the number of all blocks.
    first_blocks: Vec<u32>,
}

#[inline]
pub(crate) fn chunks_per_block(tables: &BoardTables) -> usize {
    tables.lanes * (tables.squares * tables.squares).div_ceil(CHUNK_BYTES)
}

/// Bytes that [`ByteTier::new`] allocates for the classes of the mover and of the other side.
#[inline]
pub(crate) fn tier_bytes(tables: &BoardTables, [mover, other]: [&HeightClass; 2]) -> u64 {
    let blocks_of_row = |&own: &u32| {
        let own = tables.half_turn(own);
        let mut blocks = 0;
        for set in &other.sets {
            blocks += u64::from(set & own == 0);
        }
        blocks
    };
    let blocks: u64 = mover.canonical.iter().map(blocks_of_row).sum();
    let numbers = mover.canonical.len() * (other.sets.len() + 1);
    blocks * (chunks_per_block(tables) * CHUNK_BYTES) as u64 + 4 * numbers as u64
}

impl ByteTier {
    /// A tier of the classes of the mover and of the other side, all positions draws.
    #[inline]
    pub(crate) fn new(tables: AcyclicTables<'_>, [mover, other]: [&HeightClass; 2]) -> Self {
        let board = tables.board;
        let mut block_numbers = Vec::with_capacity(mover.canonical.len() * other.sets.len());
        let mut first_blocks = vec![0];
        let mut blocks = 0;
        for &own in &mover.canonical {
            let own = board.half_turn(own);
            for set in &other.sets {
                let is_there = set & own == 0;
                block_numbers.push(if is_there { blocks } else { NO_BLOCK });
                blocks += u32::from(is_there);
            }
            first_blocks.push(blocks);
        }
        let block_chunks = chunks_per_block(board);
        let margin = vec![Chunk([NO_SUCCESSOR; CHUNK_BYTES]); tables.permutations.margin];
        let mut chunks = Vec::with_capacity(blocks as usize * block_chunks + 2 * margin.len());
        chunks.extend_from_slice(&margin);
        let lane_bytes = block_chunks / board.lanes * CHUNK_BYTES;
        let mut lane = vec![NO_SUCCESSOR; lane_bytes + MAX_SQUARES];
        for &own in &mover.canonical {
            let own = board.half_turn(own);
            for &set in other.sets.iter().filter(|&set| set & own == 0) {
                fill_drawn_lane(board, [own, set], &mut lane);
                for _ in 0..board.lanes {
                    chunks
                        .extend(lane[..lane_bytes].as_chunks().0.iter().map(|&bytes| Chunk(bytes)));
                }
            }
        }
        chunks.extend_from_slice(&margin);
        Self {
            block_numbers,
            sets_per_row: other.sets.len(),
            block_chunks,
            chunks,
            margin: margin.len(),
            first_blocks,
        }
    }

    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.first_blocks[self.first_blocks.len() - 1] as usize
    }

    /// Number of the block of the mover's canonical row and the other side's set, if it exists.
    #[inline(always)]
    pub(crate) fn block_number(&self, mover: ClassMember, other: ClassMember) -> Option<usize> {
        let number = self.block_numbers_of_row(mover)[other.number as usize];
        (number != NO_BLOCK).then_some(number as usize)
    }

    #[inline(always)]
    pub(crate) fn block(&self, number: usize) -> &[Chunk] {
        &self.chunks[self.margin + number * self.block_chunks..][..self.block_chunks]
    }

    /// Chunks of a block, to be written.
    #[inline(always)]
    pub(crate) fn block_mut(&mut self, number: usize) -> &mut [Chunk] {
        &mut self.chunks[self.margin + number * self.block_chunks..][..self.block_chunks]
    }

    /// The 64 bytes that begin `by` bytes after a chunk, which is counted from the first block on.
    #[inline(always)]
    pub(crate) fn shifted_chunk(&self, chunk: usize, by: isize) -> &[u8; CHUNK_BYTES] {
        let begin = ((self.margin + chunk) * CHUNK_BYTES).wrapping_add_signed(by);
        let bytes = Chunk::as_bytes(&self.chunks)[begin..].first_chunk();
        bytes.expect("margins at both ends")
    }

    /// Block numbers of the mover's row, or [`NO_BLOCK`]. Index: set of the other side.
    #[inline(always)]
    pub(crate) fn block_numbers_of_row(&self, mover: ClassMember) -> &[u32] {
        &self.block_numbers[mover.row as usize * self.sets_per_row..][..self.sets_per_row]
    }

    /// All blocks of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[Chunk] {
        let begin = |row: usize| self.margin + self.first_blocks[row] as usize * self.block_chunks;
        &self.chunks[begin(row)..begin(row + 1)]
    }
}

/// Fills a lane whose positions are all draws, for followers of the mover and of the other side.
///
/// Both sets are as the other side sees them. `lane` is at least [`MAX_SQUARES`] bytes longer than
/// a lane.
#[inline]
fn fill_drawn_lane(tables: &BoardTables, [mover, other]: [u32; 2], lane: &mut [u8]) {
    let mut open_line = [NO_SUCCESSOR; MAX_SQUARES];
    for (square, byte) in open_line.iter_mut().take(tables.squares).enumerate() {
        let set = 1 << square;
        *byte = match () {
            () if other & set != 0 => MOVER_LOST,
            () if (mover | tables.goals[1]) & set != 0 => NO_SUCCESSOR,
            () => DRAW,
        };
    }
    for leader in 0..tables.squares {
        let set = 1 << leader;
        let mut line = open_line;
        line[leader] = MOVER_LOST;
        if (mover | other) & set != 0 {
            line = [NO_SUCCESSOR; MAX_SQUARES];
        } else if tables.goals[0] == set {
            line = [MOVER_LOST; MAX_SQUARES];
        }
        // Always 32 bytes are copied; the next line replaces those beyond this one.
        let to = lane[leader * tables.squares..].first_chunk_mut();
        *to.expect("more bytes than a lane") = line;
    }
    lane[tables.squares * tables.squares..].fill(NO_SUCCESSOR);
}

/// A block to read.
#[derive(Clone, Copy)]
pub(crate) struct ByteBlock<'a> {
    /// Chunks of the stored block.
    pub(crate) chunks: &'a [Chunk],
    /// True if the stored block is the mirror image of the one that was looked for.
    pub(crate) is_image: bool,
}

/// All tiers of a game: those that are in memory, and the classes of all.
pub(crate) struct ByteTiers {
    /// Height classes. Index: number of followers.
    pub(crate) sets: Vec<HeightClasses>,
    /// Tiers. Index: `[followers of the mover * sets.len() + of the other side][classes likewise]`.
    tiers: Vec<Vec<Option<ByteTier>>>,
}

/// Height class of one side's followers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClassKey {
    pub(crate) followers: u32,
    /// Index of the class among those with as many followers.
    pub(crate) class: u32,
}

/// Height classes of the mover and of the other side.
pub(crate) type TierKey = [ClassKey; 2];

impl ByteTiers {
    /// No tier in memory.
    #[inline]
    pub(crate) fn new(sets: Vec<HeightClasses>) -> Self {
        let pairs = sets.iter().flat_map(|mover| sets.iter().map(move |other| [mover, other]));
        let no_tiers = |pair: [&HeightClasses; 2]| {
            let [mover, other] = pair.map(|sets| sets.classes.len());
            (0..mover * other).map(|_| None).collect()
        };
        Self { tiers: pairs.map(no_tiers).collect(), sets }
    }

    #[inline]
    pub(crate) fn class(&self, key: ClassKey) -> &HeightClass {
        &self.sets[key.followers as usize].classes[key.class as usize]
    }

    #[inline]
    pub(crate) fn classes(&self, key: TierKey) -> [&HeightClass; 2] {
        key.map(|side| self.class(side))
    }

    /// Class of a follower set; `None` if it has more followers than are solved.
    #[inline(always)]
    pub(crate) fn find(&self, set: u32) -> Option<ClassMember> {
        let sets = self.sets.get(set.count_ones() as usize);
        sets.map(|sets| sets.member(set))
    }

    /// Indices into `tiers`.
    #[inline(always)]
    fn index(&self, [mover, other]: TierKey) -> [usize; 2] {
        let followers = mover.followers as usize * self.sets.len() + other.followers as usize;
        let classes = self.sets[other.followers as usize].classes.len();
        let class = mover.class as usize * classes + other.class as usize;
        [followers, class]
    }

    /// A tier, if it is in memory.
    #[inline(always)]
    pub(crate) fn get(&self, key: TierKey) -> Option<&ByteTier> {
        let [followers, class] = self.index(key);
        self.tiers[followers][class].as_ref()
    }

    /// Puts a tier into memory, or frees it.
    #[inline]
    pub(crate) fn put(&mut self, key: TierKey, tier: Option<ByteTier>) {
        let [followers, class] = self.index(key);
        self.tiers[followers][class] = tier;
    }
}
