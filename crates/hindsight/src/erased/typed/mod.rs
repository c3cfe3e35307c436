//! Packed games behind the erased traits, by their structure. The public types are not
//! known here.

mod agent;
mod agent_probe;
mod analysis;
#[cfg(feature = "cluster")]
mod cluster;
mod distances;
mod game;
mod play;
mod puzzles;
mod ranks;
mod reader;
mod rules;
mod solution;
mod states;
pub(crate) mod structure;
mod task;
