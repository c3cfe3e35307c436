use std::collections::BTreeMap;

use hindsight_core::{Packed, PackedGame, Probe};

use crate::criteria::{PuzzleCriteria, Uniqueness};
use crate::puzzle::{has_accepted_value, in_portions};
use crate::rated_move::{PuzzleError, PuzzleErrorOf, best_moves, best_value, exact_moves};

/// Number of positions of a theme, by the uniqueness of their solutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PuzzleCounts {
    /// Positions of the theme.
    pub positions: u64,
    /// Positions with exactly one winning or drawing move ([`Uniqueness::WinningMove`]).
    pub only_move: u64,
    /// Positions with exactly one best move ([`Uniqueness::FastestMove`]).
    pub only_first: u64,
    /// Positions with a unique line ([`Uniqueness::Line`]).
    pub only_line: u64,
}

impl PuzzleCounts {
    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.only_move += other.only_move;
        self.only_first += other.only_first;
        self.only_line += other.only_line;
    }
}

/// Counts by plies to the end; `None` for draws.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PuzzleTally(pub BTreeMap<Option<u16>, PuzzleCounts>);

impl PuzzleTally {
    /// Returns the sum of two tallies.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        for (plies, counts) in &other.0 {
            self.0.entry(*plies).or_default().add(counts);
        }
        self
    }

    /// Returns the counts summed over all plies.
    #[must_use]
    pub fn total(&self) -> PuzzleCounts {
        let mut total = PuzzleCounts::default();
        self.0.values().for_each(|counts| total.add(counts));
        total
    }
}

/// Counts the positions with the theme and the length of `criteria`, of any uniqueness.
///
/// `open` opens the solution, once for each portion of the positions.
///
/// # Errors
/// A value cannot be read, or values do not agree.
pub fn tally_puzzles<S: Probe>(
    game: &PackedGame,
    open: impl Fn() -> S + Sync,
    positions: &[Packed],
    criteria: &PuzzleCriteria,
) -> Result<PuzzleTally, PuzzleErrorOf<S>>
where
    S::Error: Send,
{
    let tallies = in_portions(positions, &|positions| {
        let solution = open();
        let mut tallies =
            positions.iter().map(|&position| tally_position(game, &solution, position, criteria));
        tallies.try_fold(PuzzleTally::default(), |sum, tally| tally.map(|tally| sum.merged(tally)))
    })?;
    let tallies = tallies.into_iter();
    Ok(tallies.fold(PuzzleTally::default(), PuzzleTally::merged))
}

/// Returns the tally of a single position; empty if the position does not count.
fn tally_position<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    criteria: &PuzzleCriteria,
) -> Result<PuzzleTally, PuzzleErrorOf<S>> {
    let mut tally = PuzzleTally::default();
    if !has_accepted_value(game, solution, position, criteria)? {
        return Ok(tally);
    }
    let moves = exact_moves(game, solution, position)?;
    let value = best_value(&moves).ok_or(PuzzleError::Inconsistent)?;
    let mut themes = criteria.theme.iter();
    if !themes.all(|theme| theme.matches(game, position, &moves)) {
        return Ok(tally);
    }
    let only_first = best_moves(&moves).count() == 1;
    let counts = PuzzleCounts {
        positions: 1,
        only_move: Uniqueness::WinningMove.holds(game, solution, &moves)?.into(),
        only_first: only_first.into(),
        only_line: (only_first && Uniqueness::Line.holds(game, solution, &moves)?).into(),
    };
    tally.0.insert(value.remoteness(), counts);
    Ok(tally)
}
