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
use super::shape::{Frame, Plane, Problem, WIDE, rank, squares};
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
    /// Blocks in board order: what side 1 has lost, or what side 0 has not won. After them blocks that
    /// captures lead to; before and after all of them words that no move gets to.
    pub(super) words: Words,
    /// For each lane what moves of its kind lead to.
    pub(super) reached: Words,
    /// Where the words of blocks begin that a kind of move leads to.
    pub(super) begins: Vec<usize>,
    pub(super) packed: Packed,
    /// The moves of a block by kind.
    pub(super) kinds: Vec<Kind>,
}

/// A block of the row.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The mover's followers.
    pub(super) own: u32,
    /// Its number where moves lead that capture nothing.
    pub(super) inside: usize,
    /// Whether it is in board order.
    ready: bool,
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

/// About the bytes that a thread needs.
pub(super) fn bytes_of_scratch(frame: &Frame, problem: &Problem) -> u64 {
    let row = problem.row(0).max(problem.row(1));
    let leads = 8 * problem.followers[0].max(problem.followers[1]) as usize;
    (4 * len_of_words(frame, problem) + row * (size_of::<Block>() + leads)) as u64
}

impl<const R: usize> Scratch<R> {
    /// For rows of a problem.
    pub(super) fn new(frame: &Frame, problem: &Problem) -> Self {
        Self {
            blocks: Vec::new(),
            leads: Vec::new(),
            words: Words::new(len_of_words(frame, problem)),
            reached: Words::new(frame.words + 2 * WIDE),
            begins: Vec::new(),
            packed: Packed::default(),
            kinds: frame.groups.iter().map(|_| Kind::default()).collect(),
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
    worker.list::<C>();
    let stride = pass.problem.stride;
    let blocks = row.blocks.chunks_exact_mut(stride);
    let mut count = 0;
    for (n, block) in blocks.enumerate() {
        if pass.undecided && block.iter().all(|&byte| byte == 0) {
            continue;
        }
        worker.list_moves::<C>(n);
        count += worker.whole_block::<C>(n, block);
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
                ready: false,
            });
        }
    }

    /// Lists the moves of the followers of a block.
    #[inline(always)]
    fn list_moves<C: Cpu>(&mut self, n: usize) {
        let Scratch { blocks, kinds, .. } = &mut *self.scratch;
        let Block { own, .. } = blocks[n];
        let places = self.outside.count_ones() as usize;
        let size = own.count_ones() as usize * places;
        let moved = &self.pass.moved[n * size..(n + 1) * size];
        for (group, kind) in self.frame.groups.iter().zip(kinds) {
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
    }

    /// Where the words of a block of the row begin, or of a block after them.
    #[inline(always)]
    pub(super) fn begin(&self, n: usize) -> usize {
        GUARD + n * self.frame.words
    }

    /// Puts a block of the row in board order, with what captures by the leader lead to; where its words
    /// begin.
    #[inline(always)]
    pub(super) fn prepare<C: Cpu>(&mut self, n: usize) -> usize {
        let begin = self.begin(n);
        let block = &mut self.scratch.blocks[n];
        if block.ready {
            return begin;
        }
        block.ready = true;
        let Block { own, inside, .. } = *block;
        let frame = self.frame;
        if let Some(next) = self.scratch.blocks.get(n + AHEAD) {
            let next = self.pass.inside.block(next.inside);
            C::ask_for(&next[..self.pass.inside.stride]);
        }
        let words = &mut self.scratch.words[begin..begin + frame.words];
        let free = Free::<C, R>::new(self.outside & !own);
        let packed = self.pass.inside.block(inside);
        for (lane, &at) in frame.word_of.iter().enumerate() {
            let words = words[at..].first_chunk_mut().expect("a lane");
            unpack::<C, R>(&packed[lane * free.bytes()..], &free, words);
        }
        let Some(fewer) = self.pass.captured else {
            return begin;
        };
        let leads = &self.scratch.leads[n * self.other.count_ones() as usize..];
        for (at, &lead) in squares(self.other).zip(leads) {
            let packed = fewer.block(lead);
            let free = free.set | 1 << at;
            let column = (free & ((1 << at) - 1)).count_ones() as usize;
            let (bytes, bit) = (fewer.lane, bit_of(free, at));
            let fold = if LOSSES && frame.lanes >= FEW_LANES {
                C::Fold::new(free)
            } else {
                None
            };
            for (lane, &begin) in frame.word_of.iter().enumerate() {
                let words: &mut Lane<R> = words[begin..].first_chunk_mut().expect("a lane");
                let packed = &packed[lane * bytes..];
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
        begin
    }

    /// For each row the bits that are positions, none of them over.
    #[inline(always)]
    pub(super) fn valid(&self, free: u32) -> [u32; 32] {
        let [goal, other_goal] = self.frame.goals;
        let mut valid = [0; 32];
        for row in squares(free & !goal) {
            valid[row] = free & !(1 << row) & !other_goal;
        }
        valid
    }
}
