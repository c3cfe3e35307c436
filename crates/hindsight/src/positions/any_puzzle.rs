//! Puzzles of any game.

use hindsight_puzzles::Puzzle;

use super::any_value::{AnyMove, Position};

/// Puzzle of any game. The solver is the [player to move](crate::AnyGame::player_to_move) in its
/// position.
pub type AnyPuzzle = Puzzle<Position, AnyMove>;
