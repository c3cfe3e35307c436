//! Position to be decided.

use hindsight_core::{Game, Packed, PackedGame, Value, Wdl};

/// Value of a position for the side to move, known before a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OracleValue {
    /// The value.
    pub wdl: Wdl,
    /// Most plies of a win or loss; `None` if nothing is known of them.
    pub plies: Option<u16>,
}

impl From<Value> for OracleValue {
    fn from(value: Value) -> Self {
        Self { wdl: value.wdl(), plies: value.remoteness() }
    }
}

/// Looks up the value of a position, for the side to move, where it is already known.
pub type Oracle<'a> = &'a (dyn Fn(Packed) -> Option<OracleValue> + Sync);

/// Position to be decided, with the values that are known before the search.
#[derive(Clone, Copy)]
pub struct ProofProblem<'a> {
    /// Rules.
    pub game: &'a PackedGame,
    /// Position to be decided.
    pub start: Packed,
    /// Values known beforehand.
    pub oracle: Oracle<'a>,
}

impl<'a> ProofProblem<'a> {
    /// Returns the problem of the start of a game. Nothing is known beforehand.
    #[must_use]
    pub fn of_start(game: &'a PackedGame) -> Self {
        Self { game, start: game.start(), oracle: &|_| None }
    }
}
