//! Ostle: the official game on 5x5 squares and its variants on 3x3 to 5x5.
//!
//! There is one hole. A move takes one of the mover's pieces, or the hole, one square up, down,
//! left or right. A piece pushes the line of pieces before it, of any colours. The last piece of
//! the line may fall into the hole or off the board. The hole moves to empty squares only. A player
//! with [`OstleSetup::lost_at`] pieces left has lost, even if the player's own move removed the
//! last one.
//!
//! Squares are numbered in the order of their names, as in H. Takizawa, "Strongly solved Ostle"
//! (PeerJ Computer Science 9:e1560, 2023): a1 = 0, a2 = 1, and so on. The squares of a file are
//! adjacent bits. Directions are up 0, down 1, left 2, right 3.
//!
//! Rule 8 forbids a move that brings back the position of two plies before. At most one move does
//! (Theorem 6 of the paper), so an [`OstlePosition`] is a [`BasePosition`] and the move forbidden
//! in it. [`Ostle`] is this game; [`UnrestrictedOstle`] is the game without rule 8. Endless play is
//! a draw.
//!
//! Two words have two uses here. A *rank* of the board is a line from left to right, as in chess;
//! the rank of a position is its number. A *row* is a run of ranks of positions, never a line of
//! the board.

mod board;
mod forbidden_move;
mod hole_classes;
mod images;
mod material;
mod notation;
mod packing;
mod picture;
mod position;
mod predecessors;
mod ranked;
mod ranking;
mod row_lookup;
mod rows;
mod rules;
mod setup;
pub(crate) mod spec;
mod unrestricted;

pub use board::OstleBoard;
pub use position::{BasePosition, OstleMove, OstlePosition};
pub use rules::Ostle;
pub use setup::{OstleSetup, Rule8};
pub use unrestricted::UnrestrictedOstle;

pub(crate) use setup::check_board;
