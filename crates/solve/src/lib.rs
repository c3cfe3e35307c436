//! Solvers: a [`hindsight_core::Game`] in, values out. One module, one algorithm.
//!
//! | module | result |
//! |---|---|
//! | [`graph`] | reachable positions with remoteness, by retrograde analysis |
//! | [`forward`] | who wins from the start, and a first move, from few positions |
//! | [`proof`] | who wins from the start, by depth-first proof-number search |
//! | [`shortest_win`] | the fewest plies of a forced win, for short wins |
//! | [`null_window`] | value and remoteness of a position, in games without cycles |
//! | [`tiered`] | every position, tier by tier over ranks: one or two bytes each |
//! | [`pawn_pairs`] | the same for games with many small tiers that are pairs of squares |
//! | [`forbidden_move`] | every state of a game with a forbidden move |
//! | [`distance`] | the fewest plies from the start to each state, over ranks |
//! | [`perft()`] | paths of legal moves and different positions per ply, without values |
//!
//! Solvers know no particular game, no files and no screens. Values are read through
//! [`hindsight_core::Probe`]. Long work reports to a [`hindsight_engine::Monitor`], which may also
//! stop it.
//!
//! A solver for games of one structure panics for games without it
//! ([`hindsight_core::PackedGame::structure`]).
//!
//! The bitplane solver, for games with two separate sides, is the crate `hindsight_bitplanes`.

mod bounded_growth;
pub mod distance;
pub mod forbidden_move;
pub mod forward;
pub mod graph;
mod line;
pub mod null_window;
mod open_moves;
pub mod pawn_pairs;
mod perft;
pub mod plan;
mod position_table;
pub mod proof;
mod retrograde;
pub mod shortest_win;
mod solve_layer;
pub mod tiered;
pub mod value_bytes;

pub use line::{BestLine, LineError, LinePly, best_line, move_between};
pub use perft::{PlyCount, perft, perft_divide};
pub use solve_layer::{LayerProgress, SolveLayer};
