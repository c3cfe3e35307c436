//! One pass by what the last one found: side 0 wins where a move leads to a new loss of side 1; where a
//! move of side 1 leads to a new win of side 0, all its moves are looked at.
//!
//! Rows are those of `pass.rs`. A pass takes back the moves that lead to what was found in its row, and the captures that
//! lead to what was found in rows with a piece fewer.

use crate::pass::frontier::{Listed, News};
use crate::pass::recorder::{Listeners, Notes};
use crate::plane::packing::{Word, bit_of};
use crate::plane::plane::{Place, Plane};
use crate::simd::token::Cpu;
use crate::space::board_tables::Frame;
use crate::space::sets::{rank, squares};
use crate::space::subproblem::Problem;

/// What a pass looks at.
pub(crate) struct Follow<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) problem: &'a Problem,
    /// [`Problem::moved`] of the side to move.
    pub(crate) moved: &'a [u32],
    /// What was found where moves lead that capture nothing, and where captures lead.
    pub(crate) inside: &'a Listed,
    pub(crate) captured: Option<(&'a Listed, &'a Problem)>,
    /// What side 0 has not won in both, if side 1 moves.
    pub(crate) wins: Option<(&'a Plane, Option<&'a Plane>)>,
    /// Who is told what is new.
    pub(crate) listeners: Listeners<'a>,
}

/// The blocks with the same followers of the side that does not move.
pub(crate) struct FollowRow<'a> {
    pub(crate) followers: u32,
    pub(crate) blocks: &'a mut [u8],
    /// Where side 0 moves: what is undecided of the same positions with the sides exchanged and side 1 to move.
    pub(crate) undecided: Option<&'a mut [u8]>,
}

/// What a thread needs, kept from row to row.
#[derive(Default)]
pub(crate) struct FollowScratch {
    /// What was found in the row, or in one with a piece fewer.
    news: Vec<News>,
    /// For each block of the row where what side 0 has not won is, once that is known, if side 1 moves.
    wins: Vec<Option<Place>>,
    hits: Vec<Hit>,
    candidates: Vec<Hit>,
}

/// So many words are asked for before the first of them is read.
const AT_ONCE: usize = 32;

/// Positions of a word of the row from which a move leads to something new.
#[derive(Clone, Copy)]
struct Hit {
    block: Block,
    lane: u16,
    row: u8,
    /// Where it begins in the blocks of the row: at which bit of which byte.
    bit: u8,
    byte: usize,
    /// The positions as they lie in the word.
    packed: u32,
}

/// Goes over a row; how many positions are new. `LOSSES` says whether side 1 is to move and loses.
#[inline(always)]
pub(crate) fn follow<C: Cpu, const LOSSES: bool>(
    cpu: C,
    pass: &Follow<'_>,
    row: FollowRow<'_>,
    scratch: &mut FollowScratch,
) -> u64 {
    if LOSSES {
        scratch.wins.clear();
        scratch.wins.resize(pass.problem.row(1), None);
    }
    let mut news = std::mem::take(&mut scratch.news);
    let outside = pass.frame.board() & !row.followers;
    let mut worker = Worker::<LOSSES> {
        pass,
        frame: pass.frame,
        outside,
        places: places(outside),
        notes: pass.listeners.notes(pass.frame, row.followers),
        row,
        scratch,
        count: 0,
    };
    worker.moves_back(cpu, &mut news);
    worker.captures_back(cpu, &mut news);
    worker.look_at_hits(cpu);
    worker.look_at_candidates(cpu);
    worker.scratch.news = news;
    worker.count
}

struct Worker<'a, const LOSSES: bool> {
    pass: &'a Follow<'a>,
    frame: &'a Frame,
    /// The squares without the followers of the side that does not move, and how many of these are below
    /// each square.
    outside: u32,
    places: [u8; 32],
    notes: Notes<'a, LOSSES>,
    row: FollowRow<'a>,
    scratch: &'a mut FollowScratch,
    count: u64,
}

/// A block of the row.
#[derive(Clone, Copy)]
struct Block {
    number: u32,
    /// The mover's followers.
    own: u32,
}

impl<const LOSSES: bool> Worker<'_, LOSSES> {
    const MOVER: usize = LOSSES as usize;

    /// Takes back the moves that capture nothing.
    #[inline(always)]
    fn moves_back<C: Cpu>(&mut self, cpu: C, news: &mut Vec<News>) {
        let Follow { frame, moved, .. } = *self.pass;
        self.pass
            .inside
            .read(rank(self.row.followers), |_| true, news);
        let beside = &self.pass.problem.sets_beside[Self::MOVER];
        let places = self.outside.count_ones() as usize;
        for new in &*news {
            let number = new.block();
            let own = cpu.deposit(beside[number].into(), self.outside.into()) as u32;
            let block = Block {
                number: number as u32,
                own,
            };
            let group = frame.group_of[new.lane()];
            let moves = &frame.groups[group].moves[Self::MOVER];
            let size = own.count_ones() as usize * places;
            let moved = &moved[number * size..(number + 1) * size];
            for (at, moved) in squares(own).zip(moved.chunks_exact(places)) {
                let rest = own & !(1 << at);
                for from in squares(moves.sources[at] & self.outside & !rest & !(1 << new.row)) {
                    let before = Block {
                        number: moved[usize::from(self.places[from])],
                        own: rest | 1 << from,
                    };
                    self.hit(cpu, before, new, new.row(), new.bits & !(1 << from));
                }
            }
            if LOSSES {
                let steps = moves.steps.iter();
                let bits = steps.fold(0, |all, step| all | step.back(new.bits));
                self.hit(cpu, block, new, new.row(), bits);
            } else {
                for from in squares(moves.sources[new.row()] & self.outside & !own) {
                    self.hit(cpu, block, new, from, new.bits & !(1 << from));
                }
            }
            if self.pass.problem.may_be_stuck(frame, Self::MOVER, own) {
                self.turns_back(cpu, block, new);
            }
        }
    }

    /// Takes back turns in which only the context changes.
    #[inline(always)]
    fn turns_back<C: Cpu>(&mut self, cpu: C, block: Block, new: &News) {
        for &lane in &self.frame.prev[Self::MOVER][new.lane()] {
            let stuck = self.frame.stuck_in(Self::MOVER, block.own, lane);
            let bits = if LOSSES {
                new.bits & stuck
            } else {
                new.bits & (stuck >> new.row & 1).wrapping_neg()
            };
            self.hit_in(cpu, block, &[lane], new.row(), bits);
        }
    }

    /// Takes back captures.
    #[inline(always)]
    fn captures_back<C: Cpu>(&mut self, cpu: C, news: &mut Vec<News>) {
        let Follow { frame, .. } = *self.pass;
        let Some((listed, fewer)) = self.pass.captured else {
            return;
        };
        for at in squares(self.row.followers) {
            let left = self.row.followers & !(1 << at);
            let outside = frame.board() & !left;
            let sets = &fewer.sets_beside[Self::MOVER];
            // The captured piece's square among those that the mover's followers are counted in.
            let place = (outside & ((1 << at) - 1)).count_ones();
            // The leader of side 1 is a bit of the word, which may have others.
            let by_leader = |new: &News| if LOSSES { new.bits } else { 1 << new.row };
            let captures =
                |new: &News| (sets[new.block()] >> place | by_leader(new) >> at) & 1 == 1;
            listed.read(rank(left), captures, news);
            for new in &*news {
                let own = cpu.deposit(sets[new.block()].into(), outside.into()) as u32;
                let group = frame.group_of[new.lane()];
                let sources = frame.groups[group].moves[Self::MOVER].sources[at] & self.outside;
                if own >> at & 1 == 1 {
                    let rest = own & !(1 << at);
                    for from in squares(sources & !rest & !(1 << new.row)) {
                        let block = self.block(cpu, rest | 1 << from);
                        self.hit(cpu, block, new, new.row(), new.bits & !(1 << from));
                    }
                } else if LOSSES {
                    let block = self.block(cpu, own);
                    self.hit(cpu, block, new, new.row(), sources);
                } else {
                    let block = self.block(cpu, own);
                    for from in squares(sources & !own) {
                        self.hit(cpu, block, new, from, new.bits & !(1 << from));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn block<C: Cpu>(&self, cpu: C, own: u32) -> Block {
        let number = rank(cpu.extract(own.into(), self.outside.into()) as u32) as u32;
        Block { number, own }
    }

    /// A move leads from some positions of a row, in each lane from which it can be made, to something new.
    #[inline(always)]
    fn hit<C: Cpu>(&mut self, cpu: C, block: Block, new: &News, row: usize, bits: u32) {
        let lanes = &self.frame.prev[Self::MOVER][new.lane()];
        self.hit_in(cpu, block, lanes, row, bits);
    }

    /// The same in some lanes.
    #[inline(always)]
    fn hit_in<C: Cpu>(&mut self, cpu: C, block: Block, lanes: &[usize], row: usize, bits: u32) {
        let free = self.outside & !block.own;
        let Problem { stride, bytes, .. } = *self.pass.problem;
        let packed = cpu.extract(bits.into(), free.into()) as u32;
        let bit = bit_of(free, row);
        let begin = block.number as usize * stride + (bit >> 3);
        for &lane in lanes {
            let byte = begin + lane * bytes;
            cpu.ask_for_line(self.row.blocks, byte);
            self.scratch.hits.push(Hit {
                block,
                lane: lane as u16,
                row: row as u8,
                bit: (bit & 7) as u8,
                byte,
                packed,
            });
        }
        if self.scratch.hits.len() >= AT_ONCE {
            self.look_at_hits(cpu);
        }
    }

    /// Looks at what moves lead from.
    #[inline(always)]
    fn look_at_hits<C: Cpu>(&mut self, cpu: C) {
        let mut hits = std::mem::take(&mut self.scratch.hits);
        for hit in &mut hits {
            hit.packed &= hit.word(self.row.blocks).bits(self.row.blocks) as u32;
            if hit.packed == 0 {
                continue;
            }
            if LOSSES {
                self.ask_for_leader(cpu, hit);
                self.scratch.candidates.push(*hit);
            } else {
                self.settle(cpu, hit);
            }
        }
        hits.clear();
        self.scratch.hits = hits;
        if self.scratch.candidates.len() >= AT_ONCE {
            self.look_at_candidates(cpu);
        }
    }

    /// Looks where all moves of positions lead that may be lost.
    #[inline(always)]
    fn look_at_candidates<C: Cpu>(&mut self, cpu: C) {
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        for hit in &mut candidates {
            let maybe = hit.positions(cpu, self.outside);
            let mut lost = maybe & !self.led_out(cpu, hit);
            if lost != 0 {
                lost &= !self.moved_out(cpu, hit, lost);
            }
            if lost != 0 {
                hit.keep(cpu, self.outside, lost);
                self.settle(cpu, hit);
            }
        }
        candidates.clear();
        self.scratch.candidates = candidates;
    }

    /// Takes down what is new of the positions of a word; they may have been looked at twice.
    #[inline(always)]
    fn settle<C: Cpu>(&mut self, cpu: C, hit: &Hit) {
        let word = hit.word(self.row.blocks);
        let packed = word.bits(self.row.blocks) & u64::from(hit.packed);
        word.clear(self.row.blocks, packed);
        let free = self.outside & !hit.block.own;
        let new = cpu.deposit(packed, free.into()) as u32;
        self.count += u64::from(new.count_ones());
        self.note(cpu, hit.block, hit.lane.into(), hit.row.into(), new);
    }

    /// Takes new positions of a word down.
    #[inline(always)]
    fn note<C: Cpu>(&mut self, cpu: C, block: Block, lane: usize, row: usize, new: u32) {
        let Problem { stride, bytes, .. } = *self.pass.problem;
        let free = self.outside & !block.own;
        let len = free.count_ones() as usize;
        let row_below = below(free, row);
        if let Some(undecided) = &mut self.row.undecided {
            let frame = self.frame;
            let (turned, major) = (frame.turned(block.own), frame.turned(self.row.followers));
            let beside = cpu.extract(turned.into(), (frame.board() & !major).into());
            let lane = rank(beside as u32) * stride + frame.exchanged[lane] * bytes;
            let lane = &mut undecided[lane..][..bytes];
            for bit in squares(new) {
                clear(
                    lane,
                    (len - 1 - below(free, bit)) * len + len - 1 - row_below,
                );
            }
        }
        if self.notes.any() {
            let spot = self.notes.spot(cpu, block.own);
            self.notes.take(spot, block.own, lane, row, new);
        }
    }

    /// Where what side 0 has not won of a block of the row is.
    #[inline(always)]
    fn place<C: Cpu>(&mut self, cpu: C, wins: &Plane, block: Block) -> Place {
        if let Some(place) = self.scratch.wins[block.number as usize] {
            return place;
        }
        let place = wins.find(cpu, self.frame, [self.row.followers, block.own]);
        self.scratch.wins[block.number as usize] = Some(place);
        place
    }

    /// What side 0 has not won in a row of a lane of a block that captures lead to.
    #[inline(always)]
    fn led_to<C: Cpu>(
        &self,
        cpu: C,
        wins: &Plane,
        followers: [u32; 2],
        lane: usize,
        row: usize,
    ) -> u32 {
        let free = self.frame.board() & !(followers[0] | followers[1]);
        let place = wins.find(cpu, self.frame, followers);
        place.word(cpu, (self.frame, wins), free, lane, row)
    }

    /// What side 0 has not won in a row of a lane of a block of this row.
    #[inline(always)]
    fn word<C: Cpu>(&mut self, cpu: C, wins: &Plane, block: Block, lane: usize, row: usize) -> u32 {
        let free = self.outside & !block.own;
        let place = self.place(cpu, wins, block);
        place.word(cpu, (self.frame, wins), free, lane, row)
    }

    /// Asks for what [`Self::led_out`] reads.
    #[inline(always)]
    fn ask_for_leader<C: Cpu>(&mut self, cpu: C, hit: &Hit) {
        let Some((inside, _)) = self.pass.wins else {
            return;
        };
        let free = self.outside & !hit.block.own;
        let place = self.place(cpu, inside, hit.block);
        for &next in &self.frame.next[Self::MOVER][usize::from(hit.lane)] {
            place.ask_for(cpu, (self.frame, inside), free, next, hit.row.into());
        }
    }

    /// Which of some positions of a word have a move of the leader to a square without a piece, or only a turn, to a
    /// position that side 0 has not won: all that do, and perhaps others.
    #[inline(always)]
    fn led_out<C: Cpu>(&mut self, cpu: C, hit: &Hit) -> u32 {
        let (frame, block) = (self.frame, hit.block);
        let Some((inside, _)) = self.pass.wins else {
            return 0;
        };
        let tight = self
            .pass
            .problem
            .may_be_stuck(frame, Self::MOVER, block.own);
        let mut not_lost = 0;
        for &next in &frame.next[Self::MOVER][usize::from(hit.lane)] {
            let here = self.word(cpu, inside, block, next, hit.row.into());
            for step in &frame.groups[frame.group_of[next]].moves[Self::MOVER].steps {
                not_lost |= step.back(here);
            }
            if tight {
                not_lost |= here & frame.stuck_in(Self::MOVER, block.own, hit.lane.into());
            }
        }
        not_lost
    }

    /// Which of some positions of a word have another move to a position that side 0 has not won: all that do, and perhaps
    /// others.
    #[inline(always)]
    fn moved_out<C: Cpu>(&mut self, cpu: C, hit: &Hit, candidates: u32) -> u32 {
        let (pass, frame, other, block) = (self.pass, self.frame, self.row.followers, hit.block);
        let (lane, row) = (usize::from(hit.lane), usize::from(hit.row));
        let Some((inside, captured)) = pass.wins else {
            return 0;
        };
        let mut not_lost = 0;
        let places = self.outside.count_ones() as usize;
        let size = block.own.count_ones() as usize * places;
        let moved = &pass.moved[block.number as usize * size..][..size];
        for &next in &frame.next[Self::MOVER][lane] {
            let moves = &frame.groups[frame.group_of[next]].moves[Self::MOVER];
            for (from, moved) in squares(block.own).zip(moved.chunks_exact(places)) {
                let rest = block.own & !(1 << from);
                let targets = moves.targets[from] & !rest & !(1 << row);
                for to in squares(targets & self.outside) {
                    let after = Block {
                        number: moved[usize::from(self.places[to])],
                        own: rest | 1 << to,
                    };
                    not_lost |= self.word(cpu, inside, after, next, row);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
                let Some(fewer) = captured else { continue };
                for to in squares(targets & other) {
                    let after = [other & !(1 << to), rest | 1 << to];
                    not_lost |= self.led_to(cpu, fewer, after, next, row);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
            }
            let Some(fewer) = captured else { continue };
            for to in squares(other) {
                if moves.sources[to] & candidates & !not_lost != 0 {
                    let left = [other & !(1 << to), block.own];
                    let word = self.led_to(cpu, fewer, left, next, row);
                    not_lost |= moves.sources[to] & (word >> to & 1).wrapping_neg();
                }
            }
        }
        not_lost
    }
}

impl Hit {
    #[inline(always)]
    fn word(&self, blocks: &[u8]) -> Word {
        Word::at(blocks, self.byte, self.bit.into())
    }

    /// The positions, in a row without the followers of the side that does not move.
    #[inline(always)]
    fn positions<C: Cpu>(&self, cpu: C, outside: u32) -> u32 {
        cpu.deposit(self.packed.into(), (outside & !self.block.own).into()) as u32
    }

    #[inline(always)]
    fn keep<C: Cpu>(&mut self, cpu: C, outside: u32, positions: u32) {
        self.packed = cpu.extract(positions.into(), (outside & !self.block.own).into()) as u32;
    }
}

/// How many squares of a set are below each square.
#[inline(always)]
fn places(set: u32) -> [u8; 32] {
    let mut places = [0; 32];
    for (square, place) in places.iter_mut().enumerate() {
        *place = (set & ((1 << square) - 1)).count_ones() as u8;
    }
    places
}

/// How many squares of a set are below one.
#[inline(always)]
fn below(set: u32, square: usize) -> usize {
    (set & ((1_u32 << square) - 1)).count_ones() as usize
}

#[inline(always)]
fn clear(bits: &mut [u8], at: usize) {
    bits[at >> 3] &= !(1 << (at & 7));
}
