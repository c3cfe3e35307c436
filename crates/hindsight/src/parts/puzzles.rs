//! Puzzles of a packed game.

use hindsight_core::{Packed, PackedMove, Probe};
use hindsight_puzzles::{
    Puzzle, PuzzleCriteria, PuzzleError, PuzzleProfile, PuzzleTheme, find_puzzles,
};

use super::game::NamedGame;
use super::structure::GameParts;
use crate::error::GamesError;
use crate::positions::any_puzzle::AnyPuzzle;
use crate::positions::any_value::Position;

impl NamedGame {
    /// Returns the puzzles among some positions, in their order. `open` opens the values; `explain`
    /// turns their error into a sentence.
    pub(super) fn puzzles_by<P: Probe>(
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
        let positions: Vec<Packed> = positions.collect::<Result<_, _>>()?;
        match find_puzzles(&self.game, open, &positions, criteria) {
            Ok(puzzles) => Ok(puzzles.iter().map(|puzzle| self.wrap_puzzle(puzzle)).collect()),
            Err(PuzzleError::Probe(error)) => Err(explain(error)),
            Err(PuzzleError::Inconsistent | PuzzleError::TooLong(_)) => {
                Err(GamesError::Inconsistent)
            }
        }
    }

    fn wrap_puzzle(&self, puzzle: &Puzzle) -> AnyPuzzle {
        let ply = |&(position, mv): &(Packed, PackedMove)| {
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

impl GameParts {
    /// Checks that the game can have puzzles of a theme; the error is a sentence.
    pub(crate) fn check_theme(&self, theme: PuzzleTheme) -> Result<(), String> {
        theme.check(&self.named.game)
    }

    /// Returns what tells if a puzzle is like another.
    pub(crate) fn puzzle_profile(&self, puzzle: &AnyPuzzle) -> Result<PuzzleProfile, GamesError> {
        let positions = puzzle.line.iter().map(|(position, _)| {
            let position = self.named.unwrap(position)?;
            Ok(self.structure.without_forbidden_move(position))
        });
        let positions: Vec<Packed> = positions.collect::<Result<_, GamesError>>()?;
        Ok(PuzzleProfile::new(&self.named.game, &positions))
    }

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    pub(crate) fn without_forbidden_move(
        &self,
        position: &Position,
    ) -> Result<Position, GamesError> {
        let position = self.named.unwrap(position)?;
        Ok(self.named.wrap(self.structure.without_forbidden_move(position)))
    }
}
