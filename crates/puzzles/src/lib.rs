//! Puzzles in solved games: positions with one solution. The solution is a forced win, or the only
//! move that holds the draw.
//!
//! All values come from a solution, a [`hindsight_core::Probe`].
//!
//! Cost: a few probes a position, and bounded memory: a [`PuzzleSelection`] keeps a pool of each
//! length. [`find_sacrifices`] takes a layer in memory and reads lines of few ranks.
//!
//! ```
//! use hindsight_core::Value;
//! use hindsight_engine::{Limits, NoMonitor};
//! use hindsight_puzzles::{PuzzleCriteria, Uniqueness, find_puzzles};
//! use hindsight_solve::graph;
//!
//! let game = hindsight_rules::by_name("tic-tac-toe", &Default::default())?;
//! let solved = graph::solve(&game, Limits::default(), &mut NoMonitor)?;
//! let positions: Vec<_> = solved.positions().collect();
//! let criteria = PuzzleCriteria { unique: Uniqueness::Line, theme: None, plies: 3..=9 };
//! let puzzles = find_puzzles(&game, || solved.reader(&game), &positions, &criteria)?;
//! assert!(puzzles.iter().all(|puzzle| puzzle.value > Value::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! Captures and sacrifices are defined by the game: [`hindsight_core::Material`]. A proof is a flat
//! list of positions with all their moves; a move that the proof follows has the index of its
//! successor. Likeness is told by the classes of the positions on the line, and by the places of
//! the drawn board in all its images, so no game says anything about it.

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
pub use selection::{PuzzleChoice, PuzzleSelection};
pub use tally::{PuzzleCounts, PuzzleTally, tally_puzzles};
