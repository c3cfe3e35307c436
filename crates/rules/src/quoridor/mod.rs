//! Quoridor for two on boards from 2x2 up to 9x9, with any stock of fences up to 20 each.
//!
//! White sits at the bottom, begins, and wins on the top row; Black sits at the top and wins on the
//! bottom row. Squares are numbered row by row from the bottom left, so that a half turn of the
//! board reverses the bits.
//!
//! A fence is identified by its *anchor*, the point in its middle where four squares meet. Anchors
//! are numbered like squares; a row of anchors is one shorter than a row of squares.
//!
//! A pawn jumps straight over the other pawn if no fence and no edge is behind the other pawn.
//! Otherwise it jumps sideways. The literal wording of S. Ikeda et al., "An analysis of Quoridor by
//! reusing results from the reduced version" (2024), names only the fence: `edge=open`.

mod board;
mod fence_sets;
mod notation;
mod open_steps;
mod packing;
mod pawn_pairs;
mod picture;
mod position;
mod ranked;
mod rules;
mod setup;
pub(crate) mod spec;
mod tier_enumerator;
mod tier_numbering;

pub use position::{Fences, QuoridorPosition};
pub use rules::{Quoridor, QuoridorMove};
pub use setup::QuoridorSetup;

pub(crate) use setup::{MAX_FENCES, check_board};

/// A player, seated at the bottom (White) or at the top (Black).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuoridorPlayer {
    /// Begins, from the bottom row.
    White = 0,
    /// Starts from the top row.
    Black = 1,
}

impl QuoridorPlayer {
    /// Returns the other player.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Returns `white` or `black`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// Reads `white` or `black`, in upper or lower case.
    #[must_use]
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::White, Self::Black]
            .into_iter()
            .find(|player| player.name().eq_ignore_ascii_case(name))
    }
}
