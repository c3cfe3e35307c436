//! To look again at the positions of a tier whose moves lead to what has changed.

use smallvec::SmallVec;

use crate::acyclic::gather::{Inside, Leads, Outside, Scratch};
use crate::acyclic::heights::{Member, Moves, Side};
use crate::acyclic::lane_permutations::Orders;
use crate::acyclic::tier::{Block, Key, NO_BLOCK, Tier, Tiers, stride};
use crate::simd::chunk::Chunk;
use crate::simd::token::{Cpu, Work};
use crate::space::board_tables::Frame;
use crate::space::sets::squares;

/// Two tiers that lead to each other, the classes of both sides exchanged; one if both sides are of one class.
pub(crate) struct Pair<'a> {
    frame: &'a Frame,
    orders: &'a Orders,
    tiers: &'a Tiers,
    keys: [Key; 2],
    own: Vec<Tier>,
    /// For each block whether the positions have to be looked at that lead to it; how many blocks that are.
    changed: Vec<(Vec<bool>, u64)>,
}

/// To go over the blocks of a pair until nothing changes any more.
pub(crate) struct Settle<'a> {
    pub(crate) pair: Pair<'a>,
    pub(crate) scratch: &'a mut Scratch,
}

impl Work for Settle<'_> {
    type Done = Vec<Tier>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Vec<Tier> {
        let Self { mut pair, scratch } = self;
        for (outside, tier) in scratch.outside.iter_mut().zip(&pair.own) {
            outside.clear();
            outside.reserve_exact(tier.blocks() * stride(pair.frame));
        }
        let last = pair.own.len() - 1;
        while pair.changed.iter().any(|(_, changed)| *changed > 0) {
            for read in 0..=last {
                pair.step(cpu, [read, last - read], scratch);
            }
        }
        pair.own
    }
}

impl<'a> Pair<'a> {
    /// All positions are drawn so far, and have to be looked at.
    #[inline]
    pub(crate) fn new(frame: &'a Frame, orders: &'a Orders, tiers: &'a Tiers, key: Key) -> Self {
        let keys = [key, [key[1], key[0]]];
        let count = 1 + usize::from(keys[0] != keys[1]);
        let new = |&key: &Key| Tier::new(frame, orders, tiers.classes(key));
        let own: Vec<Tier> = keys[..count].iter().map(new).collect();
        let all = |tier: &Tier| (vec![true; tier.blocks()], tier.blocks() as u64);
        Self {
            frame,
            orders,
            tiers,
            keys,
            changed: own.iter().map(all).collect(),
            own,
        }
    }

    /// Looks at all that leads to what has changed in the first tier; what is found is in the second.
    #[inline(always)]
    fn step<C: Cpu>(&mut self, cpu: C, [read, write]: [usize; 2], scratch: &mut Scratch) {
        let (frame, orders) = (self.frame, self.orders);
        let [others, owns] = self.tiers.classes(self.keys[read]);
        for &other in &others.kept {
            let other = self.side(other);
            let is_own_image = frame.mirror.is_some() && frame.mirrored(other.set) == other.set;
            for (&own, moves) in owns.sets.iter().zip(&owns.moves) {
                let own = self.side(own);
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
                    if let Some(sides) = self.there([own, other], is_image) {
                        let written = self.own[write].block(self.number(write, sides));
                        cpu.ask_for(Chunk::flat(written));
                    }
                }
                if scratch.outside[read].len() <= number * stride(frame) {
                    let outside = self.look_outside(read, [own, other], moves);
                    scratch.outside(cpu, frame, orders, &outside, (read, number));
                }
                let inside = self.look_inside(read, number, [own, other], moves);
                scratch.values(cpu, frame, orders, &inside, read);
                drop(inside);
                for is_image in [false, true] {
                    if let Some(sides) = self.there([own, other], is_image) {
                        scratch.turn(cpu, frame, orders, is_image);
                        self.write(cpu, write, sides, &scratch.found);
                    }
                }
            }
        }
    }

    /// A side, as its followers are or as their image, where blocks of these or of their images are there.
    #[inline(always)]
    fn there(&self, [own, other]: [Side; 2], is_image: bool) -> Option<[Side; 2]> {
        if !is_image {
            return (!own.member.is_image).then_some([own, other]);
        }
        let frame = self.frame;
        frame.mirror.as_ref()?;
        let images = [own, other].map(|side| frame.mirrored(side.set));
        if images == [own.set, other.set] {
            return None;
        }
        let own = self.side(images[0]);
        (!own.member.is_image).then(|| [own, self.side(images[1])])
    }

    #[inline(always)]
    fn side(&self, set: u32) -> Side {
        self.tiers.sets[set.count_ones() as usize].side(set)
    }

    /// A tier, there or being made.
    #[inline(always)]
    fn tier(&self, key: Key) -> &Tier {
        match self.keys.iter().position(|&other| other == key) {
            Some(n) => &self.own[n],
            None => self.tiers.get(key).expect("lower tiers come first"),
        }
    }

    /// The block with these followers of who moves there, and of the other side.
    #[inline(always)]
    fn find(&self, mover: u32, other: u32) -> Block<'_> {
        let mut sides = [mover, other].map(|set| self.side(set));
        let is_image = sides[0].member.is_image;
        if is_image {
            sides = sides.map(|side| self.side(self.frame.mirrored(side.set)));
        }
        let [mover, other] = sides;
        let key = sides.map(|side| (side.set.count_ones(), side.member.class));
        let tier = self.tier(key);
        let number = tier.number(mover.member, other.member);
        Block {
            chunks: tier.block(number.expect("followers on different squares")),
            is_image,
        }
    }

    /// Where the moves of positions with these followers lead outside the tier.
    #[inline(always)]
    fn look_outside(&self, read: usize, [own, other]: [Side; 2], moves: &Moves) -> Outside<'_> {
        let there = self.frame.turned(other.set);
        let [mover, (followers, class)] = self.keys[read];
        let mut leads = SmallVec::new();
        for steps in &moves.steps {
            let mut blocks = [Leads::new(), Leads::new()];
            for step in steps {
                let after = step.after;
                let block = if there >> step.to & 1 == 1 {
                    self.find(self.frame.turned(there & !(1 << step.to)), after.set)
                } else if after.member.class == class {
                    continue;
                } else {
                    let tier = self.tier([mover, (followers, after.member.class)]);
                    let number = tier.number(other.member, after.member);
                    Block {
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
                self.find(self.frame.turned(there & !(1 << at)), own.set),
            ));
        }
        Outside {
            own: own.set,
            leads,
            captured,
        }
    }

    /// Where they lead inside.
    #[inline(always)]
    fn look_inside(
        &self,
        read: usize,
        number: usize,
        [own, other]: [Side; 2],
        moves: &Moves,
    ) -> Inside<'_> {
        let tier = &self.own[read];
        let numbers = tier.numbers(other.member);
        let mut leads = SmallVec::new();
        for inside in &moves.inside {
            let mut blocks = Leads::new();
            for &at in inside {
                // Captures lead outside.
                let number = numbers[at as usize];
                if number != NO_BLOCK {
                    blocks.push(tier.block(number as usize));
                }
            }
            leads.push(blocks);
        }
        Inside {
            tier,
            number,
            leads,
            stuck: moves.is_stuck.then_some(own.set),
        }
    }

    /// The block with these followers in a tier that is written.
    #[inline(always)]
    fn number(&self, write: usize, [own, other]: [Side; 2]) -> usize {
        let number = self.own[write].number(own.member, other.member);
        number.expect("followers on different squares")
    }

    /// Writes a block; notes what has to be looked at then.
    #[inline(always)]
    fn write<C: Cpu>(&mut self, cpu: C, write: usize, sides: [Side; 2], found: &[Chunk]) {
        let number = self.number(write, sides);
        let [own, other] = sides;
        let tier = &mut self.own[write];
        let mut is_new = false;
        for (old, new) in tier.block_mut(number).iter_mut().zip(found) {
            let before = cpu.bytes(&old.0);
            let after = cpu.renewed(before, cpu.bytes(&new.0));
            is_new |= cpu.differs(before, after);
            cpu.put_bytes(after, &mut old.0);
        }
        if !is_new {
            return;
        }
        let class = self.tiers.classes(self.keys[write])[1];
        let (changed, count) = &mut self.changed[write];
        let before = class.before[other.member.at as usize].iter().copied();
        for at in before.chain([other.member.at]) {
            if let Some(number) = tier.number(own.member, Member { at, ..other.member }) {
                *count += u64::from(!std::mem::replace(&mut changed[number], true));
            }
        }
    }
}
