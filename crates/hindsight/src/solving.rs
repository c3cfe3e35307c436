//! Solves of games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hindsight_core::Game;
use hindsight_run::{Limits, Monitor, NoMonitor};
use hindsight_solve::graph::{self, GraphSolution};
use hindsight_solve::plan::{Method, PlanError, SolveNeeds, SolveTimes};
use tempfile::{NamedTempFile, TempDir};

use crate::any_value::Position;
use crate::error::GamesError;
use crate::game::AnyGame;
use crate::options::Options;
use crate::solve_task::{SolveFolder, SolveTask, WrittenTable};
use crate::solved::SolvedGame;

impl AnyGame {
    /// Solves the game.
    ///
    /// # Errors
    /// [`Error::Solve`](crate::Error::Solve) if a limit is passed or the listener stops the work;
    /// [`Error::Plan`](crate::Error::Plan) if the method is for other games.
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
        let mut table = options.table.as_deref().map(NewTable::create).transpose()?;
        let layers = table
            .as_ref()
            .map(|table| table.layers.path().to_path_buf());
        let folder = options.checkpoint.as_ref().or(layers.as_ref());
        let mut begin = |_: &SolveNeeds| Ok(Box::new(options.monitor()) as Box<dyn Monitor>);
        let task = SolveTask {
            method,
            limits: options.limits(),
            folder: folder.map(|path| SolveFolder {
                path,
                resume: options.resume,
                is_checkpoint: options.checkpoint.is_some(),
            }),
            table: table
                .as_mut()
                .map(|table| &mut table.file as &mut dyn Write),
            ..SolveTask::new(&mut begin)
        };
        let solved = self.run(task)?.solved;
        table.map_or(Ok(()), NewTable::finish)?;
        Ok(solved)
    }

    /// Solves the game with all options of a task.
    ///
    /// # Errors
    /// As [`AnyGame::solve`]; [`Error::Refused`](crate::Error::Refused) if the caller refuses the
    /// needs of the solve.
    ///
    /// ```
    /// use hindsight_games::{Method, SolveTask};
    /// use hindsight_solve::NoMonitor;
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
        let outcome = self.erased().run_task(task)?;
        Ok(SolveOutcome {
            solved: SolvedGame::new(self.clone(), outcome.solution),
            needs: outcome.needs,
            times: outcome.times,
            table: outcome.table,
        })
    }

    /// Returns the least bytes of memory in which [`Method::Planes`] solves the game; `None` for
    /// games without planes, and if even a plan is too large for `limits`.
    #[must_use]
    pub fn planes_bytes(&self, limits: Limits) -> Option<u64> {
        self.erased().planes_bytes(limits)
    }

    /// Solves every position that can be reached from a position.
    ///
    /// # Errors
    /// As [`AnyGame::solve`] and [`AnyGame::format`];
    /// [`Error::NothingToWrite`](crate::Error::NothingToWrite) if a table or a checkpoint is
    /// asked for.
    pub fn solve_from(
        &self,
        start: &Position,
        options: &Options,
    ) -> Result<SolvedGame, GamesError> {
        refuse_files(options)?;
        let (game, limits) = (self.erased(), options.limits());
        let solution = game.solve_from(start, limits, &mut options.monitor())?;
        Ok(SolvedGame::new(self.clone(), solution.into()))
    }
}

/// Refuses options that name a file to be written.
fn refuse_files(options: &Options) -> Result<(), GamesError> {
    match options.table.is_some() || options.checkpoint.is_some() {
        true => Err(GamesError::NothingToWrite),
        false => Ok(()),
    }
}

/// Result of a [`SolveTask`].
#[derive(Debug)]
pub struct SolveOutcome {
    /// The solved game.
    pub solved: SolvedGame,
    /// Needs of the solve, as they were known before.
    pub needs: SolveNeeds,
    /// Time of the solve.
    pub times: SolveTimes,
    /// Table that was written.
    pub table: Option<WrittenTable>,
}

/// Table that gets its name when it is complete.
struct NewTable {
    path: PathBuf,
    file: NamedTempFile,
    /// Folder of finished layers, removed at the end.
    layers: TempDir,
}

impl NewTable {
    /// Makes the files beside `path`, at which there must be none.
    fn create(path: &Path) -> Result<Self, GamesError> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        let files = || {
            if path.try_exists()? {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let file = tempfile::Builder::new()
                .prefix(".hindsight-")
                .tempfile_in(folder)?;
            let layers = tempfile::Builder::new()
                .prefix(".hindsight-")
                .tempdir_in(folder)?;
            Ok((file, layers))
        };
        let (file, layers) = files().map_err(|source| GamesError::unwritable(path, source))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            layers,
        })
    }

    /// Gives the file its name.
    fn finish(self) -> Result<(), GamesError> {
        let Self { path, file, .. } = self;
        let synced = file.as_file().sync_all();
        let named =
            synced.and_then(|()| file.persist_noclobber(&path).map_err(|error| error.error));
        named
            .map(|_| ())
            .map_err(|source| GamesError::unwritable(&path, source))
    }
}

/// Solves a game by rules of your own: every position that can be reached from its start.
///
/// # Errors
/// An error of the solver, such as too many positions; one for a method that needs more than
/// rules.
///
/// ```
/// use hindsight_games::{Method, Value};
/// use hindsight_rules::tic_tac_toe::TicTacToe;
///
/// let solved = hindsight_games::solve(&TicTacToe::default(), Method::Auto)?;
/// assert_eq!(solved.value(0), Value::Draw);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub fn solve<G: Game>(game: &G, method: Method) -> Result<GraphSolution<G>, GamesError> {
    match method {
        Method::Auto | Method::Reachable => {
            Ok(graph::solve(game, Limits::default(), &mut NoMonitor)?)
        }
        Method::Forward => Err(GamesError::NoValues),
        Method::Tiered => Err(PlanError::Unranked.into()),
        Method::Planes => Err(PlanError::NotTwoSided.into()),
    }
}
