//! What positions with the same followers lead to.

use smallvec::SmallVec;

use super::super::cpu::{Chunk, Cpu};
use super::super::shape::{Frame, squares};
use super::order::{Orders, WIDE};
use super::tier::{Block, NONE};

/// The positions with side 0 to move that have these followers.
pub(super) struct Look<'a> {
    pub(super) own: u32,
    /// Whether there are positions without a move.
    pub(super) is_stuck: bool,
    /// By kind of move where moves of followers lead: blocks as they are, then images.
    pub(super) leads: SmallVec<[[Leads<'a>; 2]; 1]>,
    /// What captures by the leader lead to, by the square of the captured follower.
    pub(super) captured: SmallVec<[(usize, Block<'a>); 8]>,
    /// What other moves of the leader lead to.
    pub(super) stays: &'a [Chunk],
}

/// Blocks.
pub(super) type Leads<'a> = SmallVec<[&'a [Chunk]; 16]>;

/// What a thread writes to when it looks at positions.
pub(super) struct Scratch {
    /// For each lane what the leader's moves lead to, between margins.
    stays: Vec<u8>,
    /// Bytes of a lane with its margins.
    len: usize,
    /// Images of blocks.
    images: Vec<Chunk>,
    /// The least value that moves lead to, a row for each square of the leader.
    best: Vec<Chunk>,
    /// A block.
    pub(super) found: Vec<Chunk>,
}

impl Scratch {
    pub(super) fn new(frame: &Frame, orders: &Orders) -> Self {
        let none = Chunk([NONE; WIDE]);
        let len = 2 * orders.margin + orders.chunks * WIDE;
        Self {
            stays: vec![NONE; frame.lanes * len],
            len,
            images: Vec::new(),
            best: vec![none; orders.chunks],
            found: vec![none; frame.lanes * orders.chunks],
        }
    }

    /// Puts together what moves of the leader lead to.
    #[inline(always)]
    fn stay(&mut self, frame: &Frame, orders: &Orders, look: &Look<'_>) {
        let chunks = orders.chunks;
        for lane in 0..frame.lanes {
            let stays = &mut self.stays[lane * self.len + orders.margin..][..chunks * WIDE];
            let from = &look.stays[lane * chunks..][..chunks];
            for (to, from) in stays.as_chunks_mut::<WIDE>().0.iter_mut().zip(from) {
                *to = from.0;
            }
            for &(square, block) in &look.captured {
                let to = &mut stays[square * frame.squares..][..frame.squares];
                match frame.mirror.as_ref().filter(|_| block.is_image) {
                    None => {
                        let lane = Chunk::flat(&block.chunks[lane * chunks..][..chunks]);
                        to.copy_from_slice(&lane[square * frame.squares..][..frame.squares]);
                    }
                    Some(mirror) => {
                        let lane = mirror.lanes[lane];
                        let lane = Chunk::flat(&block.chunks[lane * chunks..][..chunks]);
                        let begin = mirror.square(square) * frame.squares;
                        let row = &lane[begin..][..frame.squares];
                        for (to, &from) in to.iter_mut().zip(&mirror.squares) {
                            *to = row[from as usize];
                        }
                    }
                }
            }
        }
    }
    /// Puts images of blocks that moves of followers lead to beside each other, by kind of move.
    #[inline(always)]
    fn reflect<C: Cpu>(&mut self, frame: &Frame, orders: &Orders, look: &Look<'_>) {
        let Some(mirror) = &frame.mirror else {
            return;
        };
        let chunks = orders.chunks;
        let blocks = look
            .leads
            .iter()
            .map(|[_, images]| images.len())
            .sum::<usize>();
        let len = blocks * frame.lanes * chunks;
        if self.images.len() < len {
            self.images.resize(len, Chunk([NONE; WIDE]));
        }
        let mut to = self.images.chunks_exact_mut(chunks);
        for [_, images] in &look.leads {
            for block in images {
                for &lane in &mirror.lanes {
                    let from = &block[lane * chunks..][..chunks];
                    C::arrange(from, &orders.image, to.next().expect("room for all"));
                }
            }
        }
    }

    /// Finds the values of all positions; they are in the order of the block where they are kept, or of its image.
    #[inline(always)]
    pub(super) fn find<C: Cpu>(
        &mut self,
        frame: &Frame,
        orders: &Orders,
        look: &Look<'_>,
        is_image: bool,
    ) {
        self.stay(frame, orders, look);
        self.reflect::<C>(frame, orders, look);
        let mirror = frame.mirror.as_ref().filter(|_| is_image);
        let chunks = orders.chunks;
        for to in 0..frame.lanes {
            let lane = frame.exchanged[mirror.map_or(to, |mirror| mirror.lanes[to])];
            self.lead::<C>(frame, orders, look, lane);
            self.shift::<C>(frame, orders, lane);
            if look.is_stuck {
                self.pass(frame, orders, look.own, lane);
            }
            for best in &mut self.best {
                let before = C::before(C::bytes(&best.0));
                C::put_bytes(before, &mut best.0);
            }
            let found = &mut self.found[to * chunks..][..chunks];
            C::arrange(&self.best, &orders.turned[usize::from(is_image)], found);
        }
    }

    /// Moves of followers.
    #[inline(always)]
    fn lead<C: Cpu>(&mut self, frame: &Frame, orders: &Orders, look: &Look<'_>, lane: usize) {
        let chunks = orders.chunks;
        let none = C::bytes(&[NONE; WIDE]);
        for (at, best) in self.best.iter_mut().enumerate() {
            let mut least = none;
            for &next in &frame.next[0][lane] {
                let place = next * chunks + at;
                let mut begin = 0;
                for (group, [blocks, images]) in look.leads.iter().enumerate() {
                    if group == frame.group_of[next] {
                        for block in blocks {
                            least = C::least(least, C::bytes(&block[place].0));
                        }
                        let images = begin..begin + images.len();
                        for image in images {
                            let image = &self.images[image * frame.lanes * chunks + place];
                            least = C::least(least, C::bytes(&image.0));
                        }
                    }
                    begin += images.len();
                }
            }
            C::put_bytes(least, &mut best.0);
        }
    }

    /// Moves of the leader.
    #[inline(always)]
    fn shift<C: Cpu>(&mut self, frame: &Frame, orders: &Orders, lane: usize) {
        for &next in &frame.next[0][lane] {
            for shift in &orders.leaders[frame.group_of[next]] {
                let begin = (next * self.len + orders.margin).wrapping_add_signed(shift.by);
                let from = self.stays[begin..][..orders.chunks * WIDE]
                    .as_chunks::<WIDE>()
                    .0;
                for ((best, from), barred) in self.best.iter_mut().zip(from).zip(&shift.barred) {
                    let from = C::or(C::bytes(from), C::bytes(&barred.0));
                    C::put_bytes(C::least(C::bytes(&best.0), from), &mut best.0);
                }
            }
        }
    }

    /// What positions without a move lead to.
    fn pass(&mut self, frame: &Frame, orders: &Orders, own: u32, lane: usize) {
        let stuck = frame.stuck_in(0, own, lane) & frame.board() & !own;
        for square in squares(stuck) {
            let row = square * frame.squares..(square + 1) * frame.squares;
            for &next in &frame.next[0][lane] {
                let stays = &self.stays[next * self.len + orders.margin..];
                for at in row.clone() {
                    let best = &mut self.best[at / WIDE].0[at % WIDE];
                    *best = stays[at].min(*best);
                }
            }
        }
    }
}
