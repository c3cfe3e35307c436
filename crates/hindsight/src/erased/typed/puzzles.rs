//! Puzzles of a packed game.

use hindsight_core::{Packed, PackedGame, PackedMove, Probe};
use hindsight_puzzles::{Puzzle, PuzzleCriteria, PuzzleError, PuzzleOf, find_puzzles};

use super::game::NamedGame;
use crate::error::GamesError;
use crate::positions::any_puzzle::AnyPuzzle;
use crate::positions::any_value::Position;

impl<const W: usize> NamedGame<W> {
    /// Returns the puzzles among some positions, in their order. `open` opens the values; `explain`
    /// turns their error into a sentence.
    pub(super) fn puzzles_by<P: Probe<PackedGame<W>>>(
        &self,
        open: impl Fn() -> P + Sync,
        explain: impl Fn(P::Error) -> GamesError,
        positions: &[Position],
        criteria: &PuzzleCriteria,
    ) -> Result<Vec<AnyPuzzle>, GamesError>
    where
        P::Error: Send + 'static,
    {
        let positions = positions.iter().map(|position| self.unwrap(position));
        let positions: Vec<Packed<W>> = positions.collect::<Result<_, _>>()?;
        match find_puzzles(&self.game, open, &positions, criteria) {
            Ok(puzzles) => Ok(puzzles.iter().map(|puzzle| self.wrap_puzzle(puzzle)).collect()),
            Err(PuzzleError::Probe(error)) => Err(explain(error)),
            Err(PuzzleError::Inconsistent | PuzzleError::TooLong(_)) => {
                Err(GamesError::Inconsistent)
            }
        }
    }

    fn wrap_puzzle(&self, puzzle: &PuzzleOf<PackedGame<W>>) -> AnyPuzzle {
        let ply = |&(position, mv): &(Packed<W>, PackedMove)| {
            (self.wrap(position), self.wrap_move(position, mv))
        };
        Puzzle {
            position: self.wrap(puzzle.position),
            value: puzzle.value,
            line: puzzle.line.iter().map(ply).collect(),
            end: self.wrap(puzzle.end),
            grade: puzzle.grade,
        }
    }
}
