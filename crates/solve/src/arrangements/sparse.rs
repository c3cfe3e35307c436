//! A pass over those words of a block in which something is undecided.

use super::cpu::Cpu;
use super::pack::{Free, flip, word_of};
use super::pass::{Move, Worker};
use super::shape::{Moves, Step, squares};

/// A word alone takes about as long as so many in a block.
const FEW: usize = 4;

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
    pub(super) fn word<const LOSSES: bool>(self, moves: &Moves, row: usize) -> u32 {
        let sure = if LOSSES {
            self.attacked
        } else {
            self.entrances
        };
        if sure >> row & 1 == 1 {
            u32::MAX
        } else if LOSSES {
            moves.sources[row] | self.entrances
        } else {
            self.attacked | moves.targets[row]
        }
    }
}

impl Move {
    /// Whether a kind of move has it.
    #[inline(always)]
    pub(super) fn is_of(&self, moves: &Moves) -> bool {
        moves.targets[usize::from(self.from)] >> self.to & 1 == 1
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
        changed: &mut u32,
    ) -> u64 {
        if open.iter().all(|&lane| lane & rows == 0) {
            return 0;
        }
        let own = self.scratch.sets[n];
        let free = Free::new(self.outside & !own);
        let valid = self.valid(&free);
        self.prepare::<C>(n);
        for i in 0..self.scratch.moves.len() {
            let each = self.scratch.moves[i];
            if !each.captures {
                self.prepare::<C>(each.block as usize);
            }
        }
        self.sort_moves(own);
        let stuck = self.find_stuck(n);
        let mut count = 0;
        for (lane, &open) in open.iter().enumerate() {
            for row in squares(open & rows) {
                let was = word_at_end::<C>(block, &free, lane, row);
                let candidates = if LOSSES { valid[row] & !was } else { was };
                let reached = self.reached::<C>(n, lane, row, candidates, stuck);
                let found = candidates & if LOSSES { !reached } else { reached };
                if found != 0 {
                    flip::<C>(block, &free, lane, row, found);
                    count += u64::from(found.count_ones());
                    *changed |= 1 << row;
                }
            }
        }
        count
    }

    /// Makes the lists of moves by kind, those that stay in the row first.
    #[inline(always)]
    fn sort_moves(&mut self, own: u32) {
        let frame = self.frame;
        for g in 0..frame.groups.len() {
            let at_once = self.at_once(own, g);
            let kind = &mut self.scratch.kinds[g];
            kind.at_once = at_once;
            kind.inside.clear();
            kind.captures.clear();
            for each in &self.scratch.moves {
                if each.is_of(&frame.groups[g].moves[Self::MOVER]) {
                    if each.captures {
                        kind.captures.push(*each);
                    } else {
                        kind.inside.push(each.block as usize * frame.lanes);
                    }
                }
            }
        }
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
        let begin = n * frame.lanes;
        let blocks = &self.scratch.blocks;
        for &next in &frame.next[Self::MOVER][lane] {
            let group = frame.group_of[next];
            let moves = &frame.groups[group].moves[Self::MOVER];
            let kind = &self.scratch.kinds[group];
            let own = &blocks[begin + next];
            if LOSSES {
                reached |= kind.at_once.word::<LOSSES>(moves, row);
            }
            for step in &moves.steps {
                if LOSSES {
                    reached |= step.back(own[row]);
                } else if step.from >> row & 1 == 1 {
                    reached |= own[row.wrapping_add_signed(step.distance) % R];
                }
            }
            if LOSSES && candidates & !reached == 0 {
                return reached;
            }
            for &block in &kind.inside {
                reached |= blocks[block + next][row];
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
                    let packed = fewer.block(each.block as usize);
                    reached |= word_of::<C>(packed, free, next, row);
                }
            }
        }
        if stuck {
            let next = frame.next[Self::MOVER][lane].iter();
            let word = |next: &usize| self.block(n)[*next][row];
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

/// As [`word_of`], of a block with nothing after it.
#[inline(always)]
fn word_at_end<C: Cpu>(block: &[u8], free: &Free, lane: usize, row: usize) -> u32 {
    let bit = (lane * free.len + free.before(row)) * free.len;
    let begin = (bit >> 3).min(block.len().saturating_sub(8));
    if let Some(eight) = block.get(begin..begin + 8) {
        let bits = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        return C::deposit(bits >> (bit - 8 * begin), free.set.into()) as u32;
    }
    let mut eight = [0; 8];
    eight[..block.len()].copy_from_slice(block);
    C::deposit(u64::from_le_bytes(eight) >> bit, free.set.into()) as u32
}
