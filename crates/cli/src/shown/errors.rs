//! Errors of solvers and stores as sentences with readable numbers.

use std::fmt;

use anyhow::anyhow;
use hindsight_games::{SolverError, memory::machine_bytes};

use crate::context::Context;
use crate::shown::sizes::{counted, format_size, numbers_with_commas, with_commas};

/// Error of a solver whose data exceeds its memory limit, as a sentence.
#[derive(Debug)]
pub(crate) struct DoesNotFit(String);

impl std::error::Error for DoesNotFit {}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Context {
    /// Returns the memory that the process needs and its limit, as a part of a sentence.
    /// `needed` and `limit` are bytes of a solver, without [`Context::program_bytes`].
    /// A `limit` of 0 stands for a limit below those.
    pub(crate) fn needed_and_allowed(&self, needed: u64, limit: u64) -> String {
        let option = self.memory_option(needed);
        let needed = self.format_needed(needed);
        match limit {
            0 => format!("{needed}, and less is allowed{option}"),
            limit => {
                let limit = format_size(limit.saturating_add(self.program_bytes));
                format!("{needed}, and {limit} are allowed{option}")
            }
        }
    }

    /// Returns true if this machine has the memory that a solver needs, in bytes without
    /// [`Context::program_bytes`].
    pub(crate) fn is_possible_memory(&self, needed: u64) -> bool {
        needed.saturating_add(self.program_bytes) <= machine_bytes()
    }

    /// Returns the name of the option that allows more memory, in brackets; empty text if this
    /// machine does not have what is needed.
    fn memory_option(&self, needed: u64) -> &'static str {
        if self.is_possible_memory(needed) { " (--memory)" } else { "" }
    }

    /// Turns a solver's error into a sentence. Too little memory becomes [`DoesNotFit`]. The error
    /// of a store is replaced by its source, so that the cause is printed once.
    pub(crate) fn solver_error(&self, error: SolverError) -> anyhow::Error {
        let text = match error {
            SolverError::Memory { positions, edges, needed, limit } => format!(
                "the graph does not fit in memory: with {}{} reached, it needs at least {}",
                counted(positions, "position"),
                match edges {
                    0 => String::new(),
                    edges => format!(" and {}", counted(edges, "move")),
                },
                self.needed_and_allowed(needed, limit)
            ),
            SolverError::TooLarge { ranks, needed, limit } => format!(
                "every position does not fit in memory: {} ranks need {}",
                with_commas(ranks),
                self.needed_and_allowed(needed, limit)
            ),
            SolverError::Store(source) => {
                return match source.downcast::<hindsight_games::TableError>() {
                    Ok(error) => (*error).into(),
                    Err(other) => anyhow::Error::from_boxed(other),
                };
            }
            other => return other.into(),
        };
        DoesNotFit(text).into()
    }

    /// Turns an error of a game, a solve or a table into a sentence, as [`Context::solver_error`]
    /// does. The caller's refusal is the caller's own error.
    pub(crate) fn game_error(&self, error: hindsight_games::Error) -> anyhow::Error {
        match error {
            hindsight_games::Error::Solve(error) => self.solver_error(error),
            hindsight_games::Error::Refused(error) => anyhow::Error::from_boxed(error),
            hindsight_games::Error::Memory { needed, limit } => anyhow!(
                "this does not fit in memory: it takes at least {}",
                self.needed_and_allowed(needed, limit)
            ),
            hindsight_games::Error::VerifyMemory { needed, kept, limit } => {
                if self.is_possible_memory(kept) {
                    anyhow!(
                        "this does not fit in memory: with --checkpoint DIR it takes {}, else {}",
                        self.format_needed(kept),
                        self.needed_and_allowed(needed, limit)
                    )
                } else {
                    self.game_error(hindsight_games::Error::Memory { needed, limit })
                }
            }
            error @ hindsight_games::Error::TooManyPositions { .. } => {
                anyhow!(numbers_with_commas(&error.to_string()))
            }
            other => other.into(),
        }
    }

    /// Turns any error of a command into a sentence, as [`Context::game_error`] does.
    pub(crate) fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        // Not what a context has been added to.
        let first = error.chain().next();
        if first
            .is_some_and(|first| first.is::<hindsight_games::Error>() || first.is::<SolverError>())
        {
            return match error.downcast() {
                Ok(error) => self.game_error(error),
                Err(error) => {
                    error.downcast().map_or_else(|error| error, |error| self.solver_error(error))
                }
            };
        }
        error
    }
}
