//! Forward-looking retrograde analysis (Algorithm 2 of the Onitama retrograde thesis, L. Elderbroek
//! 2025). Finds who wins from the start, and a move that keeps it, from few positions.
//!
//! Positions are expanded depth first. Wins and losses are propagated at once through the graph
//! known so far. The search ends when the start has a label. [`ForwardVariant`] lists the three
//! variants: the thesis's program, whose published counts depend on when it propagates, its
//! Algorithm 2 as printed, and our own (`docs/decisions/0003-forward-order.md`). There is no
//! recursion: the path is an explicit list.
//!
//! # Memory
//! A position costs 24 bytes for its vertex, 9 for a walk through the open region, and 24 as first
//! seen. The position table adds 25 to 43 bytes for a position of two words. Each move costs 16
//! bytes.

mod search;
mod solution;
mod variant;

use hindsight_core::PackedGame;
use hindsight_engine::{Budget, Error, Limits, Monitor};

use search::ForwardSearch;
pub use solution::ForwardSolution;
pub use variant::{ForwardVariant, MoveOrder};

/// Searches until the start has a label. Positions of one class, that is with one canonical
/// member, are one vertex; it is expanded as it was first seen.
///
/// # Errors
/// Any [`Error`] of a limit, and [`Error::Stopped`] if the monitor stops the work.
pub fn solve(
    game: &PackedGame,
    variant: ForwardVariant,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ForwardSolution, Error> {
    let mut search = ForwardSearch::new(game, variant, limits.memory);
    search.run(&mut Budget::new(limits, monitor))?;
    Ok(search.into_solution())
}
