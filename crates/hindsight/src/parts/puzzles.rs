//! Puzzles of a packed game.

use hindsight_core::{Packed, PackedMove};
use hindsight_puzzles::{Puzzle, PuzzleProfile, PuzzleTheme};

use super::game::NamedGame;
use super::structure::GameParts;
use crate::positions::any_puzzle::AnyPuzzle;

impl NamedGame {
    pub(crate) fn wrap_puzzle(&self, puzzle: &Puzzle) -> AnyPuzzle {
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
    pub(crate) fn puzzle_profile(&self, puzzle: &Puzzle) -> PuzzleProfile {
        let positions = puzzle.line.iter();
        let positions = positions.map(|&(position, _)| self.without_forbidden_move(position));
        PuzzleProfile::new(&self.named.game, &positions.collect::<Vec<Packed>>())
    }

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    pub(crate) fn without_forbidden_move(&self, position: Packed) -> Packed {
        self.structure.without_forbidden_move(position)
    }
}
