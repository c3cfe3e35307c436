//! Perft: paths of legal moves and different positions, ply by ply. Authors of rules compare their
//! programs by these counts.
//!
//! A finished game has no moves and ends its paths. The count is breadth first: each position of a
//! ply, with its number of paths, gives the positions of the next ply. Positions are different if
//! they are not equal; [`Game::canonical`] merges nothing. The counts do not depend on the number
//! of threads.
//!
//! # Memory
//! Two plies at a time: 41 to 59 bytes per position of eight bytes, for a moment 76 while the table
//! grows. Spare room of the lists and successors of 4,096 positions come on top. The limit is
//! checked before more is added.

use hindsight_core::{Game, Packed, PackedGame, PackedMove};
use hindsight_engine::{Budget, Error, Limits, Monitor, Progress, parallel};

use crate::position_table::{HashedRows, NO_NUMBER, PositionTable};

/// Positions expanded before their successors are numbered.
const BATCH_POSITIONS: usize = 1 << 12;
/// Positions expanded at once by one thread. The limits are checked before the successors of a
/// portion are numbered.
const PORTION_POSITIONS: usize = 1 << 9;

/// Paths and positions after a number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyCount {
    /// Paths of one legal move per ply: the perft number.
    pub paths: u128,
    /// Different positions at the ends of the paths.
    pub positions: u64,
}

/// Counts paths and different positions from a position. Returns a count for each of the plies
/// `0..=plies`.
///
/// Uses the threads of the current rayon pool.
///
/// # Errors
/// Any [`Error`] of a limit, [`Error::Stopped`] if the monitor stops the work, and
/// [`Error::TooManyPaths`] from 2^128 paths on.
pub fn perft(
    game: &PackedGame,
    position: Packed,
    plies: u32,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Vec<PlyCount>, Error> {
    PerftRun::new(game, limits, monitor).counts(position, plies)
}

/// Counts, for each move in the order of [`Game::moves`], the paths of `plies` legal moves that
/// begin with it. Returns no counts for 0 plies.
///
/// # Errors
/// Same as [`perft`].
pub fn perft_divide(
    game: &PackedGame,
    position: Packed,
    plies: u32,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Vec<(PackedMove, u128)>, Error> {
    let Some(rest) = plies.checked_sub(1) else {
        return Ok(Vec::new());
    };
    let mut walk = PerftRun::new(game, limits, monitor);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let below = |mv: PackedMove| {
        let counts = walk.counts(game.play(position, mv), rest)?;
        let last = counts.last().expect("ply 0 at least");
        Ok((mv, last.paths))
    };
    moves.into_iter().map(below).collect()
}

/// Different positions of a ply, each with the number of paths to it.
struct PlyFrontier {
    table: PositionTable<Packed>,
    paths: Vec<u128>,
}

impl PlyFrontier {
    /// Creates a frontier with one position and no path.
    fn new(words: usize, first: Packed) -> Self {
        Self { table: PositionTable::new(words, first), paths: vec![0] }
    }

    /// Adds paths to each of some positions. Returns `None` on overflow.
    fn add(&mut self, positions: &HashedRows, paths: impl Iterator<Item = u128>) -> Option<()> {
        let mut numbers = Vec::with_capacity(positions.len());
        for (rows, hashes) in positions.groups(positions.len()) {
            self.table.insert_all(rows, hashes, &mut numbers);
        }
        self.paths.resize(self.table.len(), 0);
        for (number, paths) in numbers.into_iter().zip(paths) {
            let sum = &mut self.paths[number as usize];
            *sum = sum.checked_add(paths)?;
        }
        Some(())
    }

    fn len(&self) -> usize {
        self.paths.len()
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + (self.len() * size_of::<u128>()) as u64
    }
}

/// Successors of consecutive positions of a ply.
struct PerftPortion {
    /// Number of the first of these positions.
    first: usize,
    successors: HashedRows,
    /// Number of successors of each position.
    degrees: Vec<usize>,
}

impl PerftPortion {
    fn bytes(&self) -> u64 {
        let degrees = self.degrees.capacity() * size_of::<usize>();
        self.successors.bytes() + degrees as u64
    }
}

fn expand(game: &PackedGame, positions: &[Packed], first: usize) -> PerftPortion {
    let (mut successors, mut degrees) = (Vec::new(), Vec::with_capacity(positions.len()));
    for &position in positions {
        let before = successors.len();
        game.successors(position, &mut successors);
        degrees.push(successors.len() - before);
    }
    PerftPortion { first, successors: HashedRows::new(&successors, game.words()), degrees }
}

/// State of a count.
struct PerftRun<'a> {
    game: &'a PackedGame,
    budget: Budget<'a>,
    /// Positions expanded, over all plies.
    expanded: u64,
    /// Moves made, over all plies.
    moves: u64,
}

impl<'a> PerftRun<'a> {
    fn new(game: &'a PackedGame, limits: Limits, monitor: &'a mut dyn Monitor) -> Self {
        Self { game, budget: Budget::new(limits, monitor), expanded: 0, moves: 0 }
    }

    fn counts(&mut self, position: Packed, plies: u32) -> Result<Vec<PlyCount>, Error> {
        let mut frontier = PlyFrontier::new(self.game.words(), position);
        frontier.paths[0] = 1;
        let mut counts = vec![PlyCount { paths: 1, positions: 1 }];
        for ply in 1..=plies {
            let next = self.next_ply(&frontier, ply)?;
            let all = next.iter().flat_map(|next| &next.paths);
            let sum = all.copied().try_fold(0, u128::checked_add);
            counts.push(PlyCount {
                paths: sum.ok_or(Error::TooManyPaths(ply))?,
                positions: next.as_ref().map_or(0, |next| next.len() as u64),
            });
            match next {
                Some(next) => frontier = next,
                None => break,
            }
        }
        let none = PlyCount { paths: 0, positions: 0 };
        counts.resize(plies as usize + 1, none);
        Ok(counts)
    }

    /// Returns the positions one ply after `from`; `None` if every game is over there.
    fn next_ply(&mut self, from: &PlyFrontier, ply: u32) -> Result<Option<PlyFrontier>, Error> {
        let game = self.game;
        let mut next = None;
        for begin in (0..from.len()).step_by(BATCH_POSITIONS) {
            let end = from.len().min(begin + BATCH_POSITIONS);
            let batch: Vec<Packed> = from.table.rows(begin..end).collect();
            let count = batch.len().div_ceil(PORTION_POSITIONS) as u64;
            let expanded = parallel::map(0..count, &|i| {
                let first = i as usize * PORTION_POSITIONS;
                let portion = &batch[first..batch.len().min(first + PORTION_POSITIONS)];
                expand(game, portion, begin + first)
            });
            let waiting: u64 = expanded.iter().map(PerftPortion::bytes).sum();
            for portion in &expanded {
                self.check(from, next.as_ref(), waiting)?;
                self.add_portion(from, portion, &mut next).ok_or(Error::TooManyPaths(ply))?;
            }
        }
        self.check(from, next.as_ref(), 0)?;
        Ok(next)
    }

    /// Adds the successors of a portion to the next ply. Returns `None` on overflow.
    fn add_portion(
        &mut self,
        from: &PlyFrontier,
        portion: &PerftPortion,
        next: &mut Option<PlyFrontier>,
    ) -> Option<()> {
        if let Some(position) = portion.successors.first() {
            let next = next.get_or_insert_with(|| PlyFrontier::new(self.game.words(), position));
            let paths = portion.degrees.iter().zip(&from.paths[portion.first..]);
            let paths = paths.flat_map(|(&degree, &paths)| std::iter::repeat_n(paths, degree));
            next.add(&portion.successors, paths)?;
        }
        self.expanded += portion.degrees.len() as u64;
        self.moves += portion.successors.len() as u64;
        Some(())
    }

    /// Fails if a limit is exceeded, or could be by the successors of the next portion.
    fn check(
        &mut self,
        from: &PlyFrontier,
        next: Option<&PlyFrontier>,
        waiting: u64,
    ) -> Result<(), Error> {
        let next_len = next.map_or(0, PlyFrontier::len);
        let next_bytes = next.map_or(0, PlyFrontier::bytes);
        if next_len > (NO_NUMBER - (1 << 28)) as usize {
            return Err(Error::TooMany("positions of a ply"));
        }
        let progress = Progress { phase: "counting", done: self.expanded, total: None };
        let positions = (from.len() + next_len) as u64;
        let needed = from.bytes() + next_bytes + waiting;
        self.budget.check(progress, positions, self.moves, needed)
    }
}
