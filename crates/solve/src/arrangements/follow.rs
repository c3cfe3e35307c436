//! One pass by what the last one found: side 0 wins where a move leads to a new loss of side 1; where a
//! move of side 1 leads to a new win of side 0, all its moves are looked at.
//!
//! Rows are those of `pass.rs`. A pass takes back the moves that lead to what was found in its row, and the captures that
//! lead to what was found in rows with a piece fewer.

use super::cpu::Cpu;
use super::news::{Listed, News};
use super::notes::{Listeners, Notes, Spot};
use super::pack::{self, bit_of};
use super::plane::{Place, Plane};
use super::shape::{Frame, Problem, rank, squares};

/// What a pass looks at.
pub(super) struct Follow<'a> {
    pub(super) frame: &'a Frame,
    pub(super) problem: &'a Problem,
    /// [`Problem::moved`] of the side to move.
    pub(super) moved: &'a [u32],
    /// What was found where moves lead that capture nothing, and where captures lead.
    pub(super) inside: &'a Listed,
    pub(super) captured: Option<(&'a Listed, &'a Problem)>,
    /// What side 0 has not won in both, if side 1 moves.
    pub(super) wins: Option<(&'a Plane, Option<&'a Plane>)>,
    /// Who is told what is new.
    pub(super) listeners: Listeners<'a>,
}

/// The blocks with the same followers of the side that does not move.
pub(super) struct FollowRow<'a> {
    pub(super) followers: u32,
    pub(super) blocks: &'a mut [u8],
    /// Where side 0 moves: what is undecided of the same positions with the sides exchanged and side 1 to move.
    pub(super) undecided: Option<&'a mut [u8]>,
}

/// What a thread needs, kept from row to row.
#[derive(Default)]
pub(super) struct FollowScratch {
    /// What was found in the row, or in one with a piece fewer.
    news: Vec<News>,
    /// For each block of the row where it is found, once that is known.
    known: Vec<Option<Known>>,
}

/// Where a block is found.
#[derive(Clone, Copy)]
struct Known {
    spot: Spot,
    /// With the sides exchanged, its number among those with the same followers of side 0.
    twin: u32,
    /// What side 0 has not won, if side 1 moves.
    wins: Option<Place>,
}

/// Goes over a row; how many positions are new. `LOSSES` says whether side 1 is to move and loses.
#[inline(always)]
pub(super) fn follow<C: Cpu, const LOSSES: bool>(
    pass: &Follow<'_>,
    row: FollowRow<'_>,
    scratch: &mut FollowScratch,
) -> u64 {
    scratch.known.clear();
    let blocks = pass.problem.row(usize::from(LOSSES));
    scratch.known.resize(blocks, None);
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
    worker.moves_back::<C>(&mut news);
    worker.captures_back::<C>(&mut news);
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
    number: usize,
    /// The mover's followers.
    own: u32,
}

impl<const LOSSES: bool> Worker<'_, LOSSES> {
    const MOVER: usize = LOSSES as usize;

    /// Takes back the moves that capture nothing.
    #[inline(always)]
    fn moves_back<C: Cpu>(&mut self, news: &mut Vec<News>) {
        let Follow { frame, moved, .. } = *self.pass;
        self.pass
            .inside
            .read(rank(self.row.followers), |_| true, news);
        let beside = &self.pass.problem.sets_beside[Self::MOVER];
        let places = self.outside.count_ones() as usize;
        for new in &*news {
            let number = new.block();
            let own = C::deposit(beside[number].into(), self.outside.into()) as u32;
            let block = Block { number, own };
            let group = frame.group_of[new.lane()];
            let moves = &frame.groups[group].moves[Self::MOVER];
            let size = own.count_ones() as usize * places;
            let moved = &moved[number * size..(number + 1) * size];
            for (at, moved) in squares(own).zip(moved.chunks_exact(places)) {
                let rest = own & !(1 << at);
                for from in squares(moves.sources[at] & self.outside & !rest & !(1 << new.row)) {
                    let before = Block {
                        number: moved[usize::from(self.places[from])] as usize,
                        own: rest | 1 << from,
                    };
                    self.hit::<C>(before, new, new.row(), new.bits & !(1 << from));
                }
            }
            if LOSSES {
                let steps = moves.steps.iter();
                let bits = steps.fold(0, |all, step| all | step.back(new.bits));
                self.hit::<C>(block, new, new.row(), bits);
            } else {
                for from in squares(moves.sources[new.row()] & self.outside & !own) {
                    self.hit::<C>(block, new, from, new.bits & !(1 << from));
                }
            }
            if self.pass.problem.may_be_stuck(frame, Self::MOVER, own) {
                self.turns_back::<C>(block, new);
            }
        }
    }

    /// Takes back turns in which only the context changes.
    #[inline(always)]
    fn turns_back<C: Cpu>(&mut self, block: Block, new: &News) {
        for &lane in &self.frame.prev[Self::MOVER][new.lane()] {
            let stuck = self.frame.stuck_in(Self::MOVER, block.own, lane);
            let bits = if LOSSES {
                new.bits & stuck
            } else {
                new.bits & (stuck >> new.row & 1).wrapping_neg()
            };
            self.hit_in::<C>(block, &[lane], new.row(), bits);
        }
    }

    /// Takes back captures.
    #[inline(always)]
    fn captures_back<C: Cpu>(&mut self, news: &mut Vec<News>) {
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
                let own = C::deposit(sets[new.block()].into(), outside.into()) as u32;
                let group = frame.group_of[new.lane()];
                let sources = frame.groups[group].moves[Self::MOVER].sources[at] & self.outside;
                if own >> at & 1 == 1 {
                    let rest = own & !(1 << at);
                    for from in squares(sources & !rest & !(1 << new.row)) {
                        let block = self.block::<C>(rest | 1 << from);
                        self.hit::<C>(block, new, new.row(), new.bits & !(1 << from));
                    }
                } else if LOSSES {
                    let block = self.block::<C>(own);
                    self.hit::<C>(block, new, new.row(), sources);
                } else {
                    let block = self.block::<C>(own);
                    for from in squares(sources & !own) {
                        self.hit::<C>(block, new, from, new.bits & !(1 << from));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn block<C: Cpu>(&self, own: u32) -> Block {
        let number = rank(C::extract(own.into(), self.outside.into()) as u32);
        Block { number, own }
    }

    /// A move leads from some positions of a row, in each lane from which it can be made, to something new.
    #[inline(always)]
    fn hit<C: Cpu>(&mut self, block: Block, new: &News, row: usize, bits: u32) {
        let lanes = &self.frame.prev[Self::MOVER][new.lane()];
        self.hit_in::<C>(block, lanes, row, bits);
    }

    /// The same in some lanes.
    #[inline(always)]
    fn hit_in<C: Cpu>(&mut self, block: Block, lanes: &[usize], row: usize, bits: u32) {
        let free = self.outside & !block.own;
        let Problem { stride, bytes, .. } = *self.pass.problem;
        let packed = C::extract(bits.into(), free.into());
        let bit = bit_of(free, row);
        let begin = block.number * stride + (bit >> 3);
        for &lane in lanes {
            let word = pack::Word::at(self.row.blocks, begin + lane * bytes, bit & 7);
            let hit = word.bits(self.row.blocks) & packed;
            if hit == 0 {
                continue;
            }
            let mut new = C::deposit(hit, free.into()) as u32;
            if LOSSES {
                new &= !self.not_lost::<C>(block, lane, row, new);
                if new == 0 {
                    continue;
                }
            }
            word.clear(self.row.blocks, C::extract(new.into(), free.into()));
            self.count += u64::from(new.count_ones());
            self.note::<C>(block, lane, row, new);
        }
    }

    /// Takes new positions of a word down.
    #[inline(always)]
    fn note<C: Cpu>(&mut self, block: Block, lane: usize, row: usize, new: u32) {
        let Problem { stride, bytes, .. } = *self.pass.problem;
        let free = self.outside & !block.own;
        let len = free.count_ones() as usize;
        let known = self.known::<C>(block);
        let row_below = below(free, row);
        if let Some(undecided) = &mut self.row.undecided {
            let lane = known.twin as usize * stride + self.frame.exchanged[lane] * bytes;
            let lane = &mut undecided[lane..][..bytes];
            for bit in squares(new) {
                clear(
                    lane,
                    (len - 1 - below(free, bit)) * len + len - 1 - row_below,
                );
            }
        }
        self.notes.take(known.spot, block.own, lane, row, new);
    }

    /// Where a block of the row is found.
    #[inline(always)]
    fn known<C: Cpu>(&mut self, block: Block) -> Known {
        if let Some(known) = self.scratch.known[block.number] {
            return known;
        }
        let (frame, own, other) = (self.frame, block.own, self.row.followers);
        let [turned, major] = [own, other].map(|set| frame.turned(set));
        let beside = C::extract(turned.into(), (frame.board() & !major).into());
        let wins = self.pass.wins;
        let known = Known {
            spot: self.notes.spot::<C>(own),
            twin: rank(beside as u32) as u32,
            wins: wins.map(|(wins, _)| wins.find::<C>(frame, [other, own])),
        };
        self.scratch.known[block.number] = Some(known);
        known
    }

    /// What side 0 has not won in a row of a lane of a block that captures lead to.
    #[inline(always)]
    fn led_to<C: Cpu>(&self, wins: &Plane, followers: [u32; 2], lane: usize, row: usize) -> u32 {
        let free = self.frame.board() & !(followers[0] | followers[1]);
        let place = wins.find::<C>(self.frame, followers);
        place.word::<C>((self.frame, wins), free, lane, row)
    }

    /// What side 0 has not won in a row of a lane of a block of this row.
    #[inline(always)]
    fn word<C: Cpu>(&mut self, wins: &Plane, block: Block, lane: usize, row: usize) -> u32 {
        let place = self.known::<C>(block).wins.expect("side 1 moves");
        place.word::<C>((self.frame, wins), self.outside & !block.own, lane, row)
    }

    /// Which of some positions of a word have a move to a position that side 0 has not won: all that do, and perhaps
    /// others that are not asked for.
    #[inline(always)]
    fn not_lost<C: Cpu>(&mut self, block: Block, lane: usize, row: usize, candidates: u32) -> u32 {
        let (pass, frame, other, own) = (self.pass, self.frame, self.row.followers, block.own);
        let Some((inside, captured)) = pass.wins else {
            return candidates;
        };
        let mut not_lost = 0;
        for &next in &frame.next[Self::MOVER][lane] {
            let moves = &frame.groups[frame.group_of[next]].moves[Self::MOVER];
            let here = self.word::<C>(inside, block, next, row);
            for step in &moves.steps {
                not_lost |= step.back(here);
            }
            if candidates & !not_lost == 0 {
                return not_lost;
            }
        }
        let places = self.outside.count_ones() as usize;
        let size = own.count_ones() as usize * places;
        let moved = &pass.moved[block.number * size..(block.number + 1) * size];
        for &next in &frame.next[Self::MOVER][lane] {
            let moves = &frame.groups[frame.group_of[next]].moves[Self::MOVER];
            for (from, moved) in squares(own).zip(moved.chunks_exact(places)) {
                let rest = own & !(1 << from);
                let targets = moves.targets[from] & !rest & !(1 << row);
                for to in squares(targets & self.outside) {
                    let after = Block {
                        number: moved[usize::from(self.places[to])] as usize,
                        own: rest | 1 << to,
                    };
                    not_lost |= self.word::<C>(inside, after, next, row);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
                let Some(fewer) = captured else { continue };
                for to in squares(targets & other) {
                    let after = [other & !(1 << to), rest | 1 << to];
                    not_lost |= self.led_to::<C>(fewer, after, next, row);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
            }
            let Some(fewer) = captured else { continue };
            for to in squares(other) {
                if moves.sources[to] & candidates & !not_lost != 0 {
                    let word = self.led_to::<C>(fewer, [other & !(1 << to), own], next, row);
                    not_lost |= moves.sources[to] & (word >> to & 1).wrapping_neg();
                }
            }
        }
        if pass.problem.may_be_stuck(frame, Self::MOVER, own) {
            let stuck = frame.stuck_in(Self::MOVER, own, lane);
            for &next in &frame.next[Self::MOVER][lane] {
                not_lost |= stuck & self.word::<C>(inside, block, next, row);
            }
        }
        not_lost
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
