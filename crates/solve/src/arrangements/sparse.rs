//! A pass over those words of a block in which something is undecided.

use super::cpu::Cpu;
use super::pack::{Free, bit_of, flip, word_at_end, word_of};
use super::pass::Worker;
use super::shape::{Moves, Step, squares};
use super::words::Lane;

/// A word alone takes about as long as so many in a block.
const FEW: usize = 16;

/// What wins at once by a kind of move.
#[derive(Clone, Copy, Default)]
pub(super) struct AtOnce {
    /// The squares that followers attack.
    attacked: u32,
    /// The squares from which the leader enters its goal.
    entrances: u32,
}

impl AtOnce {
    /// The bits of a row from which the side to move wins at once.
    #[inline(always)]
    fn word<const LOSSES: bool>(self, moves: &Moves, row: usize) -> u32 {
        // Of all bits of the row, and of each.
        let (all, each, leader) = if LOSSES {
            (self.attacked, self.entrances, moves.sources[row])
        } else {
            (self.entrances, self.attacked, moves.targets[row])
        };
        (all >> row & 1).wrapping_neg() | each | leader
    }

    /// All rows of it.
    #[inline(always)]
    pub(super) fn words<const LOSSES: bool, const R: usize>(self, moves: &Moves) -> Lane<R> {
        let mut words = [0; R];
        for (row, word) in words.iter_mut().enumerate() {
            *word = self.word::<LOSSES>(moves, row);
        }
        words
    }
}

impl Step {
    /// The squares from which it leads to squares of a set.
    #[inline(always)]
    pub(super) fn back(&self, to: u32) -> u32 {
        let by = self.distance.unsigned_abs();
        let from = if self.distance >= 0 {
            to >> by
        } else {
            to << by
        };
        from & self.from
    }
}

impl<const R: usize, const LOSSES: bool> Worker<'_, R, LOSSES> {
    #[inline(always)]
    pub(super) fn at_once(&self, own: u32, group: usize) -> AtOnce {
        let moves = &self.frame.groups[group].moves[Self::MOVER];
        let goal = self.frame.goals[Self::MOVER];
        let entrances = if own & goal == 0 {
            moves.sources[goal.trailing_zeros() as usize]
        } else {
            0
        };
        AtOnce {
            attacked: squares(own).fold(0, |all, from| all | moves.targets[from]),
            entrances,
        }
    }

    /// Whether word by word is faster than all words together.
    #[inline(always)]
    pub(super) fn are_few(&self, open: &[u32]) -> bool {
        let few = self.frame.lanes * self.pass.problem.free / FEW;
        open.iter()
            .map(|rows| rows.count_ones() as usize)
            .sum::<usize>()
            <= few
    }

    /// Finds and stores what is new in some rows of a block; how many positions.
    #[inline(always)]
    pub(super) fn open_words<C: Cpu>(
        &mut self,
        n: usize,
        rows: u32,
        open: &[u32],
        block: &mut [u8],
        mut column: Option<&mut [u8]>,
        changed: &mut u32,
    ) -> u64 {
        if open.iter().all(|&lane| lane & rows == 0) {
            return 0;
        }
        let own = self.scratch.blocks[n].own;
        let free = Free::<R>::new(self.outside & !own);
        let valid = self.valid(&free);
        self.prepare::<C>(n);
        for g in 0..self.scratch.kinds.len() {
            self.scratch.kinds[g].at_once = self.at_once(own, g);
            for i in 0..self.scratch.kinds[g].inside.len() {
                let m = self.scratch.kinds[g].inside[i];
                self.prepare::<C>(m as usize);
            }
        }
        let stuck = self.find_stuck(own);
        let mut count = 0;
        for (lane, packed) in block.chunks_exact_mut(free.bytes()).enumerate() {
            let mut new = 0;
            for row in squares(open[lane] & rows) {
                let was = word_at_end::<C>(packed, free.set, row);
                let candidates = if LOSSES { valid[row] & !was } else { was };
                if candidates == 0 {
                    continue;
                }
                let reached = self.reached::<C>(n, lane, row, candidates, stuck);
                let found = candidates & if LOSSES { !reached } else { reached };
                if found != 0 {
                    flip::<C>(packed, free.set, row, found);
                    new += found.count_ones();
                    if let Some(tell) = self.pass.found {
                        self.tell(tell, own, lane, row, found);
                    }
                    *changed |= 1 << row;
                }
            }
            count += u64::from(new);
            if let Some(column) = &mut column
                && new > 0
            {
                let out = &mut column[lane * free.bytes()..][..free.bytes()];
                self.exchange::<C>(&free, packed, out);
            }
        }
        count
    }

    /// What the moves of one word lead to: at least as far as candidates are concerned.
    #[inline(always)]
    fn reached<C: Cpu>(
        &self,
        n: usize,
        lane: usize,
        row: usize,
        candidates: u32,
        stuck: bool,
    ) -> u32 {
        let frame = self.frame;
        let mut reached = 0;
        let own = self.begin(n);
        let words = &self.scratch.words;
        for &next in &frame.next[Self::MOVER][lane] {
            let group = frame.group_of[next];
            let moves = &frame.groups[group].moves[Self::MOVER];
            let kind = &self.scratch.kinds[group];
            let at = frame.word_of[next] + row;
            if LOSSES {
                reached |= kind.at_once.word::<LOSSES>(moves, row);
            }
            for step in &moves.steps {
                if LOSSES {
                    reached |= step.back(words[own + at]);
                } else if step.from >> row & 1 == 1 {
                    reached |= words[(own + at).wrapping_add_signed(step.distance)];
                }
            }
            if LOSSES && candidates & !reached == 0 {
                return reached;
            }
            for &m in &kind.inside {
                reached |= words[self.begin(m as usize) + at];
            }
            if LOSSES && candidates & !reached == 0 {
                return reached;
            }
            for each in &kind.captures {
                let Some(fewer) = self.pass.captured else {
                    continue;
                };
                let free = self.outside & !each.moved;
                if free >> row & 1 == 1 {
                    let packed = fewer.block(each.block);
                    let bit = bit_of(free, row);
                    reached |= word_of::<C>(&packed[next * fewer.lane..], free, bit);
                }
            }
        }
        if stuck {
            let next = frame.next[Self::MOVER][lane].iter();
            let word = |next: &usize| words[own + frame.word_of[*next] + row];
            let passed = next.fold(0, |all, next| all | word(next));
            let here = self.stuck_in(lane);
            reached |= if LOSSES {
                passed & here
            } else {
                passed & (here >> row & 1).wrapping_neg()
            };
        }
        reached
    }
}
