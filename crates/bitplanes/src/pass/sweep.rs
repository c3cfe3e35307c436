//! A sweep: one pass over all positions of a plane.
//!
//! Side 0 wins if a move leads to a loss of side 1. Side 1 loses if every move leads to a win of
//! side 0.
//!
//! A sweep goes row by row. The followers of the side that does not move stay, so quiet moves lead
//! to blocks of the row. These blocks, and those that captures lead to, are unpacked to board
//! order: a few hundred kilobytes to megabytes in all. Then a move of a follower is an OR of
//! blocks, and a move of the leader is a shift (`dense_sweep.rs`). The cost does not depend on the
//! number of positions found; once it is small, incremental passes are faster (`incremental.rs`).

use crate::decided::new_bits::NewBits;
use crate::pass::recorder::{Observers, Recorder};
use crate::plane::lane_buffer::{LaneBuffer, LaneLines, or_column};
use crate::plane::packing::{
    FreeSquares, MAX_LANE_BYTES, is_zero, line_begin_bit, unpack, unpack_image, unpack_line,
};
use crate::plane::plane::{BlockRef, Plane};
use crate::simd::lane_codec::LaneCodec;
use crate::simd::token::{Kernel, Simd, WIDE_WORDS};
use crate::space::board_tables::{BoardTables, MoveKind};
use crate::space::move_lists::MoveLists;
use crate::space::sets::{set_rank, squares};
use crate::space::subproblem::Subproblem;

/// Planes that a sweep reads, for one subproblem.
pub(crate) struct SweepPass<'a> {
    /// Rules of the game, tabulated.
    pub(crate) tables: &'a BoardTables,
    /// Subproblem whose positions are decided.
    pub(crate) subproblem: &'a Subproblem,
    /// Move lists of the mover's followers, by kind of move.
    pub(crate) move_lists: &'a [MoveLists],
    /// True for the first pass over these positions.
    pub(crate) first: bool,
    /// Plane that quiet moves lead to.
    pub(crate) quiet: &'a Plane,
    /// Plane that captures lead to; `None` if there is no follower to capture.
    pub(crate) captured: Option<&'a Plane>,
    /// True if planes of side 1 hold undecided positions instead of lost ones.
    pub(crate) undecided: bool,
    /// Receivers of the positions decided.
    pub(crate) observers: Observers<'a>,
}

/// A row of blocks to be swept over.
pub(crate) struct SweepRow<'a> {
    /// Followers of the side that does not move.
    pub(crate) followers: u32,
    pub(crate) blocks: &'a mut [u8],
}

/// Memory of a thread, kept from row to row.
pub(crate) struct SweepScratch {
    pub(crate) blocks: Vec<RowBlock>,
    /// Blocks that captures by the leader lead to. Index:
    /// `block * other followers + captured follower`.
    leader_captures: Vec<BlockRef>,
    /// Blocks that captures by followers lead to.
    follower_captures: Vec<FollowerCapture>,
    /// Source blocks for this row, unpacked to board order. Index: `[kind of move][set rank of the
    /// mover's followers]`.
    ///
    /// A set that avoids the other side's followers stands for a block of this row; a set that
    /// takes one of their squares for the block after that capture. [`GUARD_WORDS`] words of
    /// padding lie at each end. Source bits mean: lost for side 1, or not won for side 0.
    pub(crate) source_words: LaneBuffer,
    /// OR of the source words that moves lead to. Index: `[block][kind of move][lane][line]`.
    pub(crate) successor_words: LaneBuffer,
    /// Positions of a block that win at once, by kind of move.
    pub(crate) immediate_wins: Vec<[u32; 2 * WIDE_WORDS]>,
    /// First source word of each block that a follower's move leads to, for one block and kind of
    /// move.
    pub(crate) source_begins: Vec<usize>,
    /// Positions found in a block, packed lane by lane, with room for a longest lane at the end.
    pub(crate) found_lanes: Vec<u8>,
    /// New bits of the row, if they are observed.
    pub(crate) new_bits: NewBits,
}

/// A block of the row.
#[derive(Clone, Copy)]
pub(crate) struct RowBlock {
    /// Followers of the mover.
    pub(crate) own: u32,
    /// Their set rank.
    pub(crate) rank: usize,
    /// The same followers in the plane that quiet moves lead to.
    source: BlockRef,
    /// True if no undecided position is left in the block.
    done: bool,
}

/// A capture by the leader.
#[derive(Clone, Copy)]
struct LeaderCapture {
    /// Square of the captured follower.
    square: usize,
    /// Block after the capture.
    block: BlockRef,
}

/// A block that captures by followers lead to.
#[derive(Clone, Copy)]
struct FollowerCapture {
    /// Followers of the mover after the capture.
    own: u32,
    /// Their set rank.
    rank: usize,
    block: BlockRef,
}

/// Words of padding before and after the source words: the longest distance of a leader's move.
const GUARD_WORDS: usize = 32;

/// Number of blocks by which prefetching runs ahead: with [`FEW_LANES`] lanes or more, and with
/// fewer.
const PREFETCH_DISTANCE: [usize; 2] = [3, 12];

/// With fewer lanes, a column is read through masks instead of the lane codec.
const FEW_LANES: usize = 4;

/// Follower sets of the side with more of them.
fn side_sets(subproblem: &Subproblem) -> usize {
    subproblem.sets[0].len().max(subproblem.sets[1].len()) as usize
}

/// Blocks of the longer row of both planes.
fn row_blocks(subproblem: &Subproblem) -> usize {
    subproblem.blocks_per_row(0).max(subproblem.blocks_per_row(1))
}

/// Bytes of the longest row of all subproblems.
pub(crate) fn bytes_of_row(subproblems: &[Subproblem]) -> u64 {
    largest(subproblems, |subproblem| row_blocks(subproblem) * subproblem.block_bytes) as u64
}

fn block_bytes(subproblem: &Subproblem) -> usize {
    subproblem.block_bytes
}

/// Maximum of `size` over all subproblems.
fn largest(subproblems: &[Subproblem], size: impl Fn(&Subproblem) -> usize) -> usize {
    subproblems.iter().map(size).max().unwrap_or(0)
}

fn source_words_len(tables: &BoardTables, subproblems: &[Subproblem]) -> usize {
    largest(subproblems, side_sets) * tables.block_words + 2 * GUARD_WORDS
}

fn successor_words_len(tables: &BoardTables, subproblems: &[Subproblem]) -> usize {
    largest(subproblems, row_blocks) * tables.block_words + 2 * WIDE_WORDS
}

/// Estimated bytes of the scratch of a thread.
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
    /// Scratch for rows of any of these subproblems.
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
            new_bits: NewBits::default(),
        }
    }
}

/// Sweeps over a row; returns the number of positions decided, mirror images not included.
///
/// `LOSSES` is true if side 1 is to move and loses, false if side 0 is to move and wins. `R` is
/// [`BoardTables::lines_per_lane`].
#[inline(always)]
pub(crate) fn sweep_row<S: Simd, const R: usize, const LOSSES: bool>(
    simd: S,
    pass: &SweepPass<'_>,
    row: SweepRow<'_>,
    scratch: &mut SweepScratch,
) -> u64 {
    let mut sweep = RowSweep::<R, LOSSES>::new(pass, row.followers, scratch);
    let (block_bytes, row) = (pass.subproblem.block_bytes, row.blocks);
    if pass.observers.observer.is_some() {
        sweep.scratch.new_bits.begin(row.len());
    }
    sweep.list_blocks(simd);
    for (n, block) in row.chunks_exact(block_bytes).enumerate() {
        sweep.scratch.blocks[n].done = pass.undecided && is_zero(block);
    }
    let blocks = sweep.scratch.blocks.len();
    if sweep.scratch.blocks.iter().all(|block| block.done) {
        return 0;
    }
    for n in 0..blocks {
        sweep.unpack_block(simd, n);
    }
    sweep.unpack_follower_captures(simd);
    for (kind, move_lists) in pass.tables.kinds.iter().zip(pass.move_lists) {
        for n in 0..blocks {
            if !sweep.scratch.blocks[n].done {
                sweep.gather_successors(simd, n, kind, move_lists);
            }
        }
    }
    let mut count = 0;
    for (n, block) in row.chunks_exact_mut(block_bytes).enumerate() {
        if !sweep.scratch.blocks[n].done {
            count += sweep.decide_block(simd, n, block);
        }
    }
    count
}

/// The next larger word with the same number of ones.
///
/// Of a word of `n` bits whose ones are the highest ones, the result has a one beyond bit `n - 1`.
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

/// As [`RowSweep::words_begin`].
#[inline(always)]
fn words_begin(mover_sets: usize, rank: usize, kind: &MoveKind) -> usize {
    GUARD_WORDS + mover_sets * kind.words.start + rank * kind.words.len()
}

/// Unpacks a block of a plane into the source words of a follower set, for any side to move.
struct UnpackBlock<'a, const R: usize> {
    tables: &'a BoardTables,
    mover_sets: usize,
    source_words: &'a mut LaneBuffer,
    rank: usize,
    plane: &'a Plane,
    block: BlockRef,
    /// Free squares of the block.
    free: u32,
}

impl<const R: usize> UnpackBlock<'_, R> {
    /// Unpacks each lane by `unpack_lane`, which takes the number of the lane.
    #[inline(always)]
    fn each_lane(self, unpack_lane: impl Fn(usize, &mut LaneLines<R>)) {
        for kind in &self.tables.kinds {
            let begin = words_begin(self.mover_sets, self.rank, kind);
            let words = &mut self.source_words[begin..][..kind.words.len()];
            let lanes: &mut [LaneLines<R>] = words.as_chunks_mut().0;
            for i in 0..kind.lanes.len() {
                unpack_lane(kind.lanes.start + i, &mut lanes[i]);
            }
        }
    }
}

impl<const R: usize> Kernel for UnpackBlock<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let packed = self.plane.block(self.block.number);
        let Some(mirror) = self.block.mirror(self.tables) else {
            let free = FreeSquares::<S, R>::new(simd, self.free);
            return self.each_lane(|lane, lines| {
                unpack::<S, R>(simd, &packed[lane * free.bytes()..], &free, lines);
            });
        };
        let free = FreeSquares::<S, R>::of_image(simd, mirror, self.free);
        self.each_lane(|lane, lines| {
            let packed = &packed[mirror.lane_images[lane] * free.bytes()..];
            unpack_image::<S, R>(simd, mirror, packed, &free, lines);
        });
    }
}

/// State of a sweep over one row.
pub(crate) struct RowSweep<'a, const R: usize, const LOSSES: bool> {
    /// Planes that the sweep reads.
    pub(crate) pass: &'a SweepPass<'a>,
    /// Rules of the game, tabulated.
    pub(crate) tables: &'a BoardTables,
    /// Followers of the side that does not move.
    pub(crate) other_followers: u32,
    /// Squares without these followers.
    pub(crate) open: u32,
    /// Number of the mover's follower sets on the whole board.
    mover_sets: usize,
    /// Recorder of the positions decided.
    pub(crate) recorder: Recorder<'a, LOSSES>,
    /// Memory of the thread.
    pub(crate) scratch: &'a mut SweepScratch,
}

impl<'a, const R: usize, const LOSSES: bool> RowSweep<'a, R, LOSSES> {
    /// Side to move.
    pub(crate) const MOVER: usize = LOSSES as usize;

    /// Begins a row.
    #[inline(always)]
    fn new(pass: &'a SweepPass<'a>, other_followers: u32, scratch: &'a mut SweepScratch) -> Self {
        let open = pass.tables.board() & !other_followers;
        Self {
            pass,
            tables: pass.tables,
            other_followers,
            open,
            mover_sets: pass.subproblem.sets[Self::MOVER].len() as usize,
            recorder: pass.observers.recorder(pass.tables, other_followers),
            scratch,
        }
    }

    /// Lists the blocks of the row, and those that captures by the leader lead to.
    #[inline(always)]
    fn list_blocks<S: Simd>(&mut self, simd: S) {
        let quiet = self.pass.quiet;
        self.scratch.blocks.clear();
        self.scratch.leader_captures.clear();
        for &set in &self.pass.subproblem.sets_beside[Self::MOVER] {
            let own = simd.deposit(set.into(), self.open.into()) as u32;
            // In the planes that moves lead to, the mover is the major side.
            let rank = set_rank(own);
            if let Some(fewer) = self.pass.captured {
                for captured in squares(self.other_followers) {
                    let left = self.other_followers & !(1 << captured);
                    let block = fewer.block_of_ranked(simd, self.tables, rank, [own, left]);
                    self.scratch.leader_captures.push(block);
                }
            }
            self.scratch.blocks.push(RowBlock {
                own,
                rank,
                source: quiet.block_of_ranked(simd, self.tables, rank, [own, self.other_followers]),
                done: false,
            });
        }
    }

    /// First source word of a follower set, by set rank, for one kind of move.
    #[inline(always)]
    pub(crate) fn words_begin(&self, rank: usize, kind: &MoveKind) -> usize {
        words_begin(self.mover_sets, rank, kind)
    }

    /// Unpacks a block of a plane into the source words of a follower set.
    #[inline(always)]
    fn unpack_plane_block<S: Simd>(
        &mut self,
        simd: S,
        rank: usize,
        plane: &Plane,
        block: BlockRef,
        free: u32,
    ) {
        simd.call(UnpackBlock::<R> {
            tables: self.tables,
            mover_sets: self.mover_sets,
            source_words: &mut self.scratch.source_words,
            rank,
            plane,
            block,
            free,
        });
    }

    /// Unpacks the blocks that captures by followers lead to.
    #[inline(always)]
    fn unpack_follower_captures<S: Simd>(&mut self, simd: S) {
        let (Some(fewer), Some(rest)) =
            (self.pass.captured, self.pass.subproblem.followers[Self::MOVER].checked_sub(1))
        else {
            return;
        };
        let mut captures = std::mem::take(&mut self.scratch.follower_captures);
        captures.clear();
        for captured in squares(self.other_followers) {
            let left = self.other_followers & !(1 << captured);
            // Sets of the mover's other followers, ascending.
            let mut set = (1_u64 << rest) - 1;
            while set < 1 << self.open.count_ones() {
                let own = simd.deposit(set, self.open.into()) as u32 | 1 << captured;
                let rank = set_rank(own);
                let block = fewer.block_of_ranked(simd, self.tables, rank, [own, left]);
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

    /// Number of blocks by which prefetching runs ahead.
    #[inline(always)]
    fn prefetch_distance(&self) -> usize {
        PREFETCH_DISTANCE[usize::from(self.tables.lanes < FEW_LANES)]
    }

    /// Unpacks a block of the row, and adds the lines that captures by the leader lead to.
    #[inline(always)]
    fn unpack_block<S: Simd>(&mut self, simd: S, n: usize) {
        let RowBlock { own, rank, source, .. } = self.scratch.blocks[n];
        let ahead = n + self.prefetch_distance();
        if let Some(next) = self.scratch.blocks.get(ahead) {
            let next = self.pass.quiet.block(next.source.number);
            simd.prefetch(&next[..self.pass.quiet.block_bytes]);
        }
        if let Some(fewer) = self.pass.captured {
            let captures = self.other_followers.count_ones() as usize;
            let next = ahead * captures..(ahead + 1) * captures;
            for &block in self.scratch.leader_captures.get(next).unwrap_or_default() {
                simd.prefetch(&fewer.block(block.number)[..fewer.block_bytes]);
            }
        }
        let free = self.open & !own;
        self.unpack_plane_block(simd, rank, self.pass.quiet, source, free);
        let Some(fewer) = self.pass.captured else {
            return;
        };
        let captures = self.other_followers.count_ones() as usize;
        for (i, square) in squares(self.other_followers).enumerate() {
            let block = self.scratch.leader_captures[n * captures + i];
            let capture = LeaderCapture { square, block };
            self.unpack_leader_capture(simd, rank, fewer, capture, free | 1 << square);
        }
    }

    /// Adds the results of a capture by the leader to the source words of a block.
    ///
    /// The capture on `capture.square` leads to `capture.block` of plane `fewer`, whose free
    /// squares are `free`. After it the mover's leader stands on that square: side 0's on that
    /// line, side 1's on that bit of every line.
    #[inline(always)]
    fn unpack_leader_capture<S: Simd>(
        &mut self,
        simd: S,
        rank: usize,
        fewer: &Plane,
        capture: LeaderCapture,
        free: u32,
    ) {
        let LeaderCapture { square, block } = capture;
        let tables = self.tables;
        let packed = fewer.block(block.number);
        let mirror = block.mirror(tables);
        // The square in the block that is in memory.
        let (free, from) = match mirror {
            Some(mirror) => (mirror.image(free), mirror.image_square(square)),
            None => (free, square),
        };
        let column = (free & ((1 << from) - 1)).count_ones() as usize;
        let bit = line_begin_bit(free, from);
        let codec =
            if LOSSES && tables.lanes >= FEW_LANES { S::Codec::new(simd, free) } else { None };
        let codec = match (codec, mirror) {
            (Some(codec), Some(mirror)) => Some(codec.with_line_order(&mirror.square_images)),
            (codec, _) => codec,
        };
        for kind in &tables.kinds {
            let begin = self.words_begin(rank, kind);
            let words = &mut self.scratch.source_words[begin..][..kind.words.len()];
            let lanes: &mut [LaneLines<R>] = words.as_chunks_mut().0;
            for i in 0..kind.lanes.len() {
                let lane = kind.lanes.start + i;
                let lane = match mirror {
                    Some(mirror) => mirror.lane_images[lane],
                    None => lane,
                };
                let packed = &packed[lane * fewer.lane_bytes..];
                let words = &mut lanes[i];
                if !LOSSES {
                    words[square] = match mirror {
                        Some(mirror) => mirror.image(unpack_line(simd, packed, free, bit)),
                        None => unpack_line(simd, packed, free, bit),
                    };
                    continue;
                }
                if let Some(codec) = &codec {
                    let packed = packed.first_chunk().expect("a lane");
                    let lines = codec.column(packed, column as u32);
                    for half in 0..R.div_ceil(WIDE_WORDS) {
                        let words =
                            &mut words[half * WIDE_WORDS..R.min(half * WIDE_WORDS + WIDE_WORDS)];
                        codec.or_words(simd.shift(lines[half], -(square as i32)), words);
                    }
                    continue;
                }
                let free_lines = fewer.column_masks.extract_column(simd, packed, column);
                let own_lines = simd.deposit(free_lines.into(), free.into()) as u32;
                let lines = match mirror {
                    Some(mirror) => mirror.image(own_lines),
                    None => own_lines,
                };
                or_column(words, lines, square);
            }
        }
    }

    /// Bits of each line that are positions, terminal ones left out.
    #[inline(always)]
    pub(crate) fn valid_lines(&self, free: u32) -> [u32; 32] {
        let [goal, other_goal] = self.tables.goals;
        let (lines, bits) = (free & !goal, free & !other_goal);
        let mut valid = [0; 32];
        // For all squares, so that the loop is vectorized.
        for (line, word) in valid.iter_mut().enumerate() {
            *word = (lines >> line & 1).wrapping_neg() & bits & !(1 << line);
        }
        valid
    }
}
