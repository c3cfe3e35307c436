//! One pass over the positions of a problem with one side to move: side 0 wins where a move leads to a
//! loss of side 1, side 1 loses where no move leads to anything but a win of side 0.
//!
//! A pass goes row by row: the followers of the side that does not move stay, so that all moves but
//! captures lead to blocks of the row. These and the blocks that captures lead to are put in board order, all together
//! a few hundred kilobytes to megabytes; then a move of a follower is an OR of blocks, a move of the leader
//! a shift (`dense.rs`). How much of a block is looked at does not depend on what is new in it; once little is, passes
//! follow that (`follow.rs`).

use crate::pass::recorder::{Listeners, Notes};
use crate::plane::lane_buffer::{Lane, Words, or_column};
use crate::plane::packing::{Free, LONGEST, bit_of, is_zero, unpack, unpack_image, word_of};
use crate::plane::plane::{Place, Plane};
use crate::simd::lane_codec::Fold;
use crate::simd::token::{Cpu, WIDE};
use crate::space::board_tables::{Frame, Group};
use crate::space::move_lists::Rearranged;
use crate::space::sets::{rank, squares};
use crate::space::subproblem::Problem;

/// What a pass looks at.
pub(crate) struct Pass<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) problem: &'a Problem,
    /// Of the mover's followers, for each kind of move.
    pub(crate) rearranged: &'a [Rearranged],
    /// Whether it is the first over these positions.
    pub(crate) first: bool,
    /// Where moves lead that capture nothing.
    pub(crate) inside: &'a Plane,
    /// Where captures of followers lead, if there are any to capture.
    pub(crate) captured: Option<&'a Plane>,
    /// Whether what is undecided with side 1 to move is kept, and not what it has lost.
    pub(crate) undecided: bool,
    /// Who is told what is new.
    pub(crate) listeners: Listeners<'a>,
}

/// The blocks with the same followers of the side that does not move.
pub(crate) struct Row<'a> {
    pub(crate) followers: u32,
    pub(crate) blocks: &'a mut [u8],
}

/// What a thread needs, kept from row to row.
pub(crate) struct Scratch {
    /// The blocks of the row.
    pub(crate) blocks: Vec<Block>,
    /// For each of them the blocks that captures by the leader lead to, by captured follower.
    leads: Vec<Place>,
    /// The captures by followers in the row.
    captures: Vec<Capture>,
    /// What side 1 has lost, or what side 0 has not won, in board order: kind of move by kind of move a block for each set of the
    /// mover's followers. Where these are beside the other side's it is one of the row; where they take the square of one, what is
    /// left when it is captured. Before and after all of them there are words that no move gets to.
    pub(crate) words: Words,
    /// For each block and lane what moves of its kind lead to.
    pub(crate) reached: Words,
    /// For each kind of move what wins at once by it in a block.
    pub(crate) at_once: Vec<[u32; 2 * WIDE]>,
    /// Where the words of blocks begin that a kind of move leads to.
    pub(crate) begins: Vec<usize>,
    /// What is found in a block, lane by lane, and room for what is written after a lane.
    pub(crate) found: Vec<u8>,
}

/// A block of the row.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The mover's followers, and their number.
    pub(crate) own: u32,
    pub(crate) rank: usize,
    /// Where it is among those that moves lead to that capture nothing.
    inside: Place,
    /// Whether there is nothing left to find in it.
    done: bool,
}

/// What is left when a follower captures one.
#[derive(Clone, Copy)]
struct Capture {
    /// The mover's followers after it, and their number.
    own: u32,
    rank: usize,
    block: Place,
}

/// Before and after the words of blocks: as far as a leader moves.
const GUARD: usize = 32;

/// Blocks are asked for so many blocks before their turn: with many lanes, and with few.
const AHEAD: [usize; 2] = [3, 12];

/// With fewer lanes a column is taken without folding.
const FEW_LANES: usize = 4;

/// Sets of followers of a side.
fn sets(problem: &Problem) -> usize {
    problem.sets[0].len().max(problem.sets[1].len()) as usize
}

/// Blocks of a row.
fn row(problem: &Problem) -> usize {
    problem.row(0).max(problem.row(1))
}

/// Bytes of the longest row.
pub(crate) fn bytes_of_row(problems: &[Problem]) -> u64 {
    most(problems, |problem| row(problem) * problem.stride) as u64
}

/// Bytes of a block.
fn stride(problem: &Problem) -> usize {
    problem.stride
}

/// The most there is of something in a problem.
fn most(problems: &[Problem], of: impl Fn(&Problem) -> usize) -> usize {
    problems.iter().map(of).max().unwrap_or(0)
}

/// Words in board order that a thread needs.
fn len_of_words(frame: &Frame, problems: &[Problem]) -> usize {
    most(problems, sets) * frame.words + 2 * GUARD
}

/// Words that moves lead to.
fn len_of_reached(frame: &Frame, problems: &[Problem]) -> usize {
    most(problems, row) * frame.words + 2 * WIDE
}

/// About the bytes that a thread needs.
pub(crate) fn bytes_of_scratch(frame: &Frame, problems: &[Problem]) -> u64 {
    let blocks = |problem: &Problem| {
        let leads = size_of::<Place>() * problem.followers[0].max(problem.followers[1]) as usize;
        row(problem) * (size_of::<Block>() + leads) + sets(problem) * size_of::<Capture>()
    };
    let words = len_of_words(frame, problems) + len_of_reached(frame, problems);
    (4 * words + most(problems, blocks)) as u64
}

impl Scratch {
    /// For rows of any of these problems.
    pub(crate) fn new(frame: &Frame, problems: &[Problem]) -> Self {
        Self {
            blocks: Vec::new(),
            leads: Vec::new(),
            captures: Vec::new(),
            words: Words::new(len_of_words(frame, problems)),
            reached: Words::new(len_of_reached(frame, problems)),
            at_once: Vec::new(),
            begins: Vec::new(),
            found: vec![0; most(problems, stride) + LONGEST],
        }
    }
}

/// Goes over a row; how many positions are new. `LOSSES` says whether side 1 is to move and loses.
#[inline(always)]
pub(crate) fn go<C: Cpu, const R: usize, const LOSSES: bool>(
    cpu: C,
    pass: &Pass<'_>,
    row: Row<'_>,
    scratch: &mut Scratch,
) -> u64 {
    let mut worker = Worker::<R, LOSSES>::new(pass, row.followers, scratch);
    let (stride, row) = (pass.problem.stride, row.blocks);
    let is_done = |block: &[u8]| pass.undecided && is_zero(block);
    worker.list(cpu);
    for (n, block) in row.chunks_exact(stride).enumerate() {
        worker.scratch.blocks[n].done = is_done(block);
    }
    let blocks = worker.scratch.blocks.len();
    if worker.scratch.blocks.iter().all(|block| block.done) {
        return 0;
    }
    for n in 0..blocks {
        worker.prepare(cpu, n);
    }
    worker.prepare_captures(cpu);
    for (group, rearranged) in pass.frame.groups.iter().zip(pass.rearranged) {
        for n in 0..blocks {
            if !worker.scratch.blocks[n].done {
                worker.gather(cpu, n, group, rearranged);
            }
        }
    }
    let mut count = 0;
    for (n, block) in row.chunks_exact_mut(stride).enumerate() {
        if !worker.scratch.blocks[n].done {
            count += worker.decide(cpu, n, block);
        }
    }
    count
}

/// The next larger word with as many ones; one that is larger than all of so many bits if there is none.
///
/// # Source
/// R. W. Gosper in M. Beeler et al., *HAKMEM*, MIT 1972, item 175.
#[inline(always)]
fn next_of_as_many(word: u64) -> u64 {
    let lowest = word & word.wrapping_neg();
    let Some(trailing) = lowest.checked_ilog2() else {
        return u64::MAX;
    };
    let carried = word + lowest;
    carried | (word ^ carried) >> 2 >> trailing
}

pub(crate) struct Worker<'a, const R: usize, const LOSSES: bool> {
    pub(crate) pass: &'a Pass<'a>,
    pub(crate) frame: &'a Frame,
    /// The followers of the side that does not move.
    pub(crate) other: u32,
    /// The squares without them.
    pub(crate) outside: u32,
    /// Sets of the mover's followers.
    sets: usize,
    pub(crate) notes: Notes<'a, LOSSES>,
    pub(crate) scratch: &'a mut Scratch,
}

impl<'a, const R: usize, const LOSSES: bool> Worker<'a, R, LOSSES> {
    pub(crate) const MOVER: usize = LOSSES as usize;

    #[inline(always)]
    fn new(pass: &'a Pass<'a>, other: u32, scratch: &'a mut Scratch) -> Self {
        let outside = pass.frame.board() & !other;
        Self {
            pass,
            frame: pass.frame,
            other,
            outside,
            sets: pass.problem.sets[Self::MOVER].len() as usize,
            notes: pass.listeners.notes(pass.frame, other),
            scratch,
        }
    }

    /// Lists the blocks of the row.
    #[inline(always)]
    fn list<C: Cpu>(&mut self, cpu: C) {
        let inside = self.pass.inside;
        self.scratch.blocks.clear();
        self.scratch.leads.clear();
        for &set in &self.pass.problem.sets_beside[Self::MOVER] {
            let own = cpu.deposit(set.into(), self.outside.into()) as u32;
            // Where moves lead, the mover's followers are the major ones.
            let rank = rank(own);
            if let Some(fewer) = self.pass.captured {
                for at in squares(self.other) {
                    let left = self.other & !(1 << at);
                    let lead = fewer.find_in_row(cpu, self.frame, rank, [own, left]);
                    self.scratch.leads.push(lead);
                }
            }
            self.scratch.blocks.push(Block {
                own,
                rank,
                inside: inside.find_in_row(cpu, self.frame, rank, [own, self.other]),
                done: false,
            });
        }
    }

    /// Where the words of a block begin that a kind of move leads to, by the number of the mover's followers.
    #[inline(always)]
    pub(crate) fn begin(&self, rank: usize, group: &Group) -> usize {
        GUARD + self.sets * group.words.start + rank * group.words.len()
    }

    /// Puts a block in board order.
    #[inline(always)]
    fn unpack<C: Cpu>(&mut self, cpu: C, rank: usize, plane: &Plane, block: Place, free: u32) {
        let packed = plane.block(block.block);
        let Some(mirror) = block.mirror(self.frame) else {
            return self.unpack_as_it_is(cpu, rank, packed, free);
        };
        let free = Free::<C, R>::of_image(cpu, mirror, free);
        for group in &self.frame.groups {
            let begin = self.begin(rank, group);
            let words = &mut self.scratch.words[begin..][..group.words.len()];
            let lanes: &mut [Lane<R>] = words.as_chunks_mut().0;
            for i in 0..group.lanes.len() {
                let image = mirror.lanes[group.lanes.start + i];
                let packed = &packed[image * free.bytes()..];
                unpack_image::<C, R>(cpu, mirror, packed, &free, &mut lanes[i]);
            }
        }
    }

    #[inline(always)]
    fn unpack_as_it_is<C: Cpu>(&mut self, cpu: C, rank: usize, packed: &[u8], free: u32) {
        let free = Free::<C, R>::new(cpu, free);
        for group in &self.frame.groups {
            let begin = self.begin(rank, group);
            let words = &mut self.scratch.words[begin..][..group.words.len()];
            let lanes: &mut [Lane<R>] = words.as_chunks_mut().0;
            for i in 0..group.lanes.len() {
                let packed = &packed[(group.lanes.start + i) * free.bytes()..];
                unpack::<C, R>(cpu, packed, &free, &mut lanes[i]);
            }
        }
    }

    /// Puts the blocks in board order that captures by followers lead to.
    #[inline(always)]
    fn prepare_captures<C: Cpu>(&mut self, cpu: C) {
        let (Some(fewer), Some(rest)) = (
            self.pass.captured,
            self.pass.problem.followers[Self::MOVER].checked_sub(1),
        ) else {
            return;
        };
        let mut captures = std::mem::take(&mut self.scratch.captures);
        captures.clear();
        for at in squares(self.other) {
            let left = self.other & !(1 << at);
            // The mover's other followers, in ascending order.
            let mut set = (1_u64 << rest) - 1;
            while set < 1 << self.outside.count_ones() {
                let own = cpu.deposit(set, self.outside.into()) as u32 | 1 << at;
                let rank = rank(own);
                let block = fewer.find_in_row(cpu, self.frame, rank, [own, left]);
                captures.push(Capture { own, rank, block });
                set = next_of_as_many(set);
            }
        }
        for (n, capture) in captures.iter().enumerate() {
            if let Some(next) = captures.get(n + self.ahead()) {
                cpu.ask_for(&fewer.block(next.block.block)[..fewer.stride]);
            }
            let free = self.outside & !capture.own;
            self.unpack(cpu, capture.rank, fewer, capture.block, free);
        }
        self.scratch.captures = captures;
    }

    /// How many blocks before its turn a block is asked for.
    #[inline(always)]
    fn ahead(&self) -> usize {
        AHEAD[usize::from(self.frame.lanes < FEW_LANES)]
    }

    /// Puts a block of the row in board order, with what captures by the leader lead to.
    #[inline(always)]
    fn prepare<C: Cpu>(&mut self, cpu: C, n: usize) {
        let Block {
            own, rank, inside, ..
        } = self.scratch.blocks[n];
        let ahead = n + self.ahead();
        if let Some(next) = self.scratch.blocks.get(ahead) {
            let next = self.pass.inside.block(next.inside.block);
            cpu.ask_for(&next[..self.pass.inside.stride]);
        }
        if let Some(fewer) = self.pass.captured {
            let each = self.other.count_ones() as usize;
            let next = ahead * each..(ahead + 1) * each;
            for &lead in self.scratch.leads.get(next).unwrap_or_default() {
                cpu.ask_for(&fewer.block(lead.block)[..fewer.stride]);
            }
        }
        let free = self.outside & !own;
        self.unpack(cpu, rank, self.pass.inside, inside, free);
        let Some(fewer) = self.pass.captured else {
            return;
        };
        for (i, at) in squares(self.other).enumerate() {
            let lead = self.scratch.leads[n * self.other.count_ones() as usize + i];
            self.lead(cpu, rank, (fewer, lead), free | 1 << at, at);
        }
    }

    /// Puts what a capture by the leader leads to into the words of a block.
    #[inline(always)]
    fn lead<C: Cpu>(
        &mut self,
        cpu: C,
        rank: usize,
        (fewer, block): (&Plane, Place),
        free: u32,
        at: usize,
    ) {
        let frame = self.frame;
        let packed = fewer.block(block.block);
        let mirror = block.mirror(frame);
        // Where it is in the block that is there.
        let (free, from) = match mirror {
            Some(mirror) => (mirror.set(free), mirror.square(at)),
            None => (free, at),
        };
        let column = (free & ((1 << from) - 1)).count_ones() as usize;
        let bit = bit_of(free, from);
        let fold = match LOSSES && frame.lanes >= FEW_LANES {
            true => C::Fold::new(cpu, free),
            false => None,
        };
        let fold = match (fold, mirror) {
            (Some(fold), Some(mirror)) => Some(fold.reordered(&mirror.squares)),
            (fold, _) => fold,
        };
        for group in &frame.groups {
            let begin = self.begin(rank, group);
            let words = &mut self.scratch.words[begin..][..group.words.len()];
            let lanes: &mut [Lane<R>] = words.as_chunks_mut().0;
            for i in 0..group.lanes.len() {
                let lane = group.lanes.start + i;
                let lane = match mirror {
                    Some(mirror) => mirror.lanes[lane],
                    None => lane,
                };
                let packed = &packed[lane * fewer.lane..];
                let words = &mut lanes[i];
                if !LOSSES {
                    words[at] = match mirror {
                        Some(mirror) => mirror.set(word_of(cpu, packed, free, bit)),
                        None => word_of(cpu, packed, free, bit),
                    };
                    continue;
                }
                if let Some(fold) = &fold {
                    let packed = packed.first_chunk().expect("a lane");
                    let rows = fold.column(packed, column as u32);
                    for half in 0..R.div_ceil(WIDE) {
                        let words = &mut words[half * WIDE..R.min(half * WIDE + WIDE)];
                        fold.or(cpu.shift(rows[half], -(at as i32)), words);
                    }
                    continue;
                }
                let rows = fewer.columns.take(cpu, packed, column);
                let rows = cpu.deposit(rows.into(), free.into()) as u32;
                let rows = match mirror {
                    Some(mirror) => mirror.set(rows),
                    None => rows,
                };
                or_column(words, rows, at);
            }
        }
    }

    /// For each row the bits that are positions, none of them over.
    #[inline(always)]
    pub(crate) fn valid(&self, free: u32) -> [u32; 32] {
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
