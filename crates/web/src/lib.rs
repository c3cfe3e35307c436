//! Solved games over HTTP: positions, values, lines, puzzles and analyses of the games and tables
//! that a caller names.
//!
//! Nothing is written, and no file is read but those named when the server starts.
//!
//! A [`Server`] takes connections and keeps its limits ([`ServerOptions`]); [`router`] answers
//! requests of the API, and those of browsers by a page ([`PageFiles`]); work that blocks goes to a
//! [`WorkPool`]. Every error is a [`Problem`].

mod api;
mod caching;
mod clients;
mod faults;
mod header_lists;
mod json_body;
mod layers;
mod limits;
mod long_work;
mod metrics;
mod page;
mod problem;
mod query;
mod question;
mod rate_limit;
mod server;
mod shared_bytes;
mod shelf;
mod solved_games;
mod state;
mod unread_answers;
mod watchers;
mod work_pool;
mod work_queue;

pub use faults::report_faults;
pub use limits::ApiLimits;
pub use page::{PageFiles, router, router_with_page};
pub use problem::{Problem, ProblemKind};
pub use server::{BindError, Server, ServerOptions, until};
pub use shelf::Shelf;
pub use state::ApiState;
pub use work_pool::{RunningWork, StopFlag, WorkPool, WorkPools};
