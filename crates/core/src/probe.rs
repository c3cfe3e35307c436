use alloc::vec::Vec;

use crate::{Game, Value, Wdl};

/// Knowledge of a solver or a table about one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Value with its remoteness.
    Exact(Value),
    /// Value without its remoteness.
    Wdl(Wdl),
    /// No value: the position was not reached, or not decided.
    Unknown,
}

impl Answer {
    /// Returns the value without its remoteness, if known.
    #[must_use]
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Self::Exact(value) => Some(value.wdl()),
            Self::Wdl(wdl) => Some(wdl),
            Self::Unknown => None,
        }
    }

    /// Returns the value with its remoteness, if known.
    #[must_use]
    pub fn exact(self) -> Option<Value> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Wdl(_) | Self::Unknown => None,
        }
    }

    /// Returns the answer for the player who moves to a position with this answer, one ply
    /// earlier.
    ///
    /// # Panics
    /// If the remoteness would exceed 65,535 plies.
    #[must_use]
    pub fn before(self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(value.before()),
            Self::Wdl(wdl) => Self::Wdl(wdl.before()),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Source of values: a solver's result or a table.
///
/// Users of values depend only on this trait, not on the solver.
pub trait Probe<G: Game> {
    /// Reason why a value could not be read.
    type Error: core::error::Error;

    /// Returns the value of a position, which may be any member of its symmetry class.
    ///
    /// # Errors
    /// If the values are stored where they cannot be read, for example in a damaged file.
    fn probe(&self, position: G::Position) -> Result<Answer, Self::Error>;

    /// Returns the values of several positions, in their order.
    ///
    /// # Errors
    /// Those of [`Probe::probe`].
    fn probe_many(&self, positions: &[G::Position]) -> Result<Vec<Answer>, Self::Error> {
        positions
            .iter()
            .map(|&position| self.probe(position))
            .collect()
    }
}
