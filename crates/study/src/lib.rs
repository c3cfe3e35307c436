//! Studies: each regenerates the tables or figures of a paper, cell by cell, beside the published
//! numbers. [`onitama_atlas`], [`onitama_deals`], [`lure`] and [`fairness`] have no paper.
//!
//! ```
//! use hindsight_study::onitama_thesis::{ThesisOptions, ThesisTable, run};
//!
//! let options = ThesisOptions {
//!     tables: vec![ThesisTable::UpperBound],
//!     ..ThesisOptions::default()
//! };
//! let report = run(&options, &mut |_| true);
//! assert!(report.cells.iter().all(|cell| cell.verdict == hindsight_study::CellVerdict::Equal));
//! ```

mod abort;
mod board_size;
pub mod bounds;
mod chart;
pub mod fairness;
mod game_series;
pub mod lure;
pub mod onitama_agents;
pub mod onitama_atlas;
pub mod onitama_deals;
mod onitama_starts;
pub mod onitama_thesis;
pub mod ostle;
pub mod quoridor_reduced;
mod report;
mod result_store;
mod rules;
mod step_monitor;
mod study_part;

pub use board_size::BoardSize;
pub use chart::{Chart, ChartCurve, ChartKind, ChartPoint};
pub use report::{Cell, CellVerdict, StudyReport};
pub use result_store::{NullResultStore, ResultStore, SeriesProgressFn};
pub use step_monitor::StepFn;
pub use study_part::StudyPart;
