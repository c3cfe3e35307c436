//! One pass by what the last one found: side 0 wins where a move leads to a new loss of side 1; where a
//! move of side 1 leads to a new win of side 0, all its moves are looked at.
//!
//! Rows are those of `pass.rs`. A pass takes back the moves that lead to what was found in its row, and the captures that
//! lead to what was found in rows with a piece fewer.

use crate::pass::frontier::{Entry, Frontier};
use crate::pass::recorder::{Observers, Recorder};
use crate::plane::packing::{BitSpan, line_begin_bit};
use crate::plane::plane::{BlockRef, Plane};
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::sets::{set_rank, squares};
use crate::space::subproblem::Subproblem;

/// What a pass looks at.
pub(crate) struct UnmovePass<'a> {
    pub(crate) tables: &'a BoardTables,
    pub(crate) subproblem: &'a Subproblem,
    /// [`Problem::moved`] of the side to move.
    pub(crate) block_after_move: &'a [u32],
    /// What was found where moves lead that capture nothing, and where captures lead.
    pub(crate) quiet: &'a Frontier,
    pub(crate) captured: Option<(&'a Frontier, &'a Subproblem)>,
    /// What side 0 has not won in both, if side 1 moves.
    pub(crate) wins: Option<(&'a Plane, Option<&'a Plane>)>,
    /// Who is told what is new.
    pub(crate) observers: Observers<'a>,
}

/// The blocks with the same followers of the side that does not move.
pub(crate) struct UnmoveRow<'a> {
    pub(crate) followers: u32,
    pub(crate) blocks: &'a mut [u8],
    /// Where side 0 moves: what is undecided of the same positions with the sides exchanged and side 1 to move.
    pub(crate) undecided: Option<&'a mut [u8]>,
}

/// What a thread needs, kept from row to row.
#[derive(Default)]
pub(crate) struct UnmoveScratch {
    /// What was found in the row, or in one with a piece fewer.
    entries: Vec<Entry>,
    /// For each block of the row where what side 0 has not won is, once that is known, if side 1 moves.
    wins: Vec<Option<BlockRef>>,
    hits: Vec<UnmovedLine>,
    candidates: Vec<UnmovedLine>,
}

/// So many words are asked for before the first of them is read.
const PREFETCH_BATCH: usize = 32;

/// Positions of a word of the row from which a move leads to something new.
#[derive(Clone, Copy)]
struct UnmovedLine {
    block: MoverBlock,
    lane: u16,
    line: u8,
    /// Where it begins in the blocks of the row: at which bit of which byte.
    bit: u8,
    byte: usize,
    /// The positions as they lie in the word.
    packed: u32,
}

/// Goes over a row; how many positions are new. `LOSSES` says whether side 1 is to move and loses.
#[inline(always)]
pub(crate) fn unmove_row<S: Simd, const LOSSES: bool>(
    simd: S,
    pass: &UnmovePass<'_>,
    row: UnmoveRow<'_>,
    scratch: &mut UnmoveScratch,
) -> u64 {
    if LOSSES {
        scratch.wins.clear();
        scratch.wins.resize(pass.subproblem.blocks_per_row(1), None);
    }
    let mut news = std::mem::take(&mut scratch.entries);
    let outside = pass.tables.board() & !row.followers;
    let mut worker = RowUnmover::<LOSSES> {
        pass,
        tables: pass.tables,
        open: outside,
        squares_below: count_below_each(outside),
        recorder: pass.observers.recorder(pass.tables, row.followers),
        row,
        scratch,
        count: 0,
    };
    worker.unmove_quiet(simd, &mut news);
    worker.uncapture(simd, &mut news);
    worker.check_hits(simd);
    worker.check_candidates(simd);
    worker.scratch.entries = news;
    worker.count
}

struct RowUnmover<'a, const LOSSES: bool> {
    pass: &'a UnmovePass<'a>,
    tables: &'a BoardTables,
    /// The squares without the followers of the side that does not move, and how many of these are below
    /// each square.
    open: u32,
    squares_below: [u8; 32],
    recorder: Recorder<'a, LOSSES>,
    row: UnmoveRow<'a>,
    scratch: &'a mut UnmoveScratch,
    count: u64,
}

/// A block of the row.
#[derive(Clone, Copy)]
struct MoverBlock {
    number: u32,
    /// The mover's followers.
    own: u32,
}

impl<const LOSSES: bool> RowUnmover<'_, LOSSES> {
    const MOVER: usize = LOSSES as usize;

    /// Takes back the moves that capture nothing.
    #[inline(always)]
    fn unmove_quiet<S: Simd>(&mut self, simd: S, news: &mut Vec<Entry>) {
        let UnmovePass {
            tables,
            block_after_move: moved,
            ..
        } = *self.pass;
        self.pass
            .quiet
            .read(set_rank(self.row.followers), |_| true, news);
        let beside = &self.pass.subproblem.sets_beside[Self::MOVER];
        let places = self.open.count_ones() as usize;
        for new in &*news {
            let number = new.block();
            let own = simd.deposit(beside[number].into(), self.open.into()) as u32;
            let block = MoverBlock {
                number: number as u32,
                own,
            };
            let group = tables.kind_of_lane[new.lane()];
            let moves = &tables.kinds[group].moves[Self::MOVER];
            let size = own.count_ones() as usize * places;
            let moved = &moved[number * size..(number + 1) * size];
            for (at, moved) in squares(own).zip(moved.chunks_exact(places)) {
                let rest = own & !(1 << at);
                for from in squares(moves.sources[at] & self.open & !rest & !(1 << new.line)) {
                    let before = MoverBlock {
                        number: moved[usize::from(self.squares_below[from])],
                        own: rest | 1 << from,
                    };
                    self.push_hits(simd, before, new, new.line(), new.bits & !(1 << from));
                }
            }
            if LOSSES {
                let steps = moves.translations.iter();
                let bits = steps.fold(0, |all, step| all | step.sources_of(new.bits));
                self.push_hits(simd, block, new, new.line(), bits);
            } else {
                for from in squares(moves.sources[new.line()] & self.open & !own) {
                    self.push_hits(simd, block, new, from, new.bits & !(1 << from));
                }
            }
            if self.pass.subproblem.may_be_stuck(tables, Self::MOVER, own) {
                self.unmove_stuck_turns(simd, block, new);
            }
        }
    }

    /// Takes back turns in which only the context changes.
    #[inline(always)]
    fn unmove_stuck_turns<S: Simd>(&mut self, simd: S, block: MoverBlock, new: &Entry) {
        for &lane in &self.tables.prev_lanes[Self::MOVER][new.lane()] {
            let stuck = self.tables.stuck_leaders(Self::MOVER, block.own, lane);
            let bits = if LOSSES {
                new.bits & stuck
            } else {
                new.bits & (stuck >> new.line & 1).wrapping_neg()
            };
            self.push_hits_in_lanes(simd, block, &[lane], new.line(), bits);
        }
    }

    /// Takes back captures.
    #[inline(always)]
    fn uncapture<S: Simd>(&mut self, simd: S, news: &mut Vec<Entry>) {
        let UnmovePass { tables, .. } = *self.pass;
        let Some((listed, fewer)) = self.pass.captured else {
            return;
        };
        for at in squares(self.row.followers) {
            let left = self.row.followers & !(1 << at);
            let outside = tables.board() & !left;
            let sets = &fewer.sets_beside[Self::MOVER];
            // The captured piece's square among those that the mover's followers are counted in.
            let place = (outside & ((1 << at) - 1)).count_ones();
            // The leader of side 1 is a bit of the word, which may have others.
            let by_leader = |new: &Entry| if LOSSES { new.bits } else { 1 << new.line };
            let captures =
                |new: &Entry| (sets[new.block()] >> place | by_leader(new) >> at) & 1 == 1;
            listed.read(set_rank(left), captures, news);
            for new in &*news {
                let own = simd.deposit(sets[new.block()].into(), outside.into()) as u32;
                let group = tables.kind_of_lane[new.lane()];
                let sources = tables.kinds[group].moves[Self::MOVER].sources[at] & self.open;
                if own >> at & 1 == 1 {
                    let rest = own & !(1 << at);
                    for from in squares(sources & !rest & !(1 << new.line)) {
                        let block = self.block(simd, rest | 1 << from);
                        self.push_hits(simd, block, new, new.line(), new.bits & !(1 << from));
                    }
                } else if LOSSES {
                    let block = self.block(simd, own);
                    self.push_hits(simd, block, new, new.line(), sources);
                } else {
                    let block = self.block(simd, own);
                    for from in squares(sources & !own) {
                        self.push_hits(simd, block, new, from, new.bits & !(1 << from));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, own: u32) -> MoverBlock {
        let number = set_rank(simd.extract(own.into(), self.open.into()) as u32) as u32;
        MoverBlock { number, own }
    }

    /// A move leads from some positions of a row, in each lane from which it can be made, to something new.
    #[inline(always)]
    fn push_hits<S: Simd>(
        &mut self,
        simd: S,
        block: MoverBlock,
        new: &Entry,
        row: usize,
        bits: u32,
    ) {
        let lanes = &self.tables.prev_lanes[Self::MOVER][new.lane()];
        self.push_hits_in_lanes(simd, block, lanes, row, bits);
    }

    /// The same in some lanes.
    #[inline(always)]
    fn push_hits_in_lanes<S: Simd>(
        &mut self,
        simd: S,
        block: MoverBlock,
        lanes: &[usize],
        row: usize,
        bits: u32,
    ) {
        let free = self.open & !block.own;
        let Subproblem {
            block_bytes: stride,
            lane_bytes: bytes,
            ..
        } = *self.pass.subproblem;
        let packed = simd.extract(bits.into(), free.into()) as u32;
        let bit = line_begin_bit(free, row);
        let begin = block.number as usize * stride + (bit >> 3);
        for &lane in lanes {
            let byte = begin + lane * bytes;
            simd.prefetch_line(self.row.blocks, byte);
            self.scratch.hits.push(UnmovedLine {
                block,
                lane: lane as u16,
                line: row as u8,
                bit: (bit & 7) as u8,
                byte,
                packed,
            });
        }
        if self.scratch.hits.len() >= PREFETCH_BATCH {
            self.check_hits(simd);
        }
    }

    /// Looks at what moves lead from.
    #[inline(always)]
    fn check_hits<S: Simd>(&mut self, simd: S) {
        let mut hits = std::mem::take(&mut self.scratch.hits);
        for hit in &mut hits {
            hit.packed &= hit.word(self.row.blocks).bits(self.row.blocks) as u32;
            if hit.packed == 0 {
                continue;
            }
            if LOSSES {
                self.prefetch_leader_moves(simd, hit);
                self.scratch.candidates.push(*hit);
            } else {
                self.record_decided(simd, hit);
            }
        }
        hits.clear();
        self.scratch.hits = hits;
        if self.scratch.candidates.len() >= PREFETCH_BATCH {
            self.check_candidates(simd);
        }
    }

    /// Looks where all moves of positions lead that may be lost.
    #[inline(always)]
    fn check_candidates<S: Simd>(&mut self, simd: S) {
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        for hit in &mut candidates {
            let maybe = hit.positions(simd, self.open);
            let mut lost = maybe & !self.leader_escapes(simd, hit);
            if lost != 0 {
                lost &= !self.other_escapes(simd, hit, lost);
            }
            if lost != 0 {
                hit.keep(simd, self.open, lost);
                self.record_decided(simd, hit);
            }
        }
        candidates.clear();
        self.scratch.candidates = candidates;
    }

    /// Takes down what is new of the positions of a word; they may have been looked at twice.
    #[inline(always)]
    fn record_decided<S: Simd>(&mut self, simd: S, hit: &UnmovedLine) {
        let word = hit.word(self.row.blocks);
        let packed = word.bits(self.row.blocks) & u64::from(hit.packed);
        word.clear(self.row.blocks, packed);
        let free = self.open & !hit.block.own;
        let new = simd.deposit(packed, free.into()) as u32;
        self.count += u64::from(new.count_ones());
        self.record_line(simd, hit.block, hit.lane.into(), hit.line.into(), new);
    }

    /// Takes new positions of a word down.
    #[inline(always)]
    fn record_line<S: Simd>(
        &mut self,
        simd: S,
        block: MoverBlock,
        lane: usize,
        row: usize,
        new: u32,
    ) {
        let Subproblem {
            block_bytes: stride,
            lane_bytes: bytes,
            ..
        } = *self.pass.subproblem;
        let free = self.open & !block.own;
        let len = free.count_ones() as usize;
        let row_below = count_below(free, row);
        if let Some(undecided) = &mut self.row.undecided {
            let tables = self.tables;
            let (turned, major) = (
                tables.half_turn(block.own),
                tables.half_turn(self.row.followers),
            );
            let beside = simd.extract(turned.into(), (tables.board() & !major).into());
            let lane = set_rank(beside as u32) * stride + tables.exchanged_lane[lane] * bytes;
            let lane = &mut undecided[lane..][..bytes];
            for bit in squares(new) {
                clear_bit(
                    lane,
                    (len - 1 - count_below(free, bit)) * len + len - 1 - row_below,
                );
            }
        }
        if self.recorder.is_active() {
            let spot = self.recorder.slot(simd, block.own);
            self.recorder.record_line(spot, block.own, lane, row, new);
        }
    }

    /// Where what side 0 has not won of a block of the row is.
    #[inline(always)]
    fn wins_block<S: Simd>(&mut self, simd: S, wins: &Plane, block: MoverBlock) -> BlockRef {
        if let Some(place) = self.scratch.wins[block.number as usize] {
            return place;
        }
        let place = wins.block_of(simd, self.tables, [self.row.followers, block.own]);
        self.scratch.wins[block.number as usize] = Some(place);
        place
    }

    /// What side 0 has not won in a row of a lane of a block that captures lead to.
    #[inline(always)]
    fn wins_line_after_capture<S: Simd>(
        &self,
        simd: S,
        wins: &Plane,
        followers: [u32; 2],
        lane: usize,
        row: usize,
    ) -> u32 {
        let free = self.tables.board() & !(followers[0] | followers[1]);
        let place = wins.block_of(simd, self.tables, followers);
        place.line(simd, (self.tables, wins), free, lane, row)
    }

    /// What side 0 has not won in a row of a lane of a block of this row.
    #[inline(always)]
    fn wins_line<S: Simd>(
        &mut self,
        simd: S,
        wins: &Plane,
        block: MoverBlock,
        lane: usize,
        row: usize,
    ) -> u32 {
        let free = self.open & !block.own;
        let place = self.wins_block(simd, wins, block);
        place.line(simd, (self.tables, wins), free, lane, row)
    }

    /// Asks for what [`Self::led_out`] reads.
    #[inline(always)]
    fn prefetch_leader_moves<S: Simd>(&mut self, simd: S, hit: &UnmovedLine) {
        let Some((inside, _)) = self.pass.wins else {
            return;
        };
        let free = self.open & !hit.block.own;
        let place = self.wins_block(simd, inside, hit.block);
        for &next in &self.tables.next_lanes[Self::MOVER][usize::from(hit.lane)] {
            place.prefetch_line(simd, (self.tables, inside), free, next, hit.line.into());
        }
    }

    /// Which of some positions of a word have a move of the leader to a square without a piece, or only a turn, to a
    /// position that side 0 has not won: all that do, and perhaps others.
    #[inline(always)]
    fn leader_escapes<S: Simd>(&mut self, simd: S, hit: &UnmovedLine) -> u32 {
        let (tables, block) = (self.tables, hit.block);
        let Some((inside, _)) = self.pass.wins else {
            return 0;
        };
        let tight = self
            .pass
            .subproblem
            .may_be_stuck(tables, Self::MOVER, block.own);
        let mut not_lost = 0;
        for &next in &tables.next_lanes[Self::MOVER][usize::from(hit.lane)] {
            let here = self.wins_line(simd, inside, block, next, hit.line.into());
            for step in &tables.kinds[tables.kind_of_lane[next]].moves[Self::MOVER].translations {
                not_lost |= step.sources_of(here);
            }
            if tight {
                not_lost |= here & tables.stuck_leaders(Self::MOVER, block.own, hit.lane.into());
            }
        }
        not_lost
    }

    /// Which of some positions of a word have another move to a position that side 0 has not won: all that do, and perhaps
    /// others.
    #[inline(always)]
    fn other_escapes<S: Simd>(&mut self, simd: S, hit: &UnmovedLine, candidates: u32) -> u32 {
        let (pass, tables, other, block) = (self.pass, self.tables, self.row.followers, hit.block);
        let (lane, row) = (usize::from(hit.lane), usize::from(hit.line));
        let Some((inside, captured)) = pass.wins else {
            return 0;
        };
        let mut not_lost = 0;
        let places = self.open.count_ones() as usize;
        let size = block.own.count_ones() as usize * places;
        let moved = &pass.block_after_move[block.number as usize * size..][..size];
        for &next in &tables.next_lanes[Self::MOVER][lane] {
            let moves = &tables.kinds[tables.kind_of_lane[next]].moves[Self::MOVER];
            for (from, moved) in squares(block.own).zip(moved.chunks_exact(places)) {
                let rest = block.own & !(1 << from);
                let targets = moves.targets[from] & !rest & !(1 << row);
                for to in squares(targets & self.open) {
                    let after = MoverBlock {
                        number: moved[usize::from(self.squares_below[to])],
                        own: rest | 1 << to,
                    };
                    not_lost |= self.wins_line(simd, inside, after, next, row);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
                let Some(fewer) = captured else { continue };
                for to in squares(targets & other) {
                    let after = [other & !(1 << to), rest | 1 << to];
                    not_lost |= self.wins_line_after_capture(simd, fewer, after, next, row);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
            }
            let Some(fewer) = captured else { continue };
            for to in squares(other) {
                if moves.sources[to] & candidates & !not_lost != 0 {
                    let left = [other & !(1 << to), block.own];
                    let word = self.wins_line_after_capture(simd, fewer, left, next, row);
                    not_lost |= moves.sources[to] & (word >> to & 1).wrapping_neg();
                }
            }
        }
        not_lost
    }
}

impl UnmovedLine {
    #[inline(always)]
    fn word(&self, blocks: &[u8]) -> BitSpan {
        BitSpan::at(blocks, self.byte, self.bit.into())
    }

    /// The positions, in a row without the followers of the side that does not move.
    #[inline(always)]
    fn positions<S: Simd>(&self, simd: S, outside: u32) -> u32 {
        simd.deposit(self.packed.into(), (outside & !self.block.own).into()) as u32
    }

    #[inline(always)]
    fn keep<S: Simd>(&mut self, simd: S, outside: u32, positions: u32) {
        self.packed = simd.extract(positions.into(), (outside & !self.block.own).into()) as u32;
    }
}

/// How many squares of a set are below each square.
#[inline(always)]
fn count_below_each(set: u32) -> [u8; 32] {
    let mut places = [0; 32];
    for (square, place) in places.iter_mut().enumerate() {
        *place = (set & ((1 << square) - 1)).count_ones() as u8;
    }
    places
}

/// How many squares of a set are below one.
#[inline(always)]
fn count_below(set: u32, square: usize) -> usize {
    (set & ((1_u32 << square) - 1)).count_ones() as usize
}

#[inline(always)]
fn clear_bit(bits: &mut [u8], at: usize) {
    bits[at >> 3] &= !(1 << (at & 7));
}
