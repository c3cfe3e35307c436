//! The winner from the start, by depth-first proof-number search (A. Nagai, "Df-pn algorithm for
//! searching AND/OR trees and its applications", 2002). A weak solution, from few positions, in as
//! much memory as is allowed.
//!
//! There are two searches, one for the wins of each side. In each, that side is the attacker, and
//! the defender wants anything but a loss. If neither side wins, the start is a draw. As long as no
//! draw is met, both look at the same positions; of a game from outside one of them is then enough.
//!
//! A repetition on the search path is no win. A result "no win" that rests on a repetition may hold
//! on that path only (graph-history interaction). It is used only after a proof that it holds on
//! all paths, by a set of positions that the defender never has to leave (`defence.rs`). A
//! [`Strategy`] is made from this set, or from all moves known to win.
//!
//! The table grows up to the memory limit. All threads share both searches, and choose every
//! quarter of a second which one they help (`docs/decisions/0015-analysis.md`). A [`ProofSession`]
//! goes on where it stopped. [`solve_staged`] adds planes of ever more followers as leaves, which
//! it reads from a store of blobs, and keeps there. [`solve_endgame`] solves the planes that hold a
//! position, and notes the values of its moves on the way.

mod candidates;
mod defence;
mod leaf_numbers;
mod problem;
mod search;
mod search_path;
mod shared_search;
mod solution;
mod staged;
mod strategy;
mod table;
mod two_searches;

pub use hindsight_bitplanes::SolvedPlanes;
pub use problem::{Oracle, OracleValue, ProofProblem};
pub use solution::{MoveProof, ProofSolution, value_of_wins};
pub use staged::{
    Endgame, EndgameIo, PlanesCost, ProofTables, StagedProof, planes_key, planes_to_read,
    planes_to_solve, read_endgame, solve_endgame, solve_staged, value_by_planes,
};
pub use strategy::{Reply, Strategy};
pub use two_searches::{
    ProofSession, ProofWithMoves, Strategies, solve, solve_with_moves, solve_with_strategies,
};
