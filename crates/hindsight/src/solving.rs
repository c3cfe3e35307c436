//! Solves of games.

use hindsight_core::Game;
use hindsight_run::{Limits, NoMonitor};
use hindsight_solve::graph::{self, GraphSolution};
use hindsight_solve::plan::{Method, PlanError, Request, SolveIo};

use crate::any_value::Position;
use crate::error::GamesError;
use crate::game::AnyGame;
use crate::options::Options;
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
        refuse_files(options)?;
        let request = Request {
            method,
            limits: options.limits(),
            ..Request::default()
        };
        let mut monitor = options.monitor();
        let solution = self.erased().solve(&request, SolveIo::new(&mut monitor))?;
        Ok(SolvedGame::new(self.clone(), solution.into()))
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
