//! Forms of a report that the command and the studies share, and of figures to compare it with.
//!
//! | type | meaning |
//! |---|---|
//! | [`TextTable`] | rows of cells as text, with aligned columns |
//! | [`wrap`] | text broken into lines at spaces |
//! | [`CsvLine`] | line of a CSV file, with fields quoted by RFC 4180 |
//! | [`HistogramRow`] | positions with one value, for JSON and CSV |
//!
//! Nothing here prints or opens a file.

mod csv_line;
mod histogram_row;
mod text_table;
mod wrap;

pub use csv_line::CsvLine;
pub use histogram_row::{HistogramRow, histogram_rows};
pub use text_table::TextTable;
pub use wrap::{DEFAULT_COLUMNS, MAX_SENTENCE_COLUMNS, unbroken, wrap};
