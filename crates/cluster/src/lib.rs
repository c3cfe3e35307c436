//! tmp
mod engine;
mod error;
mod hosts;
mod journal;
mod net;
mod parts;
mod ranks;
mod report;
mod solve;
mod tier;
mod workers;
pub use error::ClusterError;
pub use hosts::{DEFAULT_PORT, Hosts};
pub use solve::{solve, Sol, TierCountsPub};
pub use workers::{Cluster, Traffic};
