//! A pass over all positions of a block.

use crate::pass::sweep::{Block, Scratch, Worker};
use crate::plane::packing::{Free, LONGEST, Merge, Wides, merge, pack, wides_of, words_of};
use crate::simd::token::{Cpu, WIDE};
use crate::space::board_tables::{Group, Moves, Step};
use crate::space::move_lists::Rearranged;
use crate::space::sets::squares;

/// What moves of a kind lead to is collected so many wides at a time, in registers.
const MOST_WIDES: usize = 4;

impl<const R: usize, const LOSSES: bool> Worker<'_, R, LOSSES> {
    /// Stores what is new in a block, once it is known what moves lead to; how many positions.
    #[inline(always)]
    pub(crate) fn decide<C: Cpu>(&mut self, cpu: C, n: usize, block: &mut [u8]) -> u64 {
        let (frame, own) = (self.frame, self.scratch.blocks[n].own);
        let free = Free::<C, R>::new(cpu, self.outside & !own);
        let valid = wides_of(cpu, &self.valid(free.set));
        if self.pass.first && !LOSSES {
            // Until now nothing was written. No position is won.
            let mut all = [0; LONGEST];
            pack::<C, R>(cpu, &valid, &free, &mut all);
            for lane in block.chunks_exact_mut(free.bytes()) {
                lane.copy_from_slice(&all[..free.bytes()]);
            }
        }
        let stuck = self.pass.problem.may_be_stuck(frame, Self::MOVER, own);
        let how = if LOSSES && !self.pass.undecided {
            Merge::Set
        } else {
            Merge::Clear
        };
        if LOSSES || self.pass.first {
            self.win_at_once(own);
        }
        let mut all = std::mem::take(&mut self.scratch.found);
        let mut any = false;
        for lane in 0..frame.lanes {
            let mut found = self.combine(cpu, n, lane, &valid);
            if stuck {
                self.pass_turns(cpu, n, lane, &valid, &mut found);
            }
            let out = all[lane * free.bytes()..].first_chunk_mut();
            let out: &mut [u8; LONGEST] = out.expect("room after a lane");
            if cpu.nonzero(cpu.or(found[0], found[1])) == 0 {
                *out = [0; LONGEST];
            } else {
                pack::<C, R>(cpu, &found, &free, out);
                any = true;
            }
        }
        let count = if any { merge(&mut all, block, how) } else { 0 };
        if count > 0 && self.notes.any() {
            for (lane, new) in all[..block.len()].chunks_exact(free.bytes()).enumerate() {
                self.note(cpu, own, lane, &free, new);
            }
        }
        self.scratch.found = all;
        count
    }

    /// Takes down what is new in a packed lane.
    #[inline(always)]
    fn note<C: Cpu>(&mut self, cpu: C, own: u32, lane: usize, free: &Free<C, R>, new: &[u8]) {
        if new.iter().all(|&byte| byte == 0) {
            return;
        }
        let spot = self.notes.spot(cpu, own);
        let mut at = [0; 32];
        for (at, square) in at.iter_mut().zip(squares(free.set)) {
            *at = square;
        }
        for (i, &byte) in new.iter().enumerate() {
            for bit in squares(byte.into()) {
                let n = 8 * i + bit;
                let (row, bit) = (at[n / free.len], at[n % free.len]);
                self.notes.take(spot, own, lane, row, 1 << bit);
            }
        }
    }

    /// What wins at once by a kind of move.
    #[inline(always)]
    fn at_once(&self, own: u32, group: &Group) -> AtOnce {
        let moves = &group.moves[Self::MOVER];
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

    /// Finds what wins at once in a block with these followers of the mover.
    #[inline(always)]
    fn win_at_once(&mut self, own: u32) {
        let mut all = std::mem::take(&mut self.scratch.at_once);
        all.clear();
        for group in &self.frame.groups {
            let wins = self.at_once(own, group);
            all.push(wins.words::<LOSSES, R>(&group.moves[Self::MOVER]));
        }
        self.scratch.at_once = all;
    }

    /// Finds what moves of a kind lead to from a block.
    #[inline(always)]
    pub(crate) fn gather<C: Cpu>(
        &mut self,
        cpu: C,
        n: usize,
        group: &Group,
        rearranged: &Rearranged,
    ) {
        let rank = self.scratch.blocks[n].rank;
        let mut begins = std::mem::take(&mut self.scratch.begins);
        begins.clear();
        for &to in rearranged.from(rank) {
            begins.push(self.begin(to as usize, group));
        }
        let own = self.begin(rank, group);
        let Scratch { words, reached, .. } = &mut *self.scratch;
        let moves = &group.moves[Self::MOVER];
        let from = Sources {
            words,
            begins: &begins,
            own,
            steps: &moves.steps,
        };
        let reached = &mut reached[n * self.frame.words..][..self.frame.words][group.words.clone()];
        collect_all::<C, LOSSES>(cpu, reached, &from);
        self.scratch.begins = begins;
    }

    /// From what moves lead to, by the lane they lead to, to positions by their own lane: those that are
    /// found.
    #[inline(always)]
    fn combine<C: Cpu>(&self, cpu: C, n: usize, lane: usize, valid: &Wides<C>) -> Wides<C> {
        let frame = self.frame;
        let mut all = [cpu.splat(0); 2];
        for &(group, begin) in &frame.next_words[Self::MOVER][lane] {
            // The words after a lane are no rows of it, so they are not valid.
            let words = &self.scratch.reached[n * frame.words + begin..][..2 * WIDE];
            for (half, all) in all.iter_mut().enumerate() {
                *all = cpu.or(*all, cpu.load(wide(words, half)));
            }
            if LOSSES || self.pass.first {
                let wins = &self.scratch.at_once[group];
                for (half, all) in all.iter_mut().enumerate() {
                    *all = cpu.or(*all, cpu.load(wide(wins, half)));
                }
            }
        }
        for (half, all) in all.iter_mut().enumerate() {
            *all = if LOSSES {
                cpu.without(valid[half], *all)
            } else {
                cpu.and(valid[half], *all)
            };
        }
        all
    }

    /// Adds turns in which no piece can move, and the context alone changes.
    #[inline(always)]
    fn pass_turns<C: Cpu>(
        &self,
        cpu: C,
        n: usize,
        lane: usize,
        valid: &Wides<C>,
        found: &mut Wides<C>,
    ) {
        let (valid, mut rows) = (words_of(cpu, valid), words_of(cpu, found));
        let Block { own, rank, .. } = self.scratch.blocks[n];
        let stuck = self.frame.stuck_in(Self::MOVER, own, lane);
        for &next in &self.frame.next[Self::MOVER][lane] {
            let group = &self.frame.groups[self.frame.group_of[next]];
            let in_group = self.frame.word_of[next] - group.words.start;
            let words = &self.scratch.words[self.begin(rank, group) + in_group..];
            for row in 0..self.frame.squares {
                if LOSSES {
                    rows[row] &= !(words[row] & stuck);
                } else {
                    let here = (stuck >> row & 1).wrapping_neg();
                    rows[row] |= words[row] & here & valid[row];
                }
            }
        }
        *found = wides_of(cpu, &rows);
    }
}

/// What wins at once by a kind of move.
struct AtOnce {
    /// The squares that followers attack.
    attacked: u32,
    /// The squares from which the leader enters its goal.
    entrances: u32,
}

impl AtOnce {
    /// For each row the positions from which the side to move wins at once.
    #[inline(always)]
    fn words<const LOSSES: bool, const R: usize>(&self, moves: &Moves) -> [u32; 2 * WIDE] {
        let mut words = [0; 2 * WIDE];
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
struct Sources<'a> {
    words: &'a [u32],
    /// Where the words of the kind begin in each block that a follower's move leads to.
    begins: &'a [usize],
    /// Where they begin in the block itself.
    own: usize,
    /// The moves of the leader.
    steps: &'a [Step],
}

/// Collects what moves of a kind lead to.
#[inline(always)]
fn collect_all<C: Cpu, const LOSSES: bool>(cpu: C, out: &mut [u32], from: &Sources<'_>) {
    let mut at = 0;
    while out.len() - at >= MOST_WIDES * WIDE {
        collect::<C, MOST_WIDES, LOSSES>(cpu, &mut out[at..], from, at);
        at += MOST_WIDES * WIDE;
    }
    while out.len() - at >= 2 * WIDE {
        collect::<C, 2, LOSSES>(cpu, &mut out[at..], from, at);
        at += 2 * WIDE;
    }
    while at < out.len() {
        collect::<C, 1, LOSSES>(cpu, &mut out[at..], from, at);
        at += WIDE;
    }
}

/// The same for some wides, from word `at` of the kind on.
#[inline(always)]
fn collect<C: Cpu, const N: usize, const LOSSES: bool>(
    cpu: C,
    out: &mut [u32],
    from: &Sources<'_>,
    at: usize,
) {
    let out = &mut out[..N * WIDE];
    let mut all = [cpu.splat(0); N];
    for begin in from.begins {
        let words = &from.words[begin + at..][..N * WIDE];
        for (i, all) in all.iter_mut().enumerate() {
            *all = cpu.or(*all, cpu.load(wide(words, i)));
        }
    }
    for step in from.steps {
        if LOSSES {
            let words = &from.words[from.own + at..][..N * WIDE];
            let mask = cpu.splat(step.from);
            for (i, all) in all.iter_mut().enumerate() {
                let moved = cpu.shift(cpu.load(wide(words, i)), step.distance as i32);
                *all = cpu.or(*all, cpu.and(moved, mask));
            }
        } else {
            let begin = from.own.wrapping_add_signed(step.distance) + at;
            let words = &from.words[begin..][..N * WIDE];
            let masks = &step.rows[at..][..N * WIDE];
            for (i, all) in all.iter_mut().enumerate() {
                let moved = cpu.load(wide(words, i));
                *all = cpu.or(*all, cpu.and(moved, cpu.load(wide(masks, i))));
            }
        }
    }
    for (i, all) in all.into_iter().enumerate() {
        let out = out[i * WIDE..].first_chunk_mut().expect("a wide");
        cpu.store(all, out);
    }
}

#[inline(always)]
fn wide(words: &[u32], i: usize) -> &[u32; WIDE] {
    words[i * WIDE..].first_chunk().expect("a wide")
}
