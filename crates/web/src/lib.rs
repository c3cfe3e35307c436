//! Solved games over HTTP: positions, values, lines, puzzles and analyses of the games and tables
//! that a caller names.
//!
//! Nothing is written, and no file is read but those named when the server starts.
//!
//! Cost: the memory of [`ApiLimits`], of which answers, decoded blocks, solved games and long work
//! each have a part. `docs/decisions/0016-server.md` has the reasons, `docs/api.md` the API.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use hindsight_web::{ApiLimits, ApiState, Server, ServerOptions, Shelf, router};
//!
//! let mut shelf = Shelf::default();
//! shelf.add_game("tic-tac-toe")?;
//! let server = Server::bind(&ServerOptions::default())?;
//! let state = ApiState::new(shelf, ApiLimits::default(), server.pools())?;
//! server.run(router(Arc::new(state)), std::future::pending())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Server`] takes connections and keeps its limits ([`ServerOptions`]); [`router`] answers
//! requests of the API, and those of browsers by a page ([`PageFiles`]); work that blocks goes to a
//! [`WorkPool`], a number of threads and a number that waits. Every error is a [`Problem`].
//!
//! | folder or file | has |
//! |---|---|
//! | `server` | the socket, connections up to a limit, limits of time for reading and writing |
//! | `layers` | for every route: names of the host, rates, bodies, compression, problems |
//! | `api` | the routes, and their description, `openapi.json`, which a test makes from the types |
//! | `question.rs` | a request about one table or game |
//! | `state.rs` | what it is answered from: `shelf.rs`, `solved_games.rs`, kept answers, blocks |
//! | `long_work.rs` | solves, analyses, agents and puzzles, each with threads of its own |
//! | `work_queue.rs`, `clients.rs` | equal shares of the threads for all clients |
//! | `caching.rs` | how long a client may keep an answer |
//! | `page` | the page; `docs/explorer.md` says how it is built |
//!
//! The stop flag of a piece of work ([`StopFlag`]) is set when its client leaves. A client that has
//! closed its side is told from one that has left.

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
