use alloc::vec::Vec;

use crate::{Game, Value, Wdl};

/// What a solver or a table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The value with its remoteness.
    Exact(Value),
    /// Who wins, but not in how many plies.
    Wdl(Wdl),
    /// Nothing: the position was not reached, or not decided.
    Unknown,
}

impl Answer {
    /// Who wins, where that is known.
    #[must_use]
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Self::Exact(value) => Some(value.wdl()),
            Self::Wdl(wdl) => Some(wdl),
            Self::Unknown => None,
        }
    }

    /// The value with its remoteness, where that is known.
    #[must_use]
    pub fn exact(self) -> Option<Value> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Wdl(_) | Self::Unknown => None,
        }
    }

    /// The answer for the player who moves to a position of this answer.
    #[must_use]
    pub fn before(self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(value.before()),
            Self::Wdl(wdl) => Self::Wdl(wdl.before()),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Reads values: implemented by everything that has solved something, so that its users never ask
/// which solver ran.
pub trait Probe<G: Game> {
    /// Why a value could not be read.
    type Error: core::error::Error;

    /// The value of a position, any member of its symmetry class.
    ///
    /// # Errors
    /// When the place the values are kept in cannot be read.
    fn probe(&self, position: G::Position) -> Result<Answer, Self::Error>;

    /// The values of many positions, in their order.
    ///
    /// # Errors
    /// As [`Probe::probe`].
    fn probe_many(&self, positions: &[G::Position]) -> Result<Vec<Answer>, Self::Error> {
        positions
            .iter()
            .map(|&position| self.probe(position))
            .collect()
    }
}
