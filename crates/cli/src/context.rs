//! The options that every command shares, resolved once against the machine.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, anyhow};
use hindsight_core::{Game, PackedGame};
use hindsight_games::{Limits, Monitor, Options, memory::resident_bytes};

use crate::args::Args;
use crate::process::huge_pages;
use crate::process::memory::{own_bytes, thread_bytes};
use crate::shown::board_form::BoardForm;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::{format_needed, format_size};

/// Memory limit in bytes below which freed blocks go back to the system at once.
/// With more memory, the blocks that the allocator keeps are a small part of the limit.
const SMALL_LIMIT: u64 = 1 << 30;

/// Shared options and limits of one call. Invariant: no field changes while the command runs.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Print the answer as one JSON value.
    pub(crate) json: bool,
    /// Print neither progress nor notes on standard error.
    pub quiet: bool,
    /// Form of boards in text on standard output.
    pub(crate) boards: BoardForm,
    /// Letters in place of drawn boards, and no colours.
    #[cfg(feature = "cluster")]
    pub(crate) plain: bool,
    /// Threads that were asked for.
    #[cfg(feature = "cluster")]
    pub(crate) threads: Option<usize>,
    /// Overwrite output files that exist.
    pub(crate) force: bool,
    /// Most bytes of memory for the whole process.
    pub(crate) memory: u64,
    /// True if `--memory` names that limit.
    pub(crate) memory_is_given: bool,
    /// Bytes of the process without the data of a solver or an agent: the program and its host,
    /// what the command draws or serves, and the tables of its game.
    pub(crate) program_bytes: u64,
}

impl Context {
    /// Starts the global thread pool and resolves the memory limit. Another program, the host, has
    /// `host_bytes` of the process.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub(crate) fn resolve(args: &Args, host_bytes: u64) -> Result<Self> {
        let options = &args.common;
        // Rayon starts one thread per processor for 0.
        let threads = options.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global()
            .context("cannot make threads; see --threads and the limits of the system (ulimit)")?;
        let memory = hindsight_games::memory::limit(options.memory);
        if memory < SMALL_LIMIT {
            huge_pages::return_freed_blocks();
        }
        Ok(Self {
            json: options.json,
            quiet: options.quiet,
            boards: BoardForm::on_stdout(options.plain),
            #[cfg(feature = "cluster")]
            plain: options.plain,
            #[cfg(feature = "cluster")]
            threads: options.threads,
            force: options.force,
            memory,
            memory_is_given: options.memory.is_some(),
            program_bytes: own_bytes() + host_bytes + args.command.own_memory(),
        })
    }

    /// Returns the context of work on a game, which makes the game's tables.
    pub(crate) fn with_tables_of(&self, game: &PackedGame) -> Self {
        Self { program_bytes: self.program_bytes + game.table_bytes(), ..*self }
    }

    /// Limits of a solver: the memory of the process less those of the program.
    pub fn limits(&self) -> Limits {
        Limits { memory: self.memory.saturating_sub(self.program_bytes), time: None }
    }

    /// Bytes of the process now, with the stacks of its threads; at least
    /// [`Context::program_bytes`].
    pub(crate) fn process_bytes(&self) -> u64 {
        self.program_bytes.max(resident_bytes() + thread_bytes())
    }

    /// Returns the bytes that the limit leaves for an analysis, which runs more of the program than
    /// any other command.
    ///
    /// # Errors
    /// The limit is below what the process needs without the data of the analysis.
    pub(crate) fn rest_for_analysis(&self) -> Result<u64> {
        // Measured: 14 MiB of program text at the end, 10 MiB before the analysis; and the stacks
        // and first tables of the searches.
        const MORE_PROGRAM: u64 = 6 << 20;
        // Two calls differ by less, so the limit that an error names suffices.
        const SPREAD: u64 = 4 << 20;
        let needed = self.process_bytes() + MORE_PROGRAM;
        let rest = self.memory.checked_sub(needed);
        rest.ok_or_else(|| self.too_little(needed + SPREAD))
    }

    /// Refuses a limit below the bytes of the program and `bytes` more.
    pub(crate) fn check_rest(&self, bytes: u64) -> Result<()> {
        let needed = self.program_bytes.saturating_add(bytes);
        if self.memory < needed { Err(self.too_little(needed)) } else { Ok(()) }
    }

    fn too_little(&self, needed: u64) -> anyhow::Error {
        anyhow!(
            "this does not fit in memory: it takes at least {}, and {} are allowed (--memory)",
            format_needed(needed),
            format_size(self.memory)
        )
    }

    /// Returns what the process needs for `bytes` of a solver, as text.
    pub(crate) fn format_needed(&self, bytes: u64) -> String {
        format_needed(bytes.saturating_add(self.program_bytes))
    }

    /// Runs long work with the limits of this call and a display of its progress. Work that a
    /// signal stops saves nothing.
    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&Options) -> Result<T, hindsight_games::Error>,
    ) -> Result<T> {
        self.run_with(ProgressDisplay::new(self.quiet).saving_nothing(), work)
    }

    /// As [`Context::run`], with a given display.
    pub(crate) fn run_with<T>(
        &self,
        display: ProgressDisplay,
        work: impl FnOnce(&Options) -> Result<T, hindsight_games::Error>,
    ) -> Result<T> {
        let display = Arc::new(Mutex::new(display));
        let options = Options {
            memory: Some(self.limits().memory),
            progress: Some(Arc::new(move |progress| {
                let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
                display.report(progress)
            })),
            ..Options::default()
        };
        work(&options).map_err(|error| self.game_error(error))
    }
}
