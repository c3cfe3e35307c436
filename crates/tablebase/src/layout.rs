use std::fmt;
use std::str::FromStr;

use crate::TableError;

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
    /// Of the same games how near each state is to the start: for each position the least distance of its
    /// states, what the only state so near forbids, and the least of those that allow that. The value
    /// `loss in n` stands for the distance n, a draw for what cannot be reached.
    Distances,
}

/// The most symbols of a rank.
pub(crate) const MAX_CHANNELS: usize = 3;

impl Layout {
    /// How many symbols a rank has.
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Full | Self::Compact => 1,
            Self::States | Self::Distances => MAX_CHANNELS,
        }
    }

    /// Fails if one layout keeps something else than the other.
    pub(crate) fn check_content(self, wanted: Self) -> Result<(), TableError> {
        if self.content_name() == wanted.content_name() {
            Ok(())
        } else {
            Err(TableError::OtherContent {
                wanted,
                found: self,
            })
        }
    }

    /// What is kept.
    pub(crate) fn content_name(self) -> &'static str {
        match self {
            Self::Full | Self::Compact => "values of positions",
            Self::States => "values of states",
            Self::Distances => "distances from the start",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::States => "states",
            Self::Distances => "distances",
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
            "distances" => Ok(Self::Distances),
            _ => Err(format!(
                "a layout is 'full', 'compact', 'states' or 'distances', not '{text}'"
            )),
        }
    }
}
