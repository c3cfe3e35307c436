//! Solved games.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use hindsight_core::{Answer, Value};
use hindsight_engine::{Histogram, Summary};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;
use hindsight_solve::plan::FoundWinner;

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::parts::solution::SolvedValues;
use crate::positions::any_value::{AnyMove, Position};
use crate::tasks::new_table::TaskFiles;
use crate::tasks::options::Options;
use crate::tasks::solve::SampleCounts;
use crate::values::Values;

/// Solved game: the values of its positions, and how many there are of each.
///
/// ```
/// use hindsight_games::{Method, Options};
///
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let solved = game.solve(Method::Auto, &Options::default())?;
/// let position = game.parse("xx./oo./...")?;
/// assert_eq!(solved.probe(&position)?.to_string(), "win in 1 ply");
/// let best = &solved.rated_moves(&position)?[0];
/// assert_eq!(game.format_move(&position, &best.mv)?, "c3");
/// assert_eq!(solved.line(&position)?.plies.len(), 1);
/// assert_eq!(solved.signature(), "5478-4410-9ddce38329cd03c6");
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone)]
pub struct SolvedGame {
    values: Values,
    solution: Arc<SolvedValues>,
}

impl SolvedGame {
    pub(crate) fn new(game: AnyGame, solution: Arc<SolvedValues>) -> Self {
        Self { values: Values::new(game, solution.clone()), solution }
    }

    /// Returns the values alone, which a table has too.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the value of the start for the side to move; unknown if a search has not found it.
    #[must_use]
    pub fn start_value(&self) -> Answer {
        self.solution.start_value()
    }

    /// Returns the totals: positions, moves, wins, losses and draws.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.solution.summary()
    }

    /// Returns the number of positions by value; `None` if the method does not find remoteness.
    #[must_use]
    pub fn histogram(&self) -> Option<Histogram> {
        self.solution.histogram()
    }

    /// Returns true if the values of positions can be read.
    /// [`Error::NoValues`](crate::Error::NoValues) says when they cannot.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.solution.has_values()
    }

    /// Returns true if the values are those of every position, not only of those that the start
    /// leads to.
    #[must_use]
    pub fn has_every_position(&self) -> bool {
        self.solution.has_every_position()
    }

    /// Returns the value of a position that was reached from the start; `None` if it was not, or
    /// after a solve of other positions. The rules are not asked: that is for games whose rules
    /// answer slowly.
    ///
    /// # Errors
    /// [`Error::OtherGame`](crate::Error::OtherGame) for a position of another game.
    ///
    /// ```
    /// use hindsight_games::Options;
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let position = game.parse("xx./oo./...")?;
    /// let solved = game.solve_from(&position, &Options::default())?;
    /// let value = solved.reached_value(&position)?;
    /// assert_eq!(value.map(|value| value.to_string()).as_deref(), Some("win in 1"));
    /// assert_eq!(solved.reached_value(&game.start())?, None);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn reached_value(&self, position: &Position) -> Result<Option<Value>, GamesError> {
        let game = self.values.game();
        let position = game.packed(position)?;
        Ok(self.solution.solved.reached_value(game.rules(), position))
    }

    /// Returns the positions that were reached from the start, with their values: those with some
    /// numbers, in the order in which they were met. None after a solve of other positions.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let solved = game.solve(Method::Reachable, &Options::default())?;
    /// assert_eq!(solved.reached(0..10_000).len(), 5_478);
    /// assert_eq!(solved.reached(0..1)[0].0, game.start());
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn reached(&self, numbers: Range<u64>) -> Vec<(Position, Value)> {
        let game = self.values.game();
        let reached = self.solution.solved.reached(numbers);
        reached.map(|(position, value)| (game.position_of(position), value)).collect()
    }

    /// Writes the positions that were reached from the start to the table of the options, which is
    /// in the layout `full`.
    ///
    /// Memory: 9 bytes a position whose key has 56 bits at most, else 17 or 41, and what writing a
    /// table takes.
    ///
    /// # Errors
    /// [`Error::NoTable`](crate::Error::NoTable) if the options name no table;
    /// [`Error::NotReached`](crate::Error::NotReached) after a solve of other positions, or from
    /// another position than the start. Any error of the file.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("f.table");
    /// let game = hindsight_games::game("four:4x3")?;
    /// let solved = game.solve(Method::Reachable, &Options::default())?;
    /// solved.save(&Options { table: Some(path.clone()), ..Options::default() })?;
    /// assert_eq!(hindsight_games::open(path)?.probe(&game.start())?, solved.start_value());
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn save(&self, options: &Options) -> Result<(), GamesError> {
        if !self.solution.is_reached_from_start() {
            return Err(GamesError::NotReached);
        }
        let mut files = TaskFiles::create(options)?;
        let (Some(folder), Some(out)) = files.parts() else {
            return Err(GamesError::NoTable);
        };
        let (game, solved) = (&self.solution.game, &self.solution.solved);
        let saved = game.save(solved, None, folder, out, Box::new(options.monitor()));
        saved.map_err(|error| files.explain(error))?;
        files.finish()
    }

    /// Returns the bytes of memory of the positions and values that can be read; 0 if none were
    /// kept. The tables of the rules come on top, which are small beside those of a large game.
    #[must_use]
    pub fn value_bytes(&self) -> u64 {
        self.solution.value_bytes()
    }

    /// Returns the counts of states, of a game in which a move may be forbidden.
    #[must_use]
    pub fn states(&self) -> Option<&ForbiddenMoveSolution> {
        self.solution.states()
    }

    /// Returns the result of [`Method::Proof`](crate::Method::Proof) or
    /// [`Method::Search`](crate::Method::Search): which side is known to win or not to win. `None`
    /// after other methods.
    #[must_use]
    pub fn winner(&self) -> Option<FoundWinner> {
        self.solution.winner()
    }

    /// Returns a first move that keeps the value of the start, found by
    /// [`Method::Forward`](crate::Method::Forward), [`Method::Proof`](crate::Method::Proof) or
    /// [`Method::Search`](crate::Method::Search).
    ///
    /// `None` if the start is lost or its value unknown, and after other methods. Of a lost start
    /// `Method::Search` has the move that delays the loss.
    #[must_use]
    pub fn strategy_move(&self) -> Option<AnyMove> {
        self.solution.strategy_move()
    }

    /// Returns the result of the check by positions drawn at random, if one was asked for.
    #[must_use]
    pub fn sample(&self) -> Option<SampleCounts> {
        self.solution.sample()
    }

    /// Returns the signature of the solve: positions, decided positions, and a hash of the
    /// histogram. Solves of one set that agree have the same one.
    #[must_use]
    pub fn signature(&self) -> String {
        self.summary().signature(self.histogram().as_ref())
    }
}

/// A question about values goes to them.
impl Deref for SolvedGame {
    type Target = Values;

    fn deref(&self) -> &Values {
        &self.values
    }
}

impl fmt::Debug for SolvedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolvedGame")
            .field("game", &self.values.game().spec())
            .field("start", &self.start_value().to_string())
            .finish_non_exhaustive()
    }
}
