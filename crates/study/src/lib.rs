//! The experiments: each table of a paper is a function that regenerates it, cell by cell, beside the
//! published numbers.
//!
//! ```
//! use hindsight_study::onitama_thesis::{Options, Table, run};
//!
//! let options = Options { tables: vec![Table::UpperBound], ..Options::default() };
//! let report = run(&options, &mut |_| true);
//! assert!(report.cells.iter().all(|cell| cell.verdict == hindsight_study::Verdict::Equal));
//! ```

pub mod bounds;
mod drawing;
mod keep;
pub mod onitama_agents;
pub mod onitama_atlas;
pub mod onitama_deals;
pub mod onitama_thesis;
pub mod ostle;
pub mod quoridor_reduced;
mod report;
mod stop;

pub use drawing::{Curve, Drawing, Form, Point};
pub use keep::{Forget, Keep};
pub use report::{Cell, Report, Verdict};
