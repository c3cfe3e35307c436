//! The words every room of Hindsight speaks.
//!
//! A [`Game`] is the rules of a finite game for two players with perfect information. It is all a
//! game author must write; [`Notation`] adds text, and with it the command line and golden files.
//! Solvers answer through [`Probe`], with a [`Value`]: win, draw or loss for the side to move, and
//! in how many plies.
//!
//! ```
//! use hindsight_core::Value;
//!
//! // A position whose successors are worth Loss(4) and Draw to the opponent is a win in five.
//! let best = [Value::Loss(4), Value::Draw].map(Value::before).into_iter().max();
//! assert_eq!(best, Some(Value::Win(5)));
//! ```
//!
//! The crate needs neither the standard library nor any other crate.
#![no_std]
#![warn(clippy::cast_possible_truncation)]

extern crate alloc;

mod forbidden_move;
mod material;
mod notation;
mod pawn_pairs;
mod probe;
mod random;
mod ranked;
mod rules;
mod two_sided;
mod value;

pub use forbidden_move::{
    ForbiddableMoveSummary, ForbiddenMove, InEdge, OutEdge, edges_between, edges_from_by_moves,
    edges_to_by_moves, forbiddable_ids_by_moves, forbiddable_summary_by_moves,
};
pub use material::{Material, leaves_piece_en_prise};
pub use notation::{Notation, ParseError, parse_move_by_text};
pub use pawn_pairs::{PawnJump, PawnPairRules, PawnPairSymmetry, PawnPairs};
pub use probe::{Answer, Probe};
pub use random::{Random, scale_bits};
pub use ranked::{MoveSummary, Ranked, Retro, predecessor_ranks_by_moves, summary_by_moves};
pub use rules::{Game, Symmetry, playout_by_moves};
pub use two_sided::{Placement, TwoSided, TwoSidedMirror, TwoSidedRules};
pub use value::{Value, Wdl};
