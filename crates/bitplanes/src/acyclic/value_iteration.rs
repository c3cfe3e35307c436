//! Value iteration on a pair of tiers.
//!
//! A block is looked at again only if a block that its moves lead to has changed.

use smallvec::SmallVec;

use crate::acyclic::gather::{
    BlockList, ByteLeaderCapture, GatherScratch, InsideSuccessors, OutsideSuccessors,
};
use crate::acyclic::heights::{ClassMember, FollowerMoves, FollowerSet};
use crate::acyclic::lane_permutations::AcyclicTables;
use crate::acyclic::tier::{
    ByteBlock, ByteTier, ByteTiers, ClassKey, NO_BLOCK, TierKey, chunks_per_block,
};
use crate::simd::chunk::Chunk;
use crate::simd::token::{Kernel, Simd};
use crate::space::sets::squares;

/// Two tiers that lead to each other, with the classes of the sides exchanged.
///
/// A single tier, if both sides' followers are in one class.
pub(crate) struct TierPair<'a> {
    tables: AcyclicTables<'a>,
    solved: &'a ByteTiers,
    /// Keys of the two tiers, which are equal for a single one.
    keys: [TierKey; 2],
    tiers: Vec<ByteTier>,
    /// Blocks to look at again, for each tier of the pair.
    pending: Vec<PendingBlocks>,
}

/// Blocks of a tier whose predecessors have to be looked at again: the positions with the same
/// followers and the other side to move.
struct PendingBlocks {
    /// True for blocks to look at. Index: block number.
    is_pending: Vec<bool>,
    count: u64,
}

/// Kernel that iterates over a pair until no value changes any more.
pub(crate) struct ValueIteration<'a> {
    pub(crate) pair: TierPair<'a>,
    pub(crate) scratch: &'a mut GatherScratch,
}

impl Kernel for ValueIteration<'_> {
    type Output = Vec<ByteTier>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<ByteTier> {
        let Self { mut pair, scratch } = self;
        for (outside, tier) in scratch.outside.iter_mut().zip(&pair.tiers) {
            outside.clear();
            outside.reserve_exact(tier.blocks() * chunks_per_block(pair.tables.board));
        }
        let last = pair.tiers.len() - 1;
        while pair.pending.iter().any(|pending| pending.count > 0) {
            for read in 0..=last {
                pair.iterate(simd, read, last - read, scratch);
            }
        }
        pair.tiers
    }
}

impl<'a> TierPair<'a> {
    /// A pair whose positions are all draws, and all blocks to be looked at.
    #[inline]
    pub(crate) fn new(tables: AcyclicTables<'a>, solved: &'a ByteTiers, key: TierKey) -> Self {
        let keys = [key, [key[1], key[0]]];
        let count = 1 + usize::from(keys[0] != keys[1]);
        let drawn = |&key: &TierKey| ByteTier::new(tables, solved.classes(key));
        let tiers: Vec<ByteTier> = keys[..count].iter().map(drawn).collect();
        let all = |tier: &ByteTier| PendingBlocks {
            is_pending: vec![true; tier.blocks()],
            count: tier.blocks() as u64,
        };
        Self { tables, solved, keys, pending: tiers.iter().map(all).collect(), tiers }
    }

    /// Looks at all pending blocks of tier `read`, and writes the values found to tier `write`.
    ///
    /// Positions of tier `write` lead to tier `read`, where the sides are exchanged.
    #[inline(always)]
    fn iterate<S: Simd>(
        &mut self,
        simd: S,
        read: usize,
        write: usize,
        scratch: &mut GatherScratch,
    ) {
        let tables = self.tables;
        let board = tables.board;
        let [other_class, own_class] = self.solved.classes(self.keys[read]);
        for &other in &other_class.canonical {
            let other = self.follower_set(other);
            let is_own_image = board.mirror.is_some() && board.mirror_set(other.set) == other.set;
            for (&own, moves) in own_class.sets.iter().zip(&own_class.moves) {
                let own = self.follower_set(own);
                let Some(number) = self.tiers[read].block_number(other.member, own.member) else {
                    continue;
                };
                let pending = &mut self.pending[read];
                if !std::mem::take(&mut pending.is_pending[number]) {
                    continue;
                }
                pending.count -= 1;
                // The mirror image of this block is in the same row, and stands for both.
                if is_own_image && own.member.is_image {
                    continue;
                }
                for is_image in [false, true] {
                    if let Some(sides) = self.stored([own, other], is_image) {
                        let written = self.tiers[write].block(self.block_number(write, sides));
                        simd.prefetch(Chunk::as_bytes(written));
                    }
                }
                if scratch.outside[read].len() <= number * chunks_per_block(board) {
                    let outside = self.outside_successors(read, [own, other], moves);
                    scratch.gather_outside(simd, tables, &outside, read, number);
                }
                let inside = self.inside_successors(read, number, [own, other], moves);
                scratch.gather_values(simd, tables, &inside, read);
                drop(inside);
                for is_image in [false, true] {
                    if let Some(sides) = self.stored([own, other], is_image) {
                        scratch.turn_values(simd, tables, is_image);
                        self.write_block(simd, write, sides, &scratch.turned);
                    }
                }
            }
        }
    }

    /// Followers of the stored block: those of the mover and the other side, or their images.
    ///
    /// `None` if no block is stored under these followers, or if the image is the block itself.
    #[inline(always)]
    fn stored(&self, [own, other]: [FollowerSet; 2], is_image: bool) -> Option<[FollowerSet; 2]> {
        if !is_image {
            return (!own.member.is_image).then_some([own, other]);
        }
        let board = self.tables.board;
        board.mirror.as_ref()?;
        let images = [own, other].map(|side| board.mirror_set(side.set));
        if images == [own.set, other.set] {
            return None;
        }
        let own = self.follower_set(images[0]);
        (!own.member.is_image).then(|| [own, self.follower_set(images[1])])
    }

    /// A set with its height class.
    #[inline(always)]
    fn follower_set(&self, set: u32) -> FollowerSet {
        self.solved.sets[set.count_ones() as usize].follower_set(set)
    }

    /// A tier of the pair, or one that is solved.
    #[inline(always)]
    fn tier(&self, key: TierKey) -> &ByteTier {
        match self.keys.iter().position(|&other| other == key) {
            Some(n) => &self.tiers[n],
            None => self.solved.get(key).expect("lower tiers come first"),
        }
    }

    /// The block of the followers of its mover and of the other side.
    #[inline(always)]
    fn block_of(&self, mover: u32, other: u32) -> ByteBlock<'_> {
        let mut sides = [mover, other].map(|set| self.follower_set(set));
        let is_image = sides[0].member.is_image;
        if is_image {
            sides = sides.map(|side| self.follower_set(self.tables.board.mirror_set(side.set)));
        }
        let [mover, other] = sides;
        let key = sides
            .map(|side| ClassKey { followers: side.set.count_ones(), class: side.member.class });
        let tier = self.tier(key);
        let number = tier.block_number(mover.member, other.member);
        ByteBlock { chunks: tier.block(number.expect("followers on different squares")), is_image }
    }

    /// Successors outside tier `read` of the positions with these followers, `own` to move.
    #[inline(always)]
    fn outside_successors(
        &self,
        read: usize,
        [own, other]: [FollowerSet; 2],
        moves: &FollowerMoves,
    ) -> OutsideSuccessors<'_> {
        let board = self.tables.board;
        let capturable = board.half_turn(other.set);
        let [other_key, own_key] = self.keys[read];
        let mut follower_moves = SmallVec::new();
        for moves in &moves.moves_by_kind {
            let mut blocks = [BlockList::new(), BlockList::new()];
            for follower_move in moves {
                let after = follower_move.after;
                let block = if capturable >> follower_move.to & 1 == 1 {
                    let left = board.half_turn(capturable & !(1 << follower_move.to));
                    self.block_of(left, after.set)
                } else if after.member.class == own_key.class {
                    continue;
                } else {
                    let lower =
                        ClassKey { followers: own_key.followers, class: after.member.class };
                    let tier = self.tier([other_key, lower]);
                    let number = tier.block_number(other.member, after.member);
                    ByteBlock {
                        chunks: tier.block(number.expect("followers on different squares")),
                        is_image: false,
                    }
                };
                blocks[usize::from(block.is_image)].push(block.chunks);
            }
            follower_moves.push(blocks);
        }
        let mut leader_captures = SmallVec::new();
        for square in squares(capturable) {
            let left = board.half_turn(capturable & !(1 << square));
            leader_captures.push(ByteLeaderCapture { square, block: self.block_of(left, own.set) });
        }
        OutsideSuccessors { own: own.set, follower_moves, leader_captures }
    }

    /// Successors inside tier `read` of the positions with these followers, `own` to move.
    ///
    /// `number` is the block of these followers, with the other side to move.
    #[inline(always)]
    fn inside_successors(
        &self,
        read: usize,
        number: usize,
        [own, other]: [FollowerSet; 2],
        moves: &FollowerMoves,
    ) -> InsideSuccessors<'_> {
        let tier = &self.tiers[read];
        let block_numbers = tier.block_numbers_of_row(other.member);
        let mut follower_moves = SmallVec::new();
        for inside in &moves.inside {
            let mut blocks = BlockList::new();
            for &after in inside {
                // Captures have no block here: they lead outside.
                let number = block_numbers[after as usize];
                if number != NO_BLOCK {
                    blocks.push(tier.block(number as usize));
                }
            }
            follower_moves.push(blocks);
        }
        InsideSuccessors { tier, number, follower_moves, stuck: moves.is_stuck.then_some(own.set) }
    }

    /// Number of the block of the mover's and the other side's followers in tier `write`.
    #[inline(always)]
    fn block_number(&self, write: usize, [own, other]: [FollowerSet; 2]) -> usize {
        let number = self.tiers[write].block_number(own.member, other.member);
        number.expect("followers on different squares")
    }

    /// Writes a block; if a value changes, blocks that lead to it become pending.
    #[inline(always)]
    fn write_block<S: Simd>(
        &mut self,
        simd: S,
        write: usize,
        sides: [FollowerSet; 2],
        values: &[Chunk],
    ) {
        let number = self.block_number(write, sides);
        let [own, other] = sides;
        let tier = &mut self.tiers[write];
        let mut has_changed = false;
        for (stored, value) in tier.block_mut(number).iter_mut().zip(values) {
            let old = simd.load_bytes(&stored.0);
            let new = simd.blend_open(old, simd.load_bytes(&value.0));
            has_changed |= simd.differs(old, new);
            simd.store_bytes(new, &mut stored.0);
        }
        if !has_changed {
            return;
        }
        let class = self.solved.classes(self.keys[write])[1];
        let pending = &mut self.pending[write];
        let predecessors = class.predecessors[other.member.number as usize].iter().copied();
        for set in predecessors.chain([other.member.number]) {
            if let Some(number) =
                tier.block_number(own.member, ClassMember { number: set, ..other.member })
            {
                let was_pending = std::mem::replace(&mut pending.is_pending[number], true);
                pending.count += u64::from(!was_pending);
            }
        }
    }
}
