//! To look again at the positions of a tier whose moves lead to what has changed.

use smallvec::SmallVec;

use crate::acyclic::gather::{BlockList, GatherScratch, InsideSuccessors, OutsideSuccessors};
use crate::acyclic::heights::{ClassMember, FollowerMoves, FollowerSet};
use crate::acyclic::lane_permutations::LanePermutations;
use crate::acyclic::tier::{ByteBlock, ByteTier, ByteTiers, NO_BLOCK, TierKey, chunks_per_block};
use crate::simd::chunk::Chunk;
use crate::simd::token::{Kernel, Simd};
use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;

/// Two tiers that lead to each other, the classes of both sides exchanged; one if both sides are of one class.
pub(crate) struct TierPair<'a> {
    tables: &'a BoardTables,
    orders: &'a LanePermutations,
    tiers: &'a ByteTiers,
    keys: [TierKey; 2],
    own: Vec<ByteTier>,
    /// For each block whether the positions have to be looked at that lead to it; how many blocks that are.
    changed: Vec<(Vec<bool>, u64)>,
}

/// To go over the blocks of a pair until nothing changes any more.
pub(crate) struct ValueIteration<'a> {
    pub(crate) pair: TierPair<'a>,
    pub(crate) scratch: &'a mut GatherScratch,
}

impl Kernel for ValueIteration<'_> {
    type Output = Vec<ByteTier>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<ByteTier> {
        let Self { mut pair, scratch } = self;
        for (outside, tier) in scratch.outside.iter_mut().zip(&pair.own) {
            outside.clear();
            outside.reserve_exact(tier.blocks() * chunks_per_block(pair.tables));
        }
        let last = pair.own.len() - 1;
        while pair.changed.iter().any(|(_, changed)| *changed > 0) {
            for read in 0..=last {
                pair.iterate(simd, [read, last - read], scratch);
            }
        }
        pair.own
    }
}

impl<'a> TierPair<'a> {
    /// All positions are drawn so far, and have to be looked at.
    #[inline]
    pub(crate) fn new(
        tables: &'a BoardTables,
        orders: &'a LanePermutations,
        tiers: &'a ByteTiers,
        key: TierKey,
    ) -> Self {
        let keys = [key, [key[1], key[0]]];
        let count = 1 + usize::from(keys[0] != keys[1]);
        let new = |&key: &TierKey| ByteTier::new(tables, orders, tiers.classes(key));
        let own: Vec<ByteTier> = keys[..count].iter().map(new).collect();
        let all = |tier: &ByteTier| (vec![true; tier.blocks()], tier.blocks() as u64);
        Self {
            tables,
            orders,
            tiers,
            keys,
            changed: own.iter().map(all).collect(),
            own,
        }
    }

    /// Looks at all that leads to what has changed in the first tier; what is found is in the second.
    #[inline(always)]
    fn iterate<S: Simd>(
        &mut self,
        simd: S,
        [read, write]: [usize; 2],
        scratch: &mut GatherScratch,
    ) {
        let (tables, orders) = (self.tables, self.orders);
        let [others, owns] = self.tiers.classes(self.keys[read]);
        for &other in &others.canonical {
            let other = self.follower_set(other);
            let is_own_image = tables.mirror.is_some() && tables.mirror_set(other.set) == other.set;
            for (&own, moves) in owns.sets.iter().zip(&owns.moves) {
                let own = self.follower_set(own);
                let Some(number) = self.own[read].number(other.member, own.member) else {
                    continue;
                };
                let (changed, count) = &mut self.changed[read];
                if !std::mem::take(&mut changed[number]) {
                    continue;
                }
                *count -= 1;
                // Then its image is in the same row.
                if is_own_image && own.member.is_image {
                    continue;
                }
                for is_image in [false, true] {
                    if let Some(sides) = self.stored([own, other], is_image) {
                        let written = self.own[write].block(self.block_number(write, sides));
                        simd.prefetch(Chunk::as_bytes(written));
                    }
                }
                if scratch.outside[read].len() <= number * chunks_per_block(tables) {
                    let outside = self.outside_successors(read, [own, other], moves);
                    scratch.gather_outside(simd, tables, orders, &outside, (read, number));
                }
                let inside = self.inside_successors(read, number, [own, other], moves);
                scratch.gather_values(simd, tables, orders, &inside, read);
                drop(inside);
                for is_image in [false, true] {
                    if let Some(sides) = self.stored([own, other], is_image) {
                        scratch.turn_values(simd, tables, orders, is_image);
                        self.write_block(simd, write, sides, &scratch.found);
                    }
                }
            }
        }
    }

    /// A side, as its followers are or as their image, where blocks of these or of their images are there.
    #[inline(always)]
    fn stored(&self, [own, other]: [FollowerSet; 2], is_image: bool) -> Option<[FollowerSet; 2]> {
        if !is_image {
            return (!own.member.is_image).then_some([own, other]);
        }
        let tables = self.tables;
        tables.mirror.as_ref()?;
        let images = [own, other].map(|side| tables.mirror_set(side.set));
        if images == [own.set, other.set] {
            return None;
        }
        let own = self.follower_set(images[0]);
        (!own.member.is_image).then(|| [own, self.follower_set(images[1])])
    }

    #[inline(always)]
    fn follower_set(&self, set: u32) -> FollowerSet {
        self.tiers.sets[set.count_ones() as usize].side(set)
    }

    /// A tier, there or being made.
    #[inline(always)]
    fn tier(&self, key: TierKey) -> &ByteTier {
        match self.keys.iter().position(|&other| other == key) {
            Some(n) => &self.own[n],
            None => self.tiers.get(key).expect("lower tiers come first"),
        }
    }

    /// The block with these followers of who moves there, and of the other side.
    #[inline(always)]
    fn block_of(&self, mover: u32, other: u32) -> ByteBlock<'_> {
        let mut sides = [mover, other].map(|set| self.follower_set(set));
        let is_image = sides[0].member.is_image;
        if is_image {
            sides = sides.map(|side| self.follower_set(self.tables.mirror_set(side.set)));
        }
        let [mover, other] = sides;
        let key = sides.map(|side| (side.set.count_ones(), side.member.class));
        let tier = self.tier(key);
        let number = tier.number(mover.member, other.member);
        ByteBlock {
            chunks: tier.block(number.expect("followers on different squares")),
            is_image,
        }
    }

    /// Where the moves of positions with these followers lead outside the tier.
    #[inline(always)]
    fn outside_successors(
        &self,
        read: usize,
        [own, other]: [FollowerSet; 2],
        moves: &FollowerMoves,
    ) -> OutsideSuccessors<'_> {
        let there = self.tables.half_turn(other.set);
        let [mover, (followers, class)] = self.keys[read];
        let mut leads = SmallVec::new();
        for steps in &moves.moves_by_kind {
            let mut blocks = [BlockList::new(), BlockList::new()];
            for step in steps {
                let after = step.after;
                let block = if there >> step.to & 1 == 1 {
                    self.block_of(self.tables.half_turn(there & !(1 << step.to)), after.set)
                } else if after.member.class == class {
                    continue;
                } else {
                    let tier = self.tier([mover, (followers, after.member.class)]);
                    let number = tier.number(other.member, after.member);
                    ByteBlock {
                        chunks: tier.block(number.expect("followers on different squares")),
                        is_image: false,
                    }
                };
                blocks[usize::from(block.is_image)].push(block.chunks);
            }
            leads.push(blocks);
        }
        let mut captured = SmallVec::new();
        for at in squares(there) {
            captured.push((
                at,
                self.block_of(self.tables.half_turn(there & !(1 << at)), own.set),
            ));
        }
        OutsideSuccessors {
            own: own.set,
            follower_moves: leads,
            leader_captures: captured,
        }
    }

    /// Where they lead inside.
    #[inline(always)]
    fn inside_successors(
        &self,
        read: usize,
        number: usize,
        [own, other]: [FollowerSet; 2],
        moves: &FollowerMoves,
    ) -> InsideSuccessors<'_> {
        let tier = &self.own[read];
        let numbers = tier.numbers(other.member);
        let mut leads = SmallVec::new();
        for inside in &moves.inside {
            let mut blocks = BlockList::new();
            for &at in inside {
                // Captures lead outside.
                let number = numbers[at as usize];
                if number != NO_BLOCK {
                    blocks.push(tier.block(number as usize));
                }
            }
            leads.push(blocks);
        }
        InsideSuccessors {
            tier,
            number,
            follower_moves: leads,
            stuck: moves.is_stuck.then_some(own.set),
        }
    }

    /// The block with these followers in a tier that is written.
    #[inline(always)]
    fn block_number(&self, write: usize, [own, other]: [FollowerSet; 2]) -> usize {
        let number = self.own[write].number(own.member, other.member);
        number.expect("followers on different squares")
    }

    /// Writes a block; notes what has to be looked at then.
    #[inline(always)]
    fn write_block<S: Simd>(
        &mut self,
        simd: S,
        write: usize,
        sides: [FollowerSet; 2],
        found: &[Chunk],
    ) {
        let number = self.block_number(write, sides);
        let [own, other] = sides;
        let tier = &mut self.own[write];
        let mut is_new = false;
        for (old, new) in tier.block_mut(number).iter_mut().zip(found) {
            let before = simd.load_bytes(&old.0);
            let after = simd.blend_open(before, simd.load_bytes(&new.0));
            is_new |= simd.differs(before, after);
            simd.store_bytes(after, &mut old.0);
        }
        if !is_new {
            return;
        }
        let class = self.tiers.classes(self.keys[write])[1];
        let (changed, count) = &mut self.changed[write];
        let before = class.predecessors[other.member.number as usize]
            .iter()
            .copied();
        for at in before.chain([other.member.number]) {
            if let Some(number) = tier.number(
                own.member,
                ClassMember {
                    number: at,
                    ..other.member
                },
            ) {
                *count += u64::from(!std::mem::replace(&mut changed[number], true));
            }
        }
    }
}
