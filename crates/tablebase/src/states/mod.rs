//! Tables of the value of every state of a game in which a move may be forbidden.
//!
//! A rank has three symbols: the value with nothing forbidden; the number of the only best move
//! that can be forbidden, or 0; the value without that move.

mod counts;
pub(crate) mod decode;
mod distances;
mod encode;
mod read;
mod recheck;
mod state_source;
mod store;
#[cfg(test)]
mod tests;
mod unfinished_tier;
mod verify;

pub use decode::StateLayer;
pub use distances::{DistancesStore, TableDistancesReader, verify_distances};
pub use read::TableStatesReader;
pub use store::StateStore;
pub use verify::verify_states;
