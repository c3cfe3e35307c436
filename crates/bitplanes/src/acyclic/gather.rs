//! Values of a block of positions, as the minimum over their successors.
//!
//! All lanes here have a line for each square of the mover's leader, and a byte for each square of
//! the other leader. The successors' blocks have the same order, since the mover has become the
//! other side there. The mover is seen as side 0.

use smallvec::SmallVec;

use crate::acyclic::lane_permutations::AcyclicTables;
use crate::acyclic::tier::{ByteBlock, ByteTier, NO_SUCCESSOR, chunks_per_block};
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;

/// Successors outside the tier of the positions of one block.
pub(crate) struct OutsideSuccessors<'a> {
    /// The mover's followers.
    pub(crate) own: u32,
    /// Blocks after moves of followers: as they are, and as images. Index: kind of move.
    pub(crate) follower_moves: SmallVec<[[BlockList<'a>; 2]; 1]>,
    pub(crate) leader_captures: SmallVec<[ByteLeaderCapture<'a>; 8]>,
}

/// Capture of a follower by the mover's leader, from any square.
#[derive(Clone, Copy)]
pub(crate) struct ByteLeaderCapture<'a> {
    /// Square of the captured follower.
    pub(crate) square: usize,
    /// Block without it.
    pub(crate) block: ByteBlock<'a>,
}

/// Blocks that a kind of move leads to.
pub(crate) type BlockList<'a> = SmallVec<[&'a [Chunk]; 16]>;

/// Successors inside the tier of the positions of one block.
pub(crate) struct InsideSuccessors<'a> {
    pub(crate) tier: &'a ByteTier,
    /// Number of the block with the same followers.
    pub(crate) number: usize,
    /// Blocks after moves of followers. Index: kind of move.
    pub(crate) follower_moves: SmallVec<[BlockList<'a>; 1]>,
    /// The mover's followers, if the mover is stuck in some position.
    pub(crate) stuck: Option<u32>,
}

/// Memory of a thread that gathers values.
pub(crate) struct GatherScratch {
    /// Mirror images of blocks after moves of followers, block by block.
    images: Vec<Chunk>,
    /// Values of a block, with lines for the squares of the mover's leader.
    values: Vec<Chunk>,
    /// The same values in the order of a tier.
    pub(crate) turned: Vec<Chunk>,
    /// Minima over the successors outside the pair's tiers, for both tiers. Index: block number.
    ///
    /// A minimum is taken when its block is first looked at, and never changes.
    pub(crate) outside: [Vec<Chunk>; 2],
}

impl GatherScratch {
    /// Memory for a block.
    #[inline]
    pub(crate) fn new(tables: AcyclicTables<'_>) -> Self {
        let chunks = tables.board.lanes * tables.permutations.chunks;
        let block = || vec![Chunk([NO_SUCCESSOR; CHUNK_BYTES]); chunks];
        Self {
            images: Vec::new(),
            values: block(),
            turned: block(),
            outside: [Vec::new(), Vec::new()],
        }
    }

    /// Mirrors the blocks that are stored as images, in the order of their kinds of move.
    #[inline(always)]
    fn mirror_blocks<S: Simd>(
        &mut self,
        simd: S,
        tables: AcyclicTables<'_>,
        outside: &OutsideSuccessors<'_>,
    ) {
        let Some(mirror) = &tables.board.mirror else {
            return;
        };
        let chunks = tables.permutations.chunks;
        self.images.clear();
        for [_, images] in &outside.follower_moves {
            for block in images {
                for &lane in &mirror.lane_images {
                    let begin = self.images.len();
                    self.images.resize(begin + chunks, Chunk([NO_SUCCESSOR; CHUNK_BYTES]));
                    let lane = &block[lane * chunks..][..chunks];
                    let image = &mut self.images[begin..];
                    simd.permute_bytes(lane, &tables.permutations.image, image);
                }
            }
        }
    }

    /// Takes the minima over the successors outside the tier, for block `number` of tier `tier`.
    #[inline(always)]
    pub(crate) fn gather_outside<S: Simd>(
        &mut self,
        simd: S,
        tables: AcyclicTables<'_>,
        outside: &OutsideSuccessors<'_>,
        tier: usize,
        number: usize,
    ) {
        self.mirror_blocks(simd, tables, outside);
        let board = tables.board;
        let mut all_minima = std::mem::take(&mut self.outside[tier]);
        let begin = number * chunks_per_block(board);
        all_minima.resize(begin + chunks_per_block(board), Chunk([NO_SUCCESSOR; CHUNK_BYTES]));
        let minima = &mut all_minima[begin..];
        for (lane, minima) in minima.chunks_exact_mut(tables.permutations.chunks).enumerate() {
            self.gather_follower_moves(simd, board, outside, lane, minima);
            for &next in &board.next_lanes[0][lane] {
                for &capture in &outside.leader_captures {
                    gather_leader_capture(
                        board,
                        outside.own,
                        capture,
                        next,
                        Chunk::as_bytes_mut(minima),
                    );
                }
            }
        }
        self.outside[tier] = all_minima;
    }

    /// Sets the minima of a lane to those over moves of followers out of the tier.
    #[inline(always)]
    fn gather_follower_moves<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        outside: &OutsideSuccessors<'_>,
        lane: usize,
        minima: &mut [Chunk],
    ) {
        let chunks = minima.len();
        for (at, to) in minima.iter_mut().enumerate() {
            let mut least = simd.load_bytes(&[NO_SUCCESSOR; CHUNK_BYTES]);
            for &next in &tables.next_lanes[0][lane] {
                let chunk = next * chunks + at;
                let mut begin = 0;
                for (kind, [blocks, images]) in outside.follower_moves.iter().enumerate() {
                    let end = begin + images.len();
                    if kind == tables.kind_of_lane[next] {
                        for block in blocks {
                            least = simd.min_u8(least, simd.load_bytes(&block[chunk].0));
                        }
                        for image in begin..end {
                            let image = &self.images[image * tables.lanes * chunks + chunk];
                            least = simd.min_u8(least, simd.load_bytes(&image.0));
                        }
                    }
                    begin = end;
                }
            }
            simd.store_bytes(least, &mut to.0);
        }
    }

    /// Finds the values of all positions of a block, from the minima outside and inside the tier.
    #[inline(always)]
    pub(crate) fn gather_values<S: Simd>(
        &mut self,
        simd: S,
        tables: AcyclicTables<'_>,
        inside: &InsideSuccessors<'_>,
        tier: usize,
    ) {
        let board = tables.board;
        let chunks = tables.permutations.chunks;
        let outside = &self.outside[tier][inside.number * chunks_per_block(board)..]
            [..chunks_per_block(board)];
        let lanes = self.values.chunks_exact_mut(chunks);
        for ((lane, values), outside) in lanes.enumerate().zip(outside.chunks_exact(chunks)) {
            for (to, from) in values.iter_mut().zip(outside) {
                *to = *from;
            }
            for &next in &board.next_lanes[0][lane] {
                let kind = board.kind_of_lane[next];
                let next_lane = inside.number * board.lanes + next;
                for (at, to) in values.iter_mut().enumerate() {
                    let mut least = simd.load_bytes(&to.0);
                    for block in &inside.follower_moves[kind] {
                        least = simd.min_u8(least, simd.load_bytes(&block[next * chunks + at].0));
                    }
                    for shift in &tables.permutations.leader_shifts[kind] {
                        let chunk = next_lane * chunks + at;
                        let from = inside.tier.shifted_chunk(chunk, shift.by);
                        let barred = simd.load_bytes(&shift.barred[at].0);
                        least = simd.min_u8(least, simd.or(simd.load_bytes(from), barred));
                    }
                    simd.store_bytes(least, &mut to.0);
                }
                if let Some(own) = inside.stuck {
                    let same_pieces = inside.tier.block(inside.number);
                    let same_pieces = Chunk::as_bytes(&same_pieces[next * chunks..][..chunks]);
                    let values = Chunk::as_bytes_mut(values);
                    gather_stuck_turns(board, own, lane, same_pieces, values);
                }
            }
            for value in values {
                let predecessor = simd.pred_value(simd.load_bytes(&value.0));
                simd.store_bytes(predecessor, &mut value.0);
            }
        }
    }

    /// Brings the values to the order of a tier, for the block itself or for its mirror image.
    #[inline(always)]
    pub(crate) fn turn_values<S: Simd>(
        &mut self,
        simd: S,
        tables: AcyclicTables<'_>,
        is_image: bool,
    ) {
        let board = tables.board;
        let mirror = board.mirror.as_ref().filter(|_| is_image);
        let chunks = tables.permutations.chunks;
        let half_turn = &tables.permutations.half_turns[usize::from(is_image)];
        for (to, turned) in self.turned.chunks_exact_mut(chunks).enumerate() {
            let lane = board.exchanged_lane[mirror.map_or(to, |mirror| mirror.lane_images[to])];
            let values = &self.values[lane * chunks..][..chunks];
            simd.permute_bytes(values, half_turn, turned);
        }
    }
}

/// Lowers the minima of a lane by a capture that leads to lane `next`.
///
/// All squares that the leader can capture from share the line of its target square.
#[inline(always)]
fn gather_leader_capture(
    tables: &BoardTables,
    own: u32,
    capture: ByteLeaderCapture<'_>,
    next: usize,
    minima: &mut [u8],
) {
    let ByteLeaderCapture { square, block } = capture;
    let moves = &tables.kinds[tables.kind_of_lane[next]].moves[0];
    let leaders = moves.sources[square] & !own & tables.board();
    let line_bytes = tables.squares;
    let mirror = tables.mirror.as_ref().filter(|_| block.is_image);
    let lane = mirror.map_or(next, |mirror| mirror.lane_images[next]);
    let begin = mirror.map_or(square, |mirror| mirror.image_square(square)) * line_bytes;
    let lane_begin = lane * (block.chunks.len() / tables.lanes) * CHUNK_BYTES;
    let stored = &Chunk::as_bytes(block.chunks)[lane_begin + begin..][..line_bytes];
    let mut line = [NO_SUCCESSOR; 32];
    let line = &mut line[..line_bytes];
    match mirror {
        None => line.copy_from_slice(stored),
        Some(mirror) => {
            for (to, &from) in line.iter_mut().zip(&mirror.square_images) {
                *to = stored[from as usize];
            }
        }
    }
    for leader in squares(leaders) {
        let minima = &mut minima[leader * line_bytes..][..line_bytes];
        for (least, &value) in minima.iter_mut().zip(&*line) {
            *least = value.min(*least);
        }
    }
}

/// Lowers the minima of a lane by the turns of a stuck mover, which change the context alone.
///
/// `next_lane` holds the same pieces in a lane that follows.
#[inline]
fn gather_stuck_turns(
    tables: &BoardTables,
    own: u32,
    lane: usize,
    next_lane: &[u8],
    minima: &mut [u8],
) {
    for leader in squares(tables.stuck_leaders(0, own, lane) & tables.board() & !own) {
        let line = leader * tables.squares..(leader + 1) * tables.squares;
        for (least, &value) in minima[line.clone()].iter_mut().zip(&next_lane[line]) {
            *least = value.min(*least);
        }
    }
}
