//! A pass over all positions of a block.

use super::cpu::Cpu;
use super::pack::{Free, Merge, merge, pack, unpack};
use super::pass::{Move, Scratch, Worker};
use super::shape::Frame;
use super::words::{self, Lane};

impl<const R: usize, const LOSSES: bool> Worker<'_, R, LOSSES> {
    /// Finds and stores what is new in a block; how many positions.
    #[inline(always)]
    pub(super) fn whole_block<C: Cpu>(
        &mut self,
        n: usize,
        block: &mut [u8],
        changed: &mut u32,
    ) -> u64 {
        self.gather::<C>(n);
        self.combine::<C>(n);
        let free = Free::new(self.outside & !self.scratch.sets[n]);
        let valid = self.valid(&free);
        let first = self.pass.first && !LOSSES;
        let Scratch { spare, packed, .. } = &mut *self.scratch;
        for out in &mut *spare {
            words::and(out, &valid, LOSSES);
        }
        pack::<C, R>(spare, &free, packed);
        if first {
            // Until now nothing was written: all positions are there, and none is won.
            let found = &packed[..block.len()];
            block.copy_from_slice(found);
            spare.fill(valid);
            pack::<C, R>(spare, &free, packed);
            let all = &packed[..block.len()];
            let mut count = 0;
            for (found, all) in block.iter_mut().zip(all) {
                count += u64::from(found.count_ones());
                *found ^= all;
            }
            *changed = u32::MAX;
            return count;
        }
        let how = if LOSSES { Merge::Set } else { Merge::Clear };
        let count = merge(block, packed, how);
        *changed = if count > 0 { u32::MAX } else { 0 };
        count
    }

    /// For each lane what moves of its kind lead to: all of it if side 1 is to lose, else what is new.
    #[inline(always)]
    fn gather<C: Cpu>(&mut self, n: usize) {
        let frame = self.frame;
        self.begin(self.scratch.sets[n]);
        for i in 0..self.scratch.moves.len() {
            let each = self.scratch.moves[i];
            if !LOSSES && each.dirty == 0 {
                continue;
            }
            if each.captures {
                self.capture::<C>(each);
            } else {
                let m = each.block as usize;
                self.prepare::<C>(m);
                let Scratch { blocks, lanes, .. } = &mut *self.scratch;
                let block = &blocks[m * frame.lanes..(m + 1) * frame.lanes];
                or_moves::<R, LOSSES>(frame, each, lanes, block);
            }
        }
        if LOSSES || self.scratch.dirty[n] != 0 {
            self.prepare::<C>(n);
            self.leader_moves(n);
        }
    }

    /// What wins at once, for the side to move, in every lane: if that is asked for.
    #[inline(always)]
    fn begin(&mut self, own: u32) {
        let frame = self.frame;
        if !LOSSES && !self.pass.first {
            self.scratch.lanes.fill([0; R]);
            return;
        }
        for (g, group) in frame.groups.iter().enumerate() {
            let at_once = self.at_once(own, g);
            let mut rows = [0; R];
            for (row, word) in rows.iter_mut().enumerate().take(frame.squares) {
                *word = at_once.word::<LOSSES>(&group.moves[Self::MOVER], row);
            }
            self.scratch.lanes[group.lanes.clone()].fill(rows);
        }
    }

    /// What a capture by a follower leads to.
    #[inline(always)]
    fn capture<C: Cpu>(&mut self, each: Move) {
        let frame = self.frame;
        let Some(fewer) = self.pass.captured else {
            return;
        };
        let packed = fewer.block(each.block as usize);
        // The square of the captured piece is taken by the one that moved.
        let free = Free::new(self.outside & !each.moved);
        let Scratch { lanes, spare, .. } = &mut *self.scratch;
        for group in &frame.groups {
            if each.is_of(&group.moves[Self::MOVER]) {
                let spare = &mut spare[group.lanes.clone()];
                spare.fill([0; R]);
                unpack::<C, R>(packed, &free, group.lanes.start, spare);
            }
        }
        or_moves::<R, LOSSES>(frame, each, lanes, spare);
    }

    #[inline(always)]
    fn leader_moves(&mut self, n: usize) {
        let frame = self.frame;
        let Scratch { blocks, lanes, .. } = &mut *self.scratch;
        let block = &blocks[n * frame.lanes..(n + 1) * frame.lanes];
        for group in &frame.groups {
            let range = group.lanes.clone();
            let (out, block) = (&mut lanes[range.clone()], &block[range]);
            for step in &group.moves[Self::MOVER].steps {
                if LOSSES {
                    words::or_bits(out, block, step.distance, step.from);
                } else {
                    let masks = step.rows.first_chunk().expect("at most 32 rows");
                    words::or_rows(out, block, step.distance, masks);
                }
            }
        }
    }

    /// From what moves lead to, by the lane they lead to, to positions by their own lane.
    #[inline(always)]
    fn combine<C: Cpu>(&mut self, n: usize) {
        let frame = self.frame;
        let Scratch { lanes, spare, .. } = &mut *self.scratch;
        for (out, next) in spare.iter_mut().zip(&frame.next[Self::MOVER]) {
            *out = [0; R];
            for &next in next {
                words::or(out, &lanes[next]);
            }
        }
        if (LOSSES || self.scratch.dirty[n] != 0) && self.find_stuck(n) {
            self.pass_turns::<C>(n);
        }
    }

    /// Where no piece can move, the context alone changes.
    #[inline(always)]
    fn pass_turns<C: Cpu>(&mut self, n: usize) {
        let frame = self.frame;
        self.prepare::<C>(n);
        for (lane, next) in frame.next[Self::MOVER].iter().enumerate() {
            let stuck = self.stuck_in(lane);
            for row in 0..frame.squares {
                let lanes = self.block(n);
                let word = |next: &usize| lanes[*next][row];
                let reached = next.iter().fold(0, |all, next| all | word(next));
                let here = if LOSSES {
                    stuck
                } else {
                    (stuck >> row & 1).wrapping_neg()
                };
                self.scratch.spare[lane][row] |= reached & here;
            }
        }
    }
}

/// ORs what a follower's move leads to into the lanes of its kinds.
#[inline(always)]
fn or_moves<const R: usize, const LOSSES: bool>(
    frame: &Frame,
    each: Move,
    lanes: &mut [Lane<R>],
    block: &[Lane<R>],
) {
    for group in &frame.groups {
        if each.is_of(&group.moves[usize::from(LOSSES)]) {
            let range = group.lanes.clone();
            words::or_all(&mut lanes[range.clone()], &block[range]);
        }
    }
}
