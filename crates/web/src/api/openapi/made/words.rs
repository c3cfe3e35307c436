//! Words of parameters and answers.

use hindsight_games::{PuzzleTheme, Uniqueness};

/// Words for values.
pub(super) const VALUES: [&str; 3] = ["win", "draw", "loss"];

/// Returns the names of the themes of puzzles.
pub(super) fn theme_names() -> [&'static str; 4] {
    PuzzleTheme::ALL.map(PuzzleTheme::name)
}

/// Returns the names of what may be unique in a puzzle.
pub(super) fn uniqueness_names() -> [&'static str; 3] {
    Uniqueness::ALL.map(Uniqueness::name)
}
