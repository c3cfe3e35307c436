//! Layouts of tables.

use std::fmt;
use std::str::FromStr;

use crate::error::TableError;

/// Kind of values that a table stores, and their form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Every value with its remoteness. A probe reads one block.
    Full,
    /// Losses with their remoteness, draws, and wins without it. A probe of a win reads the blocks
    /// of its successors too; the file is about half as large.
    Compact,
    /// The value of every state of a game in which a move may be forbidden. A position stores its
    /// value with nothing forbidden, its only best forbiddable move, and the value without that
    /// move. A probe reads one block.
    States,
    /// Distance from the start of every state of a game in which a move may be forbidden. `Loss(n)`
    /// stands for distance `n`, a draw for an unreachable state.
    ///
    /// A position stores the least distance of its states. If a single state has this distance and
    /// forbids a move, the position also stores that move. The third symbol is then the least
    /// distance of the states that allow the move.
    Distances,
    /// Losses with their remoteness rounded, draws, and wins without it. A symbol tells who wins;
    /// the remoteness follows from a search of at most three plies, so that play by it makes
    /// progress. The smallest file, and the slowest to probe.
    Wdl,
}

/// Symbols per rank, at most.
pub(crate) const MAX_CHANNELS: usize = 3;

impl Layout {
    /// Symbols per rank.
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Full | Self::Compact | Self::Wdl => 1,
            Self::States | Self::Distances => MAX_CHANNELS,
        }
    }

    /// Plies after a position whose symbols tell its remoteness, terminal positions aside.
    pub(crate) const fn plies_searched(self) -> usize {
        match self {
            Self::Full | Self::States | Self::Distances => 0,
            Self::Compact => 1,
            Self::Wdl => 3,
        }
    }

    /// Checks that this layout has the same content as another one.
    ///
    /// # Errors
    /// [`TableError::OtherContent`] if not.
    pub(crate) fn check_content(self, wanted: Self) -> Result<(), TableError> {
        if self.content_name() == wanted.content_name() {
            Ok(())
        } else {
            Err(TableError::OtherContent { wanted, found: self })
        }
    }

    /// Name of the content, for error messages.
    pub(crate) fn content_name(self) -> &'static str {
        match self {
            Self::Full | Self::Compact | Self::Wdl => "values of positions",
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
            Self::Wdl => "wdl",
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
            "wdl" => Ok(Self::Wdl),
            "states" => Ok(Self::States),
            "distances" => Ok(Self::Distances),
            _ => Err(format!(
                "a layout is 'full', 'compact', 'wdl', 'states' or 'distances', not '{text}'"
            )),
        }
    }
}
