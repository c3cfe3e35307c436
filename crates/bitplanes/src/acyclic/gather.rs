//! What positions with the same followers lead to.

use smallvec::SmallVec;

use crate::acyclic::lane_permutations::Orders;
use crate::acyclic::tier::{Block, NONE, Tier, stride};
use crate::simd::chunk::{Chunk, WIDE};
use crate::simd::token::Cpu;
use crate::space::board_tables::Frame;
use crate::space::sets::squares;

/// What positions with the same followers, side 0 to move, lead to outside their tier.
pub(crate) struct Outside<'a> {
    pub(crate) own: u32,
    /// By kind of move where moves of followers lead: blocks as they are, then images.
    pub(crate) leads: SmallVec<[[Leads<'a>; 2]; 1]>,
    /// What captures by the leader lead to, by the square of the captured follower.
    pub(crate) captured: SmallVec<[(usize, Block<'a>); 8]>,
}

/// Blocks.
pub(crate) type Leads<'a> = SmallVec<[&'a [Chunk]; 16]>;

/// What they lead to in their tier.
pub(crate) struct Inside<'a> {
    pub(crate) tier: &'a Tier,
    /// The same followers.
    pub(crate) number: usize,
    /// By kind of move where moves of followers lead.
    pub(crate) leads: SmallVec<[Leads<'a>; 1]>,
    /// The followers, if there are positions without a move.
    pub(crate) stuck: Option<u32>,
}

/// What a thread writes to when it looks at positions.
pub(crate) struct Scratch {
    /// Images of blocks.
    images: Vec<Chunk>,
    /// Values of positions, a row for each square of the mover's leader.
    values: Vec<Chunk>,
    /// The same in another order.
    pub(crate) found: Vec<Chunk>,
    /// For each block of the tiers that are solved the least values that moves lead to outside these tiers, as far as they are known.
    pub(crate) outside: [Vec<Chunk>; 2],
}

impl Scratch {
    #[inline]
    pub(crate) fn new(frame: &Frame, orders: &Orders) -> Self {
        let block = || vec![Chunk([NONE; WIDE]); frame.lanes * orders.chunks];
        Self {
            images: Vec::new(),
            values: block(),
            found: block(),
            outside: [Vec::new(), Vec::new()],
        }
    }

    /// Puts images of blocks that moves of followers lead to beside each other, by kind of move.
    #[inline(always)]
    fn reflect<C: Cpu>(&mut self, cpu: C, frame: &Frame, orders: &Orders, outside: &Outside<'_>) {
        let Some(mirror) = &frame.mirror else {
            return;
        };
        let chunks = orders.chunks;
        self.images.clear();
        for [_, images] in &outside.leads {
            for block in images {
                for &lane in &mirror.lanes {
                    let begin = self.images.len();
                    self.images.resize(begin + chunks, Chunk([NONE; WIDE]));
                    let from = &block[lane * chunks..][..chunks];
                    cpu.arrange(from, &orders.image, &mut self.images[begin..]);
                }
            }
        }
    }

    /// Finds the least values that moves of a block lead to outside the tier, a row for each square of the mover's leader.
    #[inline(always)]
    pub(crate) fn outside<C: Cpu>(
        &mut self,
        cpu: C,
        frame: &Frame,
        orders: &Orders,
        outside: &Outside<'_>,
        (tier, number): (usize, usize),
    ) {
        self.reflect(cpu, frame, orders, outside);
        let mut all = std::mem::take(&mut self.outside[tier]);
        let begin = number * stride(frame);
        all.resize(begin + stride(frame), Chunk([NONE; WIDE]));
        let least = &mut all[begin..];
        for (lane, least) in least.chunks_exact_mut(orders.chunks).enumerate() {
            self.lead(cpu, frame, outside, lane, least);
            for &next in &frame.next[0][lane] {
                for &captured in &outside.captured {
                    capture(frame, outside.own, captured, next, Chunk::flat_mut(least));
                }
            }
        }
        self.outside[tier] = all;
    }

    /// Moves of followers.
    #[inline(always)]
    fn lead<C: Cpu>(
        &self,
        cpu: C,
        frame: &Frame,
        outside: &Outside<'_>,
        lane: usize,
        least: &mut [Chunk],
    ) {
        let chunks = least.len();
        for (at, to) in least.iter_mut().enumerate() {
            let mut least = cpu.bytes(&[NONE; WIDE]);
            for &next in &frame.next[0][lane] {
                let place = next * chunks + at;
                let mut begin = 0;
                for (group, [blocks, images]) in outside.leads.iter().enumerate() {
                    let end = begin + images.len();
                    if group == frame.group_of[next] {
                        for block in blocks {
                            least = cpu.least(least, cpu.bytes(&block[place].0));
                        }
                        for image in begin..end {
                            let image = &self.images[image * frame.lanes * chunks + place];
                            least = cpu.least(least, cpu.bytes(&image.0));
                        }
                    }
                    begin = end;
                }
            }
            cpu.put_bytes(least, &mut to.0);
        }
    }

    /// The values of all positions of a block, from what moves lead to outside the tier and inside.
    #[inline(always)]
    pub(crate) fn values<C: Cpu>(
        &mut self,
        cpu: C,
        frame: &Frame,
        orders: &Orders,
        inside: &Inside<'_>,
        tier: usize,
    ) {
        let chunks = orders.chunks;
        let outside = &self.outside[tier][inside.number * stride(frame)..][..stride(frame)];
        let lanes = self.values.chunks_exact_mut(chunks);
        for ((lane, values), outside) in lanes.enumerate().zip(outside.chunks_exact(chunks)) {
            for (to, from) in values.iter_mut().zip(outside) {
                *to = *from;
            }
            for &next in &frame.next[0][lane] {
                let group = frame.group_of[next];
                let place = inside.number * frame.lanes + next;
                for (at, to) in values.iter_mut().enumerate() {
                    let mut least = cpu.bytes(&to.0);
                    for block in &inside.leads[group] {
                        least = cpu.least(least, cpu.bytes(&block[next * chunks + at].0));
                    }
                    for shift in &orders.leaders[group] {
                        let from = inside.tier.shifted(place * chunks + at, shift.by);
                        let barred = cpu.bytes(&shift.barred[at].0);
                        least = cpu.least(least, cpu.or(cpu.bytes(from), barred));
                    }
                    cpu.put_bytes(least, &mut to.0);
                }
                if let Some(own) = inside.stuck {
                    let stays = inside.tier.block(inside.number);
                    let stays = Chunk::flat(&stays[next * chunks..][..chunks]);
                    pass(frame, own, lane, stays, Chunk::flat_mut(values));
                }
            }
            for value in values {
                let before = cpu.before(cpu.bytes(&value.0));
                cpu.put_bytes(before, &mut value.0);
            }
        }
    }

    /// Puts what was found in the order of the block where it is kept, or of its image.
    #[inline(always)]
    pub(crate) fn turn<C: Cpu>(&mut self, cpu: C, frame: &Frame, orders: &Orders, is_image: bool) {
        let mirror = frame.mirror.as_ref().filter(|_| is_image);
        let chunks = orders.chunks;
        for (to, found) in self.found.chunks_exact_mut(chunks).enumerate() {
            let lane = frame.exchanged[mirror.map_or(to, |mirror| mirror.lanes[to])];
            let values = &self.values[lane * chunks..][..chunks];
            cpu.arrange(values, &orders.turned[usize::from(is_image)], found);
        }
    }
}

/// A capture by the leader in a lane leads to a row of another block.
#[inline(always)]
fn capture(
    frame: &Frame,
    own: u32,
    (square, block): (usize, Block<'_>),
    next: usize,
    least: &mut [u8],
) {
    let moves = &frame.groups[frame.group_of[next]].moves[0];
    let from = moves.sources[square] & !own & frame.board();
    let squares_of = frame.squares;
    let mirror = frame.mirror.as_ref().filter(|_| block.is_image);
    let lane = mirror.map_or(next, |mirror| mirror.lanes[next]);
    let begin = mirror.map_or(square, |mirror| mirror.square(square)) * squares_of;
    let lane = lane * (block.chunks.len() / frame.lanes) * WIDE;
    let found = &Chunk::flat(block.chunks)[lane + begin..][..squares_of];
    let mut row = [NONE; 32];
    let row = &mut row[..squares_of];
    match mirror {
        None => row.copy_from_slice(found),
        Some(mirror) => {
            for (to, &from) in row.iter_mut().zip(&mirror.squares) {
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
fn pass(frame: &Frame, own: u32, lane: usize, stays: &[u8], least: &mut [u8]) {
    for leader in squares(frame.stuck_in(0, own, lane) & frame.board() & !own) {
        let row = leader * frame.squares..(leader + 1) * frame.squares;
        for (least, &value) in least[row.clone()].iter_mut().zip(&stays[row]) {
            *least = value.min(*least);
        }
    }
}
