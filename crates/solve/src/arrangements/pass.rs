//! One pass over the positions of a problem with one side to move: side 0 wins where a move leads to a
//! loss of side 1, side 1 loses where no move leads to anything but a win of side 0.
//!
//! A pass goes row by row: the followers of the side that does not move stay, so that all moves but
//! captures lead to blocks of the row. These are put in board order when they are first needed, all together
//! a few hundred kilobytes to megabytes; then a move of a follower is an OR of blocks, a move of the leader
//! a shift. How much of a block is looked at does not depend on what is new in it; once little is, passes
//! follow that (`follow.rs`).

use super::cpu::Cpu;
use super::fold::Fold;
use super::notes::{Listeners, Notes};
use super::pack::{Free, Packed, bit_of, unpack, word_of};
use super::shape::{Frame, Group, Plane, Problem, WIDE, rank, squares};
use super::words::{self, Lane, Words};

/// What a pass looks at.
pub(super) struct Pass<'a> {
    pub(super) frame: &'a Frame,
    pub(super) problem: &'a Problem,
    /// [`Problem::moved`] of the side to move.
    pub(super) moved: &'a [u32],
    /// Whether it is the first over these positions.
    pub(super) first: bool,
    /// Where moves lead that capture nothing.
    pub(super) inside: &'a Plane,
    /// Where captures of followers lead, if there are any to capture.
    pub(super) captured: Option<&'a Plane>,
    /// Whether what is undecided with side 1 to move is kept, and not what it has lost.
    pub(super) undecided: bool,
    /// Who is told what is new.
    pub(super) listeners: Listeners<'a>,
}

/// The blocks with the same followers of the side that does not move.
pub(super) struct Row<'a> {
    pub(super) followers: u32,
    pub(super) blocks: &'a mut [u8],
}

/// What a thread needs, kept from row to row.
pub(super) struct Scratch<const R: usize> {
    /// The blocks of the row.
    pub(super) blocks: Vec<Block>,
    /// For each of them the blocks that captures by the leader lead to, by captured follower.
    leads: Vec<usize>,
    /// Blocks in board order, kind of move by kind of move: what side 1 has lost, or what side 0 has not won. After
    /// them blocks that captures lead to; before and after all of them words that no move gets to.
    pub(super) words: Words,
    /// For each block and lane what moves of its kind lead to.
    pub(super) reached: Words,
    /// Where the words of blocks begin that a kind of move leads to.
    pub(super) begins: Vec<usize>,
    pub(super) packed: Packed,
    /// The moves of a kind in a block.
    pub(super) kind: Kind,
}

/// A block of the row.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The mover's followers.
    pub(super) own: u32,
    /// Its number where moves lead that capture nothing.
    pub(super) inside: usize,
    /// Whether there is nothing left to find in it.
    done: bool,
}

/// The moves of a kind in one block.
#[derive(Default)]
pub(super) struct Kind {
    /// The blocks of the row that followers move to.
    pub(super) inside: Vec<u32>,
    pub(super) captures: Vec<Capture>,
}

/// A capture by a follower.
#[derive(Clone, Copy)]
pub(super) struct Capture {
    /// The mover's followers after it.
    pub(super) moved: u32,
    /// The number of the block it leads to.
    pub(super) block: usize,
}

/// Before and after the words of blocks: as far as a leader moves.
const GUARD: usize = 32;

/// Blocks are asked for so many blocks before their turn.
const AHEAD: usize = 3;

/// With fewer lanes a column is taken without folding.
const FEW_LANES: usize = 4;

/// Most captures by followers with a kind of move.
fn captures(problem: &Problem) -> usize {
    (problem.followers[0] * problem.followers[1]) as usize
}

/// Words in board order that a thread needs.
fn len_of_words(frame: &Frame, problem: &Problem) -> usize {
    let row = problem.row(0).max(problem.row(1));
    (row + captures(problem)) * frame.words + 2 * GUARD
}

/// Words that moves lead to.
fn len_of_reached(frame: &Frame, problem: &Problem) -> usize {
    problem.row(0).max(problem.row(1)) * frame.words + 2 * WIDE
}

/// About the bytes that a thread needs.
pub(super) fn bytes_of_scratch(frame: &Frame, problem: &Problem) -> u64 {
    let row = problem.row(0).max(problem.row(1));
    let leads = 8 * problem.followers[0].max(problem.followers[1]) as usize;
    let words = len_of_words(frame, problem) + len_of_reached(frame, problem);
    (4 * words + row * (size_of::<Block>() + leads)) as u64
}

impl<const R: usize> Scratch<R> {
    /// For rows of a problem.
    pub(super) fn new(frame: &Frame, problem: &Problem) -> Self {
        Self {
            blocks: Vec::new(),
            leads: Vec::new(),
            words: Words::new(len_of_words(frame, problem)),
            reached: Words::new(len_of_reached(frame, problem)),
            begins: Vec::new(),
            packed: Packed::default(),
            kind: Kind::default(),
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
    let mut worker = Worker::<R, LOSSES>::new(pass, row.followers, scratch);
    let stride = pass.problem.stride;
    let is_done = |block: &[u8]| pass.undecided && block.iter().all(|&byte| byte == 0);
    worker.list::<C>();
    for (n, block) in row.blocks.chunks_exact(stride).enumerate() {
        worker.scratch.blocks[n].done = is_done(block);
    }
    let blocks = worker.scratch.blocks.len();
    if worker.scratch.blocks.iter().all(|block| block.done) {
        return 0;
    }
    for n in 0..blocks {
        worker.prepare::<C>(n);
    }
    for group in &pass.frame.groups {
        for n in 0..blocks {
            if !worker.scratch.blocks[n].done {
                worker.gather::<C>(n, group);
            }
        }
    }
    let mut count = 0;
    for (n, block) in row.blocks.chunks_exact_mut(stride).enumerate() {
        if !worker.scratch.blocks[n].done {
            count += worker.decide::<C>(n, block);
        }
    }
    count
}

/// How many squares of a set are below each square.
#[inline(always)]
pub(super) fn places(set: u32) -> [u8; 32] {
    let mut places = [0; 32];
    for (square, place) in places.iter_mut().enumerate() {
        *place = (set & ((1 << square) - 1)).count_ones() as u8;
    }
    places
}

pub(super) struct Worker<'a, const R: usize, const LOSSES: bool> {
    pub(super) pass: &'a Pass<'a>,
    pub(super) frame: &'a Frame,
    /// The followers of the side that does not move.
    pub(super) other: u32,
    /// The squares without them, and how many of these are below each square.
    pub(super) outside: u32,
    places: [u8; 32],
    pub(super) notes: Notes<'a, LOSSES>,
    pub(super) scratch: &'a mut Scratch<R>,
}

impl<'a, const R: usize, const LOSSES: bool> Worker<'a, R, LOSSES> {
    pub(super) const MOVER: usize = LOSSES as usize;

    #[inline(always)]
    fn new(pass: &'a Pass<'a>, other: u32, scratch: &'a mut Scratch<R>) -> Self {
        let outside = pass.frame.board() & !other;
        Self {
            pass,
            frame: pass.frame,
            other,
            outside,
            places: places(outside),
            notes: pass.listeners.notes(pass.frame, other),
            scratch,
        }
    }

    /// The followers of side 0 and of side 1.
    #[inline(always)]
    fn both(own: u32, other: u32) -> [u32; 2] {
        if LOSSES { [other, own] } else { [own, other] }
    }

    /// Lists the blocks of the row.
    #[inline(always)]
    fn list<C: Cpu>(&mut self) {
        let inside = self.pass.inside;
        self.scratch.blocks.clear();
        self.scratch.leads.clear();
        for &set in &self.pass.problem.sets_beside[Self::MOVER] {
            let own = C::deposit(set.into(), self.outside.into()) as u32;
            // Where moves lead, the mover's followers are the major ones.
            let rank = rank(own);
            if let Some(fewer) = self.pass.captured {
                for at in squares(self.other) {
                    let left = self.other & !(1 << at);
                    let block = rank * fewer.row + fewer.index_in_row::<C>(own, left);
                    self.scratch.leads.push(block);
                }
            }
            self.scratch.blocks.push(Block {
                own,
                inside: rank * inside.row + inside.index_in_row::<C>(own, self.other),
                done: false,
            });
        }
    }

    /// Lists the moves of a kind of the followers of a block.
    #[inline(always)]
    pub(super) fn list_moves<C: Cpu>(&mut self, n: usize, group: &Group) {
        let Scratch { blocks, kind, .. } = &mut *self.scratch;
        let Block { own, .. } = blocks[n];
        let places = self.outside.count_ones() as usize;
        let size = own.count_ones() as usize * places;
        let moved = &self.pass.moved[n * size..(n + 1) * size];
        let moves = &group.moves[Self::MOVER];
        kind.inside.clear();
        kind.captures.clear();
        for (from, moved) in squares(own).zip(moved.chunks_exact(places)) {
            let rest = own & !(1 << from);
            let targets = moves.targets[from] & !rest;
            for to in squares(targets & self.outside) {
                kind.inside.push(moved[usize::from(self.places[to])]);
            }
            for to in squares(targets & self.other) {
                if let Some(fewer) = self.pass.captured {
                    let moved = rest | 1 << to;
                    let left = self.other & !(1 << to);
                    let block = fewer.index::<C>(Self::both(moved, left));
                    kind.captures.push(Capture { moved, block });
                }
            }
        }
    }

    /// Where the words of a block of the row begin that a kind of move leads to.
    #[inline(always)]
    pub(super) fn begin(&self, n: usize, group: &Group) -> usize {
        GUARD + self.scratch.blocks.len() * group.words.start + n * group.words.len()
    }

    /// Where the words begin of a block that a capture leads to.
    #[inline(always)]
    pub(super) fn begin_of_capture(&self, i: usize) -> usize {
        GUARD + (self.scratch.blocks.len() + i) * self.frame.words
    }

    /// Puts a block of the row in board order, with what captures by the leader lead to.
    #[inline(always)]
    fn prepare<C: Cpu>(&mut self, n: usize) {
        let Block { own, inside, .. } = self.scratch.blocks[n];
        let frame = self.frame;
        if let Some(next) = self.scratch.blocks.get(n + AHEAD) {
            let next = self.pass.inside.block(next.inside);
            C::ask_for(&next[..self.pass.inside.stride]);
        }
        if let Some(fewer) = self.pass.captured {
            let each = self.other.count_ones() as usize;
            let next = (n + AHEAD) * each..(n + AHEAD + 1) * each;
            for &lead in self.scratch.leads.get(next).unwrap_or_default() {
                C::ask_for(&fewer.block(lead)[..fewer.stride]);
            }
        }
        let free = Free::<C, R>::new(self.outside & !own);
        let packed = self.pass.inside.block(inside);
        for group in &frame.groups {
            let begin = self.begin(n, group);
            let words = &mut self.scratch.words[begin..][..group.words.len()];
            for (lane, words) in group.lanes.clone().zip(words.as_chunks_mut().0) {
                unpack::<C, R>(&packed[lane * free.bytes()..], &free, words);
            }
        }
        let Some(fewer) = self.pass.captured else {
            return;
        };
        for (i, at) in squares(self.other).enumerate() {
            let lead = self.scratch.leads[n * self.other.count_ones() as usize + i];
            self.lead::<C>(n, fewer, fewer.block(lead), free.set | 1 << at, at);
        }
    }

    /// Puts what a capture by the leader leads to into the words of a block.
    #[inline(always)]
    fn lead<C: Cpu>(&mut self, n: usize, fewer: &Plane, packed: &[u8], free: u32, at: usize) {
        let frame = self.frame;
        let column = (free & ((1 << at) - 1)).count_ones() as usize;
        let bit = bit_of(free, at);
        let fold = if LOSSES && frame.lanes >= FEW_LANES {
            C::Fold::new(free)
        } else {
            None
        };
        for group in &frame.groups {
            let begin = self.begin(n, group);
            let words = &mut self.scratch.words[begin..][..group.words.len()];
            let lanes: &mut [Lane<R>] = words.as_chunks_mut().0;
            for (lane, words) in group.lanes.clone().zip(lanes) {
                let packed = &packed[lane * fewer.lane..];
                if let Some(fold) = &fold {
                    let rows = fold.unfold(packed.first_chunk().expect("a lane"));
                    for (rows, words) in rows.into_iter().zip(words.chunks_mut(WIDE)) {
                        fold.or(C::and(rows, C::splat(1 << at)), words);
                    }
                } else if LOSSES {
                    let rows = fewer.columns.take::<C>(packed, column);
                    words::or_column(words, C::deposit(rows.into(), free.into()) as u32, at);
                } else {
                    words[at] = word_of::<C>(packed, free, bit);
                }
            }
        }
    }

    /// For each row the bits that are positions, none of them over.
    #[inline(always)]
    pub(super) fn valid(&self, free: u32) -> [u32; 32] {
        let [goal, other_goal] = self.frame.goals;
        let (rows, bits) = (free & !goal, free & !other_goal);
        let mut valid = [0; 32];
        // For all squares, so that it is done for many at once.
        for (row, word) in valid.iter_mut().enumerate() {
            *word = (rows >> row & 1).wrapping_neg() & bits & !(1 << row);
        }
        valid
    }
}
