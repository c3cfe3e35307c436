//! Choice of a solver, with its needs known before it starts.
//!
//! A [`Request`] names the method, the set of positions, the limits, and the stores. [`plan()`]
//! turns it into a [`SolvePlan`] of a game from a position:
//!
//! | structure of the game | methods |
//! |---|---|
//! | rules alone | reachable, forward, proof; search if the game has a countdown |
//! | [`Retro`](hindsight_core::Retro) | the same, and tiered |
//! | [`PawnPairs`](hindsight_core::PawnPairs) | the same; tiers are rows of bits |
//! | [`TwoSided`](hindsight_core::TwoSided) | the same, and planes |
//! | [`ForbiddenMove`](hindsight_core::ForbiddenMove) | as ranked; states |
//!
//! [`Method::Auto`] is replaced by a [`Choice`]. The set of positions depends on the game and the
//! request alone, unless the time is limited. Memory decides only between ways to solve one set: a
//! layer streamed or kept, planes in memory, by bytes, or out of core. A plan that does not fit is
//! made too, so that its needs can be shown; [`SolvePlan::check`] refuses it. Planes that need a
//! checkpoint, and a game too large to list its tiers, are errors with the figures.
//!
//! A [`Choice`] is the graph of a small game; every position, if a nominal thread solves it in an
//! hour and in 16 GiB; else a search for the winner. `Notation::default_scope` says which games
//! prefer every position. Time is a rough guess; the rate of tiers is measured by some thousand
//! ranks. `docs/decisions/0013-front-door.md` and `0015-analysis.md` have the reasons.
//!
//! # Examples
//! ```
//! use hindsight_core::{Game, Value};
//! use hindsight_solve::plan::{self, Method, Request, SolveIo};
//! use hindsight_engine::NoMonitor;
//!
//! let game = hindsight_rules::by_name("tic-tac-toe", &Default::default())?;
//! let request = Request { method: Method::Tiered, ..Request::default() };
//! let plan = plan::plan(&game, game.start(), &request)?;
//! assert!(plan.needs().memory < 1 << 20);
//! plan.check()?;
//! let solved = plan.run(SolveIo::new(&mut NoMonitor))?;
//! assert_eq!(solved.start.exact(), Some(Value::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod choose;
mod in_memory;
mod io;
mod method;
mod needs;
mod null_window;
mod planes;
mod reachable;
mod request;
mod search;
mod solved;
mod states;
mod tiers;

pub use choice::{Choice, ChoiceReason};
pub use choose::{forward_in_order, plan};
pub use in_memory::PlacedPosition;
pub use io::SolveIo;
pub use method::{Method, PlanError};
pub use needs::{DiskNeeds, Extent, SolveNeeds};
pub use planes::planes_bytes;
pub use request::{KeptValues, Request, StartedWork, Storage};
pub use solved::{FoundWinner, SolvePlan, SolveTimes, Solved};
