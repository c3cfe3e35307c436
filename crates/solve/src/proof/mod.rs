//! Who wins from the start, by depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching
//! AND/OR trees and its applications", 2002): a weak solution, from as few positions as it takes, in as
//! much memory as there is.
//!
//! Two searches, one for the wins of each side. In each that side attacks, and the other wants anything
//! but to lose; if neither wins, it is a draw. A repetition on a line is no win. That something is no win
//! because of a repetition may be true on that line only, and is kept only where it is true on all.

mod search;
mod staged;
mod strategy;
mod table;
mod two_searches;

pub use search::Oracle;
pub use staged::{ProofTables, StagedProof, solve_staged};
pub use strategy::{Reply, Strategy};
pub use two_searches::{
    ProofSolution, ProofWithStrategies, Strategies, solve, solve_with_strategies,
};
