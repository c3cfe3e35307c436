//! Solvers: a [`hindsight_core::PackedGame`] in, values out. One module, one algorithm.
//!
//! | module | result | bytes | source |
//! |---|---|---|---|
//! | [`graph`] | reachable positions | 31 to 57 a position, 4 a move | Elderbroek 2025 |
//! | [`sorted`] | the same, with a checkpoint | 4 to 7 a position | |
//! | [`forward`] | who wins, a first move | 82 to 100 a position, 16 a move | Elderbroek 2025 |
//! | [`proof`] | who wins, a strategy | as many as are allowed | Nagai 2002 |
//! | [`shortest_win`] | fewest plies of a short win | as many as are allowed | |
//! | [`null_window`] | value of a position, without cycles | 8 an entry | Pearl 1980 |
//! | [`tiered`] | every position | 2 a rank in work, 1 finished | Ikeda et al. 2024 |
//! | [`pawn_pairs`] | the same, tiers of pairs of squares | 1 a rank | our own |
//! | [`forbidden_move`] | every state, a move forbidden | 4 a rank in work, 1 finished | our own |
//! | [`distance`] | plies from the start to each state | 4 a rank | Takizawa 2023 |
//! | [`perft()`] | paths and positions per ply | 41 to 59 a position, two plies at a time | |
//!
//! The titles of the sources are in the modules. [`plan`] chooses one of them, and knows its needs
//! before it starts:
//!
//! ```
//! use hindsight_core::{Game, Value};
//! use hindsight_engine::NoMonitor;
//! use hindsight_solve::plan::{self, Request, SolveIo};
//!
//! let game = hindsight_rules::by_name("tic-tac-toe", &Default::default())?;
//! let plan = plan::plan(&game, game.start(), &Request::default())?;
//! let solved = plan.run(SolveIo::new(&mut NoMonitor))?;
//! assert_eq!(solved.start.exact(), Some(Value::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
pub mod sorted;
pub mod tiered;
pub mod value_bytes;

pub use line::{BestLine, LineError, LinePly, best_line, move_between};
pub use perft::{PlyCount, perft, perft_divide};
pub use solve_layer::SolveLayer;
