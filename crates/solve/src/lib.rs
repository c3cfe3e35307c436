//! Solvers: a [`hindsight_core::Game`] in, values out. One file, one algorithm.
//!
//! | module | what it is |
//! |---|---|
//! | [`graph`] | the state graph from the start, then retrograde analysis: every reachable position with its remoteness |
//! | [`forward`] | forward-looking retrograde analysis: who wins, and how, from as few positions as it can |
//! | [`tiered`] | every position there is, reachable or not, tier by tier over ranks: a byte or two a position |
//! | [`arrangements`] | the same where each side rearranges itself, by planes of bits: about three bits a position |
//! | [`pairs`] | the same for games of many small tiers that are pairs of squares |
//! | [`reach`] | in how few plies each state can be reached from the start, over ranks |
//! | [`restricted`] | every state of a game in which a move may be forbidden, from three numbers a position |
//! | [`perft()`] | paths of legal moves and different positions by plies, without values |
//! | [`reduced`] | every position from small versions of the game up, and what each larger one changes |
//!
//! Solvers know no particular game, no files and no screens. What they found is read through
//! [`hindsight_core::Probe`]. Long work reports to a [`Monitor`], which may also stop it.

pub mod bottom_up;
mod bounded_growth;
pub mod distance;
pub mod forbidden_move;
pub mod forward;
pub mod graph;
mod line;
mod open_moves;
pub mod pawn_pairs;
mod perft;
mod position_table;
pub mod proof;
mod retrograde;
mod solve_layer;
pub mod tiered;

pub use hindsight_run::{
    Error, Histogram, Layer, Limits, MemoryStore, MemoryStoreReader, Monitor, NoMonitor, NullStore,
    Palette, Progress, Store, StoreError, StrongSolution, Summary, UnfinishedLayer, parallel,
};
pub use line::{BestLine, LineError, LinePly, best_line, move_between};
pub use perft::{PlyCount, perft, perft_divide};
