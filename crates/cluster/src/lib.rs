//! One solve in several processes, on one machine or many.
//!
//! Cost: a worker takes two bytes for each rank of its part of the layer in work, and one for each
//! rank of its part of the layers that are looked up. A move that leads to another worker's rank
//! costs little more than two bytes on the wire.
//!
//! Source: the engine is timely dataflow, which finds the end of a step. The rest is our own
//! (`docs/decisions/0019-cluster.md`).
//!
//! Example: `hindsight cluster local -n 2 solve onitama:3x4:boar` starts two processes on this
//! machine. `docs/cluster.md` has those with several machines.
//!
//! Every process holds a part of the positions. Two solvers share them out; [`ClusterPlan::new`]
//! takes the one that fits the structure of the game:
//!
//! | games | a worker owns | workers tell each other |
//! |---|---|---|
//! | [`PawnPairs`](hindsight_core::PawnPairs) | whole tiers | tables of solved tiers |
//! | other games, ply by ply | runs of ranks of every layer | places of predecessors |
//!
//! A *worker* is a thread of any process; a step of all workers is one timestamp of the engine.
//! Values and tables do not depend on the number of workers, and the table is the same file as that
//! of one process. A part of a checkpoint is a function of the game and the deal of its ranks.
//!
//! Connections are made by this crate: each process says hello, and whoever does not fit is
//! refused by name. Processes watch each other by a connection of its own for each pair. If one
//! ends, all others end within seconds. Bytes go in frames with a checksum, and those that were
//! damaged on the way end all processes. Nothing is encrypted, and callers are not checked. The
//! sockets of the engine never fail: a lost connection sets the fault of the watch, at which every
//! step looks, and the process ends without the threads that wait for it.
//!
//! | folder or file | holds |
//! |---|---|
//! | `net`, `hosts.rs` | the hosts file, connections and their frames, the watch |
//! | `workers.rs`, `engine` | the threads of a process; steps, parcels and answers |
//! | `ranks` | the deal of ranks to workers, in runs; places packed as bytes |
//! | `tier`, `retro.rs` | solves by plies: moves are counted, exits asked for, values propagated |
//! | `pairs` | solves by whole tiers: a solved tier lowers the exit codes of those before it |
//! | `layers.rs`, `table` | the loop over layers; counts, and the blocks of the table |
//! | `store`, `journal.rs` | a checkpoint: parts, logs of plies, the commit |

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
