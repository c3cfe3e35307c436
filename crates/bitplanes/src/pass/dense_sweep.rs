//! The arithmetic of a sweep: a block in board order, a lane or several at a time.

use crate::pass::sweep::{RowBlock, RowSweep, SweepScratch};
use crate::plane::packing::{
    FreeSquares, MAX_LANE_BYTES, MergeMode, WideLane, lane_of_words, merge, pack, words_of_lane,
};
use crate::simd::token::{Simd, WIDE_WORDS};
use crate::space::board_tables::{MoveKind, SideMoves, Translation};
use crate::space::move_lists::MoveLists;
use crate::space::sets::squares;

/// Wides of successor words that are gathered together, in registers.
const MAX_WIDES: usize = 4;

impl<const R: usize, const LOSSES: bool> RowSweep<'_, R, LOSSES> {
    /// Decides the positions of a block from its successor words; returns the number of new ones.
    #[inline(always)]
    pub(crate) fn decide_block<S: Simd>(&mut self, simd: S, n: usize, block: &mut [u8]) -> u64 {
        let (tables, own) = (self.tables, self.scratch.blocks[n].own);
        let free = FreeSquares::<S, R>::new(simd, self.open & !own);
        let valid = lane_of_words(simd, &self.valid_lines(free.set));
        if self.pass.first && !LOSSES {
            // First pass: nothing was written yet, and no position is won.
            let mut all = [0; MAX_LANE_BYTES];
            pack::<S, R>(simd, &valid, &free, &mut all);
            for lane in block.chunks_exact_mut(free.bytes()) {
                lane.copy_from_slice(&all[..free.bytes()]);
            }
        }
        let may_be_stuck = self.pass.subproblem.may_be_stuck(tables, Self::MOVER, own);
        let mode = if LOSSES && !self.pass.undecided { MergeMode::Set } else { MergeMode::Clear };
        if LOSSES || self.pass.first {
            self.find_immediate_wins(own);
        }
        let mut all = std::mem::take(&mut self.scratch.found_lanes);
        let mut any = false;
        for lane in 0..tables.lanes {
            let mut found = self.combine_lane(simd, n, lane, &valid);
            if may_be_stuck {
                self.add_stuck_turns(simd, n, lane, &valid, &mut found);
            }
            let out = all[lane * free.bytes()..].first_chunk_mut();
            let out: &mut [u8; MAX_LANE_BYTES] = out.expect("room after a lane");
            if simd.nonzero_words(simd.or(found[0], found[1])) == 0 {
                *out = [0; MAX_LANE_BYTES];
            } else {
                pack::<S, R>(simd, &found, &free, out);
                any = true;
            }
        }
        let count = if any { merge(&mut all, block, mode) } else { 0 };
        if count > 0 && self.recorder.is_active() {
            for (lane, new) in all[..block.len()].chunks_exact(free.bytes()).enumerate() {
                self.record_lane(simd, own, lane, &free, new);
            }
        }
        if count > 0 && self.pass.observers.observer.is_some() {
            let len = block.len();
            self.scratch.new_bits.set_bytes(n * len, &all[..len]);
        }
        self.scratch.found_lanes = all;
        count
    }

    /// Records the positions of a packed lane.
    #[inline(always)]
    fn record_lane<S: Simd>(
        &mut self,
        simd: S,
        own: u32,
        lane: usize,
        free: &FreeSquares<S, R>,
        new: &[u8],
    ) {
        if new.iter().all(|&byte| byte == 0) {
            return;
        }
        let slot = self.recorder.slot(simd, own);
        let mut square_of = [0; 32];
        for (entry, square) in square_of.iter_mut().zip(squares(free.set)) {
            *entry = square;
        }
        for (i, &byte) in new.iter().enumerate() {
            for bit in squares(byte.into()) {
                let n = 8 * i + bit;
                let (line, bit) = (square_of[n / free.count], square_of[n % free.count]);
                self.recorder.record_line(slot, lane, line, 1 << bit);
            }
        }
    }

    /// Squares by which the mover with followers `own` wins at once, by one kind of move.
    #[inline(always)]
    fn immediate_wins_by_kind(&self, own: u32, kind: &MoveKind) -> ImmediateWins {
        let moves = &kind.moves[Self::MOVER];
        let goal = self.tables.goals[Self::MOVER];
        let entrances =
            if own & goal == 0 { moves.sources[goal.trailing_zeros() as usize] } else { 0 };
        ImmediateWins {
            attacked: squares(own).fold(0, |all, from| all | moves.targets[from]),
            entrances,
        }
    }

    /// Finds the positions that win at once in the block with followers `own` of the mover.
    #[inline(always)]
    fn find_immediate_wins(&mut self, own: u32) {
        let mut all = std::mem::take(&mut self.scratch.immediate_wins);
        all.clear();
        for kind in &self.tables.kinds {
            let wins = self.immediate_wins_by_kind(own, kind);
            all.push(wins.words::<LOSSES, R>(&kind.moves[Self::MOVER]));
        }
        self.scratch.immediate_wins = all;
    }

    /// ORs the source words that moves of one kind lead to from a block.
    #[inline(always)]
    pub(crate) fn gather_successors<S: Simd>(
        &mut self,
        simd: S,
        n: usize,
        kind: &MoveKind,
        move_lists: &MoveLists,
    ) {
        let rank = self.scratch.blocks[n].rank;
        let mut begins = std::mem::take(&mut self.scratch.source_begins);
        begins.clear();
        for &to in move_lists.successors(rank) {
            begins.push(self.words_begin(to as usize, kind));
        }
        let own = self.words_begin(rank, kind);
        let SweepScratch { source_words: words, successor_words: reached, .. } = &mut *self.scratch;
        let moves = &kind.moves[Self::MOVER];
        let from = GatherSources { words, begins: &begins, own, translations: &moves.translations };
        let reached = &mut reached[n * self.tables.block_words..][..self.tables.block_words]
            [kind.words.clone()];
        gather_all::<S, LOSSES>(simd, reached, &from);
        self.scratch.source_begins = begins;
    }

    /// Combines the successor words of the lanes that a lane leads to; returns the positions
    /// decided.
    ///
    /// These are, of the `valid` ones: with some such bit if side 0 moves, with none if side 1
    /// moves.
    #[inline(always)]
    fn combine_lane<S: Simd>(
        &self,
        simd: S,
        n: usize,
        lane: usize,
        valid: &WideLane<S>,
    ) -> WideLane<S> {
        let tables = self.tables;
        let mut all = [simd.splat(0); 2];
        for &(kind, begin) in &tables.next_lane_words[Self::MOVER][lane] {
            // Words after the lane belong to no line, so they are not valid.
            let words =
                &self.scratch.successor_words[n * tables.block_words + begin..][..2 * WIDE_WORDS];
            for (half, all) in all.iter_mut().enumerate() {
                *all = simd.or(*all, simd.load(wide_at(words, half)));
            }
            if LOSSES || self.pass.first {
                let wins = &self.scratch.immediate_wins[kind];
                for (half, all) in all.iter_mut().enumerate() {
                    *all = simd.or(*all, simd.load(wide_at(wins, half)));
                }
            }
        }
        for (half, all) in all.iter_mut().enumerate() {
            *all =
                if LOSSES { simd.and_not(valid[half], *all) } else { simd.and(valid[half], *all) };
        }
        all
    }

    /// Adds the turns of a mover that is stuck, in which the context alone changes.
    #[inline(always)]
    fn add_stuck_turns<S: Simd>(
        &self,
        simd: S,
        n: usize,
        lane: usize,
        valid: &WideLane<S>,
        found: &mut WideLane<S>,
    ) {
        let (valid, mut lines) = (words_of_lane(simd, valid), words_of_lane(simd, found));
        let RowBlock { own, rank, .. } = self.scratch.blocks[n];
        let stuck = self.tables.stuck_leaders(Self::MOVER, own, lane);
        for &next in &self.tables.next_lanes[Self::MOVER][lane] {
            let kind = &self.tables.kinds[self.tables.kind_of_lane[next]];
            let in_group = self.tables.lane_begin[next] - kind.words.start;
            let words = &self.scratch.source_words[self.words_begin(rank, kind) + in_group..];
            for line in 0..self.tables.squares {
                if LOSSES {
                    lines[line] &= !(words[line] & stuck);
                } else {
                    let here = (stuck >> line & 1).wrapping_neg();
                    lines[line] |= words[line] & here & valid[line];
                }
            }
        }
        *found = lane_of_words(simd, &lines);
    }
}

/// Squares by which the mover wins at once, by one kind of move.
struct ImmediateWins {
    /// Squares that followers attack.
    attacked: u32,
    /// Squares from which the leader enters its goal.
    entrances: u32,
}

impl ImmediateWins {
    /// Positions of each line from which the mover wins at once.
    #[inline(always)]
    fn words<const LOSSES: bool, const R: usize>(
        &self,
        moves: &SideMoves,
    ) -> [u32; 2 * WIDE_WORDS] {
        let mut words = [0; 2 * WIDE_WORDS];
        for (line, word) in words[..R].iter_mut().enumerate() {
            // `all` decides the whole line, `each` its bits, `leader` captures by the leader.
            let (all, each, leader) = if LOSSES {
                (self.attacked, self.entrances, moves.sources[line])
            } else {
                (self.entrances, self.attacked, moves.targets[line])
            };
            *word = (all >> line & 1).wrapping_neg() | each | leader;
        }
        words
    }
}

/// Source words that moves of one kind lead to.
struct GatherSources<'a> {
    /// [`SweepScratch::source_words`].
    words: &'a [u32],
    /// First word of each block that a follower's move leads to.
    begins: &'a [usize],
    /// First word of the block itself.
    own: usize,
    /// Moves of the leader.
    translations: &'a [Translation],
}

/// Gathers all successor words of one block and kind of move.
#[inline(always)]
fn gather_all<S: Simd, const LOSSES: bool>(simd: S, out: &mut [u32], from: &GatherSources<'_>) {
    let mut at = 0;
    while out.len() - at >= MAX_WIDES * WIDE_WORDS {
        gather_wides::<S, MAX_WIDES, LOSSES>(simd, &mut out[at..], from, at);
        at += MAX_WIDES * WIDE_WORDS;
    }
    while out.len() - at >= 2 * WIDE_WORDS {
        gather_wides::<S, 2, LOSSES>(simd, &mut out[at..], from, at);
        at += 2 * WIDE_WORDS;
    }
    while at < out.len() {
        gather_wides::<S, 1, LOSSES>(simd, &mut out[at..], from, at);
        at += WIDE_WORDS;
    }
}

/// Gathers `N` wides, from word `at` of the kind on.
#[inline(always)]
fn gather_wides<S: Simd, const N: usize, const LOSSES: bool>(
    simd: S,
    out: &mut [u32],
    from: &GatherSources<'_>,
    at: usize,
) {
    let out = &mut out[..N * WIDE_WORDS];
    let mut all = [simd.splat(0); N];
    for begin in from.begins {
        let words = &from.words[begin + at..][..N * WIDE_WORDS];
        for (i, all) in all.iter_mut().enumerate() {
            *all = simd.or(*all, simd.load(wide_at(words, i)));
        }
    }
    for translation in from.translations {
        if LOSSES {
            let words = &from.words[from.own + at..][..N * WIDE_WORDS];
            let mask = simd.splat(translation.sources);
            for (i, all) in all.iter_mut().enumerate() {
                let moved = simd.shift(simd.load(wide_at(words, i)), translation.distance as i32);
                *all = simd.or(*all, simd.and(moved, mask));
            }
        } else {
            let begin = from.own.wrapping_add_signed(translation.distance) + at;
            let words = &from.words[begin..][..N * WIDE_WORDS];
            let masks = &translation.line_masks[at..][..N * WIDE_WORDS];
            for (i, all) in all.iter_mut().enumerate() {
                let moved = simd.load(wide_at(words, i));
                *all = simd.or(*all, simd.and(moved, simd.load(wide_at(masks, i))));
            }
        }
    }
    for (i, all) in all.into_iter().enumerate() {
        let out = out[i * WIDE_WORDS..].first_chunk_mut().expect("a wide");
        simd.store(all, out);
    }
}

#[inline(always)]
fn wide_at(words: &[u32], i: usize) -> &[u32; WIDE_WORDS] {
    words[i * WIDE_WORDS..].first_chunk().expect("a wide")
}
