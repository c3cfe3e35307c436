//! One solve in several processes, on one machine or many.
//!
//! Every process holds a part of the positions. Two solvers share them out; [`ClusterPlan::new`]
//! takes the one that fits the structure of the game:
//!
//! | games | a worker owns | workers tell each other |
//! |---|---|---|
//! | [`PawnPairs`](hindsight_core::PawnPairs) | whole tiers | tables of solved tiers |
//! | other games, ply by ply | runs of ranks of every layer | places of predecessors |
//!
//! The dataflow engine is timely dataflow. A *worker* is one of its threads; a step of all workers
//! is one timestamp. Values, tables and checkpoints do not depend on the number of workers, and
//! the table is the same file as that of one process.
//!
//! Connections are made by this crate: each process says hello, and whoever does not fit is
//! refused by name. Processes watch each other by a connection of its own for each pair. If one
//! ends, all others end within seconds. Bytes go in frames with a checksum, and those that were
//! damaged on the way end all processes. Nothing is encrypted, and callers are not checked.
//!
//! # Costs
//! A worker takes two bytes for each rank of its part of the layer in work, and one for each rank
//! of its part of the layers that are looked up. A move that leads to another worker's rank costs
//! little more than two bytes on the wire.

mod engine;
mod error;
mod hosts;
mod journal;
mod layers;
mod needs;
mod net;
mod pairs;
mod ranks;
mod report;
mod retro;
mod shapes;
mod solve;
mod store;
mod table;
mod task;
mod tier;
mod workers;

pub use error::{ClusterError, Reword};
pub use hosts::{DEFAULT_PORT, Hosts};
pub use needs::ClusterNeeds;
pub use solve::{ClusterPlan, PlanEnds};
pub use store::{CheckpointOf, ProcessFolder};
pub use task::{CheckpointUse, ClusterSolution, ClusterTask, WorkCounts};
pub use workers::{Cluster, Traffic};
