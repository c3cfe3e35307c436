//! Tables of the value of every state of a game in which a move may be forbidden.
//! Checks of tables are not known here.
//!
//! A rank has three symbols: the value with nothing forbidden; the number of the only best move
//! that can be forbidden, or 0; the value without that move.

pub(crate) mod counts;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod rank_class;
mod read;
mod store;

pub use decode::StateLayer;
pub use read::TableStatesReader;
pub use store::StateStore;
