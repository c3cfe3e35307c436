//! One pass over the positions of a problem with one side to move: side 0 wins where a move leads to a
//! loss of side 1, side 1 loses where no move leads to anything but a win of side 0.
//!
//! A pass goes row by row: the followers of the side that does not move stay, so that all moves but
//! captures lead to blocks of the row. These and the blocks that captures lead to are put in board order, all together
//! a few hundred kilobytes to megabytes; then a move of a follower is an OR of blocks, a move of the leader
//! a shift (`dense.rs`). How much of a block is looked at does not depend on what is new in it; once little is, passes
//! follow that (`follow.rs`).

use crate::pass::recorder::{Observers, Recorder};
use crate::plane::lane_buffer::{LaneBuffer, LaneLines, or_column};
use crate::plane::packing::{
    FreeSquares, MAX_LANE_BYTES, is_zero, line_begin_bit, unpack, unpack_image, unpack_line,
};
use crate::plane::plane::{BlockRef, Plane};
use crate::simd::lane_codec::LaneCodec;
use crate::simd::token::{Simd, WIDE_WORDS};
use crate::space::board_tables::{BoardTables, MoveKind};
use crate::space::move_lists::MoveLists;
use crate::space::sets::{set_rank, squares};
use crate::space::subproblem::Subproblem;

/// What a pass looks at.
pub(crate) struct SweepPass<'a> {
    pub(crate) tables: &'a BoardTables,
    pub(crate) subproblem: &'a Subproblem,
    /// Of the mover's followers, for each kind of move.
    pub(crate) move_lists: &'a [MoveLists],
    /// Whether it is the first over these positions.
    pub(crate) first: bool,
    /// Where moves lead that capture nothing.
    pub(crate) quiet: &'a Plane,
    /// Where captures of followers lead, if there are any to capture.
    pub(crate) captured: Option<&'a Plane>,
    /// Whether what is undecided with side 1 to move is kept, and not what it has lost.
    pub(crate) undecided: bool,
    /// Who is told what is new.
    pub(crate) observers: Observers<'a>,
}

/// The blocks with the same followers of the side that does not move.
pub(crate) struct SweepRow<'a> {
    pub(crate) followers: u32,
    pub(crate) blocks: &'a mut [u8],
}

/// What a thread needs, kept from row to row.
pub(crate) struct SweepScratch {
    /// The blocks of the row.
    pub(crate) blocks: Vec<RowBlock>,
    /// For each of them the blocks that captures by the leader lead to, by captured follower.
    leader_captures: Vec<BlockRef>,
    /// The captures by followers in the row.
    follower_captures: Vec<FollowerCapture>,
    /// What side 1 has lost, or what side 0 has not won, in board order: kind of move by kind of move a block for each set of the
    /// mover's followers. Where these are beside the other side's it is one of the row; where they take the square of one, what is
    /// left when it is captured. Before and after all of them there are words that no move gets to.
    pub(crate) source_words: LaneBuffer,
    /// For each block and lane what moves of its kind lead to.
    pub(crate) successor_words: LaneBuffer,
    /// For each kind of move what wins at once by it in a block.
    pub(crate) immediate_wins: Vec<[u32; 2 * WIDE_WORDS]>,
    /// Where the words of blocks begin that a kind of move leads to.
    pub(crate) source_begins: Vec<usize>,
    /// What is found in a block, lane by lane, and room for what is written after a lane.
    pub(crate) found_lanes: Vec<u8>,
}

/// A block of the row.
#[derive(Clone, Copy)]
pub(crate) struct RowBlock {
    /// The mover's followers, and their number.
    pub(crate) own: u32,
    pub(crate) rank: usize,
    /// Where it is among those that moves lead to that capture nothing.
    source: BlockRef,
    /// Whether there is nothing left to find in it.
    done: bool,
}

/// What is left when a follower captures one.
#[derive(Clone, Copy)]
struct FollowerCapture {
    /// The mover's followers after it, and their number.
    own: u32,
    rank: usize,
    block: BlockRef,
}

/// Before and after the words of blocks: as far as a leader moves.
const GUARD_WORDS: usize = 32;

/// Blocks are asked for so many blocks before their turn: with many lanes, and with few.
const PREFETCH_DISTANCE: [usize; 2] = [3, 12];

/// With fewer lanes a column is taken without folding.
const FEW_LANES: usize = 4;

/// Sets of followers of a side.
fn side_sets(subproblem: &Subproblem) -> usize {
    subproblem.sets[0].len().max(subproblem.sets[1].len()) as usize
}

/// Blocks of a row.
fn row_blocks(subproblem: &Subproblem) -> usize {
    subproblem
        .blocks_per_row(0)
        .max(subproblem.blocks_per_row(1))
}

/// Bytes of the longest row.
pub(crate) fn bytes_of_row(subproblems: &[Subproblem]) -> u64 {
    largest(subproblems, |subproblem| {
        row_blocks(subproblem) * subproblem.block_bytes
    }) as u64
}

/// Bytes of a block.
fn block_bytes(subproblem: &Subproblem) -> usize {
    subproblem.block_bytes
}

/// The most there is of something in a problem.
fn largest(subproblems: &[Subproblem], of: impl Fn(&Subproblem) -> usize) -> usize {
    subproblems.iter().map(of).max().unwrap_or(0)
}

/// Words in board order that a thread needs.
fn source_words_len(tables: &BoardTables, subproblems: &[Subproblem]) -> usize {
    largest(subproblems, side_sets) * tables.block_words + 2 * GUARD_WORDS
}

/// Words that moves lead to.
fn successor_words_len(tables: &BoardTables, subproblems: &[Subproblem]) -> usize {
    largest(subproblems, row_blocks) * tables.block_words + 2 * WIDE_WORDS
}

/// About the bytes that a thread needs.
pub(crate) fn bytes_of_scratch(tables: &BoardTables, subproblems: &[Subproblem]) -> u64 {
    let blocks = |subproblem: &Subproblem| {
        let leads =
            size_of::<BlockRef>() * subproblem.followers[0].max(subproblem.followers[1]) as usize;
        row_blocks(subproblem) * (size_of::<RowBlock>() + leads)
            + side_sets(subproblem) * size_of::<FollowerCapture>()
    };
    let words = source_words_len(tables, subproblems) + successor_words_len(tables, subproblems);
    (4 * words + largest(subproblems, blocks)) as u64
}

impl SweepScratch {
    /// For rows of any of these problems.
    pub(crate) fn new(tables: &BoardTables, subproblems: &[Subproblem]) -> Self {
        Self {
            blocks: Vec::new(),
            leader_captures: Vec::new(),
            follower_captures: Vec::new(),
            source_words: LaneBuffer::new(source_words_len(tables, subproblems)),
            successor_words: LaneBuffer::new(successor_words_len(tables, subproblems)),
            immediate_wins: Vec::new(),
            source_begins: Vec::new(),
            found_lanes: vec![0; largest(subproblems, block_bytes) + MAX_LANE_BYTES],
        }
    }
}

/// Goes over a row; how many positions are new. `LOSSES` says whether side 1 is to move and loses.
#[inline(always)]
pub(crate) fn sweep_row<S: Simd, const R: usize, const LOSSES: bool>(
    simd: S,
    pass: &SweepPass<'_>,
    row: SweepRow<'_>,
    scratch: &mut SweepScratch,
) -> u64 {
    let mut worker = RowSweep::<R, LOSSES>::new(pass, row.followers, scratch);
    let (stride, row) = (pass.subproblem.block_bytes, row.blocks);
    let is_done = |block: &[u8]| pass.undecided && is_zero(block);
    worker.list_blocks(simd);
    for (n, block) in row.chunks_exact(stride).enumerate() {
        worker.scratch.blocks[n].done = is_done(block);
    }
    let blocks = worker.scratch.blocks.len();
    if worker.scratch.blocks.iter().all(|block| block.done) {
        return 0;
    }
    for n in 0..blocks {
        worker.unpack_block(simd, n);
    }
    worker.unpack_follower_captures(simd);
    for (group, move_lists) in pass.tables.kinds.iter().zip(pass.move_lists) {
        for n in 0..blocks {
            if !worker.scratch.blocks[n].done {
                worker.gather_successors(simd, n, group, move_lists);
            }
        }
    }
    let mut count = 0;
    for (n, block) in row.chunks_exact_mut(stride).enumerate() {
        if !worker.scratch.blocks[n].done {
            count += worker.decide_block(simd, n, block);
        }
    }
    count
}

/// The next larger word with as many ones; one that is larger than all of so many bits if there is none.
///
/// # Source
/// R. W. Gosper in M. Beeler et al., *HAKMEM*, MIT 1972, item 175.
#[inline(always)]
fn next_set_of_same_size(word: u64) -> u64 {
    let lowest = word & word.wrapping_neg();
    let Some(trailing) = lowest.checked_ilog2() else {
        return u64::MAX;
    };
    let carried = word + lowest;
    carried | (word ^ carried) >> 2 >> trailing
}

pub(crate) struct RowSweep<'a, const R: usize, const LOSSES: bool> {
    pub(crate) pass: &'a SweepPass<'a>,
    pub(crate) tables: &'a BoardTables,
    /// The followers of the side that does not move.
    pub(crate) other_followers: u32,
    /// The squares without them.
    pub(crate) open: u32,
    /// Sets of the mover's followers.
    mover_sets: usize,
    pub(crate) recorder: Recorder<'a, LOSSES>,
    pub(crate) scratch: &'a mut SweepScratch,
}

impl<'a, const R: usize, const LOSSES: bool> RowSweep<'a, R, LOSSES> {
    pub(crate) const MOVER: usize = LOSSES as usize;

    #[inline(always)]
    fn new(pass: &'a SweepPass<'a>, other: u32, scratch: &'a mut SweepScratch) -> Self {
        let outside = pass.tables.board() & !other;
        Self {
            pass,
            tables: pass.tables,
            other_followers: other,
            open: outside,
            mover_sets: pass.subproblem.sets[Self::MOVER].len() as usize,
            recorder: pass.observers.recorder(pass.tables, other),
            scratch,
        }
    }

    /// Lists the blocks of the row.
    #[inline(always)]
    fn list_blocks<S: Simd>(&mut self, simd: S) {
        let inside = self.pass.quiet;
        self.scratch.blocks.clear();
        self.scratch.leader_captures.clear();
        for &set in &self.pass.subproblem.sets_beside[Self::MOVER] {
            let own = simd.deposit(set.into(), self.open.into()) as u32;
            // Where moves lead, the mover's followers are the major ones.
            let rank = set_rank(own);
            if let Some(fewer) = self.pass.captured {
                for at in squares(self.other_followers) {
                    let left = self.other_followers & !(1 << at);
                    let lead = fewer.block_in_row(simd, self.tables, rank, [own, left]);
                    self.scratch.leader_captures.push(lead);
                }
            }
            self.scratch.blocks.push(RowBlock {
                own,
                rank,
                source: inside.block_in_row(simd, self.tables, rank, [own, self.other_followers]),
                done: false,
            });
        }
    }

    /// Where the words of a block begin that a kind of move leads to, by the number of the mover's followers.
    #[inline(always)]
    pub(crate) fn words_begin(&self, rank: usize, group: &MoveKind) -> usize {
        GUARD_WORDS + self.mover_sets * group.words.start + rank * group.words.len()
    }

    /// Puts a block in board order.
    #[inline(always)]
    fn unpack_plane_block<S: Simd>(
        &mut self,
        simd: S,
        rank: usize,
        plane: &Plane,
        block: BlockRef,
        free: u32,
    ) {
        let packed = plane.block(block.number);
        let Some(mirror) = block.mirror(self.tables) else {
            return self.unpack_unmirrored(simd, rank, packed, free);
        };
        let free = FreeSquares::<S, R>::of_image(simd, mirror, free);
        for group in &self.tables.kinds {
            let begin = self.words_begin(rank, group);
            let words = &mut self.scratch.source_words[begin..][..group.words.len()];
            let lanes: &mut [LaneLines<R>] = words.as_chunks_mut().0;
            for i in 0..group.lanes.len() {
                let image = mirror.lane_images[group.lanes.start + i];
                let packed = &packed[image * free.bytes()..];
                unpack_image::<S, R>(simd, mirror, packed, &free, &mut lanes[i]);
            }
        }
    }

    #[inline(always)]
    fn unpack_unmirrored<S: Simd>(&mut self, simd: S, rank: usize, packed: &[u8], free: u32) {
        let free = FreeSquares::<S, R>::new(simd, free);
        for group in &self.tables.kinds {
            let begin = self.words_begin(rank, group);
            let words = &mut self.scratch.source_words[begin..][..group.words.len()];
            let lanes: &mut [LaneLines<R>] = words.as_chunks_mut().0;
            for i in 0..group.lanes.len() {
                let packed = &packed[(group.lanes.start + i) * free.bytes()..];
                unpack::<S, R>(simd, packed, &free, &mut lanes[i]);
            }
        }
    }

    /// Puts the blocks in board order that captures by followers lead to.
    #[inline(always)]
    fn unpack_follower_captures<S: Simd>(&mut self, simd: S) {
        let (Some(fewer), Some(rest)) = (
            self.pass.captured,
            self.pass.subproblem.followers[Self::MOVER].checked_sub(1),
        ) else {
            return;
        };
        let mut captures = std::mem::take(&mut self.scratch.follower_captures);
        captures.clear();
        for at in squares(self.other_followers) {
            let left = self.other_followers & !(1 << at);
            // The mover's other followers, in ascending order.
            let mut set = (1_u64 << rest) - 1;
            while set < 1 << self.open.count_ones() {
                let own = simd.deposit(set, self.open.into()) as u32 | 1 << at;
                let rank = set_rank(own);
                let block = fewer.block_in_row(simd, self.tables, rank, [own, left]);
                captures.push(FollowerCapture { own, rank, block });
                set = next_set_of_same_size(set);
            }
        }
        for (n, capture) in captures.iter().enumerate() {
            if let Some(next) = captures.get(n + self.prefetch_distance()) {
                simd.prefetch(&fewer.block(next.block.number)[..fewer.block_bytes]);
            }
            let free = self.open & !capture.own;
            self.unpack_plane_block(simd, capture.rank, fewer, capture.block, free);
        }
        self.scratch.follower_captures = captures;
    }

    /// How many blocks before its turn a block is asked for.
    #[inline(always)]
    fn prefetch_distance(&self) -> usize {
        PREFETCH_DISTANCE[usize::from(self.tables.lanes < FEW_LANES)]
    }

    /// Puts a block of the row in board order, with what captures by the leader lead to.
    #[inline(always)]
    fn unpack_block<S: Simd>(&mut self, simd: S, n: usize) {
        let RowBlock {
            own,
            rank,
            source: inside,
            ..
        } = self.scratch.blocks[n];
        let ahead = n + self.prefetch_distance();
        if let Some(next) = self.scratch.blocks.get(ahead) {
            let next = self.pass.quiet.block(next.source.number);
            simd.prefetch(&next[..self.pass.quiet.block_bytes]);
        }
        if let Some(fewer) = self.pass.captured {
            let each = self.other_followers.count_ones() as usize;
            let next = ahead * each..(ahead + 1) * each;
            for &lead in self.scratch.leader_captures.get(next).unwrap_or_default() {
                simd.prefetch(&fewer.block(lead.number)[..fewer.block_bytes]);
            }
        }
        let free = self.open & !own;
        self.unpack_plane_block(simd, rank, self.pass.quiet, inside, free);
        let Some(fewer) = self.pass.captured else {
            return;
        };
        for (i, at) in squares(self.other_followers).enumerate() {
            let lead =
                self.scratch.leader_captures[n * self.other_followers.count_ones() as usize + i];
            self.unpack_leader_capture(simd, rank, (fewer, lead), free | 1 << at, at);
        }
    }

    /// Puts what a capture by the leader leads to into the words of a block.
    #[inline(always)]
    fn unpack_leader_capture<S: Simd>(
        &mut self,
        simd: S,
        rank: usize,
        (fewer, block): (&Plane, BlockRef),
        free: u32,
        at: usize,
    ) {
        let tables = self.tables;
        let packed = fewer.block(block.number);
        let mirror = block.mirror(tables);
        // Where it is in the block that is there.
        let (free, from) = match mirror {
            Some(mirror) => (mirror.image(free), mirror.image_square(at)),
            None => (free, at),
        };
        let column = (free & ((1 << from) - 1)).count_ones() as usize;
        let bit = line_begin_bit(free, from);
        let fold = match LOSSES && tables.lanes >= FEW_LANES {
            true => S::Codec::new(simd, free),
            false => None,
        };
        let fold = match (fold, mirror) {
            (Some(fold), Some(mirror)) => Some(fold.with_line_order(&mirror.square_images)),
            (fold, _) => fold,
        };
        for group in &tables.kinds {
            let begin = self.words_begin(rank, group);
            let words = &mut self.scratch.source_words[begin..][..group.words.len()];
            let lanes: &mut [LaneLines<R>] = words.as_chunks_mut().0;
            for i in 0..group.lanes.len() {
                let lane = group.lanes.start + i;
                let lane = match mirror {
                    Some(mirror) => mirror.lane_images[lane],
                    None => lane,
                };
                let packed = &packed[lane * fewer.lane_bytes..];
                let words = &mut lanes[i];
                if !LOSSES {
                    words[at] = match mirror {
                        Some(mirror) => mirror.image(unpack_line(simd, packed, free, bit)),
                        None => unpack_line(simd, packed, free, bit),
                    };
                    continue;
                }
                if let Some(fold) = &fold {
                    let packed = packed.first_chunk().expect("a lane");
                    let rows = fold.column(packed, column as u32);
                    for half in 0..R.div_ceil(WIDE_WORDS) {
                        let words =
                            &mut words[half * WIDE_WORDS..R.min(half * WIDE_WORDS + WIDE_WORDS)];
                        fold.or_words(simd.shift(rows[half], -(at as i32)), words);
                    }
                    continue;
                }
                let rows = fewer.column_masks.extract_column(simd, packed, column);
                let rows = simd.deposit(rows.into(), free.into()) as u32;
                let rows = match mirror {
                    Some(mirror) => mirror.image(rows),
                    None => rows,
                };
                or_column(words, rows, at);
            }
        }
    }

    /// For each row the bits that are positions, none of them over.
    #[inline(always)]
    pub(crate) fn valid_lines(&self, free: u32) -> [u32; 32] {
        let [goal, other_goal] = self.tables.goals;
        let (rows, bits) = (free & !goal, free & !other_goal);
        let mut valid = [0; 32];
        // For all squares, so that it is done for many at once.
        for (row, word) in valid.iter_mut().enumerate() {
            *word = (rows >> row & 1).wrapping_neg() & bits & !(1 << row);
        }
        valid
    }
}
