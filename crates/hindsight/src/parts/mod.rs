//! Games by their structure, and values in memory and in tables. The public types hold them, and
//! are not known here.

mod analysis;
#[cfg(feature = "cluster")]
mod cluster;
pub(crate) mod distances;
pub(crate) mod game;
pub(crate) mod numbered_values;
mod puzzles;
mod ranks;
mod reachable;
pub(crate) mod reader;
pub(crate) mod solution;
mod states;
pub(crate) mod structure;
pub(crate) mod table_ranks;
mod task;
