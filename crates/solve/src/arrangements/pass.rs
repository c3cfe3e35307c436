//! One pass over the positions of a problem with one side to move: side 0 wins where a move leads to a
//! loss of side 1, side 1 loses where no move leads to anything but a win of side 0.
//!
//! A pass goes row by row: the followers of the side that does not move stay, so that all moves but
//! captures lead to blocks of the row. These are put in board order when they are first needed, all together
//! a few hundred kilobytes to megabytes; then a move of a follower is an OR of blocks, a move of the leader
//! a shift. While much is undecided, whole blocks are worked on (`dense.rs`), later only words in which
//! something is (`sparse.rs`).

use index::{Subsets, expand, rank_among};

use super::cpu::Cpu;
use super::pack::{Free, pack, unpack, unpack_row};
use super::shape::{Frame, Plane, Problem, SLACK, squares};
use super::sparse::AtOnce;
use super::words::{self, Lane};

/// What a pass looks at.
pub(super) struct Pass<'a> {
    pub(super) frame: &'a Frame,
    pub(super) problem: &'a Problem,
    /// Whether it is the first over these positions.
    pub(super) first: bool,
    /// Where moves lead that capture nothing.
    pub(super) inside: &'a Plane,
    /// Where captures of followers lead, if there are any to capture.
    pub(super) captured: Option<&'a Plane>,
    /// The same with rows and bits exchanged, where side 1 moves.
    pub(super) columns: Option<&'a Plane>,
}

/// The blocks with the same followers of the side that does not move.
pub(super) struct Row<'a> {
    pub(super) followers: u32,
    pub(super) blocks: &'a mut [u8],
    pub(super) changed: &'a mut [u32],
    /// The blocks with rows and bits exchanged, if they are kept.
    pub(super) columns: Option<&'a mut [u8]>,
    /// For each block and lane the rows with undecided positions, once these are known.
    pub(super) open: Option<&'a [u32]>,
}

/// What a thread needs, kept from row to row.
pub(super) struct Scratch<const R: usize> {
    /// The mover's followers of each block of the row.
    pub(super) sets: Vec<u32>,
    /// The rows of each block that were changed, those of captures by the leader included.
    pub(super) dirty: Vec<u32>,
    /// Whether the block is in board order.
    ready: Vec<bool>,
    /// Blocks in board order: what side 1 has lost, or what side 0 has not won.
    pub(super) blocks: Vec<Lane<R>>,
    /// For each lane what moves of its kind lead to.
    pub(super) lanes: Vec<Lane<R>>,
    pub(super) spare: Vec<Lane<R>>,
    pub(super) packed: Vec<u8>,
    pub(super) moves: Vec<Move>,
    /// For each kind of move the squares of the leader with which no piece can make it.
    pub(super) stuck: Vec<u32>,
    /// The moves of a block by kind.
    pub(super) kinds: Vec<Kind>,
}

/// What a kind of move of one block leads to.
#[derive(Clone, Default)]
pub(super) struct Kind {
    pub(super) at_once: AtOnce,
    /// Where the words of the blocks begin that followers move to.
    pub(super) inside: Vec<usize>,
    pub(super) captures: Vec<Move>,
}

/// A move of a follower.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) from: u8,
    pub(super) to: u8,
    /// Whether it captures, or else stays in the row.
    pub(super) captures: bool,
    /// The mover's followers after it.
    pub(super) moved: u32,
    /// The number of the block it leads to: in the row, or in the plane of captures.
    pub(super) block: u32,
    /// The rows of that block that were changed.
    pub(super) dirty: u32,
}

/// The most blocks of a row.
fn longest(problem: &Problem) -> usize {
    let rows = problem.beside.iter().map(Subsets::len);
    rows.max().unwrap_or(0) as usize
}

/// About the bytes that a thread needs.
pub(super) fn bytes_of_scratch(frame: &Frame, problem: &Problem) -> u64 {
    let of_block = frame.lanes * frame.rows() * 4 + 16;
    (longest(problem) * of_block + problem.stride) as u64
}

impl<const R: usize> Scratch<R> {
    /// For rows of a problem.
    pub(super) fn new(frame: &Frame, problem: &Problem) -> Self {
        let blocks = longest(problem);
        Self {
            sets: Vec::with_capacity(blocks),
            dirty: Vec::with_capacity(blocks),
            ready: Vec::with_capacity(blocks),
            blocks: vec![[0; R]; blocks * frame.lanes],
            lanes: vec![[0; R]; frame.lanes],
            spare: vec![[0; R]; frame.lanes],
            packed: vec![0; problem.stride + 2 * SLACK],
            moves: Vec::new(),
            stuck: vec![0; frame.groups.len()],
            kinds: vec![Kind::default(); frame.groups.len()],
        }
    }
}

/// Goes over a row; how many positions are new. `LOSSES` says whether side 1 is to move and loses.
#[inline(always)]
pub(super) fn go<C: Cpu, const R: usize, const LOSSES: bool>(
    pass: &Pass<'_>,
    row: Row<'_>,
    scratch: &mut Scratch<R>,
) -> u64 {
    let mut worker = Worker::<R, LOSSES> {
        pass,
        frame: pass.frame,
        other: row.followers,
        outside: pass.frame.board() & !row.followers,
        scratch,
    };
    worker.list();
    let stride = pass.problem.stride;
    let blocks = row.blocks.chunks_exact_mut(stride);
    let mut columns = row.columns.map(|columns| columns.chunks_exact_mut(stride));
    let mut open = row.open.map(|open| open.chunks_exact(pass.frame.lanes));
    let mut count = 0;
    for (n, (block, changed)) in blocks.zip(row.changed).enumerate() {
        let column = columns.as_mut().and_then(Iterator::next);
        let open = open.as_mut().and_then(Iterator::next);
        *changed = 0;
        if open.is_some_and(|open| open.iter().all(|&rows| rows == 0)) {
            continue;
        }
        worker.list_moves(n);
        let rows = worker.dirty_rows(n);
        if rows == 0 {
            continue;
        }
        let found = match open.filter(|open| worker.are_few(open)) {
            None => worker.whole_block::<C>(n, block, changed),
            Some(open) => worker.open_words::<C>(n, rows, open, block, changed),
        };
        count += found;
        if let Some(column) = column
            && (found > 0 || pass.first)
        {
            worker.exchange::<C>(n, block, column);
        }
    }
    count
}

pub(super) struct Worker<'a, const R: usize, const LOSSES: bool> {
    pub(super) pass: &'a Pass<'a>,
    pub(super) frame: &'a Frame,
    /// The followers of the side that does not move.
    pub(super) other: u32,
    /// The squares without them.
    pub(super) outside: u32,
    pub(super) scratch: &'a mut Scratch<R>,
}

impl<const R: usize, const LOSSES: bool> Worker<'_, R, LOSSES> {
    pub(super) const MOVER: usize = LOSSES as usize;

    /// The followers of side 0 and of side 1.
    #[inline(always)]
    fn both(own: u32, other: u32) -> [u32; 2] {
        if LOSSES { [other, own] } else { [own, other] }
    }

    /// Lists the blocks of the row, and what was changed in them.
    #[inline(always)]
    fn list(&mut self) {
        let Scratch {
            sets, dirty, ready, ..
        } = &mut *self.scratch;
        sets.clear();
        dirty.clear();
        ready.clear();
        let beside = &self.pass.problem.beside[Self::MOVER];
        for n in 0..beside.len() {
            let own = expand(beside.unrank(n), self.outside.into()) as u32;
            sets.push(own);
            ready.push(false);
            let inside = self.pass.inside;
            let mut changed = inside.changed[inside.index(Self::both(own, self.other))];
            if let Some(fewer) = self.pass.captured {
                for at in squares(self.other) {
                    let left = self.other & !(1 << at);
                    let rows = fewer.changed[fewer.index(Self::both(own, left))];
                    changed |= if LOSSES { rows } else { rows & 1 << at };
                }
            }
            dirty.push(changed);
        }
    }

    /// Lists the moves of the followers of a block.
    #[inline(always)]
    fn list_moves(&mut self, n: usize) {
        let (frame, own) = (self.frame, self.scratch.sets[n]);
        let Scratch { moves, dirty, .. } = &mut *self.scratch;
        moves.clear();
        for from in squares(own) {
            let rest = own & !(1 << from);
            for to in squares(frame.reach[Self::MOVER][from] & !rest) {
                let moved = rest | 1 << to;
                let captures = self.other >> to & 1 == 1;
                let (block, dirty) = match self.pass.captured {
                    Some(fewer) if captures => {
                        let index = fewer.index(Self::both(moved, self.other & !(1 << to)));
                        (index, fewer.changed[index])
                    }
                    _ => {
                        let m = rank_among(moved.into(), self.outside.into()) as usize;
                        (m, dirty[m])
                    }
                };
                moves.push(Move {
                    from: from as u8,
                    to: to as u8,
                    captures,
                    moved,
                    block: block as u32,
                    dirty,
                });
            }
        }
    }

    /// The rows of a block from which a move leads to something new.
    #[inline(always)]
    fn dirty_rows(&self, n: usize) -> u32 {
        if self.pass.first {
            return u32::MAX;
        }
        let Scratch { moves, dirty, .. } = &*self.scratch;
        // Turns in which only the context changes stay in their row.
        let mut rows = dirty[n];
        if !LOSSES {
            for group in &self.frame.groups {
                for step in &group.moves[0].steps {
                    rows |= step.back(dirty[n]);
                }
            }
        }
        moves.iter().fold(rows, |rows, each| rows | each.dirty)
    }

    /// Puts a block of the row in board order, with what captures by the leader lead to.
    #[inline(always)]
    pub(super) fn prepare<C: Cpu>(&mut self, n: usize) {
        if self.scratch.ready[n] {
            return;
        }
        self.scratch.ready[n] = true;
        let (frame, own) = (self.frame, self.scratch.sets[n]);
        let lanes = &mut self.scratch.blocks[n * frame.lanes..(n + 1) * frame.lanes];
        lanes.fill([0; R]);
        let free = Free::new(self.outside & !own);
        let inside = self.pass.inside;
        let packed = inside.block(inside.index(Self::both(own, self.other)));
        unpack::<C, R>(packed, &free, 0, lanes);
        let fewer = if LOSSES {
            self.pass.columns
        } else {
            self.pass.captured
        };
        let Some(fewer) = fewer else { return };
        for at in squares(self.other) {
            let left = self.other & !(1 << at);
            let packed = fewer.block(fewer.index(Self::both(own, left)));
            let free = Free::new(free.set | 1 << at);
            unpack_row::<C>(packed, &free, at, frame.lanes, |lane, word| {
                if LOSSES {
                    words::or_column(&mut lanes[lane], word, at);
                } else {
                    lanes[lane][at % R] = word;
                }
            });
        }
    }

    /// The lanes of a block that is in board order.
    #[inline(always)]
    pub(super) fn block(&self, n: usize) -> &[Lane<R>] {
        &self.scratch.blocks[n * self.frame.lanes..(n + 1) * self.frame.lanes]
    }

    /// For each row the bits that are positions, none of them over.
    #[inline(always)]
    pub(super) fn valid(&self, free: &Free) -> Lane<R> {
        let [goal, other_goal] = self.frame.goals;
        let mut valid = [0; R];
        for &row in free.rows() {
            if goal >> row & 1 == 0 {
                valid[usize::from(row) % R] = free.set & !(1 << row) & !other_goal;
            }
        }
        valid
    }

    /// The squares of the leader with which no piece can move by a kind of move.
    #[inline(always)]
    fn stuck_by(&self, own: u32, group: usize) -> u32 {
        let targets = &self.frame.groups[group].moves[Self::MOVER].targets;
        let open = |from: usize| targets[from] & (!own | 1_u32 << from);
        let open = squares(own).fold(0_u32, |all, from| all | open(from));
        // The leader may bar the only way.
        let candidates = match open.count_ones() {
            0 => self.frame.board() & !own,
            1 => open & !own,
            _ => 0,
        };
        let stuck = squares(candidates).filter(|&from| targets[from] & !own == 0);
        stuck.fold(0, |all, from| all | 1 << from)
    }

    /// Finds where no piece can move by a kind of move; whether there is such a square of the leader.
    #[inline(always)]
    pub(super) fn find_stuck(&mut self, n: usize) -> bool {
        let own = self.scratch.sets[n];
        let mut any = 0;
        for group in 0..self.frame.groups.len() {
            let stuck = self.stuck_by(own, group);
            self.scratch.stuck[group] = stuck;
            any |= stuck;
        }
        any != 0
    }

    /// The squares of the leader with which no piece can move in a lane.
    #[inline(always)]
    pub(super) fn stuck_in(&self, lane: usize) -> u32 {
        let next = self.frame.next[Self::MOVER][lane].iter();
        let groups = next.map(|&next| self.frame.group_of[next]);
        groups.fold(u32::MAX, |all, group| all & self.scratch.stuck[group])
    }

    /// Writes a block with rows and bits exchanged.
    #[inline(always)]
    fn exchange<C: Cpu>(&mut self, n: usize, block: &[u8], out: &mut [u8]) {
        let free = Free::new(self.outside & !self.scratch.sets[n]);
        let Scratch { spare, packed, .. } = &mut *self.scratch;
        packed[..block.len()].copy_from_slice(block);
        unpack::<C, R>(packed, &free, 0, spare);
        for lane in &mut *spare {
            let mut words = [0; 32];
            for &row in free.rows() {
                words[usize::from(row) % 32] = lane[usize::from(row) % R];
            }
            words::transpose(&mut words);
            *lane = *words.first_chunk().expect("at most 32 rows");
        }
        pack::<C, R>(spare, &free, packed);
        out.copy_from_slice(&packed[..out.len()]);
    }
}
