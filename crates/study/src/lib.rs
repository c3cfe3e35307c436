//! Studies: many solves or games, whose results are a report and files. [`fairness`] judges cards
//! of Onitama, [`onitama_deals`] random deals. The studies of papers are in `hindsight-papers`,
//! over the same [`StudyReport`].
//!
//! ```
//! use hindsight_study::{Cell, CellVerdict};
//!
//! let [theirs, ours] = [Some("188".to_owned()), Some("188".to_owned())];
//! let cell = Cell::new("4", "m=2".into(), "n=2".into(), theirs, ours);
//! assert_eq!(cell.verdict, CellVerdict::Equal);
//! ```

mod board_size;
mod chart;
pub mod fairness;
pub mod onitama_deals;
mod onitama_starts;
mod report;
mod result_store;
mod rules;
mod study_part;

pub use board_size::BoardSize;
pub use chart::{Chart, ChartCurve, ChartKind, ChartPoint};
pub use onitama_starts::{SolvedStarts, solve_starts};
pub use report::{Caption, Cell, CellVerdict, StudyReport, selected_or_all};
pub use result_store::{NullResultStore, ResultStore, SeriesProgressFn};
pub use rules::game_of;
pub use study_part::StudyPart;
