//! Value and remoteness of a position of a game with a [`Countdown`](hindsight_core::Countdown), by
//! alpha-beta search with null windows (J. Pearl, "Asymptotic properties of minimax trees and
//! game-searching procedures", 1980) and a transposition table.
//!
//! A search with a null window asks if the score of the start exceeds a bound. The first ones tell
//! who wins. Each later one splits off a quarter of the plies that remain possible, the slow wins
//! first. The table finds bounds by whole keys, never by a part of them. So the answer is proved,
//! and does not depend on the size of the table or on the threads, which share it.
//!
//! A score counts the plies that are left at the end, so it needs no change from ply to ply. The
//! game lists the moves after which the opponent cannot win at once, with an urgency each, by one
//! call a position.
//!
//! An entry has eight bytes: a lower and an upper bound, a move, the rounded work, and the whole
//! key but the bits that chose the bucket, after a mixing that can be undone. So no two positions
//! are taken for each other, and threads share the table without a lock.
//!
//! The table begins small. It is replaced by a larger one when the search has looked at many more
//! positions than it has entries, up to the memory allowed. What was proved of the start is kept.

mod score;
mod search;
mod solution;
mod table;
mod workers;

use hindsight_core::{CountdownRules, Outlook, Packed, SafeMove, Value};
use hindsight_engine::{Error, Limits, Monitor};

pub use solution::NullWindowSolution;

use score::{Score, loss_score, win_score};
use table::EntryForm;
use workers::Workers;

/// Solves a position: searches until its value is known, time is over, or the monitor stops it.
///
/// Starts as many threads as the current rayon pool has. Where several moves are best, two calls
/// with several threads may find different ones. Memory is that of [`table_bytes`], and some
/// kilobytes for each thread.
///
/// # Errors
/// [`Error::Memory`] if the memory is less than [`least_bytes`]; [`Error::Thread`] if no thread
/// can be started.
pub fn solve(
    game: &CountdownRules<'_>,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<NullWindowSolution, Error> {
    let needed = least_bytes(game, start);
    if needed > limits.memory {
        return Err(Error::Memory { positions: 0, edges: 0, needed, limit: limits.memory });
    }
    if let Some(wdl) = game.terminal(start) {
        return Ok(NullWindowSolution::known(Value::terminal(wdl), None));
    }
    let left = game.plies_left(start);
    let mut safe = Vec::new();
    let outlook = game.outlook(start, left, &mut safe);
    let (can_win, can_lose) = match outlook {
        Outlook::WinsAtOnce => return Ok(at_once(game, start, Value::Win(1))),
        Outlook::LosesAtOnce => return Ok(at_once(game, start, Value::Loss(2))),
        Outlook::Open { can_win, can_lose } => (can_win && left > 2, can_lose && left > 2),
    };
    let first = safe.first().map(|mv: &SafeMove<_>| mv.position);
    let lower = if can_lose { loss_score(left, 4) } else { 0 };
    let upper = if can_win { win_score(left, 3) } else { 0 };
    if lower == upper {
        return Ok(NullWindowSolution::known(Value::Draw, first));
    }
    let workers = Workers::new(game, start, limits, [lower, upper]);
    let mut solution = workers.run(entry_form(game, start), monitor)?;
    // Without a search that exceeded a bound, each safe move keeps the least value.
    solution.best = solution.best.or(first);
    Ok(solution)
}

/// Returns the value of a position that ends in two plies, with a best move.
fn at_once(game: &CountdownRules<'_>, start: Packed, value: Value) -> NullWindowSolution {
    let mut successors = Vec::new();
    game.successors(start, &mut successors);
    let keeps = |&&next: &&Packed| match value {
        Value::Win(_) => game.terminal(next).is_some(),
        _ => true,
    };
    let best = successors.iter().find(keeps).copied();
    NullWindowSolution { nodes: 1, ..NullWindowSolution::known(value, best) }
}

/// Returns the least bytes of memory of a search from a position.
pub fn least_bytes(game: &CountdownRules<'_>, start: Packed) -> u64 {
    entry_form(game, start).min_bytes()
}

/// Returns the bytes of the largest table of a search from a position, within some memory.
pub fn table_bytes(game: &CountdownRules<'_>, start: Packed, memory: u64) -> u64 {
    entry_form(game, start).fitting_bytes(memory)
}

fn entry_form(game: &CountdownRules<'_>, start: Packed) -> EntryForm {
    EntryForm::new(game.key_bits(), greatest_score(game.plies_left(start)))
}

/// Greatest absolute score with `left` plies left: that of a game that is over.
fn greatest_score(left: u32) -> Score {
    win_score(left, 0)
}
