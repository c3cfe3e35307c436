//! Ostle, the official game on 5x5 squares and its likes on 3x3 to 5x5.
//!
//! Each player has pieces, and there is one hole. A move takes one of the mover's pieces, or the hole,
//! one square up, down, left or right. A piece pushes what stands before it, a row of any colours, and
//! the last of the row may fall: into the hole or off the board. The hole goes to empty squares only.
//! Whoever has but [`OstleSetup::lost_at`] pieces left has lost, even by a move of one's own.
//!
//! Squares are numbered in the order of their names, as in H. Takizawa, "Strongly solved Ostle" (PeerJ
//! Computer Science 9:e1560, 2023): a1 = 0, a2 = 1, .. so that a file is a row of bits. Directions are
//! up 0, down 1, left 2, right 3.
//!
//! Rule 8 says that no move may bring back the position of two plies before. At most one move does
//! (Theorem 6 of the paper), so that a [`Position`] is a [`Base`] and the move that is forbidden in it.
//! [`Ostle`] is this game, [`Unrestricted`] the one without rule 8. Every other repetition is a draw.

mod board;
mod forbidden_move;
mod hole_classes;
mod images;
mod material;
mod notation;
mod position;
mod predecessors;
mod ranked;
mod ranking;
mod row_lookup;
mod rows;
mod rules;
mod setup;
mod unrestricted;

pub use board::OstleBoard;
pub use position::{BasePosition, OstleMove, OstlePosition};
pub use rules::Ostle;
pub use setup::{OstleSetup, Rule8};
pub use unrestricted::UnrestrictedOstle;

pub(crate) use setup::check_board;
