use alloc::vec::Vec;
use core::fmt;

use crate::{Packed, Value, Wdl};

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

/// Answer as a person says it, for example `win in 21 plies`, `loss in 1 ply`, `draw`, `unknown`.
///
/// A win or loss without its remoteness is `win` or `loss`.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.exact().and_then(Value::remoteness);
        match (self.wdl(), plies) {
            (None, _) => f.write_str("unknown"),
            (Some(wdl), None) => write!(f, "{wdl}"),
            (Some(wdl), Some(1)) => write!(f, "{wdl} in 1 ply"),
            (Some(wdl), Some(plies)) => write!(f, "{wdl} in {plies} plies"),
        }
    }
}

/// Source of values: a solver's result or a table.
///
/// Users of values depend only on this trait, not on the solver.
pub trait Probe {
    /// Reason why a value could not be read.
    type Error: core::error::Error;

    /// Returns the value of a position, which may be any member of its symmetry class.
    ///
    /// # Errors
    /// If the values are stored where they cannot be read, for example in a damaged file.
    fn probe(&self, position: Packed) -> Result<Answer, Self::Error>;

    /// Returns the values of several positions, in their order.
    ///
    /// # Errors
    /// Those of [`Probe::probe`].
    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, Self::Error> {
        positions.iter().map(|&position| self.probe(position)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;
    use crate::{Value, Wdl};
    use alloc::string::ToString;

    #[test]
    fn an_answer_reads_as_prose() {
        let texts = [
            (Answer::Exact(Value::Win(21)), "win in 21 plies"),
            (Answer::Exact(Value::Loss(1)), "loss in 1 ply"),
            (Answer::Exact(Value::Loss(0)), "loss in 0 plies"),
            (Answer::Exact(Value::Draw), "draw"),
            (Answer::Wdl(Wdl::Win), "win"),
            (Answer::Unknown, "unknown"),
        ];
        for (answer, text) in texts {
            assert_eq!(answer.to_string(), text);
        }
    }
}
