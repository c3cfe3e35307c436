//! Forward-looking retrograde analysis (Algorithm 2 of the Onitama retrograde thesis, L. Elderbroek
//! 2025): who wins from the start, and a strategy, from as few positions as it can.
//!
//! Positions are expanded depth first, and what is won or lost is passed back at once through the
//! graph known so far. The search ends when the start has a label. Three ways, see [`Way`]. There is
//! no recursion: the path lies in a list of its own. All three are in this file, for they share the search's
//! lists and differ in a few lines each.
//!
//! # Memory
//! A position costs twice its own bytes (once as it was met, once for finding it), some 30 more, and
//! 13 for each of its moves.

mod search;
mod solution;
mod variant;

use hindsight_core::Game;
use hindsight_run::{Budget, Error, Limits, Monitor, Summary};

use crate::position_table::PositionTable;

use search::ForwardSearch;
use solution::NEW_VERTEX;
pub use solution::{ForwardReader, ForwardSolution};
pub use variant::{ForwardVariant, MoveOrder};

/// Searches until the start has a label.
///
/// # Errors
/// When a limit is passed or the monitor stops the work.
pub fn solve<G: Game>(
    game: &G,
    variant: ForwardVariant,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ForwardSolution<G>, Error> {
    let solved = ForwardSolution {
        table: PositionTable::new(game.canonical(game.start())),
        first_seen: vec![game.start()],
        vertices: vec![NEW_VERTEX],
        edges: Vec::new(),
        summary: Summary::default(),
    };
    let mut search = ForwardSearch {
        game,
        variant,
        solved,
        path: Vec::new(),
        labelled_depth: usize::MAX,
        unpropagated: Vec::new(),
        labelled_edges: Vec::new(),
        successors: Vec::new(),
        limit: limits.memory,
    };
    search.run(&mut Budget::new(limits, monitor))?;
    let mut solved = search.solved;
    solved.count_labels();
    Ok(solved)
}
