//! Errors of solvers and stores as sentences with readable numbers.

use std::fmt;

use anyhow::anyhow;
use hindsight_solve::{Error, graph};

use crate::memory::program_bytes;
use crate::sizes::{format_needed, format_size, numbers_with_commas, with_commas};

/// Returns the memory that the process needs and its limit, as a part of a sentence.
/// `needed` and `limit` are bytes of a solver, without [`program_bytes`].
/// A `limit` of 0 stands for a limit below [`program_bytes`].
pub(crate) fn needed_and_allowed(needed: u64, limit: u64) -> String {
    let needed = format_needed(needed.saturating_add(program_bytes()));
    match limit {
        0 => format!("{needed}, and less is allowed (--memory)"),
        limit => {
            let limit = format_size(limit.saturating_add(program_bytes()));
            format!("{needed}, and {limit} are allowed (--memory)")
        }
    }
}

/// Error of a solver whose data exceeds its memory limit, as a sentence.
#[derive(Debug)]
pub(crate) struct DoesNotFit(String);

impl std::error::Error for DoesNotFit {}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Turns a solver's error into a sentence. Too little memory becomes [`DoesNotFit`].
pub(crate) fn solver_error(error: Error) -> anyhow::Error {
    let text = match error {
        Error::Memory {
            positions,
            edges,
            needed,
            limit,
        } => format!(
            "the graph does not fit in memory: {} positions and {} moves were reached, \
             which need at least {}",
            with_commas(positions),
            with_commas(edges),
            needed_and_allowed(needed, limit)
        ),
        Error::TooLarge {
            ranks,
            needed,
            limit,
        } => format!(
            "every position does not fit in memory: {} ranks need {}",
            with_commas(ranks),
            needed_and_allowed(needed, limit)
        ),
        Error::TooLong(_) => {
            let graph = format!("--solver graph keeps up to {} plies", graph::MAX_REMOTENESS);
            return anyhow!("{error}; {graph}, of what is reachable");
        }
        other => return other.into(),
    };
    DoesNotFit(text).into()
}

/// Turns an error of a game, a solve or a table into a sentence, as [`solver_error`] does.
pub(crate) fn game_error(error: hindsight_games::Error) -> anyhow::Error {
    match error {
        hindsight_games::Error::Solve(error) => solver_error(error),
        hindsight_games::Error::Memory { needed, limit } => anyhow!(
            "this does not fit in memory: it takes at least {}",
            needed_and_allowed(needed, limit)
        ),
        hindsight_games::Error::VerifyMemory {
            needed,
            kept,
            limit,
        } => anyhow!(
            "this does not fit in memory: with --checkpoint DIR it takes {}, else {}",
            format_needed(kept.saturating_add(program_bytes())),
            needed_and_allowed(needed, limit)
        ),
        error @ hindsight_games::Error::TooManyPositions { .. } => {
            anyhow!(numbers_with_commas(&error.to_string()))
        }
        other => other.into(),
    }
}

/// Turns an error of a task into a sentence. The caller's refusal is the caller's own error.
pub(crate) fn task_error(error: hindsight_games::Error) -> anyhow::Error {
    match error {
        hindsight_games::Error::Refused(error) => anyhow::Error::from_boxed(error),
        hindsight_games::Error::Solve(error) => store_error(error),
        other => game_error(other),
    }
}

/// As [`solver_error`]. The error of a store is replaced by its source, so that the cause is
/// printed once.
pub(crate) fn store_error(error: Error) -> anyhow::Error {
    match error {
        Error::Store(source) => match source.downcast::<hindsight_tablebase::TableError>() {
            Ok(error) => (*error).into(),
            Err(other) => anyhow::Error::from_boxed(other),
        },
        other => solver_error(other),
    }
}
