//! The state graph from the start, then retrograde analysis (Algorithm 1 of the Onitama retrograde
//! thesis, L. Elderbroek 2025), with remoteness.
//!
//! Positions are numbered breadth first; a move is a number of 32 bits in one long list. The numbers
//! do not depend on the number of threads. Then every move is turned round, and the frontier of
//! positions decided in n plies decides those in n + 1.
//!
//! # Memory
//! A position costs its own bytes, 5 to 8 for finding it, 10 for lists and value, and 8 for each of its
//! moves: 55 to 62 bytes in all where it has eight bytes itself and 4.5 moves. The limit is checked on
//! the way, against what the whole solve would need if no other position followed.

use std::hash::Hash;
use std::time::{Duration, Instant};

use game::{Answer, Game, Probe, Value, Wdl};
use rayon::prelude::*;

use crate::limits::Watch;
use crate::numbering::{NONE, Numbering, Table, hash_of};
use crate::{Error, Histogram, Limits, Monitor, Progress, Summary};

/// Positions expanded at once, shared among the threads.
const BATCH: usize = 1 << 13;
/// The least worth a thread of its own.
const PORTION: usize = 1 << 10;
/// Successors looked up together.
const GROUP: usize = 32;

/// Every position reachable from the start, with its value.
pub struct Solved<G: Game> {
    positions: Vec<G::Position>,
    moves: Moves,
    values: Vec<Code>,
    summary: Summary,
    times: Times,
}

/// How long the two parts of a solve took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Exploring from the start.
    pub explore: Duration,
    /// Retrograde analysis.
    pub retrograde: Duration,
}

/// The moves of all positions, by number.
struct Moves {
    /// `first[p]..first[p + 1]` are the moves of position `p`.
    first: Vec<u32>,
    /// Where each leads.
    to: Vec<u32>,
}

impl Moves {
    fn of(&self, position: usize) -> &[u32] {
        &self.to[self.first[position] as usize..self.first[position + 1] as usize]
    }
}

/// The value of a position in two bytes, and before it has one, the number of its moves not yet known
/// to lose: `0x8000 + n`, which stays for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Code(u16);

impl Code {
    const OPEN: u16 = 0x8000;
    const LONGEST: u16 = (Self::OPEN - 1) / 2;

    fn open(moves: usize) -> Self {
        Self(Self::OPEN | moves as u16)
    }

    fn is_open(self) -> bool {
        self.0 >= Self::OPEN
    }

    fn decided(wins: bool, plies: u16) -> Self {
        Self(plies << 1 | u16::from(wins))
    }

    fn wins(self) -> bool {
        self.0 & 1 == 1
    }

    fn value(self) -> Value {
        match (self.is_open(), self.wins()) {
            (true, _) => Value::Draw,
            (_, true) => Value::Win(self.0 >> 1),
            (_, false) => Value::Loss(self.0 >> 1),
        }
    }
}

/// Explores from the start and solves what was found. Positions are merged by [`Game::canonical`].
///
/// Uses the threads of the current rayon pool; the outcome does not depend on how many there are.
///
/// # Errors
/// When a limit is passed or the monitor stops the work.
pub fn solve<G: Game>(game: &G, limits: Limits, monitor: &mut dyn Monitor) -> Result<Solved<G>, Error> {
    let mut watch = Watch::new(limits, monitor);
    let begin = Instant::now();
    let (positions, moves, terminals) = explore(game, &mut watch)?;
    let explored = Instant::now();
    let values = retrograde(&moves, &terminals, &mut watch)?;
    let times = Times { explore: explored - begin, retrograde: explored.elapsed() };
    let mut solved = Solved { positions, moves, values, summary: Summary::default(), times };
    solved.summary = solved.count();
    Ok(solved)
}

/// A position that is over, by number.
type Terminal = (u32, Wdl);

/// The successors of a portion of positions, before they have numbers.
struct Portion<P> {
    successors: Vec<P>,
    hashes: Vec<u64>,
    /// Moves of each position of the portion.
    degrees: Vec<u16>,
    terminals: Vec<Terminal>,
}

fn expand<G: Game>(game: &G, first: usize, positions: &[G::Position]) -> Portion<G::Position> {
    let mut portion = Portion {
        successors: Vec::with_capacity(6 * positions.len()),
        hashes: Vec::new(),
        degrees: Vec::with_capacity(positions.len()),
        terminals: Vec::new(),
    };
    for (number, &position) in (first as u32..).zip(positions) {
        let before = portion.successors.len();
        match game.terminal(position) {
            Some(wdl) => portion.terminals.push((number, wdl)),
            None => game.successors(position, &mut portion.successors),
        }
        portion.degrees.push((portion.successors.len() - before) as u16);
    }
    for successor in &mut portion.successors {
        *successor = game.canonical(*successor);
    }
    portion.hashes.extend(portion.successors.iter().map(hash_of));
    portion
}

/// What was found from the start. The table that finds positions is gone, to make room.
type Found<P> = (Vec<P>, Moves, Vec<Terminal>);

/// While one thread numbers the successors of a batch, the others expand the next.
fn explore<G: Game>(game: &G, watch: &mut Watch<'_>) -> Result<Found<G::Position>, Error> {
    let mut numbering = Numbering::new();
    let mut moves = Moves { first: vec![0], to: Vec::new() };
    let mut terminals = Vec::new();
    let start = game.canonical(game.start());
    numbering.number(start, hash_of(&start));
    let mut expanded = 0;
    let mut ready: Vec<Portion<G::Position>> = Vec::new();
    while expanded < numbering.positions.len() || !ready.is_empty() {
        let end = numbering.positions.len().min(expanded + BATCH);
        let batch = numbering.positions[expanded..end].to_vec();
        let portions = || {
            let portions = batch.par_chunks(PORTION).enumerate();
            portions.map(|(i, positions)| expand(game, expanded + i * PORTION, positions)).collect()
        };
        let absorb = || {
            for portion in ready {
                moves.absorb(&mut numbering, &portion);
                terminals.extend(portion.terminals);
            }
        };
        ((), ready) = rayon::join(absorb, portions);
        expanded = end;
        check_numbers(&numbering, &moves)?;
        let (positions, edges) = (numbering.positions.len() as u64, moves.to.len() as u64);
        let needed = numbering.bytes() + 10 * positions + 8 * edges;
        let progress = Progress { phase: "exploring", done: expanded as u64, total: None };
        watch.check(progress, positions, edges, needed)?;
    }
    Ok((numbering.positions, moves, terminals))
}

impl Moves {
    /// Numbers the successors of the positions that follow those absorbed before.
    fn absorb<P: Copy + Eq + Hash>(&mut self, numbering: &mut Numbering<P>, portion: &Portion<P>) {
        for &degree in &portion.degrees {
            self.first.push(self.first[self.first.len() - 1].wrapping_add(degree.into()));
        }
        // By groups: the cache misses of a group, first of the table, then of the positions, overlap.
        let mut numbers = [NONE; GROUP];
        let groups = portion.successors.chunks(GROUP).zip(portion.hashes.chunks(GROUP));
        for (successors, hashes) in groups {
            for (entry, &hash) in numbers.iter_mut().zip(hashes) {
                *entry = numbering.table.first_entry(hash);
            }
            for ((number, successor), &hash) in numbers.iter_mut().zip(successors).zip(hashes) {
                *number = numbering.table.matching(*number, &numbering.positions, successor, hash);
            }
            for ((number, &successor), &hash) in numbers.iter_mut().zip(successors).zip(hashes) {
                if *number == NONE {
                    *number = numbering.number(successor, hash);
                }
            }
            self.to.extend_from_slice(&numbers[..successors.len()]);
        }
    }
}

fn check_numbers<P: Copy + Eq + Hash>(numbering: &Numbering<P>, moves: &Moves) -> Result<(), Error> {
    // A batch adds fewer than 2^31 of either, so no number has wrapped round before this is seen.
    let most = (NONE - 1) as usize;
    if numbering.positions.len() > most - (1 << 28) {
        return Err(Error::TooMany("positions"));
    }
    if moves.to.len() > most {
        return Err(Error::TooMany("moves"));
    }
    Ok(())
}

/// The moves turned round: which positions lead to each.
struct Predecessors {
    /// `last[p - 1]..last[p]` are the predecessors of position `p`; those of 0 begin at 0.
    last: Vec<u32>,
    from: Vec<u32>,
}

impl Predecessors {
    fn of(&self, position: usize) -> &[u32] {
        let first = if position == 0 { 0 } else { self.last[position - 1] };
        &self.from[first as usize..self.last[position] as usize]
    }

    /// Each thread turns round the moves that lead into its own range of positions.
    fn new(moves: &Moves, positions: usize) -> Self {
        let threads = rayon::current_num_threads();
        let width = positions.div_ceil(threads).max(1);
        let mut last = vec![0_u32; positions];
        last.par_chunks_mut(width).enumerate().for_each(|(i, counts)| {
            let low = i * width;
            for &to in &moves.to {
                if let Some(count) = counts.get_mut((to as usize).wrapping_sub(low)) {
                    *count += 1;
                }
            }
        });
        let mut sum = 0;
        for cursor in &mut last {
            sum += std::mem::replace(cursor, sum);
        }
        let mut from = vec![0_u32; moves.to.len()];
        let mut ranges = Vec::new();
        let (mut rest, mut taken) = (from.as_mut_slice(), 0);
        for i in (0..positions).step_by(width) {
            let end = last.get(i + width).map_or(moves.to.len(), |&cursor| cursor as usize);
            let (range, later) = rest.split_at_mut(end - taken);
            ranges.push((range, taken));
            (rest, taken) = (later, end);
        }
        ranges.into_par_iter().zip(last.par_chunks_mut(width)).enumerate().for_each(|(i, ((range, base), cursors))| {
            let low = i * width;
            for (position, ends) in moves.first.windows(2).enumerate() {
                for &to in &moves.to[ends[0] as usize..ends[1] as usize] {
                    if let Some(cursor) = cursors.get_mut((to as usize).wrapping_sub(low)) {
                        range[*cursor as usize - base] = position as u32;
                        *cursor += 1;
                    }
                }
            }
        });
        Self { last, from }
    }
}

/// Decides positions ply by ply; what stays open is a draw.
fn retrograde(moves: &Moves, terminals: &[Terminal], watch: &mut Watch<'_>) -> Result<Vec<Code>, Error> {
    let positions = moves.first.len() - 1;
    let mut values: Vec<Code> = moves.first.windows(2).map(|ends| Code::open((ends[1] - ends[0]) as usize)).collect();
    let predecessors = Predecessors::new(moves, positions);
    let mut frontier = Vec::new();
    for &(number, wdl) in terminals {
        if wdl != Wdl::Draw {
            values[number as usize] = Code::decided(wdl == Wdl::Win, 0);
            frontier.push(number);
        }
    }
    let mut decided = 0;
    for plies in 1.. {
        if frontier.is_empty() {
            break;
        }
        decided += frontier.len() as u64;
        let progress = Progress { phase: "solving", done: decided, total: Some(positions as u64) };
        watch.check(progress, positions as u64, moves.to.len() as u64, 0)?;
        if plies > Code::LONGEST {
            return Err(Error::TooLong(Code::LONGEST));
        }
        let mut next = Vec::new();
        for &number in &frontier {
            let lost = !values[number as usize].wins();
            for &before in predecessors.of(number as usize) {
                let value = &mut values[before as usize];
                if !value.is_open() {
                    continue;
                }
                if lost {
                    *value = Code::decided(true, plies);
                    next.push(before);
                } else {
                    value.0 -= 1;
                    if *value == Code::open(0) {
                        *value = Code::decided(false, plies);
                        next.push(before);
                    }
                }
            }
        }
        frontier = next;
    }
    Ok(values)
}

impl<G: Game> Solved<G> {
    fn count(&self) -> Summary {
        let mut summary = Summary {
            positions: self.positions.len() as u64,
            edges: self.moves.to.len() as u64,
            ..Summary::default()
        };
        for code in &self.values {
            match code.value().wdl() {
                Wdl::Win => summary.wins += 1,
                Wdl::Loss => summary.losses += 1,
                Wdl::Draw => summary.draws += 1,
            }
        }
        summary
    }

    /// What was counted: positions reachable from the start, finished ones included, and legal moves.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// How long it took.
    #[must_use]
    pub fn times(&self) -> Times {
        self.times
    }

    /// Positions by value.
    #[must_use]
    pub fn histogram(&self) -> Histogram {
        let mut counts = vec![0_u64; 1 << 16];
        for code in &self.values {
            counts[usize::from(code.0)] += 1;
        }
        let codes = (0..=u16::MAX).zip(counts).filter(|&(_, n)| n > 0);
        codes.map(|(code, n)| (Code(code).value(), n)).collect()
    }

    /// All positions in the order of their numbers, breadth first; number 0 is the start.
    #[must_use]
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The value of the position with this number.
    ///
    /// # Panics
    /// When there is no such number.
    #[must_use]
    pub fn value(&self, number: usize) -> Value {
        self.values[number].value()
    }

    /// The numbers of the successors of a position, in the order of [`Game::moves`].
    ///
    /// # Panics
    /// When there is no such number.
    #[must_use]
    pub fn successors(&self, number: usize) -> &[u32] {
        self.moves.of(number)
    }

    /// Finds positions by what they are. Building the table takes some 20 ns a position.
    #[must_use]
    pub fn reader<'a>(&'a self, game: &'a G) -> Reader<'a, G> {
        Reader { game, table: Table::of(&self.positions), solved: self }
    }
}

/// Finds the positions of a solved game, and reads their values.
pub struct Reader<'a, G: Game> {
    game: &'a G,
    table: Table,
    solved: &'a Solved<G>,
}

impl<G: Game> Reader<'_, G> {
    /// The number of a position, any member of its symmetry class, if it is reachable.
    #[must_use]
    pub fn number(&self, position: G::Position) -> Option<usize> {
        let canonical = self.game.canonical(position);
        let number = self.table.find(&self.solved.positions, &canonical, hash_of(&canonical));
        (number != NONE).then_some(number as usize)
    }
}

impl<G: Game> Probe<G> for Reader<'_, G> {
    type Error = std::convert::Infallible;

    fn probe(&self, position: G::Position) -> Result<Answer, Self::Error> {
        let number = self.number(position);
        Ok(number.map_or(Answer::Unknown, |number| Answer::Exact(self.solved.value(number))))
    }
}
