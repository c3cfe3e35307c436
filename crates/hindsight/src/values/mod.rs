//! Values of positions, from a solve or a table, positions drawn by them, and puzzles. Where the
//! values come from is not known here.

pub(crate) mod puzzle_search;
pub(crate) mod random_positions;
mod sample_by_value;

use std::fmt;
use std::sync::Arc;

use hindsight_core::Answer;
use hindsight_puzzles::ProofNode;
use hindsight_solve::BestLine;

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::parts::numbered_values::NumberedValues;
use crate::parts::reader::PackedReader;
use crate::positions::any_value::{AnyMove, Position};
use crate::positions::rated_move::AnyRatedMove;

/// Values of the positions of a game: of a [`SolvedGame`](crate::SolvedGame) or a
/// [`Tablebase`](crate::Tablebase).
///
/// ```
/// use hindsight_games::{Method, Options};
///
/// let game = hindsight_games::game("quoridor:3x3:1")?;
/// let values = game.solve(Method::Auto, &Options::default())?.values().clone();
/// let best = &values.rated_moves(&game.start())?[0];
/// assert_eq!(values.probe(&game.start())?, best.value);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone)]
pub struct Values {
    game: AnyGame,
    source: Arc<dyn NumberedValues>,
}

impl Values {
    pub(crate) fn new(game: AnyGame, source: Arc<dyn NumberedValues>) -> Self {
        Self { game, source }
    }

    pub(crate) fn source(&self) -> &dyn NumberedValues {
        &*self.source
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Returns a reader, which keeps what it read last. Many single probes go through one reader.
    #[must_use]
    pub fn reader(&self) -> ValuesReader<'_> {
        ValuesReader(self.source.reader())
    }

    /// Returns the value of a position for the side to move.
    ///
    /// # Errors
    /// [`Error::OtherGame`](crate::Error::OtherGame) for a position of another game;
    /// [`Error::NoValues`](crate::Error::NoValues) if the solve has kept none; an error of the
    /// table if it cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Answer, GamesError> {
        self.reader().probe(position)
    }

    /// Returns the values of several positions, in their order. That is faster than one by one: a
    /// table is read in the order of its blocks, from 512 positions on by all threads.
    ///
    /// # Errors
    /// As [`Values::probe`].
    pub fn probe_many(&self, positions: &[Position]) -> Result<Vec<Answer>, GamesError> {
        self.reader().probe_many(positions)
    }

    /// Returns the legal moves with their values, best first; of equally good ones, in the order of
    /// [`AnyGame::moves`]. Moves of unknown value come last.
    ///
    /// # Errors
    /// As [`Values::probe`].
    pub fn rated_moves(&self, position: &Position) -> Result<Vec<AnyRatedMove>, GamesError> {
        self.reader().rated_moves(position)
    }

    /// Returns best play from a position: to the end of the game or, in a draw, into a cycle.
    ///
    /// # Errors
    /// As [`Values::probe`]; [`Error::Unknown`](crate::Error::Unknown) if the value is not known;
    /// [`Error::Inconsistent`](crate::Error::Inconsistent) if a value does not follow from those of
    /// the moves.
    pub fn line(&self, from: &Position) -> Result<BestLine<Position, AnyMove>, GamesError> {
        self.reader().line(from)
    }

    /// Returns positions that prove the value of a position, itself first, each one once. They
    /// follow the first best move of the side to move there and all slowest replies; with
    /// `all_replies`, every reply.
    ///
    /// # Errors
    /// As [`Values::line`]; [`Error::LongProof`](crate::Error::LongProof) if there are more than
    /// `max_positions`.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let position = game.parse("xx./oo./...")?;
    /// let proof = solved.values().proof(&position, false, 1000)?;
    /// assert_eq!((proof.len(), &*proof[1].position), (2, "xxx/oo./..."));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn proof(
        &self,
        position: &Position,
        all_replies: bool,
        max_positions: usize,
    ) -> Result<Vec<ProofNode>, GamesError> {
        let reader = self.source.reader();
        reader.proof(position, all_replies, max_positions)
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Values").field(&self.game.spec()).finish()
    }
}

/// Reader of [`Values`], which keeps the block of a table that it read last.
///
/// ```
/// use hindsight_games::{Method, Options};
///
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let solved = game.solve(Method::Auto, &Options::default())?;
/// let reader = solved.values().reader();
/// for position in game.successors(&game.start())? {
///     assert_eq!(reader.probe(&position)?.to_string(), "draw");
/// }
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub struct ValuesReader<'a>(PackedReader<'a>);

impl ValuesReader<'_> {
    /// As [`Values::probe`].
    ///
    /// # Errors
    /// As [`Values::probe`].
    pub fn probe(&self, position: &Position) -> Result<Answer, GamesError> {
        let answers = self.probe_many(std::slice::from_ref(position))?;
        Ok(answers[0])
    }

    /// As [`Values::probe_many`].
    ///
    /// # Errors
    /// As [`Values::probe`].
    pub fn probe_many(&self, positions: &[Position]) -> Result<Vec<Answer>, GamesError> {
        self.0.read(positions)
    }

    /// As [`Values::rated_moves`].
    ///
    /// # Errors
    /// As [`Values::probe`].
    pub fn rated_moves(&self, position: &Position) -> Result<Vec<AnyRatedMove>, GamesError> {
        self.0.rated_moves(position)
    }

    /// As [`Values::line`].
    ///
    /// # Errors
    /// As [`Values::line`].
    pub fn line(&self, from: &Position) -> Result<BestLine<Position, AnyMove>, GamesError> {
        self.0.line(from)
    }
}

impl fmt::Debug for ValuesReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValuesReader").finish_non_exhaustive()
    }
}
