//! The last passes: little is undecided, so all of it is in memory, with what it leads to.
//!
//! What is undecided with side 0 to move is listed, and numbered: of two images one, as in planes. For each such position the
//! numbers of those that its moves lead to, seen by who moves then, are kept. It leads to nothing that is lost, or else it would
//! have been won before, so it is lost once all of these are decided. Passes go over numbers alone. Nothing of this is kept on
//! the disk: a solve that is killed here goes on from the tiles, before the first of these passes.

use std::sync::atomic::{AtomicU64, Ordering};

use game::Arranged;
use rayon::prelude::*;

use super::super::Instructions;
use super::super::cpu::{Cpu, Portable, Work};
use super::super::pack::bit_of;
use super::super::rows::each_few;
use super::super::shape::{Frame, Problem, rank, squares};
use super::run::Run;
use super::store::Source;
use crate::limits::Watch;
use crate::{Error, Progress};

/// Of all positions such a part may be left at most: what is more is found faster in planes.
const PART: u64 = 256;

/// Bytes of a position with what it leads to: number and count, and some four others.
const BYTES: u64 = 20;

/// Rows between two looks at the monitor.
const ROWS_A_REPORT: usize = 64;

impl Run<'_> {
    /// Before a pass with side 1 to move: makes all that are left, if there is room for what is undecided.
    pub(super) fn rest(
        &mut self,
        instructions: Instructions,
        clock: &mut Watch<'_>,
    ) -> Result<bool, Error> {
        let stage = &self.stage.stage;
        let is_between = self.stage.turned > 0 && stage.planes == 0;
        if !is_between || stage.found.len().is_multiple_of(2) || !self.rest_fits() {
            return Ok(false);
        }
        for memory in &mut self.memory[..2] {
            *memory = Vec::new();
        }
        let left = self.left(clock)?;
        let Some(graph) = self.graph(&left, instructions, clock)? else {
            self.late.tries += 1;
            return Ok(false);
        };
        let watched = self.watch.undecided();
        let watched = watched.map(|(number, position)| {
            let found = left.find_position((&self.frame, &self.problems), position);
            (number, found.expect("what is undecided is listed"))
        });
        let watched: Vec<(usize, u32)> = watched.collect();
        drop(left);
        self.rest_of_passes(&graph, &watched, clock)?;
        Ok(true)
    }

    /// Whether there is room for what is undecided, as far as can be told before.
    fn rest_fits(&self) -> bool {
        let left = self.positions - self.decided;
        let numbers = match self.frame.mirror {
            // Rows that are their own images have both.
            Some(_) => left / 2 + left / 16,
            None => left,
        };
        let blocks = self.problems.iter().map(|problem| problem.kept_blocks(1));
        let blocks = 4 * blocks.sum::<u64>();
        let bits = self.problems.iter().map(|problem| 8 * problem.stride);
        let tries = self.late.tries;
        left <= self.positions / PART >> tries
            && numbers <= u32::MAX.into()
            && bits.max() <= Some(1 << 16)
            && blocks + (numbers << tries) * BYTES <= self.late.room_of_rest
    }

    /// Lists what is undecided.
    fn left(&mut self, clock: &mut Watch<'_>) -> Result<Left, Error> {
        let empty = |problem: &Problem| -> Vec<LeftRow> {
            let rows = problem.kept[1].sets.iter();
            rows.map(|_| LeftRow::default()).collect()
        };
        let mut rows: Vec<Vec<LeftRow>> = self.problems.iter().map(empty).collect();
        for (_, slice) in self.slices_to_move(0) {
            let of_slice = self.rows(slice);
            let source = Source::known(slice.problem, 0);
            let mut plane = self.load_rows(source, &of_slice, 2)?;
            let stride = plane.stride;
            let blocks: Vec<&mut [u8]> = plane.rows_mut().collect();
            let blocks = blocks.into_par_iter();
            let listed: Vec<LeftRow> = blocks.map(|row| LeftRow::new(row, stride)).collect();
            for (row, listed) in of_slice.into_iter().zip(listed) {
                rows[slice.problem][row] = listed;
            }
            self.give_back(2, Some(plane));
            self.tell(clock)?;
        }
        let (mut first, mut positions) = (0, 0);
        for (rows, problem) in rows.iter_mut().zip(&self.problems) {
            for (row, &set) in rows.iter_mut().zip(&problem.kept[1].sets) {
                row.first = first;
                first += row.bits.len() as u32;
                positions += self.frame.stands_for(set) * row.bits.len() as u64;
            }
        }
        if positions != self.positions - self.decided {
            let what = "what is undecided in the tiles is not what was counted: they are damaged";
            return Err(Error::Store(what.into()));
        }
        let most = self.problems.iter().flat_map(|problem| problem.followers);
        let side = most.max().unwrap_or(0) as usize + 1;
        let mut problem_of = vec![usize::MAX; side * side];
        for (i, problem) in self.problems.iter().enumerate() {
            let [own, other] = problem.followers.map(|n| n as usize);
            problem_of[own * side + other] = i;
        }
        Ok(Left {
            rows,
            count: first,
            side,
            problem_of,
        })
    }

    /// What all of it leads to; `None` if there is no room for that.
    fn graph(
        &self,
        left: &Left,
        instructions: Instructions,
        clock: &mut Watch<'_>,
    ) -> Result<Option<Graph>, Error> {
        let mut graph = Graph {
            rows: Vec::new(),
            count: left.count,
        };
        let rows = left.rows.iter().enumerate();
        let rows = rows.flat_map(|(problem, rows)| {
            let rows = rows.iter().enumerate();
            let rows = rows.filter(|(_, row)| !row.bits.is_empty());
            rows.map(move |(row, _)| (problem, row))
        });
        let bytes = left.bytes();
        let room = self.late.room_of_rest.saturating_sub(bytes);
        let (mut taken, mut is_room) = (0, true);
        let of = (&self.frame, &self.problems[..]);
        each_few(rows, ROWS_A_REPORT, &mut |rows| {
            if !is_room {
                return Ok(());
            }
            let rows = rows.into_par_iter();
            let new: Vec<GraphRow> = rows
                .map(|row| instructions.run(Lead { of, left, row }))
                .collect();
            taken += new.iter().map(GraphRow::bytes).sum::<u64>();
            is_room = taken <= room;
            graph.rows.extend(new);
            self.tell(clock)
        })?;
        Ok(Some(graph).filter(|_| is_room))
    }

    /// Pass by pass, until one finds nothing.
    fn rest_of_passes(
        &mut self,
        graph: &Graph,
        watched: &[(usize, u32)],
        clock: &mut Watch<'_>,
    ) -> Result<(), Error> {
        let known = Known::new(graph.count);
        while self.stage.stage.found.last() != Some(&0) {
            let pass = self.pass();
            let is_loss = pass.is_multiple_of(2);
            let rows = graph.rows.par_iter();
            let new: Vec<Vec<u32>> = rows.map(|row| row.new(is_loss, &known)).collect();
            new.par_iter().for_each(|new| known.add(new, is_loss));
            let found = graph.rows.iter().zip(&new);
            let found = found.map(|(row, new)| row.times * new.len() as u64).sum();
            for &(number, at) in watched {
                let decided_by = &mut self.watch.passes[number];
                if *decided_by == 0 && known.is_decided(at) {
                    *decided_by = pass;
                }
            }
            self.decided += found;
            self.stage.stage.found.push(found);
            self.tell(clock)?;
        }
        // Before the tiles are forgotten.
        self.keep()
    }

    fn tell(&self, clock: &mut Watch<'_>) -> Result<(), Error> {
        let progress = Progress {
            phase: "solving",
            done: self.decided,
            total: Some(self.positions),
        };
        clock.check(progress, self.decided, 0, 0)
    }
}

/// What is undecided with side 0 to move.
struct Left {
    /// For each problem the rows that are kept.
    rows: Vec<Vec<LeftRow>>,
    count: u32,
    /// The problem with so many followers, in a square with sides of so many numbers.
    problem_of: Vec<usize>,
    side: usize,
}

/// With these followers of side 1.
#[derive(Default)]
struct LeftRow {
    /// The number of the first.
    first: u32,
    /// For each block where it begins, then where the last one ends.
    begins: Vec<u32>,
    /// Bits in their blocks.
    bits: Vec<u16>,
}

impl LeftRow {
    fn new(blocks: &[u8], stride: usize) -> Self {
        let (mut begins, mut bits) = (vec![0], Vec::new());
        for block in blocks.chunks_exact(stride) {
            for (n, bytes) in block.chunks(8).enumerate() {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                let mut word = u64::from_le_bytes(word);
                while word != 0 {
                    bits.push((64 * n) as u16 + word.trailing_zeros() as u16);
                    word &= word - 1;
                }
            }
            begins.push(bits.len() as u32);
        }
        bits.shrink_to_fit();
        Self {
            first: 0,
            begins,
            bits,
        }
    }

    /// The bits of a block.
    #[inline(always)]
    fn block(&self, block: usize) -> (usize, &[u16]) {
        let [begin, end] = [self.begins[block], self.begins[block + 1]].map(|at| at as usize);
        (begin, &self.bits[begin..end])
    }
}

/// A position with side 0 to move.
#[derive(Clone, Copy)]
struct Position {
    followers: [u32; 2],
    leaders: [usize; 2],
    lane: usize,
}

impl Position {
    /// Seen by side 1.
    #[inline(always)]
    fn turned(self, frame: &Frame) -> Self {
        let [own, other] = self.followers;
        let last = frame.squares - 1;
        Self {
            followers: [frame.turned(other), frame.turned(own)],
            leaders: [last - self.leaders[1], last - self.leaders[0]],
            lane: frame.exchanged[self.lane],
        }
    }
}

impl Left {
    fn bytes(&self) -> u64 {
        let rows = self.rows.iter().flatten();
        rows.map(|row| 4 * row.begins.len() as u64 + 2 * row.bits.len() as u64)
            .sum()
    }

    /// The number of a position, if it is undecided.
    #[inline(always)]
    fn find<C: Cpu>(
        &self,
        (frame, problems): (&Frame, &[Problem]),
        position: Position,
    ) -> Option<u32> {
        let Position {
            followers: [own, major],
            leaders,
            lane,
        } = position;
        let [i, j] = [own, major].map(|set| set.count_ones() as usize);
        let problem = self.problem_of[i * self.side + j];
        let (row, is_image) = problems[problem].kept[1].place(rank(major));
        let row = &self.rows[problem][row];
        if row.bits.is_empty() {
            return None;
        }
        let (mut own, mut major, mut leaders, mut lane) = (own, major, leaders, lane);
        if let Some(mirror) = frame.mirror.as_ref().filter(|_| is_image) {
            (own, major) = (mirror.set(own), mirror.set(major));
            leaders = [mirror.square(leaders[0]), mirror.square(leaders[1])];
            lane = mirror.lanes[lane];
        }
        let block = rank(C::extract(own.into(), (!major).into()) as u32);
        let (begin, bits) = row.block(block);
        let free = frame.board() & !(own | major);
        let below = free & ((1 << leaders[1]) - 1);
        let bit = 8 * problems[problem].bytes * lane
            + bit_of(free, leaders[0])
            + below.count_ones() as usize;
        let at = bits.partition_point(|&other| usize::from(other) < bit);
        match bits.get(at) {
            Some(&other) if usize::from(other) == bit => Some(row.first + (begin + at) as u32),
            _ => None,
        }
    }

    fn find_position(&self, of: (&Frame, &[Problem]), position: Arranged) -> Option<u32> {
        let position = Position {
            followers: position.followers,
            leaders: position.leaders.map(usize::from),
            lane: of.0.lane_of[usize::from(position.context)],
        };
        self.find::<Portable>(of, position)
    }
}

/// To find what the positions of a row lead to.
struct Lead<'a> {
    of: (&'a Frame, &'a [Problem]),
    left: &'a Left,
    /// Of a problem.
    row: (usize, usize),
}

impl Work for Lead<'_> {
    type Done = GraphRow;

    #[inline(always)]
    fn run<C: Cpu>(self) -> GraphRow {
        let (frame, problems) = self.of;
        let (problem, row) = self.row;
        let left = &self.left.rows[problem][row];
        let problem = &problems[problem];
        let major = problem.kept[1].sets[row];
        let mut leads = Vec::new();
        let mut counts = Vec::with_capacity(left.bits.len());
        let mut to = Vec::new();
        for (block, &own) in problem.sets_beside[0].iter().enumerate() {
            let (_, bits) = left.block(block);
            if bits.is_empty() {
                continue;
            }
            let own = C::deposit(own.into(), (!major).into()) as u32;
            let free = frame.board() & !(own | major);
            for &bit in bits {
                let (lane, bit) = (usize::from(bit) / 8 / problem.bytes, usize::from(bit));
                let pair = bit - 8 * problem.bytes * lane;
                let leaders = [pair / problem.free, pair % problem.free];
                let leaders =
                    leaders.map(|n| C::deposit(1 << n, free.into()).trailing_zeros() as usize);
                let position = Position {
                    followers: [own, major],
                    leaders,
                    lane,
                };
                moves(frame, position, &mut to);
                let before = leads.len();
                for &to in &to {
                    if let Some(number) = self.left.find::<C>(self.of, to.turned(frame)) {
                        leads.push(number);
                    }
                }
                counts.push((leads.len() - before) as u16);
            }
        }
        leads.shrink_to_fit();
        GraphRow {
            first: left.first,
            times: frame.stands_for(major),
            counts,
            leads,
        }
    }
}

/// What the moves of side 0 lead to if they do not win.
#[inline(always)]
fn moves(frame: &Frame, position: Position, to: &mut Vec<Position>) {
    to.clear();
    let Position {
        followers: [own, other],
        leaders: [leader, target],
        lane,
    } = position;
    let all = own | 1 << leader;
    let mut is_stuck = true;
    for &next in &frame.next[0][lane] {
        let targets = &frame.groups[frame.group_of[next]].moves[0].targets;
        for from in squares(all) {
            let rest = all & !(1 << from);
            for square in squares(targets[from] & !rest) {
                is_stuck = false;
                let is_won =
                    square == target || from == leader && frame.goals[0] >> square & 1 == 1;
                if is_won {
                    continue;
                }
                let (followers, leader) = match from == leader {
                    true => (own, square),
                    false => (own & !(1 << from) | 1 << square, leader),
                };
                to.push(Position {
                    followers: [followers, other & !(1 << square)],
                    leaders: [leader, target],
                    lane: next,
                });
            }
        }
    }
    if is_stuck {
        let next = frame.next[0][lane].iter();
        to.extend(next.map(|&next| Position {
            lane: next,
            ..position
        }));
    }
}

/// What is undecided leads to.
struct Graph {
    rows: Vec<GraphRow>,
    count: u32,
}

/// Positions with the same followers of side 1.
struct GraphRow {
    /// The number of the first.
    first: u32,
    /// How many positions each stands for.
    times: u64,
    /// How many of those that follow each leads to.
    counts: Vec<u16>,
    leads: Vec<u32>,
}

impl GraphRow {
    fn bytes(&self) -> u64 {
        2 * self.counts.len() as u64 + 4 * self.leads.len() as u64
    }

    /// What a pass finds here.
    fn new(&self, is_loss: bool, known: &Known) -> Vec<u32> {
        let mut new = Vec::new();
        let mut leads = &self.leads[..];
        for (number, &count) in (self.first..).zip(&self.counts) {
            let (to, others) = leads.split_at(count.into());
            leads = others;
            if known.is_decided(number) {
                continue;
            }
            let is_new = match is_loss {
                true => to.iter().all(|&to| known.is_decided(to)),
                false => to.iter().any(|&to| known.is_lost(to)),
            };
            if is_new {
                new.push(number);
            }
        }
        new
    }
}

/// A bit for each number.
struct Known {
    decided: Vec<AtomicU64>,
    lost: Vec<AtomicU64>,
}

impl Known {
    fn new(count: u32) -> Self {
        let none = || {
            let words = 0..count.div_ceil(64);
            words.map(|_| AtomicU64::new(0)).collect()
        };
        Self {
            decided: none(),
            lost: none(),
        }
    }

    #[inline(always)]
    fn is_decided(&self, number: u32) -> bool {
        is_in(&self.decided, number)
    }

    #[inline(always)]
    fn is_lost(&self, number: u32) -> bool {
        is_in(&self.lost, number)
    }

    fn add(&self, new: &[u32], is_loss: bool) {
        for &number in new {
            let (word, bit) = (number as usize / 64, 1 << (number % 64));
            self.decided[word].fetch_or(bit, Ordering::Relaxed);
            if is_loss {
                self.lost[word].fetch_or(bit, Ordering::Relaxed);
            }
        }
    }
}

#[inline(always)]
fn is_in(set: &[AtomicU64], number: u32) -> bool {
    let word = set[number as usize / 64].load(Ordering::Relaxed);
    word >> (number % 64) & 1 == 1
}
