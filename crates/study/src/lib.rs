//! Studies: many solves or games, whose results are a report and files. [`fairness`] judges cards
//! of Onitama, [`onitama_deals`] random deals. The studies of papers are in `hindsight-papers`,
//! over the same [`StudyReport`].
//!
//! Cost: that of its solves and games. Results that are found one by one go to a [`ResultStore`],
//! from which a stopped study is resumed; the command's stores are a folder of lines of JSON, and a
//! file of SQLite for deals.
//!
//! ```
//! use hindsight_study::{Cell, CellVerdict};
//!
//! let [theirs, ours] = [Some("188".to_owned()), Some("188".to_owned())];
//! let cell = Cell::new("4", "m=2".into(), "n=2".into(), theirs, ours);
//! assert_eq!(cell.verdict, CellVerdict::Equal);
//! ```
//!
//! A study that numbers its solves can be divided: a [`StudyPart`] is every N-th of them. The
//! command `study merge` reads the folders of all parts, writes their results into a new folder in
//! the order of one study, and runs the study there. Nothing is missing, so it only writes its
//! report and pages.

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
