//! Puzzles of a sheet.

use hindsight_core::Drawing;

/// A puzzle of a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetPuzzle {
    /// Task, such as `White to move wins in 5 moves`.
    pub task: String,
    /// Difficulty in stars.
    pub stars: u8,
    /// Picture of the position.
    pub drawing: Drawing,
    /// Moves of the solution.
    pub moves: Vec<String>,
    /// Words below the solution.
    pub note: String,
}

/// A puzzle with its number.
#[derive(Clone, Copy)]
pub(super) struct NumberedPuzzle<'a> {
    pub(super) number: usize,
    pub(super) puzzle: &'a SheetPuzzle,
    pub(super) most_stars: u8,
}
