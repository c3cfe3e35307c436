//! The options of every command, resolved once against the machine: they hold for a whole call.

use anyhow::{Context as _, Result};
use hindsight_solve::Limits;

use crate::args::GlobalArgs;
use crate::huge_pages;
use crate::memory::{self, program_bytes};

/// A limit in bytes. Below it, freed blocks that the allocator keeps are too large a part of the limit.
const SMALL_LIMIT: u64 = 1 << 30;

/// Options and limits of a call. Invariant: nothing in it changes while the command runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The answer is one JSON value.
    pub(crate) json: bool,
    /// No progress and no notes on standard error.
    pub(crate) quiet: bool,
    /// Output files that exist are overwritten.
    pub(crate) force: bool,
    /// Bytes that the whole process may take.
    pub(crate) memory: u64,
}

impl Context {
    /// Makes the threads and sets the limit of memory.
    ///
    /// # Errors
    /// When threads cannot be made.
    pub(crate) fn resolve(options: &GlobalArgs) -> Result<Self> {
        // Zero stands for as many as there are processors.
        let threads = options.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global()
            .context("cannot make threads; see --threads and the limits of the system (ulimit)")?;
        let memory = memory::limit(options.memory);
        if memory < SMALL_LIMIT {
            huge_pages::return_freed_blocks();
        }
        Ok(Self {
            json: options.json,
            quiet: options.quiet,
            force: options.force,
            memory,
        })
    }

    /// The limits of a solver: the memory allowed, less what the program takes by itself.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            memory: self.memory.saturating_sub(program_bytes()),
            time: None,
        }
    }
}
