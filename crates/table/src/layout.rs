use std::fmt;
use std::str::FromStr;

use crate::Error;

/// What a table keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Every value, plies included: one block answers a probe.
    Full,
    /// Losses with their plies, draws, and that a position is won: a win's plies come from its
    /// successors. Half the bytes; a probe of a win reads the blocks of its successors.
    Compact,
    /// The value of every state of a game in which a move may be forbidden: for each position its value,
    /// the only best move that can be forbidden, and the value without it. One block answers a probe.
    States,
}

/// The most symbols of a rank.
pub(crate) const MOST_PLANES: usize = 3;

impl Layout {
    /// How many symbols a rank has.
    pub(crate) const fn planes(self) -> usize {
        match self {
            Self::Full | Self::Compact => 1,
            Self::States => MOST_PLANES,
        }
    }

    /// Fails if one layout keeps positions and the other states.
    pub(crate) fn keeps(self, wanted: Self) -> Result<(), Error> {
        if self.of_what() == wanted.of_what() {
            Ok(())
        } else {
            Err(Error::OtherContent { found: self })
        }
    }

    /// What has values: positions, or states.
    pub(crate) fn of_what(self) -> &'static str {
        match self {
            Self::Full | Self::Compact => "positions",
            Self::States => "states",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::States => "states",
        })
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "full" => Ok(Self::Full),
            "compact" => Ok(Self::Compact),
            "states" => Ok(Self::States),
            _ => Err(format!(
                "a layout is 'full', 'compact' or 'states', not '{text}'"
            )),
        }
    }
}
