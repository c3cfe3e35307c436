//! Solves of games that are small enough to be solved at once.

use std::time::Duration;

use hindsight_core::Scope;
use hindsight_engine::{Error, Monitor, NoMonitor};
use hindsight_solve::plan::{Method, SolveNeeds};

use super::refuse_files;
use super::solved::SolvedGame;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::tasks::options::Options;
use crate::tasks::solve::SolveTask;

impl AnyGame {
    /// Solves the game if it is small: every position, if the plan says that this and its values
    /// fit in the time and memory of the options, else what is reachable from the start, if
    /// [`Method::Auto`] chooses that. `None` if neither does, or if a limit is passed on the way.
    ///
    /// [`SolvedGame::value_bytes`] says how much memory the result takes.
    ///
    /// # Errors
    /// An error of the solver other than a lack of time or memory, such as a stop by the listener.
    /// A table or a checkpoint is refused.
    ///
    /// ```
    /// use hindsight_games::Options;
    ///
    /// let options = Options {
    ///     seconds: Some(2.0),
    ///     memory: Some(1 << 28),
    ///     ..Options::default()
    /// };
    /// let small = hindsight_games::game("onitama:3x3:boar")?.solve_if_quick(&options)?;
    /// assert!(small.is_some_and(|solved| solved.value_bytes() < 100_000));
    /// let large = hindsight_games::game("onitama:5x5:boar")?.solve_if_quick(&options)?;
    /// assert!(large.is_none());
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn solve_if_quick(&self, options: &Options) -> Result<Option<SolvedGame>, GamesError> {
        refuse_files(options)?;
        let options = &options.resolved();
        let method = if self.is_quick(options) {
            Method::Tiered
        } else if self.has_small_graph(options) {
            Method::Reachable
        } else {
            return Ok(None);
        };
        match self.solve(method, options) {
            Ok(solved) => Ok(Some(solved).filter(SolvedGame::has_values)),
            Err(GamesError::Solve(error)) if is_passed_limit(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns true if a solve of every position fits in the time and memory of the options, by its
    /// plan, and its values fit in memory with it. The time is a rough estimate.
    ///
    /// ```
    /// use hindsight_games::Options;
    ///
    /// let game = hindsight_games::game("quoridor:5x5:1")?;
    /// let within = |seconds| Options {
    ///     seconds: Some(seconds),
    ///     memory: Some(1 << 30),
    ///     ..Options::default()
    /// };
    /// assert!(game.is_quick(&within(60.0)) && !game.is_quick(&within(0.0001)));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn is_quick(&self, options: &Options) -> bool {
        let options = &options.resolved();
        let limits = options.limits();
        self.needs(Method::Tiered, options).is_ok_and(|needs| {
            let time = needs.seconds.map(Duration::from_secs_f64);
            needs.value_bytes > 0
                && needs.memory <= limits.memory
                && time.is_some_and(|time| limits.time.is_none_or(|limit| time <= limit))
        })
    }

    /// Returns true if [`Method::Auto`] solves what is reachable.
    pub(crate) fn has_small_graph(&self, options: &Options) -> bool {
        let choice = self.needs(Method::Auto, options).ok();
        let choice = choice.and_then(|needs| needs.choice);
        choice.is_some_and(|choice| choice.method == Method::Reachable)
    }
}

impl AnyGame {
    /// Refuses a game of which [`Method::Auto`] does not find the values of all positions that the
    /// start leads to, because they are too many. No solve is begun. The error advises a table if
    /// one can be written here, within the memory of the options.
    ///
    /// # Errors
    /// [`Error::TooManyPositions`](crate::Error::TooManyPositions) if the game is too large.
    ///
    /// ```
    /// use hindsight_games::Options;
    ///
    /// let options = Options::default();
    /// let small = hindsight_games::game("ostle:3x3:3:1")?;
    /// assert!(small.check_solvable(&options).is_ok());
    /// let error = hindsight_games::game("ostle")?.check_solvable(&options).unwrap_err();
    /// assert!(error.to_string().starts_with("ostle has about 2735147685 positions"), "{error}");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn check_solvable(&self, options: &Options) -> Result<(), GamesError> {
        let mut begin = |_: &SolveNeeds| Ok(Box::new(NoMonitor) as Box<dyn Monitor>);
        let needs = self.parts().needs(&SolveTask {
            method: Method::Auto,
            scope: Some(Scope::Reachable),
            ..SolveTask::new(&mut begin)
        });
        let has_values = needs.is_ok_and(|needs| match needs.method {
            Method::Reachable | Method::Tiered => true,
            Method::Auto | Method::Forward | Method::Proof | Method::Search | Method::Planes => {
                false
            }
        });
        if has_values {
            Ok(())
        } else {
            Err(GamesError::TooManyPositions {
                game: self.spec().to_string(),
                positions: self.ranked_positions(),
                can_have_table: self.has_possible_table(options),
            })
        }
    }

    /// Returns the number of all positions, about; `None` for a game whose positions have no ranks.
    fn ranked_positions(&self) -> Option<u64> {
        let methods = [Method::Planes, Method::Tiered].into_iter();
        let mut needs = methods.filter_map(|method| self.needs(method, &Options::default()).ok());
        needs.find_map(|needs| needs.extent.positions())
    }
}

fn is_passed_limit(error: &Error) -> bool {
    error.is_lack() && !matches!(error, Error::Stopped)
}
