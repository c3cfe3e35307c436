//! Quoridor for two on boards from 2x2 up to 9x9, with any stock of fences up to 20 each.
//!
//! White sits at the bottom, begins, and wins on the top row; Black the other way round. Squares are
//! numbered row by row from the bottom left, so that a half turn of the board reverses the bits. A
//! fence is known by its middle, a crossing point of four squares called its *anchor*; anchors are
//! numbered in the same way, a row of them being one shorter than a row of squares.
//!
//! The jump over a pawn is straight where that is possible. Where a fence or the edge of the board is
//! behind the pawn, it is sideways. The literal wording of S. Ikeda et al., "An analysis of Quoridor by
//! reusing results from the reduced version" (2024), names the fence only: `edge=open`.

mod board;
mod fence_sets;
mod notation;
mod open_steps;
mod pawn_pairs;
mod position;
mod ranked;
mod rules;
mod setup;
mod tier_enumerator;
mod tier_numbering;

pub use position::{Fences, QuoridorPosition};
pub use rules::{Quoridor, QuoridorMove};
pub use setup::QuoridorSetup;

pub(crate) use setup::{MOST_FENCES, check_board};

/// A player, seated at the bottom (White) or at the top (Black).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuoridorPlayer {
    /// Begins, from the bottom row.
    White = 0,
    /// Starts from the top row.
    Black = 1,
}

impl QuoridorPlayer {
    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `white` or `black`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// Reads `white` or `black`, in upper or lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::White, Self::Black]
            .into_iter()
            .find(|player| player.name().eq_ignore_ascii_case(name))
    }
}
