//! What positions with the same followers lead to.

use smallvec::SmallVec;

use crate::acyclic::lane_permutations::LanePermutations;
use crate::acyclic::tier::{ByteBlock, ByteTier, NO_SUCCESSOR, chunks_per_block};
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;

/// What positions with the same followers, side 0 to move, lead to outside their tier.
pub(crate) struct OutsideSuccessors<'a> {
    pub(crate) own: u32,
    /// By kind of move where moves of followers lead: blocks as they are, then images.
    pub(crate) follower_moves: SmallVec<[[BlockList<'a>; 2]; 1]>,
    /// What captures by the leader lead to, by the square of the captured follower.
    pub(crate) leader_captures: SmallVec<[(usize, ByteBlock<'a>); 8]>,
}

/// Blocks.
pub(crate) type BlockList<'a> = SmallVec<[&'a [Chunk]; 16]>;

/// What they lead to in their tier.
pub(crate) struct InsideSuccessors<'a> {
    pub(crate) tier: &'a ByteTier,
    /// The same followers.
    pub(crate) number: usize,
    /// By kind of move where moves of followers lead.
    pub(crate) follower_moves: SmallVec<[BlockList<'a>; 1]>,
    /// The followers, if there are positions without a move.
    pub(crate) stuck: Option<u32>,
}

/// What a thread writes to when it looks at positions.
pub(crate) struct GatherScratch {
    /// Images of blocks.
    images: Vec<Chunk>,
    /// Values of positions, a row for each square of the mover's leader.
    values: Vec<Chunk>,
    /// The same in another order.
    pub(crate) found: Vec<Chunk>,
    /// For each block of the tiers that are solved the least values that moves lead to outside these tiers, as far as they are known.
    pub(crate) outside: [Vec<Chunk>; 2],
}

impl GatherScratch {
    #[inline]
    pub(crate) fn new(tables: &BoardTables, orders: &LanePermutations) -> Self {
        let block = || vec![Chunk([NO_SUCCESSOR; CHUNK_BYTES]); tables.lanes * orders.chunks];
        Self {
            images: Vec::new(),
            values: block(),
            found: block(),
            outside: [Vec::new(), Vec::new()],
        }
    }

    /// Puts images of blocks that moves of followers lead to beside each other, by kind of move.
    #[inline(always)]
    fn mirror_blocks<S: Simd>(
        &mut self,
        simd: S,
        tables: &BoardTables,
        orders: &LanePermutations,
        outside: &OutsideSuccessors<'_>,
    ) {
        let Some(mirror) = &tables.mirror else {
            return;
        };
        let chunks = orders.chunks;
        self.images.clear();
        for [_, images] in &outside.follower_moves {
            for block in images {
                for &lane in &mirror.lane_images {
                    let begin = self.images.len();
                    self.images
                        .resize(begin + chunks, Chunk([NO_SUCCESSOR; CHUNK_BYTES]));
                    let from = &block[lane * chunks..][..chunks];
                    simd.permute_bytes(from, &orders.image, &mut self.images[begin..]);
                }
            }
        }
    }

    /// Finds the least values that moves of a block lead to outside the tier, a row for each square of the mover's leader.
    #[inline(always)]
    pub(crate) fn gather_outside<S: Simd>(
        &mut self,
        simd: S,
        tables: &BoardTables,
        orders: &LanePermutations,
        outside: &OutsideSuccessors<'_>,
        (tier, number): (usize, usize),
    ) {
        self.mirror_blocks(simd, tables, orders, outside);
        let mut all = std::mem::take(&mut self.outside[tier]);
        let begin = number * chunks_per_block(tables);
        all.resize(
            begin + chunks_per_block(tables),
            Chunk([NO_SUCCESSOR; CHUNK_BYTES]),
        );
        let least = &mut all[begin..];
        for (lane, least) in least.chunks_exact_mut(orders.chunks).enumerate() {
            self.gather_follower_moves(simd, tables, outside, lane, least);
            for &next in &tables.next_lanes[0][lane] {
                for &captured in &outside.leader_captures {
                    gather_leader_capture(
                        tables,
                        outside.own,
                        captured,
                        next,
                        Chunk::as_bytes_mut(least),
                    );
                }
            }
        }
        self.outside[tier] = all;
    }

    /// Moves of followers.
    #[inline(always)]
    fn gather_follower_moves<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        outside: &OutsideSuccessors<'_>,
        lane: usize,
        least: &mut [Chunk],
    ) {
        let chunks = least.len();
        for (at, to) in least.iter_mut().enumerate() {
            let mut least = simd.load_bytes(&[NO_SUCCESSOR; CHUNK_BYTES]);
            for &next in &tables.next_lanes[0][lane] {
                let place = next * chunks + at;
                let mut begin = 0;
                for (group, [blocks, images]) in outside.follower_moves.iter().enumerate() {
                    let end = begin + images.len();
                    if group == tables.kind_of_lane[next] {
                        for block in blocks {
                            least = simd.min_u8(least, simd.load_bytes(&block[place].0));
                        }
                        for image in begin..end {
                            let image = &self.images[image * tables.lanes * chunks + place];
                            least = simd.min_u8(least, simd.load_bytes(&image.0));
                        }
                    }
                    begin = end;
                }
            }
            simd.store_bytes(least, &mut to.0);
        }
    }

    /// The values of all positions of a block, from what moves lead to outside the tier and inside.
    #[inline(always)]
    pub(crate) fn gather_values<S: Simd>(
        &mut self,
        simd: S,
        tables: &BoardTables,
        orders: &LanePermutations,
        inside: &InsideSuccessors<'_>,
        tier: usize,
    ) {
        let chunks = orders.chunks;
        let outside = &self.outside[tier][inside.number * chunks_per_block(tables)..]
            [..chunks_per_block(tables)];
        let lanes = self.values.chunks_exact_mut(chunks);
        for ((lane, values), outside) in lanes.enumerate().zip(outside.chunks_exact(chunks)) {
            for (to, from) in values.iter_mut().zip(outside) {
                *to = *from;
            }
            for &next in &tables.next_lanes[0][lane] {
                let group = tables.kind_of_lane[next];
                let place = inside.number * tables.lanes + next;
                for (at, to) in values.iter_mut().enumerate() {
                    let mut least = simd.load_bytes(&to.0);
                    for block in &inside.follower_moves[group] {
                        least = simd.min_u8(least, simd.load_bytes(&block[next * chunks + at].0));
                    }
                    for shift in &orders.leader_shifts[group] {
                        let from = inside.tier.shifted_chunk(place * chunks + at, shift.by);
                        let barred = simd.load_bytes(&shift.barred[at].0);
                        least = simd.min_u8(least, simd.or(simd.load_bytes(from), barred));
                    }
                    simd.store_bytes(least, &mut to.0);
                }
                if let Some(own) = inside.stuck {
                    let stays = inside.tier.block(inside.number);
                    let stays = Chunk::as_bytes(&stays[next * chunks..][..chunks]);
                    gather_stuck_turns(tables, own, lane, stays, Chunk::as_bytes_mut(values));
                }
            }
            for value in values {
                let before = simd.pred_value(simd.load_bytes(&value.0));
                simd.store_bytes(before, &mut value.0);
            }
        }
    }

    /// Puts what was found in the order of the block where it is kept, or of its image.
    #[inline(always)]
    pub(crate) fn turn_values<S: Simd>(
        &mut self,
        simd: S,
        tables: &BoardTables,
        orders: &LanePermutations,
        is_image: bool,
    ) {
        let mirror = tables.mirror.as_ref().filter(|_| is_image);
        let chunks = orders.chunks;
        for (to, found) in self.found.chunks_exact_mut(chunks).enumerate() {
            let lane = tables.exchanged_lane[mirror.map_or(to, |mirror| mirror.lane_images[to])];
            let values = &self.values[lane * chunks..][..chunks];
            simd.permute_bytes(values, &orders.half_turns[usize::from(is_image)], found);
        }
    }
}

/// A capture by the leader in a lane leads to a row of another block.
#[inline(always)]
fn gather_leader_capture(
    tables: &BoardTables,
    own: u32,
    (square, block): (usize, ByteBlock<'_>),
    next: usize,
    least: &mut [u8],
) {
    let moves = &tables.kinds[tables.kind_of_lane[next]].moves[0];
    let from = moves.sources[square] & !own & tables.board();
    let squares_of = tables.squares;
    let mirror = tables.mirror.as_ref().filter(|_| block.is_image);
    let lane = mirror.map_or(next, |mirror| mirror.lane_images[next]);
    let begin = mirror.map_or(square, |mirror| mirror.image_square(square)) * squares_of;
    let lane = lane * (block.chunks.len() / tables.lanes) * CHUNK_BYTES;
    let found = &Chunk::as_bytes(block.chunks)[lane + begin..][..squares_of];
    let mut row = [NO_SUCCESSOR; 32];
    let row = &mut row[..squares_of];
    match mirror {
        None => row.copy_from_slice(found),
        Some(mirror) => {
            for (to, &from) in row.iter_mut().zip(&mirror.square_images) {
                *to = found[from as usize];
            }
        }
    }
    for leader in squares(from) {
        let least = &mut least[leader * squares_of..][..squares_of];
        for (least, &value) in least.iter_mut().zip(&*row) {
            *least = value.min(*least);
        }
    }
}

/// Positions without a move lead to the same pieces in another lane.
#[inline]
fn gather_stuck_turns(tables: &BoardTables, own: u32, lane: usize, stays: &[u8], least: &mut [u8]) {
    for leader in squares(tables.stuck_leaders(0, own, lane) & tables.board() & !own) {
        let row = leader * tables.squares..(leader + 1) * tables.squares;
        for (least, &value) in least[row.clone()].iter_mut().zip(&stays[row]) {
            *least = value.min(*least);
        }
    }
}
