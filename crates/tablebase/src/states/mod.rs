//! Tables of the value of every state of a game in which a move may be forbidden.
//! Checks of tables are not known here.
//!
//! A rank has three symbols: the value with nothing forbidden; the number of the only best move
//! that can be forbidden, or 0; the value without that move. Each has a model of its own, in the
//! coders, blocks and index of all tables (`docs/decisions/0008-tables-of-states.md`). Distances
//! from the start are stored the same way, as values.

pub(crate) mod counts;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod rank_class;
mod read;
mod store;

pub use decode::StateLayer;
pub use read::TableStatesReader;
