//! Solved games over HTTP: positions, values, lines, puzzles and analyses of the games and tables
//! that a caller names.
//!
//! Nothing is written, and no file is read but those named when the server starts.

mod problem;

pub use problem::{Problem, ProblemKind};
