//! The check of a table. No table is written here.
//!
//! `verifier` has the steps that every check has; the file of a way to recompute values says how a
//! layer is decoded, counted and recomputed. A second solve is faster than a look at all
//! successors, where memory allows it: it hands its layers to a store that compares.

mod by_solving;
mod checksums;
mod distances;
pub(crate) mod memory;
mod position_recheck;
mod positions;
mod state_recheck;
#[cfg(test)]
mod state_tests;
mod states;
#[cfg(test)]
mod tests;
mod verifier;

use hindsight_core::{PackedGame, Structure};
use hindsight_engine::{Limits, Monitor};

use by_solving::SolveAgain;
pub use distances::DistanceSearch;

use crate::error::TableError;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::reading::table::Table;
use crate::verdict::TableVerdict;

/// Ways to recompute the values of a table.
pub enum Recompute<'a> {
    /// Each value from those of its successors, in tables of positions or of states. Slower than a
    /// second solve, by a solver for the structure of the game.
    ///
    /// Each value must be the best of its successors' values for the side that moves. Values that
    /// fulfil this everywhere are the true ones, by induction on the plies `n`.
    ///
    /// A stored `Win(n)` or `Loss(n)` is true. A terminal position is checked by the rules. A
    /// `Win(n)` has a successor `Loss(n - 1)` and none that is lost in fewer plies. All successors
    /// of a `Loss(n)` are wins, the longest of them `Win(n - 1)`.
    ///
    /// A true win or loss in `n` plies is stored as such. A true `Win(n)` has a successor that is
    /// truly `Loss(n - 1)` and stored so; no successor is better, or that would be true as well. A
    /// true draw is stored as a draw, since it is neither a win nor a loss. A set of positions
    /// wrongly stored as draws contains one with a winning move, or with losing moves only.
    Successors,
    /// Values of positions by a second solve. A right value agrees with it, a wrong one does not,
    /// so the faults named are the wrong values themselves.
    Solve(&'a mut SolveAgain<'a>),
    /// Distances by a new search.
    Search(DistanceSearch<'a>),
}

/// Checks everything in a table: every byte by its checksum, every layer's header by its counts,
/// and every value by one recomputed.
///
/// # Errors
/// - [`TableError::Memory`] if a layer needs more memory than allowed ([`crate::verify_memory`]).
/// - [`TableError::Time`] or [`TableError::Stopped`] if the time limit is exceeded or the monitor
///   stops the check.
/// - [`TableError::NotSolved`] if the second solve did not decide every position.
/// - [`TableError::OtherContent`] or [`TableError::Io`] if the table does not store what is
///   recomputed, or cannot be read.
///
/// A fault of the table is no error; it is listed in the verdict.
pub fn verify<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    recompute: Recompute<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let layout = table.info().layout;
    match recompute {
        Recompute::Successors if game.structure() == Structure::ForbiddenMove => {
            layout.check_content(Layout::States)?;
            states::verify_states(table, game, limits, monitor)
        }
        Recompute::Successors => {
            layout.check_content(Layout::Full)?;
            positions::verify_positions(table, game, limits, monitor)
        }
        Recompute::Solve(solve) => {
            layout.check_content(Layout::Full)?;
            by_solving::verify_by_solving(table, game, limits, monitor, solve)
        }
        Recompute::Search(search) => {
            layout.check_content(Layout::Distances)?;
            distances::verify_distances(table, game, &search, limits, monitor)
        }
    }
}
