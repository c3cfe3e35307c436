//! Puzzles in solved games: positions with one solution. The solution is a forced win, or the only
//! move that holds the draw.
//!
//! All values come from a solution, a [`hindsight_core::Probe`].
//!
//! | function or type | purpose |
//! |---|---|
//! | [`find_puzzle`] | tests a position against [`PuzzleCriteria`], adds line and [`PuzzleGrade`] |
//! | [`find_puzzles`] | the same for many positions, on all threads |
//! | [`PuzzleSelection`] | chooses puzzles that differ, the hardest, or a graded mix |
//! | [`PuzzleProfile`] | tells if two puzzles are alike |
//! | [`prove_value`] | writes the positions that prove the value of a puzzle |
//! | [`tally_puzzles`], [`PuzzleTally`] | count puzzles by plies to the end |
//! | [`find_sacrifices`] | finds states won only by a sacrifice, in games that forbid moves |
//!
//! Captures and sacrifices are defined by the game: [`hindsight_core::Material`].

#![warn(clippy::cast_possible_truncation)]

mod criteria;
mod likeness;
mod mix;
mod proof;
mod puzzle;
mod rated_move;
mod sacrifices;
mod selection;
mod tally;

pub use criteria::{PuzzleCriteria, PuzzleTheme, Uniqueness};
pub use likeness::{MAX_DIFFERENT_PLACES, PuzzleProfile};
pub use proof::{ProofMove, ProofNode, prove_value};
pub use puzzle::{MOST_STARS, Puzzle, PuzzleGrade, find_puzzle, find_puzzles};
pub use rated_move::PuzzleError;
pub use sacrifices::{SacrificeCounts, SacrificeLayers, SacrificeStates, find_sacrifices};
pub use selection::{ProfileOf, PuzzleChoice, PuzzleSelection};
pub use tally::{PuzzleCounts, PuzzleTally, tally_puzzles};
