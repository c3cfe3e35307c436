//! Solved games over HTTP: positions, values, lines, puzzles and analyses of the games and tables
//! that a caller names.
//!
//! Nothing is written, and no file is read but those named when the server starts.
//!
//! A [`Server`] takes connections and keeps its limits ([`ServerOptions`]); [`api::router`] answers
//! requests; work that blocks goes to a [`WorkPool`]. Every error is a [`Problem`].

pub mod api;
mod layers;
mod metrics;
mod problem;
mod rate_limit;
mod server;
mod work_pool;

pub use problem::{Problem, ProblemKind};
pub use server::{BindError, Server, ServerOptions, until};
pub use work_pool::{RunningWork, StopFlag, WorkPool};
