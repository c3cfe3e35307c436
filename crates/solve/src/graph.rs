//! State graph from the start, then retrograde analysis with remoteness (Algorithm 1 of the Onitama
//! retrograde thesis, L. Elderbroek 2025).
//!
//! Positions are numbered breadth first: one thread numbers the successors of a batch while the
//! others expand the next batch. A position with an immediate win is decided when it is
//! expanded; about half of all positions are. Its moves are counted but not kept. Each move of
//! another position is kept as a 32-bit number. Retrograde analysis then goes ply by ply. Numbers
//! and values do not depend on the number of threads.
//!
//! # Memory
//! A position of eight bytes costs 25 to 43 bytes in the position table (for a moment 60, while the
//! table grows). Lists and value cost 6 bytes. Each kept move costs 4 bytes. Retrograde analysis
//! adds at most 8 bytes per position, and 4 for each move that is still open after the first plies.
//!
//! The limit is checked before a list or the table grows. The check assumes that no further
//! position follows. A low limit makes batches smaller; the numbers of positions do not depend on
//! it.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use hindsight_core::{Answer, ExpandedPosition, Expansion, Game, Packed, PackedGame, Probe, Value};
use hindsight_engine::{Budget, Error, Histogram, Limits, Monitor, Progress, Summary, parallel};

use crate::bounded_growth::reserve_within;
use crate::open_moves::OpenMoves;
use crate::position_table::{HashedRows, NO_NUMBER, PositionTable};
use crate::retrograde::{GraphCode, retrograde, retrograde_bytes};

/// Portions expanded at the same time, shared among the threads.
const PORTIONS_PER_BATCH: usize = 8;
/// The most positions per portion.
const MAX_PORTION: usize = 1 << 10;
/// Batches take at most `limit / BATCH_DIVISOR` bytes.
const BATCH_DIVISOR: u64 = 8;
/// Successors whose slots are prefetched together.
const LOOKUP_GROUP: usize = 32;

/// Every position reachable from the start, with its value.
pub struct GraphSolution {
    table: PositionTable<Packed>,
    values: Vec<GraphCode>,
    edges: u64,
    times: GraphTimes,
    peak: u64,
}

/// Wall time of the two parts of a solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphTimes {
    /// Time to explore from the start.
    pub explore: Duration,
    /// Time of retrograde analysis.
    pub retrograde: Duration,
}

/// Explores from the start and solves the graph. Positions are merged by [`Game::canonical`].
///
/// Uses the threads of the current rayon pool; the result does not depend on their number.
///
/// # Errors
/// Any [`Error`] of a limit, and [`Error::Stopped`] if the monitor stops the work.
pub fn solve(
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<GraphSolution, Error> {
    solve_from(game, game.start(), limits, monitor)
}

/// Same as [`solve`], but explores from `start` instead of the game's start.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_from(
    game: &PackedGame,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<GraphSolution, Error> {
    solve_before(game, start, limits, monitor, &|_| 0)
}

/// Same as [`solve_from`], for work that takes memory afterwards beside positions and values: so
/// many bytes for a number of positions.
///
/// # Errors
/// Same as [`solve`].
pub fn solve_before(
    game: &PackedGame,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
    later: &(dyn Fn(u64) -> u64 + Sync),
) -> Result<GraphSolution, Error> {
    let mut budget = Budget::new(limits, monitor);
    let started = Instant::now();
    let (table, mut exploration) = explore(game, start, &mut budget, later)?;
    let explored = Instant::now();
    retrograde(&exploration.moves, &mut exploration.values, &mut budget)?;
    let times = GraphTimes { explore: explored - started, retrograde: explored.elapsed() };
    Ok(GraphSolution {
        table,
        values: exploration.values,
        edges: exploration.edges,
        times,
        peak: exploration.peak,
    })
}

/// Successors of a portion of positions, before they have numbers.
struct ExpandedPortion {
    successors: HashedRows,
    /// For each position, its value if it is known at once, and its number of successors.
    expanded: Vec<(GraphCode, u16)>,
}

impl ExpandedPortion {
    /// Most bytes of a successor while it is expanded: its position, its hash and its number.
    const BYTES_PER_SUCCESSOR: usize = size_of::<Packed>() + size_of::<u64>() + size_of::<u32>();

    fn bytes(&self) -> u64 {
        let numbers = self.successors.len() * size_of::<u32>();
        let expanded = self.expanded.capacity() * size_of::<(GraphCode, u16)>();
        self.successors.bytes() + (numbers + expanded) as u64
    }
}

/// Expands positions until there are `most` successors; always expands the first position.
///
/// # Errors
/// [`Error::TooManyMoves`] if a position has too many moves.
fn expand(game: &PackedGame, positions: &[Packed], most: usize) -> Result<ExpandedPortion, Error> {
    let mut expansion = Expansion {
        successors: Vec::with_capacity((6 * positions.len()).min(most)),
        positions: Vec::with_capacity(positions.len()),
    };
    game.expand(positions, most, &mut expansion);
    let code = |position: &ExpandedPosition| {
        let moves = u16::try_from(position.successors)
            .ok()
            .filter(|&moves| moves <= GraphCode::MAX_MOVES)
            .ok_or(Error::TooManyMoves(GraphCode::MAX_MOVES))?;
        Ok((position.value.map_or(GraphCode::OPEN, GraphCode::known), moves))
    };
    Ok(ExpandedPortion {
        successors: HashedRows::new(&expansion.successors, game.canonical_words()),
        expanded: expansion.positions.iter().map(code).collect::<Result<_, Error>>()?,
    })
}

/// Sizes of a batch, adapted to the memory limit and to the moves seen so far.
struct BatchSizes {
    /// Target for the number of successors per portion.
    successors: usize,
    /// The most successors of one position so far.
    most_moves: usize,
}

impl BatchSizes {
    fn new(memory: u64) -> Self {
        // One batch is numbered while the next is expanded. Each list may have twice the capacity
        // needed.
        let in_flight = 4 * (PORTIONS_PER_BATCH * ExpandedPortion::BYTES_PER_SUCCESSOR) as u64;
        let successors = memory / BATCH_DIVISOR / in_flight;
        Self { successors: usize::try_from(successors).unwrap_or(usize::MAX).max(1), most_moves: 1 }
    }

    /// Positions per portion.
    fn portion_len(&self) -> usize {
        (self.successors / self.most_moves).clamp(1, MAX_PORTION)
    }

    /// Expands the first of `positions` in parallel. Returns portions up to the first one that had
    /// to stop early.
    fn expand(&mut self, game: &PackedGame, positions: &[Packed]) -> Result<PortionBatch, Error> {
        let length = self.portion_len();
        let portion = |number: u64| {
            let positions = &positions[number as usize * length..];
            expand(game, &positions[..length.min(positions.len())], self.successors)
        };
        let count = positions.len().div_ceil(length) as u64;
        let mut portions = parallel::try_map(0..count, &portion)?;
        let is_whole = |portion: &ExpandedPortion| portion.expanded.len() == length;
        let whole = portions.iter().take_while(|portion| is_whole(portion));
        portions.truncate(whole.count() + 1);
        let moves = portions.iter().flat_map(|portion| &portion.expanded);
        let most_moves = moves.map(|&(_, moves)| usize::from(moves)).max();
        self.most_moves = self.most_moves.max(most_moves.unwrap_or(0));
        Ok(portions)
    }
}

/// Consecutive portions.
type PortionBatch = Vec<ExpandedPortion>;

/// Moves and values of the positions in the table.
struct Exploration<'a> {
    moves: OpenMoves,
    values: Vec<GraphCode>,
    /// Number of legal moves, including moves that are not kept.
    edges: u64,
    /// Memory limit in bytes.
    limit: u64,
    /// Bytes of the portions that are being expanded.
    in_flight: u64,
    /// Bytes of work after the solve, for a number of positions.
    later: &'a (dyn Fn(u64) -> u64 + Sync),
    /// Most bytes needed so far.
    peak: u64,
}

/// Numbers the successors of one batch while other threads expand the next.
fn explore<'a>(
    game: &PackedGame,
    start: Packed,
    budget: &mut Budget<'_>,
    later: &'a (dyn Fn(u64) -> u64 + Sync),
) -> Result<(PositionTable<Packed>, Exploration<'a>), Error> {
    let mut table = PositionTable::new(game.canonical_words(), game.canonical(start));
    let moves = OpenMoves { first: vec![0], to: Vec::new() };
    let mut exploration = Exploration {
        moves,
        values: Vec::new(),
        edges: 0,
        limit: budget.memory(),
        in_flight: 0,
        later,
        peak: 0,
    };
    let mut batch = BatchSizes::new(budget.memory());
    let mut expanded = 0;
    let mut ready: PortionBatch = Vec::new();
    while expanded < table.len() || !ready.is_empty() {
        let end = table.len().min(expanded + PORTIONS_PER_BATCH * batch.portion_len());
        let next = table.rows(expanded..end).collect::<Vec<_>>();
        let (mut absorbed, mut portions) = (Ok(()), Ok(Vec::new()));
        parallel::both(
            &mut || {
                let mut ready = ready.iter();
                absorbed =
                    ready.try_for_each(|portion| exploration.add_portion(&mut table, portion));
            },
            &mut || portions = batch.expand(game, &next),
        );
        absorbed?;
        let portions = portions?;
        exploration.in_flight =
            [&ready, &portions].into_iter().flatten().map(ExpandedPortion::bytes).sum();
        expanded += portions.iter().map(|portion| portion.expanded.len()).sum::<usize>();
        ready = portions;

        let positions = table.len() as u64;
        // A batch adds fewer than 2^28 positions and moves, so no number overflows before this
        // check.
        const MAX_NUMBER: u64 = (NO_NUMBER - (1 << 28)) as u64;
        if positions > MAX_NUMBER || exploration.moves.len() as u64 > MAX_NUMBER {
            return Err(Error::TooMany("positions or moves"));
        }
        let needed = exploration.needed_bytes(&table);
        let progress = Progress { phase: "exploring", done: expanded as u64, total: None };
        budget.check(progress, positions, exploration.edges, needed)?;
        exploration.peak = exploration.peak.max(needed);
    }
    Ok((table, exploration))
}

impl Exploration<'_> {
    /// Bytes needed if no other position follows: current lists, and the larger of the portions in
    /// flight and later retrograde analysis.
    fn needed_bytes(&self, table: &PositionTable<Packed>) -> u64 {
        let (first, to) = (self.moves.first.capacity(), self.moves.to.capacity());
        let lists = 4 * (first + to) + size_of::<GraphCode>() * self.values.capacity();
        let positions = table.len() as u64;
        let later_bytes = retrograde_bytes(positions, self.moves.len() as u64, self.limit);
        // The moves are gone then; their bytes are counted all the same.
        let later_bytes = later_bytes.max((self.later)(positions));
        table.bytes() + lists as u64 + later_bytes.max(self.in_flight)
    }

    /// Calls `grow` with the number of bytes that are left.
    fn grow(
        &mut self,
        table: &mut PositionTable<Packed>,
        grow: impl FnOnce(&mut Self, &mut PositionTable<Packed>, u64) -> Result<(), u64>,
    ) -> Result<(), Error> {
        let needed = self.needed_bytes(table);
        let grown = grow(self, table, self.limit.saturating_sub(needed));
        grown.map_err(|more| match needed.saturating_add(more) {
            needed if needed <= self.limit => Error::NoMemory { bytes: more },
            needed => Error::Memory {
                positions: table.len() as u64,
                edges: self.edges,
                needed,
                limit: self.limit,
            },
        })
    }

    /// Numbers the successors of a portion. Portions must come in the order of their positions.
    fn add_portion(
        &mut self,
        table: &mut PositionTable<Packed>,
        portion: &ExpandedPortion,
    ) -> Result<(), Error> {
        let mut numbers = Vec::with_capacity(portion.successors.len());
        for (successors, hashes) in portion.successors.groups(LOOKUP_GROUP) {
            if !table.has_room(LOOKUP_GROUP) {
                self.grow(table, |_, table, left| table.reserve_within(LOOKUP_GROUP, left))?;
            }
            std::hint::black_box(hashes.iter().fold(0, |sum, &hash| sum ^ table.prefetch(hash)));
            table.insert_all(successors, hashes, &mut numbers);
        }
        self.edges += numbers.len() as u64;
        let mut kept_moves = 0;
        for &(code, degree) in &portion.expanded {
            kept_moves += if code == GraphCode::OPEN { usize::from(degree) } else { 0 };
        }
        let positions = portion.expanded.len();
        self.grow(table, |exploration, _, left| {
            reserve_within(&mut exploration.moves.to, kept_moves, left)
        })?;
        self.grow(table, |exploration, _, left| {
            reserve_within(&mut exploration.moves.first, positions, left)
        })?;
        self.grow(table, |exploration, _, left| {
            reserve_within(&mut exploration.values, positions, left)
        })?;
        let mut remaining = numbers.as_slice();
        for &(code, degree) in &portion.expanded {
            let (own, others) = remaining.split_at(degree.into());
            remaining = others;
            if code == GraphCode::OPEN {
                self.moves.to.extend_from_slice(own);
            }
            self.moves.first.push(self.moves.to.len() as u32);
            self.values.push(code);
        }
        Ok(())
    }
}

impl GraphSolution {
    /// Returns the totals: reachable positions, terminal ones included, and legal moves.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut counts = [0; 3];
        for code in &self.values {
            counts[code.value().wdl() as usize] += 1;
        }
        let [losses, draws, wins] = counts;
        Summary { positions: self.values.len() as u64, edges: self.edges, wins, losses, draws }
    }

    /// Returns the wall time of the solve.
    #[must_use]
    pub fn times(&self) -> GraphTimes {
        self.times
    }

    /// Returns the peak in bytes that was checked against the memory limit.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Returns the bytes of memory of the positions and values.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + size_of_val(&*self.values) as u64
    }

    /// Returns the number of positions by value.
    #[must_use]
    pub fn histogram(&self) -> Histogram {
        GraphCode::histogram(&self.values)
    }

    /// Returns the number of positions.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the start is there")]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the position with a number; `None` if no position has it. Positions are numbered
    /// breadth first; number 0 is the start.
    #[must_use]
    pub fn position(&self, number: usize) -> Option<Packed> {
        self.table.get(number)
    }

    /// Returns all positions in the order of their numbers.
    pub fn positions(&self) -> impl Iterator<Item = Packed> {
        self.table.rows(0..self.len())
    }

    /// Returns the value of the position with this number.
    ///
    /// # Panics
    /// If no position has this number.
    #[must_use]
    pub fn value(&self, number: usize) -> Value {
        self.values[number].value()
    }

    /// Returns the number of a position, or of its symmetry class, if it is reachable.
    #[must_use]
    pub fn number(&self, game: &PackedGame, position: Packed) -> Option<usize> {
        self.table.find(&game.canonical(position)).map(|number| number as usize)
    }

    /// Returns a reader of the values for positions of this game.
    #[must_use]
    pub fn reader<'a>(&'a self, game: &'a PackedGame) -> impl Probe<Error = Infallible> {
        GraphReader { game, solved: self }
    }
}

/// Reads the values of a solved game.
struct GraphReader<'a> {
    game: &'a PackedGame,
    solved: &'a GraphSolution,
}

impl Probe for GraphReader<'_> {
    type Error = Infallible;

    fn probe(&self, position: Packed) -> Result<Answer, Self::Error> {
        let number = self.solved.number(self.game, position);
        Ok(number.map_or(Answer::Unknown, |number| Answer::Exact(self.solved.value(number))))
    }

    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, Self::Error> {
        let mut canonical = positions.to_vec();
        self.game.canonicalize(&mut canonical);
        let answers = canonical.iter().map(|position| {
            let number = self.solved.table.find(position);
            number
                .map_or(Answer::Unknown, |number| Answer::Exact(self.solved.value(number as usize)))
        });
        Ok(answers.collect())
    }
}
