//! Puzzles in solved games: positions in which one way, and only one, leads to the win, or holds the draw.
//!
//! Everything is read from a solution, a [`hindsight_core::Probe`]. [`puzzle()`] tells whether a position is one that
//! is [`Wanted`], with its line and its [`Grade`]; [`puzzles()`] asks of many at once, and [`Hardest`] keeps
//! the best. [`prove()`] writes down what makes it one; [`Tally`] counts; [`sacrifices()`] counts all states of
//! a table of a game in which a move may be forbidden; [`sheet()`] draws.
//!
//! Which moves take something or give something up, the game says: [`hindsight_core::Material`].

#![warn(clippy::cast_possible_truncation)]

mod choice;
mod hardest;
mod proof;
mod puzzle;
mod sacrifices;
mod sheet;
mod tally;
mod wanted;

pub use choice::{Choice, Error, choices};
pub use hardest::Hardest;
pub use proof::{Node, ProvedMove, prove};
pub use puzzle::{Grade, Puzzle, PuzzleOf, puzzle, puzzles};
pub use sacrifices::{Given, Layers, SacrificeCounts, sacrifices};
pub use sheet::{Figure, sheet};
pub use tally::{Counts, Tally, tally};
pub use wanted::{Theme, Unique, Wanted};
