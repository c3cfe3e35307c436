use hindsight_core::{Game, Packed, PackedGame, PackedMove, Probe, RatedMove, Value};

use hindsight_engine::parallel;

use crate::criteria::{PuzzleCriteria, is_capture};
use crate::rated_move::{
    PuzzleError, PuzzleErrorOf, best_moves, best_moves_of_value, best_value, exact_moves,
};

/// A position with its solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle<P = Packed, M = PackedMove> {
    /// The position.
    pub position: P,
    /// Value of the position for the side to move.
    pub value: Value,
    /// Solution: each position with the move played there, to the end of the game.
    ///
    /// The solver plays a quickest win, the opponent a slowest loss, the first of equals. In a draw
    /// the line is the first move alone.
    pub line: Vec<(P, M)>,
    /// The position after the last move.
    pub end: P,
    /// Difficulty.
    pub grade: PuzzleGrade,
}

/// Difficulty of a puzzle; greater is harder.
///
/// Compared field by field, in the order below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PuzzleGrade {
    /// Plies to the end; `None` in a draw.
    pub plies: Option<u16>,
    /// Wrong moves that capture something, summed over the solver's plies of the line.
    pub tempting_moves: u32,
    /// True if the first move captures nothing.
    pub quiet_start: bool,
    /// Moves that spoil the win or the draw, summed over the solver's plies of the line.
    pub wrong_moves: u32,
}

impl PuzzleGrade {
    /// Returns the difficulty as a number: two for each move of the solver; one for each tempting
    /// move, of at most as many as the solver has moves; one for a quiet start, and one for eight
    /// wrong moves.
    #[must_use]
    pub fn points(&self) -> u32 {
        let moves = u32::from(self.plies.unwrap_or(1)).div_ceil(2);
        let tempting = self.tempting_moves.min(moves);
        let points = 2 * moves + tempting + u32::from(self.quiet_start);
        points + self.wrong_moves / WRONG_MOVES_PER_POINT
    }

    /// Returns the difficulty as stars, from 1 to [`MOST_STARS`]: one below 4 points, and one more
    /// from 4, 8, 16 and 32 points on.
    #[must_use]
    pub fn stars(&self) -> u8 {
        match self.points() {
            0..4 => 1,
            4..8 => 2,
            8..16 => 3,
            16..32 => 4,
            32.. => 5,
        }
    }
}

/// Most stars of a puzzle.
pub const MOST_STARS: u8 = 5;

/// Wrong moves that make a puzzle as much harder as a tempting one.
const WRONG_MOVES_PER_POINT: u32 = 8;

/// Result of a puzzle function with values `S`.
type PuzzleResult<T, S> = Result<T, PuzzleErrorOf<S>>;

/// Returns the puzzle at `position`, or `None` if the position does not meet the criteria.
///
/// # Errors
/// A value cannot be read, or values do not agree.
pub fn find_puzzle<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    criteria: &PuzzleCriteria,
) -> PuzzleResult<Option<Puzzle>, S> {
    if !has_accepted_value(game, solution, position, criteria)? {
        return Ok(None);
    }
    let first = exact_moves(game, solution, position)?;
    let themed = criteria.theme.is_none_or(|theme| theme.matches(game, position, &first));
    if !themed || !criteria.unique.holds(game, solution, &first)? {
        return Ok(None);
    }
    solve_puzzle(game, solution, position, &first).map(Some)
}

/// Returns true if a position is not terminal and its value meets the criteria.
pub(crate) fn has_accepted_value<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    criteria: &PuzzleCriteria,
) -> PuzzleResult<bool, S> {
    if game.terminal(position).is_some() {
        return Ok(false);
    }
    let value = solution.probe(position)?.exact();
    Ok(criteria.accepts_value(value.ok_or(PuzzleError::Inconsistent)?))
}

/// Returns the puzzles among `positions`, in their order.
///
/// `open` opens the solution, once for each portion of the positions.
///
/// # Errors
/// As [`find_puzzle`].
pub fn find_puzzles<S: Probe>(
    game: &PackedGame,
    open: impl Fn() -> S + Sync,
    positions: &[Packed],
    criteria: &PuzzleCriteria,
) -> PuzzleResult<Vec<Puzzle>, S>
where
    S::Error: Send,
{
    let found: Vec<Vec<_>> = in_portions(positions, &|positions| {
        let solution = open();
        let puzzles =
            positions.iter().map(|&position| find_puzzle(game, &solution, position, criteria));
        puzzles.filter_map(Result::transpose).collect()
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Calls `process` on portions of `positions` in parallel; returns the results in order.
///
/// There are at most eight portions for each thread, each of at least 64 positions but the last.
pub(crate) fn in_portions<P: Sync, T: Send, E: Send>(
    positions: &[P],
    process: &(dyn Fn(&[P]) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let portions = 8 * rayon::current_num_threads();
    let len = positions.len().div_ceil(portions).max(64);
    let portions: Vec<&[P]> = positions.chunks(len).collect();
    parallel::try_of(&portions, &|portion: &&[P]| process(portion))
}

/// Returns the puzzle at `position`, with its line and grade; `first` holds its rated moves.
fn solve_puzzle<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    first: &[RatedMove],
) -> PuzzleResult<Puzzle, S> {
    let value = best_value(first).ok_or(PuzzleError::Inconsistent)?;
    let mv = best_moves(first).next().ok_or(PuzzleError::Inconsistent)?.mv;
    let mut puzzle = Puzzle {
        position,
        value,
        line: Vec::new(),
        end: position,
        grade: PuzzleGrade {
            plies: value.remoteness(),
            tempting_moves: 0,
            quiet_start: !is_capture(game, position, mv),
            wrong_moves: 0,
        },
    };
    puzzle.play_solver_ply(game, first);
    while value != Value::Draw && game.terminal(puzzle.end).is_none() {
        puzzle.play_next_ply(game, solution)?;
    }
    Ok(puzzle)
}

impl Puzzle {
    /// Returns the value of `end`, derived from the value of the puzzle and the length of the line.
    fn value_at_end(&self) -> Option<Value> {
        let plies = u16::try_from(self.line.len()).ok()?;
        (0..plies).try_fold(self.value, |value, _| value.after())
    }

    /// Appends the first of the best moves to the line.
    fn play_first_best(&mut self, moves: &[RatedMove]) {
        if let Some(rated) = best_moves(moves).next() {
            self.line.push((self.end, rated.mv));
            self.end = rated.next;
        }
    }

    /// Plays a ply of the solver and adds its wrong moves to the grade.
    fn play_solver_ply(&mut self, game: &PackedGame, moves: &[RatedMove]) {
        let spoils = |rated: &&RatedMove| rated.value.wdl() < self.value.wdl();
        let wrong = moves.iter().filter(spoils);
        let tempting = wrong.clone().filter(|rated| is_capture(game, self.end, rated.mv));
        let (wrong, tempting) = (wrong.count(), tempting.count());
        let to_u32 = |n: usize| u32::try_from(n).expect("a position has fewer than 2^32 moves");
        self.grade.wrong_moves += to_u32(wrong);
        self.grade.tempting_moves += to_u32(tempting);
        self.play_first_best(moves);
    }

    /// Plays the next ply of the line, of whichever side is to move.
    fn play_next_ply<S: Probe>(&mut self, game: &PackedGame, solution: &S) -> PuzzleResult<(), S> {
        let value = self.value_at_end().ok_or(PuzzleError::Inconsistent)?;
        if let Value::Loss(_) = value {
            let replies = best_moves_of_value(game, solution, self.end, value)?;
            self.play_first_best(&replies);
            return Ok(());
        }
        let moves = exact_moves(game, solution, self.end)?;
        if best_value(&moves) != Some(value) {
            return Err(PuzzleError::Inconsistent);
        }
        self.play_solver_ply(game, &moves);
        Ok(())
    }
}
