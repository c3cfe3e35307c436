use hindsight_core::{Game, Material, Probe, Value};

use hindsight_solve::parallel;

use crate::choice::{Choice, Error, ErrorOf, after, best, best_of, best_value, choices};
use crate::wanted::Wanted;

/// A position with its solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle<P, M> {
    /// The position.
    pub position: P,
    /// What it is worth for the side to move.
    pub value: Value,
    /// The solution: positions with the moves played there, to the end of the game. The solver hurries, the
    /// other delays; of equal replies the first. In a draw the first move alone.
    pub line: Vec<(P, M)>,
    /// The position after the last move.
    pub end: P,
    /// How hard it is.
    pub grade: Grade,
}

/// How hard a puzzle is: greater is harder. Longer lines first, then more tempting moves, then a quiet
/// beginning, then more wrong moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Grade {
    /// Plies to the end; `None` in a draw.
    pub plies: Option<u16>,
    /// The wrong moves that capture something.
    pub tempting: u32,
    /// Whether the first move captures nothing.
    pub quiet: bool,
    /// The moves that spoil the win or the draw, at each of the solver's plies of the line.
    pub wrong: u32,
}

/// A puzzle of a game.
pub type PuzzleOf<G> = Puzzle<<G as Game>::Position, <G as Game>::Move>;

/// What is made of a game by a solution, if nothing goes wrong.
type Result<T, G, S> = std::result::Result<T, ErrorOf<G, S>>;

/// The puzzle that a position is, if it is one that is wanted.
///
/// # Errors
/// When a value cannot be read, or values do not agree.
pub fn puzzle<G: Material, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    wanted: &Wanted,
) -> Result<Option<PuzzleOf<G>>, G, S> {
    if !has(game, solution, position, wanted)? {
        return Ok(None);
    }
    let first = choices(game, solution, position)?;
    let themed = wanted
        .theme
        .is_none_or(|theme| theme.fits(game, position, &first));
    if !themed || !wanted.unique.holds(game, solution, &first)? {
        return Ok(None);
    }
    solved(game, solution, position, first).map(Some)
}

/// Whether a position is not over, and has a value that is wanted.
pub(crate) fn has<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    wanted: &Wanted,
) -> Result<bool, G, S> {
    if game.terminal(position).is_some() {
        return Ok(false);
    }
    let value = solution.probe(position)?.exact();
    Ok(wanted.has(value.ok_or(Error::Inconsistent)?))
}

/// Those of some positions that are wanted, in their order. `open` opens the solution for a thread.
///
/// # Errors
/// As [`puzzle`].
pub fn puzzles<G: Material, S: Probe<G>>(
    game: &G,
    open: impl Fn() -> S + Sync,
    positions: &[G::Position],
    wanted: &Wanted,
) -> Result<Vec<PuzzleOf<G>>, G, S>
where
    S::Error: Send,
{
    let found: Vec<Vec<_>> = in_portions(positions, &|positions| {
        let solution = open();
        let puzzles = positions
            .iter()
            .map(|&position| puzzle(game, &solution, position, wanted));
        puzzles.filter_map(std::result::Result::transpose).collect()
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The results for some positions, portion by portion: a few for each thread, which opens the solution once
/// for each.
pub(crate) fn in_portions<P: Sync, T: Send, E: Send>(
    positions: &[P],
    result: &(dyn Fn(&[P]) -> std::result::Result<T, E> + Sync),
) -> std::result::Result<Vec<T>, E> {
    let portions = 8 * rayon::current_num_threads();
    let len = positions.len().div_ceil(portions).max(64);
    let portions: Vec<&[P]> = positions.chunks(len).collect();
    parallel::try_of(&portions, &|portion: &&[P]| result(portion))
}

/// A position with its line and its grade.
fn solved<G: Material, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    first: Vec<Choice<G::Position, G::Move>>,
) -> Result<PuzzleOf<G>, G, S> {
    let value = best_value(&first).ok_or(Error::Inconsistent)?;
    let mv = best(&first).next().ok_or(Error::Inconsistent)?.mv;
    let mut puzzle = Puzzle {
        position,
        value,
        line: Vec::new(),
        end: position,
        grade: Grade {
            plies: value.remoteness(),
            tempting: 0,
            quiet: !game.captures(position, mv),
            wrong: 0,
        },
    };
    puzzle.solve(game, &first);
    while value != Value::Draw && game.terminal(puzzle.end).is_none() {
        puzzle.go_on(game, solution)?;
    }
    Ok(puzzle)
}

impl<P: Copy, M: Copy> Puzzle<P, M> {
    /// The position's value after the plies of the line so far.
    fn value_now(&self) -> Option<Value> {
        let plies = u16::try_from(self.line.len()).ok()?;
        (0..plies).try_fold(self.value, |value, _| after(value))
    }

    /// Plays the first of the best moves.
    fn play(&mut self, choices: &[Choice<P, M>]) {
        if let Some(choice) = best(choices).next() {
            self.line.push((self.end, choice.mv));
            self.end = choice.next;
        }
    }

    /// One of the solver's plies, counted for the grade.
    fn solve<G: Material<Position = P, Move = M>>(&mut self, game: &G, all: &[Choice<P, M>]) {
        let spoils = |choice: &&Choice<P, M>| choice.value.wdl() < self.value.wdl();
        let wrong = all.iter().filter(spoils);
        let tempting = wrong
            .clone()
            .filter(|choice| game.captures(self.end, choice.mv));
        let (wrong, tempting) = (wrong.count(), tempting.count());
        let more = |n: usize| u32::try_from(n).expect("a position has fewer than 2^32 moves");
        self.grade.wrong += more(wrong);
        self.grade.tempting += more(tempting);
        self.play(all);
    }

    /// The other's ply, or the solver's.
    fn go_on<G: Material<Position = P, Move = M>, S: Probe<G>>(
        &mut self,
        game: &G,
        solution: &S,
    ) -> Result<(), G, S> {
        let value = self.value_now().ok_or(Error::Inconsistent)?;
        if let Value::Loss(_) = value {
            let replies = best_of(game, solution, self.end, value)?;
            self.play(&replies);
            return Ok(());
        }
        let all = choices(game, solution, self.end)?;
        if best_value(&all) != Some(value) {
            return Err(Error::Inconsistent);
        }
        self.solve(game, &all);
        Ok(())
    }
}
