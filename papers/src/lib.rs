//! Studies of papers: each regenerates the tables or figures of a paper, cell by cell, beside the
//! published numbers. [`onitama_atlas`] and [`lure`] have no paper. `hindsight-papers` is the
//! program; `hindsight study` runs it.
//!
//! Cost and source of a study are in its module. `docs/papers` has what was found.
//!
//! ```
//! use hindsight_papers::onitama_thesis::{ThesisOptions, ThesisTable, run};
//!
//! let options = ThesisOptions {
//!     tables: vec![ThesisTable::UpperBound],
//!     ..ThesisOptions::default()
//! };
//! let report = run(&options, &mut |_| true);
//! assert!(report.cells.iter().all(|cell| cell.verdict == hindsight_study::CellVerdict::Equal));
//! ```
//!
//! A study that plays or solves much goes through a [`ResultStore`](hindsight_study::ResultStore),
//! and is resumed from what that has. `command` has its options and files.

mod abort;
pub mod bottom_up;
pub mod bounds;
mod command;
mod game_series;
pub mod lure;
pub mod onitama_agents;
pub mod onitama_atlas;
pub mod onitama_thesis;
pub mod ostle;
pub mod quoridor_reduced;
mod step_monitor;

pub use command::Papers;
