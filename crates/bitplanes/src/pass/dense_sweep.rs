//! A pass over all positions of a block.

use crate::pass::sweep::{RowBlock, RowSweep, SweepScratch};
use crate::plane::packing::{
    FreeSquares, MAX_LANE_BYTES, MergeMode, WideLane, lane_of_words, merge, pack, words_of_lane,
};
use crate::simd::token::{Simd, WIDE_WORDS};
use crate::space::board_tables::{MoveKind, SideMoves, Translation};
use crate::space::move_lists::MoveLists;
use crate::space::sets::squares;

/// What moves of a kind lead to is collected so many wides at a time, in registers.
const MAX_WIDES: usize = 4;

impl<const R: usize, const LOSSES: bool> RowSweep<'_, R, LOSSES> {
    /// Stores what is new in a block, once it is known what moves lead to; how many positions.
    #[inline(always)]
    pub(crate) fn decide_block<S: Simd>(&mut self, simd: S, n: usize, block: &mut [u8]) -> u64 {
        let (tables, own) = (self.tables, self.scratch.blocks[n].own);
        let free = FreeSquares::<S, R>::new(simd, self.open & !own);
        let valid = lane_of_words(simd, &self.valid_lines(free.set));
        if self.pass.first && !LOSSES {
            // Until now nothing was written. No position is won.
            let mut all = [0; MAX_LANE_BYTES];
            pack::<S, R>(simd, &valid, &free, &mut all);
            for lane in block.chunks_exact_mut(free.bytes()) {
                lane.copy_from_slice(&all[..free.bytes()]);
            }
        }
        let stuck = self.pass.subproblem.may_be_stuck(tables, Self::MOVER, own);
        let how = if LOSSES && !self.pass.undecided {
            MergeMode::Set
        } else {
            MergeMode::Clear
        };
        if LOSSES || self.pass.first {
            self.find_immediate_wins(own);
        }
        let mut all = std::mem::take(&mut self.scratch.found_lanes);
        let mut any = false;
        for lane in 0..tables.lanes {
            let mut found = self.combine_lane(simd, n, lane, &valid);
            if stuck {
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
        let count = if any { merge(&mut all, block, how) } else { 0 };
        if count > 0 && self.recorder.is_active() {
            for (lane, new) in all[..block.len()].chunks_exact(free.bytes()).enumerate() {
                self.record_lane(simd, own, lane, &free, new);
            }
        }
        self.scratch.found_lanes = all;
        count
    }

    /// Takes down what is new in a packed lane.
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
        let spot = self.recorder.slot(simd, own);
        let mut at = [0; 32];
        for (at, square) in at.iter_mut().zip(squares(free.set)) {
            *at = square;
        }
        for (i, &byte) in new.iter().enumerate() {
            for bit in squares(byte.into()) {
                let n = 8 * i + bit;
                let (row, bit) = (at[n / free.count], at[n % free.count]);
                self.recorder.record_line(spot, own, lane, row, 1 << bit);
            }
        }
    }

    /// What wins at once by a kind of move.
    #[inline(always)]
    fn immediate_wins_by_kind(&self, own: u32, group: &MoveKind) -> ImmediateWins {
        let moves = &group.moves[Self::MOVER];
        let goal = self.tables.goals[Self::MOVER];
        let entrances = if own & goal == 0 {
            moves.sources[goal.trailing_zeros() as usize]
        } else {
            0
        };
        ImmediateWins {
            attacked: squares(own).fold(0, |all, from| all | moves.targets[from]),
            entrances,
        }
    }

    /// Finds what wins at once in a block with these followers of the mover.
    #[inline(always)]
    fn find_immediate_wins(&mut self, own: u32) {
        let mut all = std::mem::take(&mut self.scratch.immediate_wins);
        all.clear();
        for group in &self.tables.kinds {
            let wins = self.immediate_wins_by_kind(own, group);
            all.push(wins.words::<LOSSES, R>(&group.moves[Self::MOVER]));
        }
        self.scratch.immediate_wins = all;
    }

    /// Finds what moves of a kind lead to from a block.
    #[inline(always)]
    pub(crate) fn gather_successors<S: Simd>(
        &mut self,
        simd: S,
        n: usize,
        group: &MoveKind,
        move_lists: &MoveLists,
    ) {
        let rank = self.scratch.blocks[n].rank;
        let mut begins = std::mem::take(&mut self.scratch.source_begins);
        begins.clear();
        for &to in move_lists.successors(rank) {
            begins.push(self.words_begin(to as usize, group));
        }
        let own = self.words_begin(rank, group);
        let SweepScratch {
            source_words: words,
            successor_words: reached,
            ..
        } = &mut *self.scratch;
        let moves = &group.moves[Self::MOVER];
        let from = GatherSources {
            words,
            begins: &begins,
            own,
            steps: &moves.translations,
        };
        let reached = &mut reached[n * self.tables.block_words..][..self.tables.block_words]
            [group.words.clone()];
        gather_all::<S, LOSSES>(simd, reached, &from);
        self.scratch.source_begins = begins;
    }

    /// From what moves lead to, by the lane they lead to, to positions by their own lane: those that are
    /// found.
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
        for &(group, begin) in &tables.next_lane_words[Self::MOVER][lane] {
            // The words after a lane are no rows of it, so they are not valid.
            let words =
                &self.scratch.successor_words[n * tables.block_words + begin..][..2 * WIDE_WORDS];
            for (half, all) in all.iter_mut().enumerate() {
                *all = simd.or(*all, simd.load(wide_at(words, half)));
            }
            if LOSSES || self.pass.first {
                let wins = &self.scratch.immediate_wins[group];
                for (half, all) in all.iter_mut().enumerate() {
                    *all = simd.or(*all, simd.load(wide_at(wins, half)));
                }
            }
        }
        for (half, all) in all.iter_mut().enumerate() {
            *all = if LOSSES {
                simd.and_not(valid[half], *all)
            } else {
                simd.and(valid[half], *all)
            };
        }
        all
    }

    /// Adds turns in which no piece can move, and the context alone changes.
    #[inline(always)]
    fn add_stuck_turns<S: Simd>(
        &self,
        simd: S,
        n: usize,
        lane: usize,
        valid: &WideLane<S>,
        found: &mut WideLane<S>,
    ) {
        let (valid, mut rows) = (words_of_lane(simd, valid), words_of_lane(simd, found));
        let RowBlock { own, rank, .. } = self.scratch.blocks[n];
        let stuck = self.tables.stuck_leaders(Self::MOVER, own, lane);
        for &next in &self.tables.next_lanes[Self::MOVER][lane] {
            let group = &self.tables.kinds[self.tables.kind_of_lane[next]];
            let in_group = self.tables.lane_begin[next] - group.words.start;
            let words = &self.scratch.source_words[self.words_begin(rank, group) + in_group..];
            for row in 0..self.tables.squares {
                if LOSSES {
                    rows[row] &= !(words[row] & stuck);
                } else {
                    let here = (stuck >> row & 1).wrapping_neg();
                    rows[row] |= words[row] & here & valid[row];
                }
            }
        }
        *found = lane_of_words(simd, &rows);
    }
}

/// What wins at once by a kind of move.
struct ImmediateWins {
    /// The squares that followers attack.
    attacked: u32,
    /// The squares from which the leader enters its goal.
    entrances: u32,
}

impl ImmediateWins {
    /// For each row the positions from which the side to move wins at once.
    #[inline(always)]
    fn words<const LOSSES: bool, const R: usize>(
        &self,
        moves: &SideMoves,
    ) -> [u32; 2 * WIDE_WORDS] {
        let mut words = [0; 2 * WIDE_WORDS];
        for (row, word) in words[..R].iter_mut().enumerate() {
            // Of all bits of the row, and of each.
            let (all, each, leader) = if LOSSES {
                (self.attacked, self.entrances, moves.sources[row])
            } else {
                (self.entrances, self.attacked, moves.targets[row])
            };
            *word = (all >> row & 1).wrapping_neg() | each | leader;
        }
        words
    }
}

/// What moves of a kind lead to.
struct GatherSources<'a> {
    words: &'a [u32],
    /// Where the words of the kind begin in each block that a follower's move leads to.
    begins: &'a [usize],
    /// Where they begin in the block itself.
    own: usize,
    /// The moves of the leader.
    steps: &'a [Translation],
}

/// Collects what moves of a kind lead to.
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

/// The same for some wides, from word `at` of the kind on.
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
    for step in from.steps {
        if LOSSES {
            let words = &from.words[from.own + at..][..N * WIDE_WORDS];
            let mask = simd.splat(step.sources);
            for (i, all) in all.iter_mut().enumerate() {
                let moved = simd.shift(simd.load(wide_at(words, i)), step.distance as i32);
                *all = simd.or(*all, simd.and(moved, mask));
            }
        } else {
            let begin = from.own.wrapping_add_signed(step.distance) + at;
            let words = &from.words[begin..][..N * WIDE_WORDS];
            let masks = &step.line_masks[at..][..N * WIDE_WORDS];
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
