//! Onitama on any board of n x m squares with any cards.
//!
//! Red sits at the top and Blue at the bottom, as in the retrograde thesis (L. Elderbroek, Leiden
//! 2025, section 1). Squares are numbered row by row from the top left: bit 0 is the top left
//! square, and a half turn of the board reverses the bits. In text the bottom left square is `a1`.
//!
//! A card lists offsets (right, forward) from its holder's seat. Red looks down the board, so Red's
//! offsets are rotated by 180 degrees. Cards with the same offsets are equal, whatever their names
//! and stamps.
//!
//! A position is two sets of pieces, two masters, the player to move and the number of the deal.
//! The deal says which cards are in each hand and which one is aside;
//! [`Deals`](hindsight_core::combinatorics::Deals) numbers the deals, and a table gives the deal
//! after each exchange of cards.

mod board;
mod cards;
mod heuristics;
mod material;
mod notation;
mod packing;
mod picture;
mod playouts;
mod position;
mod proved_deals;
mod ranked;
mod retro;
mod rules;
mod safety;
mod setup;
pub(crate) mod spec;
mod squares;
mod thesis_move_order;
mod tiers;
mod two_sided;

pub use board::{Bitboard, OnitamaBoard};
pub use cards::card::Card;
pub use cards::deck::{BASE, Deck, SENSEIS_PATH};
pub use position::OnitamaPosition;
pub use proved_deals::{DealtNames, ProvedDeal, ProvedDeals, deal_spec};
pub use rules::{Onitama, OnitamaMove};
pub use setup::OnitamaSetup;
pub use thesis_move_order::{OrderedHandsPosition, ThesisMoveOrder};

pub(crate) use cards::deck::split_cards;
pub(crate) use setup::check_board;

/// A player, seated at the top (Red) or at the bottom (Blue).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OnitamaPlayer {
    /// Sits at the top of the board.
    Red = 0,
    /// Sits at the bottom of the board.
    Blue = 1,
}

impl OnitamaPlayer {
    /// Returns the other player.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }

    /// Returns `red` or `blue`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
        }
    }

    /// Reads `red` or `blue`, in upper or lower case.
    #[must_use]
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Red, Self::Blue].into_iter().find(|player| player.name().eq_ignore_ascii_case(name))
    }
}
