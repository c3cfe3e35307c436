//! Solves of games, and searches for distances from the start. Tables are written here, but not
//! read.

pub(crate) mod distances;
#[cfg(feature = "cluster")]
mod in_cluster;
mod possible;
mod quick;
pub(crate) mod solved;

use std::fmt;
use std::io::{self, Write};

use hindsight_engine::{Limits, Monitor};
use hindsight_solve::plan::{self, Method, PlanError, SolveNeeds, SolveTimes};

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_value::Position;
use crate::tasks::folder::{SolveFolder, TaskFolder};
use crate::tasks::new_table::TaskFiles;
use crate::tasks::options::Options;
use crate::tasks::solve::{SolveTask, WrittenTable};
use solved::SolvedGame;

impl AnyGame {
    /// Solves the game.
    ///
    /// [`Method::Auto`] chooses the method that will finish. Of a game that is too large it only
    /// finds who wins, by a search without a known end: [`Options::seconds`] or the listener end
    /// it, and [`SolvedGame::start_value`] is then unknown.
    ///
    /// # Errors
    /// - [`Error::Solve`](crate::Error::Solve) if a limit is passed or the listener stops the work.
    /// - [`Error::Plan`](crate::Error::Plan) if the method is for other games, or does not write
    ///   what the options ask for.
    /// - [`Error::Unwritable`](crate::Error::Unwritable) or
    ///   [`Error::KeptElsewhere`](crate::Error::KeptElsewhere) if the table cannot be written.
    /// - [`Error::Checkpoint`](crate::Error::Checkpoint) or
    ///   [`Error::NoCheckpoint`](crate::Error::NoCheckpoint) if the checkpoint cannot be used.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// assert_eq!(solved.start_value().to_string(), "loss in 8 plies");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn solve(&self, method: Method, options: &Options) -> Result<SolvedGame, GamesError> {
        let mut files = TaskFiles::create(options)?;
        let (folder, table) = files.parts();
        let mut begin = |_: &SolveNeeds| Ok(Box::new(options.monitor()) as Box<dyn Monitor>);
        let task = SolveTask {
            method,
            limits: options.limits(),
            folder,
            table,
            ..SolveTask::new(&mut begin)
        };
        let outcome = self.run(task);
        let outcome = outcome.map_err(|error| files.explain(error))?;
        files.finish()?;
        // The table has its name: what cannot be removed is only in the way.
        let _ = outcome.forget_progress();
        Ok(outcome.solved)
    }

    /// Returns the needs of a solve, which is not begun.
    ///
    /// # Errors
    /// [`Error::Plan`](crate::Error::Plan) if the method is for other games;
    /// [`Error::Solve`](crate::Error::Solve) if the game is too large to list its tiers.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let game = hindsight_games::game("onitama:5x5:boar")?;
    /// let needs = game.needs(Method::Planes, &Options::default())?;
    /// assert_eq!(needs.extent.positions(), Some(31_906_273_441));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn needs(&self, method: Method, options: &Options) -> Result<SolveNeeds, GamesError> {
        self.needs_from(None, method, options)
    }

    /// As [`AnyGame::needs`], from a position; `None` for the start.
    pub(crate) fn needs_from(
        &self,
        start: Option<&Position>,
        method: Method,
        options: &Options,
    ) -> Result<SolveNeeds, GamesError> {
        let mut begin = |_: &SolveNeeds| Ok(Box::new(options.monitor()) as Box<dyn Monitor>);
        let folder = options.checkpoint.as_ref().or(options.table.as_ref());
        let mut nowhere = io::sink();
        let table: &mut dyn Write = &mut nowhere;
        self.parts().needs(&SolveTask {
            method,
            start,
            limits: options.limits(),
            folder: folder.map(|path| SolveFolder {
                path,
                resume: false,
                is_checkpoint: options.checkpoint.is_some(),
                limit_as_begun: false,
            }),
            table: options.table.is_some().then_some(table),
            ..SolveTask::new(&mut begin)
        })
    }

    /// Solves the game with all options of a task.
    ///
    /// # Errors
    /// As [`AnyGame::solve`]; [`Error::Refused`](crate::Error::Refused) if the caller refuses the
    /// needs of the solve.
    ///
    /// ```
    /// use hindsight_games::{Method, SolveTask};
    /// use hindsight_engine::NoMonitor;
    ///
    /// let game = hindsight_games::game("quoridor:4x4:1")?;
    /// let outcome = game.run(SolveTask::new(&mut |needs| {
    ///     println!("{} bytes of memory", needs.memory);
    ///     Ok(Box::new(NoMonitor))
    /// }))?;
    /// assert_eq!(outcome.needs.method, Method::Tiered);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn run(&self, task: SolveTask<'_>) -> Result<SolveOutcome, GamesError> {
        // A search for the winner of a game of the user's own merges what it can.
        let merges = task.method == Method::Proof && self.rules().is_outside();
        let searched = if merges { self.with_symmetry() } else { self };
        let outcome = searched.parts().clone().run(task)?;
        Ok(SolveOutcome {
            solved: SolvedGame::new(self.clone(), outcome.solution),
            needs: outcome.needs,
            times: outcome.times,
            table: outcome.table,
            folder: outcome.folder,
        })
    }

    /// Returns the least bytes of memory in which [`Method::Planes`] solves the game; `None` for
    /// games without planes, and if even a plan is too large for `limits`.
    #[must_use]
    pub fn planes_bytes(&self, limits: Limits) -> Option<u64> {
        plan::planes_bytes(self.rules(), limits)
    }

    /// Solves every position that can be reached from a position.
    ///
    /// # Errors
    /// As [`AnyGame::solve`] and [`AnyGame::format`]. A table or a checkpoint is refused.
    pub fn solve_from(
        &self,
        start: &Position,
        options: &Options,
    ) -> Result<SolvedGame, GamesError> {
        refuse_files(options)?;
        let (game, limits) = (self.parts(), options.limits());
        let solution = game.clone().solve_from(start, limits, &mut options.monitor())?;
        Ok(SolvedGame::new(self.clone(), solution.into()))
    }
}

/// Refuses options that name a file to be written.
pub(crate) fn refuse_files(options: &Options) -> Result<(), GamesError> {
    if options.table.is_some() || options.checkpoint.is_some() {
        Err(PlanError::StoresNothing.into())
    } else {
        Ok(())
    }
}

/// Result of a [`SolveTask`]. As long as it lives, the folder of the task is locked.
pub struct SolveOutcome {
    /// The solved game.
    pub solved: SolvedGame,
    /// Needs of the solve, as they were known before.
    pub needs: SolveNeeds,
    /// Time of the solve.
    pub times: SolveTimes,
    /// Table that was written.
    pub table: Option<WrittenTable>,
    folder: Option<TaskFolder>,
}

impl SolveOutcome {
    /// Removes the progress from the checkpoint. To be called once the result is safe: until then a
    /// solve by planes can be resumed at its end.
    ///
    /// # Errors
    /// [`Error::Checkpoint`](crate::Error::Checkpoint) if a file cannot be removed.
    pub fn forget_progress(&self) -> Result<(), GamesError> {
        self.folder.as_ref().map_or(Ok(()), TaskFolder::forget_progress)
    }
}

impl fmt::Debug for SolveOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveOutcome")
            .field("solved", &self.solved)
            .field("needs", &self.needs)
            .field("times", &self.times)
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}
