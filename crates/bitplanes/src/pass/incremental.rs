//! An incremental pass: moves are taken back from the frontier of the last pass.
//!
//! A position of side 0 with a move to a new loss of side 1 is won. A position of side 1 with a
//! move to a new win of side 0 is a candidate: it is lost if all its moves lead to wins of side 0.
//!
//! A row is handled as in a sweep (`sweep.rs`). Quiet moves are taken back from the frontier
//! entries of the row, captures from those of rows with a follower fewer.

use crate::decided::new_bits::NewBits;
use crate::pass::frontier::{Entry, Frontier};
use crate::pass::recorder::{Observers, Recorder};
use crate::pass::unmoved_line::{MoverBlock, UnmovedLine};
use crate::plane::packing::line_begin_bit;
use crate::plane::plane::{BlockRef, LineRef, Plane};
use crate::simd::token::{Kernel, Simd};
use crate::space::board_tables::BoardTables;
use crate::space::sets::{count_below, count_below_each, set_rank, squares};
use crate::space::subproblem::Subproblem;

/// Frontiers and planes that a pass reads, for one subproblem.
pub(crate) struct UnmovePass<'a> {
    /// Rules of the game, tabulated.
    pub(crate) tables: &'a BoardTables,
    /// Subproblem whose positions are decided.
    pub(crate) subproblem: &'a Subproblem,
    /// [`Subproblem::block_after_move`] of the mover.
    pub(crate) block_after_move: &'a [u32],
    /// Frontier of the same subproblem: targets of quiet moves.
    pub(crate) quiet: &'a Frontier,
    /// Frontier with a follower fewer: targets of captures.
    pub(crate) captured: Option<CaptureFrontier<'a>>,
    /// Planes with side 0 to move, if side 1 moves. A bit of W is 1 until side 0 has won. A bit of
    /// an undecided plane (out of core) is 1 while the position is undecided.
    ///
    /// Either serves: no undecided position has a move to a position that side 0 has lost.
    pub(crate) not_won: Option<SuccessorPlanes<'a>>,
    /// Observers of the positions decided.
    pub(crate) observers: Observers<'a>,
}

/// Frontier of the subproblem after a capture.
#[derive(Clone, Copy)]
pub(crate) struct CaptureFrontier<'a> {
    pub(crate) frontier: &'a Frontier,
    pub(crate) subproblem: &'a Subproblem,
}

/// Planes that moves lead to.
#[derive(Clone, Copy)]
pub(crate) struct SuccessorPlanes<'a> {
    /// Plane of the same subproblem: targets of quiet moves.
    pub(crate) quiet: &'a Plane,
    /// Plane of the subproblem with a follower fewer: targets of captures.
    pub(crate) captured: Option<&'a Plane>,
}

/// A row of W or of an undecided plane, from which decided positions are removed.
pub(crate) struct UnmoveRow<'a> {
    /// Followers of the side that does not move.
    pub(crate) followers: u32,
    pub(crate) blocks: &'a mut [u8],
    /// In a solve in memory, if side 0 moves: the row of the exchanged positions in the undecided
    /// plane. Positions that are won are removed from it as well.
    pub(crate) undecided: Option<&'a mut [u8]>,
}

/// Memory of a thread, kept from row to row.
#[derive(Default)]
pub(crate) struct UnmoveScratch {
    /// Frontier entries of the row, or of one with a follower fewer.
    entries: Vec<Entry>,
    /// If side 1 moves: block of `not_won.quiet` for each block of the row, once it is known.
    not_won_blocks: Vec<Option<BlockRef>>,
    /// Lines that are prefetched and not checked yet.
    hits: Vec<UnmovedLine>,
    /// Lines with undecided positions of side 1, which may be lost.
    candidates: Vec<UnmovedLine>,
    /// New bits of the row, if they are observed.
    pub(crate) new_bits: NewBits,
}

/// Number of lines that are prefetched before the first of them is read.
const PREFETCH_BATCH: usize = 32;

/// Takes moves back to a row; returns the number of positions decided.
///
/// `LOSSES` is true if side 1 is to move and loses, false if side 0 is to move and wins.
#[inline(always)]
pub(crate) fn unmove_row<S: Simd, const LOSSES: bool>(
    simd: S,
    pass: &UnmovePass<'_>,
    row: UnmoveRow<'_>,
    scratch: &mut UnmoveScratch,
) -> u64 {
    if LOSSES {
        scratch.not_won_blocks.clear();
        scratch.not_won_blocks.resize(pass.subproblem.blocks_per_row(1), None);
    }
    if pass.observers.observer.is_some() {
        scratch.new_bits.begin(row.blocks.len());
    }
    let mut entries = std::mem::take(&mut scratch.entries);
    let open = pass.tables.board() & !row.followers;
    let mut worker = RowUnmover::<LOSSES> {
        pass,
        tables: pass.tables,
        open,
        squares_below: count_below_each(open),
        recorder: pass.observers.recorder(pass.tables, row.followers),
        row,
        scratch,
        count: 0,
    };
    worker.unmove_quiet(simd, &mut entries);
    worker.uncapture(simd, &mut entries);
    simd.call(CheckHits(&mut worker));
    simd.call(CheckCandidates(&mut worker));
    worker.scratch.entries = entries;
    worker.count
}

/// State of an incremental pass over one row.
struct RowUnmover<'a, const LOSSES: bool> {
    pass: &'a UnmovePass<'a>,
    tables: &'a BoardTables,
    /// Squares without followers of the side that does not move.
    open: u32,
    /// Number of open squares below each square.
    squares_below: [u8; 32],
    recorder: Recorder<'a, LOSSES>,
    row: UnmoveRow<'a>,
    scratch: &'a mut UnmoveScratch,
    /// Positions decided so far.
    count: u64,
}

impl<const LOSSES: bool> RowUnmover<'_, LOSSES> {
    const MOVER: usize = LOSSES as usize;

    /// Takes quiet moves back from the frontier entries of the row.
    #[inline(always)]
    fn unmove_quiet<S: Simd>(&mut self, simd: S, entries: &mut Vec<Entry>) {
        let UnmovePass { tables, block_after_move, .. } = *self.pass;
        self.pass.quiet.read(set_rank(self.row.followers), |_| true, entries);
        let beside = &self.pass.subproblem.sets_beside[Self::MOVER];
        let open = self.open.count_ones() as usize;
        for entry in &*entries {
            let number = entry.block();
            let own = simd.deposit(beside[number].into(), self.open.into()) as u32;
            let block = MoverBlock { number: number as u32, own };
            let kind = tables.kind_of_lane[entry.lane()];
            let moves = &tables.kinds[kind].moves[Self::MOVER];
            let size = own.count_ones() as usize * open;
            let blocks_before = &block_after_move[number * size..(number + 1) * size];
            for (at, blocks_before) in squares(own).zip(blocks_before.chunks_exact(open)) {
                let rest = own & !(1 << at);
                for from in squares(moves.sources[at] & self.open & !rest & !(1 << entry.line)) {
                    let before = MoverBlock {
                        number: blocks_before[usize::from(self.squares_below[from])],
                        own: rest | 1 << from,
                    };
                    self.push_hits(simd, before, entry, entry.line(), entry.bits & !(1 << from));
                }
            }
            if LOSSES {
                let translations = moves.translations.iter();
                let bits = translations
                    .fold(0, |all, translation| all | translation.sources_of(entry.bits));
                self.push_hits(simd, block, entry, entry.line(), bits);
            } else {
                for from in squares(moves.sources[entry.line()] & self.open & !own) {
                    self.push_hits(simd, block, entry, from, entry.bits & !(1 << from));
                }
            }
            if self.pass.subproblem.may_be_stuck(tables, Self::MOVER, own) {
                self.unmove_stuck_turns(simd, block, entry);
            }
        }
    }

    /// Takes back turns of a mover that is stuck, in which the context alone changes.
    #[inline(always)]
    fn unmove_stuck_turns<S: Simd>(&mut self, simd: S, block: MoverBlock, entry: &Entry) {
        for &lane in &self.tables.prev_lanes[Self::MOVER][entry.lane()] {
            let stuck = self.tables.stuck_leaders(Self::MOVER, block.own, lane);
            let bits = if LOSSES {
                entry.bits & stuck
            } else {
                entry.bits & (stuck >> entry.line & 1).wrapping_neg()
            };
            self.push_hits_in_lanes(simd, block, &[lane], entry.line(), bits);
        }
    }

    /// Takes captures back from frontier entries with a follower fewer.
    #[inline(always)]
    fn uncapture<S: Simd>(&mut self, simd: S, entries: &mut Vec<Entry>) {
        let UnmovePass { tables, .. } = *self.pass;
        let Some(captured) = self.pass.captured else {
            return;
        };
        for at in squares(self.row.followers) {
            let left = self.row.followers & !(1 << at);
            let open = tables.board() & !left;
            let sets = &captured.subproblem.sets_beside[Self::MOVER];
            // Index of the captured follower's square among the squares of the entry's sets.
            let index = (open & ((1 << at) - 1)).count_ones();
            // Side 1's leader is a bit of the line, which may have other bits; side 0's is the
            // line.
            let by_leader = |entry: &Entry| if LOSSES { entry.bits } else { 1 << entry.line };
            let captures =
                |entry: &Entry| (sets[entry.block()] >> index | by_leader(entry) >> at) & 1 == 1;
            captured.frontier.read(set_rank(left), captures, entries);
            for entry in &*entries {
                let own = simd.deposit(sets[entry.block()].into(), open.into()) as u32;
                let kind = tables.kind_of_lane[entry.lane()];
                let sources = tables.kinds[kind].moves[Self::MOVER].sources[at] & self.open;
                if own >> at & 1 == 1 {
                    let rest = own & !(1 << at);
                    for from in squares(sources & !rest & !(1 << entry.line)) {
                        let block = self.block(simd, rest | 1 << from);
                        self.push_hits(simd, block, entry, entry.line(), entry.bits & !(1 << from));
                    }
                } else if LOSSES {
                    let block = self.block(simd, own);
                    self.push_hits(simd, block, entry, entry.line(), sources);
                } else {
                    let block = self.block(simd, own);
                    for from in squares(sources & !own) {
                        self.push_hits(simd, block, entry, from, entry.bits & !(1 << from));
                    }
                }
            }
        }
    }

    /// The block of the row with these followers of the mover.
    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, own: u32) -> MoverBlock {
        let number = set_rank(simd.extract(own.into(), self.open.into()) as u32) as u32;
        MoverBlock { number, own }
    }

    /// Lists positions of a line with a move to an entry, in each lane that the move can come from.
    #[inline(always)]
    fn push_hits<S: Simd>(
        &mut self,
        simd: S,
        block: MoverBlock,
        entry: &Entry,
        line: usize,
        bits: u32,
    ) {
        let lanes = &self.tables.prev_lanes[Self::MOVER][entry.lane()];
        self.push_hits_in_lanes(simd, block, lanes, line, bits);
    }

    /// As [`Self::push_hits`], in the given lanes. `bits` are in board order.
    #[inline(always)]
    fn push_hits_in_lanes<S: Simd>(
        &mut self,
        simd: S,
        block: MoverBlock,
        lanes: &[usize],
        line: usize,
        bits: u32,
    ) {
        let free = self.open & !block.own;
        let Subproblem { block_bytes, lane_bytes, .. } = *self.pass.subproblem;
        let packed = simd.extract(bits.into(), free.into()) as u32;
        let bit = line_begin_bit(free, line);
        let begin = block.number as usize * block_bytes + (bit >> 3);
        for &lane in lanes {
            let byte = begin + lane * lane_bytes;
            simd.prefetch_line(self.row.blocks, byte);
            self.scratch.hits.push(UnmovedLine {
                block,
                lane: lane as u16,
                line: line as u8,
                bit: (bit & 7) as u8,
                byte,
                packed,
            });
        }
        if self.scratch.hits.len() >= PREFETCH_BATCH {
            simd.call(CheckHits(self));
        }
    }

    /// Keeps the undecided positions of the hits: wins are recorded, the rest become candidates.
    #[inline(always)]
    fn check_hits<S: Simd>(&mut self, simd: S) {
        let mut hits = std::mem::take(&mut self.scratch.hits);
        for hit in &mut hits {
            hit.packed &= hit.span(self.row.blocks).bits(self.row.blocks) as u32;
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
            simd.call(CheckCandidates(self));
        }
    }

    /// Records those positions of the candidate lines whose moves all lead to wins of side 0.
    #[inline(always)]
    fn check_candidates<S: Simd>(&mut self, simd: S) {
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        for hit in &mut candidates {
            let mut candidates = hit.positions(simd, self.open);
            candidates &= !self.quiet_leader_escapes(simd, hit);
            if candidates != 0 {
                candidates &= !self.follower_and_capture_escapes(simd, hit, candidates);
            }
            if candidates != 0 {
                hit.keep(simd, self.open, candidates);
                self.record_decided(simd, hit);
            }
        }
        candidates.clear();
        self.scratch.candidates = candidates;
    }

    /// Removes the positions of a line from the row, and records those that were still in it.
    ///
    /// A position may be a hit more than once.
    #[inline(always)]
    fn record_decided<S: Simd>(&mut self, simd: S, hit: &UnmovedLine) {
        let span = hit.span(self.row.blocks);
        let packed = span.bits(self.row.blocks) & u64::from(hit.packed);
        span.clear(self.row.blocks, packed);
        if packed != 0 && self.pass.observers.observer.is_some() {
            let at = 8 * hit.byte + usize::from(hit.bit);
            self.scratch.new_bits.add_bits(at, packed);
        }
        let free = self.open & !hit.block.own;
        let new = simd.deposit(packed, free.into()) as u32;
        self.count += u64::from(new.count_ones());
        self.record_line(simd, hit.block, hit.lane.into(), hit.line.into(), new);
    }

    /// Records decided positions of a line, and removes the exchanged ones where they are kept.
    #[inline(always)]
    fn record_line<S: Simd>(
        &mut self,
        simd: S,
        block: MoverBlock,
        lane: usize,
        line: usize,
        new: u32,
    ) {
        let Subproblem { block_bytes, lane_bytes, .. } = *self.pass.subproblem;
        let free = self.open & !block.own;
        let len = free.count_ones() as usize;
        let line_below = count_below(free, line);
        if let Some(undecided) = &mut self.row.undecided {
            let tables = self.tables;
            // The exchanged position: leaders at (line, bit) go to (last - bit, last - line),
            // counted among the free squares; `plane/complement.rs` does the same for whole blocks.
            let minor = tables.half_turn(block.own);
            let major = tables.half_turn(self.row.followers);
            let beside = simd.extract(minor.into(), (tables.board() & !major).into());
            let block = set_rank(beside as u32);
            let begin = block * block_bytes + tables.exchanged_lane[lane] * lane_bytes;
            let lane = &mut undecided[begin..][..lane_bytes];
            for bit in squares(new) {
                clear_bit(lane, (len - 1 - count_below(free, bit)) * len + len - 1 - line_below);
            }
        }
        if self.recorder.is_active() {
            let slot = self.recorder.slot(simd, block.own);
            self.recorder.record_line(slot, lane, line, new);
        }
    }

    /// Block of `not_won.quiet` for a block of the row.
    #[inline(always)]
    fn not_won_block<S: Simd>(&mut self, simd: S, plane: &Plane, block: MoverBlock) -> BlockRef {
        if let Some(known) = self.scratch.not_won_blocks[block.number as usize] {
            return known;
        }
        let found = plane.block_of(simd, self.tables, [self.row.followers, block.own]);
        self.scratch.not_won_blocks[block.number as usize] = Some(found);
        found
    }

    /// Line of `not_won.captured` with these followers of sides 0 and 1.
    #[inline(always)]
    fn not_won_line_after_capture<S: Simd>(
        &self,
        simd: S,
        plane: &Plane,
        followers: [u32; 2],
        lane: usize,
        line: usize,
    ) -> u32 {
        let free = self.tables.board() & !(followers[0] | followers[1]);
        let block = plane.block_of(simd, self.tables, followers);
        block.line(simd, self.tables, plane, LineRef { free, lane, line })
    }

    /// Line of `not_won.quiet` with the followers of a block of this row.
    #[inline(always)]
    fn not_won_line<S: Simd>(
        &mut self,
        simd: S,
        plane: &Plane,
        block: MoverBlock,
        lane: usize,
        line: usize,
    ) -> u32 {
        let free = self.open & !block.own;
        let block = self.not_won_block(simd, plane, block);
        block.line(simd, self.tables, plane, LineRef { free, lane, line })
    }

    /// Prefetches the lines that [`Self::quiet_leader_escapes`] reads.
    #[inline(always)]
    fn prefetch_leader_moves<S: Simd>(&mut self, simd: S, hit: &UnmovedLine) {
        let Some(SuccessorPlanes { quiet, .. }) = self.pass.not_won else {
            return;
        };
        let free = self.open & !hit.block.own;
        let block = self.not_won_block(simd, quiet, hit.block);
        for &next in &self.tables.next_lanes[Self::MOVER][usize::from(hit.lane)] {
            let at = LineRef { free, lane: next, line: hit.line.into() };
            block.prefetch_line(simd, self.tables, quiet, at);
        }
    }

    /// Positions of a line with an escape by a quiet move of the leader, or by a stuck turn.
    ///
    /// An escape is a move to a position that side 0 is not known to win. Only the bits of the
    /// line's positions mean anything.
    #[inline(always)]
    fn quiet_leader_escapes<S: Simd>(&mut self, simd: S, hit: &UnmovedLine) -> u32 {
        let (tables, block) = (self.tables, hit.block);
        let SuccessorPlanes { quiet, .. } = self.pass.not_won.expect("planes if side 1 moves");
        let may_be_stuck = self.pass.subproblem.may_be_stuck(tables, Self::MOVER, block.own);
        let mut not_lost = 0;
        for &next in &tables.next_lanes[Self::MOVER][usize::from(hit.lane)] {
            let here = self.not_won_line(simd, quiet, block, next, hit.line.into());
            for translation in
                &tables.kinds[tables.kind_of_lane[next]].moves[Self::MOVER].translations
            {
                not_lost |= translation.sources_of(here);
            }
            if may_be_stuck {
                not_lost |= here & tables.stuck_leaders(Self::MOVER, block.own, hit.lane.into());
            }
        }
        not_lost
    }

    /// Positions of a line with an escape by a follower's move, by a follower's capture, or by a
    /// capture of the leader.
    ///
    /// `candidates` are the positions asked about, as squares of side 1's leader. Only their bits
    /// mean anything; the search may end once none is left. Captures of side 0's leader and moves
    /// onto the goal win at once: pass 1 has decided such positions, so no candidate has one.
    #[inline(always)]
    fn follower_and_capture_escapes<S: Simd>(
        &mut self,
        simd: S,
        hit: &UnmovedLine,
        candidates: u32,
    ) -> u32 {
        let (pass, tables, other, block) = (self.pass, self.tables, self.row.followers, hit.block);
        let (lane, line) = (usize::from(hit.lane), usize::from(hit.line));
        let SuccessorPlanes { quiet, captured } = pass.not_won.expect("planes if side 1 moves");
        let mut not_lost = 0;
        let open = self.open.count_ones() as usize;
        let size = block.own.count_ones() as usize * open;
        let blocks_after = &pass.block_after_move[block.number as usize * size..][..size];
        for &next in &tables.next_lanes[Self::MOVER][lane] {
            let moves = &tables.kinds[tables.kind_of_lane[next]].moves[Self::MOVER];
            for (from, blocks_after) in squares(block.own).zip(blocks_after.chunks_exact(open)) {
                let rest = block.own & !(1 << from);
                // A piece may go to its own square, but not to that of another piece of its side.
                let targets = moves.targets[from] & !rest & !(1 << line);
                for to in squares(targets & self.open) {
                    let after = MoverBlock {
                        number: blocks_after[usize::from(self.squares_below[to])],
                        own: rest | 1 << to,
                    };
                    not_lost |= self.not_won_line(simd, quiet, after, next, line);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
                let Some(fewer) = captured else { continue };
                for to in squares(targets & other) {
                    let after = [other & !(1 << to), rest | 1 << to];
                    not_lost |= self.not_won_line_after_capture(simd, fewer, after, next, line);
                    if candidates & !not_lost == 0 {
                        return not_lost;
                    }
                }
            }
            let Some(fewer) = captured else { continue };
            for to in squares(other) {
                if moves.sources[to] & candidates & !not_lost != 0 {
                    let after = [other & !(1 << to), block.own];
                    let word = self.not_won_line_after_capture(simd, fewer, after, next, line);
                    not_lost |= moves.sources[to] & (word >> to & 1).wrapping_neg();
                }
            }
        }
        not_lost
    }
}

/// Calls [`RowUnmover::check_hits`], which has too many callers to be compiled into each.
struct CheckHits<'a, 'b, const LOSSES: bool>(&'a mut RowUnmover<'b, LOSSES>);

impl<const LOSSES: bool> Kernel for CheckHits<'_, '_, LOSSES> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.0.check_hits(simd);
    }
}

/// Calls [`RowUnmover::check_candidates`], as [`CheckHits`].
struct CheckCandidates<'a, 'b, const LOSSES: bool>(&'a mut RowUnmover<'b, LOSSES>);

impl<const LOSSES: bool> Kernel for CheckCandidates<'_, '_, LOSSES> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.0.check_candidates(simd);
    }
}

#[inline(always)]
fn clear_bit(bits: &mut [u8], at: usize) {
    bits[at >> 3] &= !(1 << (at & 7));
}
