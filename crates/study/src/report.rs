use std::collections::{HashMap, HashSet};

use hindsight_answers::report::{CsvLine, TextTable, unbroken, wrap};
use serde::Serialize;

/// Comparison of our number with the published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum CellVerdict {
    /// Both numbers are the same.
    #[serde(rename = "equal")]
    Equal,
    /// The numbers differ.
    #[serde(rename = "different")]
    Different,
    /// No number was published.
    #[serde(rename = "new")]
    New,
    /// No number of ours: a limit was reached, or the study was stopped.
    #[serde(rename = "not computed")]
    NotComputed,
    /// Two times of different machines, of which neither is wrong.
    #[serde(rename = "time")]
    Time,
}

/// Cell of a table: the published number and ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// Name of the table, such as `6`.
    pub table: String,
    /// Name of the row, such as `m=4`.
    pub row: String,
    /// Name of the column, such as `n=3`.
    pub column: String,
    /// Published number, as printed.
    pub published: Option<String>,
    /// Our number.
    pub ours: Option<String>,
    /// Comparison of the two.
    pub verdict: CellVerdict,
    /// Published time divided by ours; `None` unless the cell holds two times that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_faster: Option<f64>,
}

impl Cell {
    /// Creates a cell whose verdict follows from its numbers.
    #[must_use]
    pub fn new(
        table: &str,
        row: String,
        column: String,
        published: Option<String>,
        ours: Option<String>,
    ) -> Self {
        let verdict = match (&published, &ours) {
            (_, None) => CellVerdict::NotComputed,
            (None, Some(_)) => CellVerdict::New,
            (Some(theirs), Some(ours)) if theirs == ours => CellVerdict::Equal,
            _ => CellVerdict::Different,
        };
        Self { table: table.to_string(), row, column, published, ours, verdict, times_faster: None }
    }

    /// Creates a cell of times in seconds. Published times have whole milliseconds, so a time is
    /// equal if it rounds to the published one. Otherwise the verdict is [`CellVerdict::Time`], and
    /// the cell has the ratio [`Cell::times_faster`].
    #[must_use]
    pub fn time(
        table: &str,
        row: String,
        column: String,
        published: Option<&str>,
        seconds: Option<f64>,
    ) -> Self {
        let theirs = published.and_then(|text| text.parse::<f64>().ok());
        let published = theirs.map(|theirs| format!("{theirs:.3}"));
        let mut cell = Self::new(
            table,
            row,
            column,
            published,
            seconds.map(|seconds| format!("{seconds:.4}")),
        );
        if let (Some(theirs), Some(ours)) = (theirs, seconds) {
            if format!("{ours:.3}") == format!("{theirs:.3}") {
                cell.verdict = CellVerdict::Equal;
            } else {
                cell.verdict = CellVerdict::Time;
                cell.times_faster = Some(theirs / ours);
            }
        }
        cell
    }

    /// Returns the text in a printed table: our number and a mark, with the published number if
    /// it differs.
    fn text_with_mark(&self) -> String {
        let theirs = self.published.as_deref().unwrap_or("");
        match (&self.ours, self.verdict, self.times_faster) {
            (Some(ours), CellVerdict::Equal, _) => format!("{ours} ="),
            (Some(ours), _, Some(times)) => format!("{ours} ({theirs}: {times:.1}x)"),
            (Some(ours), CellVerdict::Different, None) => format!("{ours} (not {theirs}) !"),
            (Some(ours), _, None) => format!("{ours} *"),
            (None, _, _) if theirs.is_empty() => String::from("-"),
            (None, _, _) => format!("? ({theirs})"),
        }
    }
}

/// Caption and note of a table whose cells are in the report.
#[derive(Clone, PartialEq, Debug)]
pub struct Caption {
    /// Name of the table.
    pub table: String,
    /// Line above the table.
    pub text: String,
    /// Line below the table.
    pub note: Option<String>,
}

/// Returns the selected tables, sorted and without duplicates, or all if none is selected.
#[must_use]
pub fn selected_or_all<T: Copy + Ord>(selected: &[T], all: &[T]) -> Vec<T> {
    let mut tables = if selected.is_empty() { all } else { selected }.to_vec();
    tables.sort_unstable();
    tables.dedup();
    tables
}

/// Result of a study: all cells, and the captions to print them with.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StudyReport {
    /// Cells, table by table, row by row.
    pub cells: Vec<Cell>,
    /// Captions of the tables, in the order in which these are printed.
    pub captions: Vec<Caption>,
}

/// Marks of cells, each with what it means.
const LEGEND: [&str; 6] = [
    "= equal to the published number",
    "* new",
    "! different",
    "- not computed",
    "? (published) not computed",
    "(published: 9x) a time of theirs and how many times faster ours is",
];

/// Indent of the rows and the note of a table in plain text.
const INDENT: &str = "  ";

/// Texts of a table, row by row. The first row holds the names of the columns.
type Grid = Vec<Vec<String>>;

/// Returns each name once, in the order of their first places.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

impl StudyReport {
    fn grid(&self, table: &str) -> Grid {
        let cells: Vec<&Cell> = self.cells.iter().filter(|cell| cell.table == table).collect();
        let rows = distinct(cells.iter().map(|cell| &*cell.row));
        let columns = distinct(cells.iter().map(|cell| &*cell.column));
        let mut texts = HashMap::new();
        for cell in &cells {
            let text = texts.entry((&*cell.row, &*cell.column));
            text.or_insert_with(|| cell.text_with_mark());
        }
        let mut grid =
            vec![std::iter::once("").chain(columns.iter().copied()).map(String::from).collect()];
        for row in rows {
            let mut line = vec![row.to_string()];
            for column in &columns {
                line.push(texts.remove(&(row, *column)).unwrap_or_default());
            }
            grid.push(line);
        }
        grid
    }

    /// Returns the tables as plain text, one below the other, with aligned columns.
    ///
    /// A line has at most `columns` characters, where words and cells allow it.
    #[must_use]
    pub fn text(&self, columns: usize) -> String {
        let mut text = String::new();
        for caption in &self.captions {
            let grid = self.grid(&caption.table);
            text.push_str(&format!("{}\n", caption.text));
            let mut table = TextTable::new(&"r".repeat(grid[0].len())).with_gap(3);
            for row in grid {
                table.push(row);
            }
            for line in table.fit(columns.saturating_sub(INDENT.len())).lines() {
                text.push_str(format!("{INDENT}{line}").trim_end());
                text.push('\n');
            }
            if let Some(note) = &caption.note {
                text.push_str(&format!("{INDENT}{note}\n"));
            }
            text.push('\n');
        }
        let legend = LEGEND.map(unbroken).join(", ");
        text.push_str(&format!("{legend}\n{}\n", self.verdict_counts()));
        wrap(&text, columns)
    }

    /// Returns the tables in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for caption in &self.captions {
            text.push_str(&format!("### {}\n\n", caption.text));
            for (i, row) in self.grid(&caption.table).iter().enumerate() {
                text.push_str(&format!("| {} |\n", row.join(" | ")));
                if i == 0 {
                    text.push_str(&format!("|{}\n", "---:|".repeat(row.len())));
                }
            }
            if let Some(note) = &caption.note {
                text.push_str(&format!("\n{note}\n"));
            }
            text.push('\n');
        }
        let legend = LEGEND.join(", ");
        text.push_str(&format!("{legend}\n\n{}\n", self.verdict_counts()));
        text
    }

    /// Returns the cells as CSV, one per line, with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("table,row,column,published,ours,verdict,times_faster\n");
        for cell in &self.cells {
            let verdict = serde_json::to_string(&cell.verdict).unwrap_or_default();
            let times = cell.times_faster.map(|times| format!("{times:.1}"));
            let line = CsvLine::default()
                .field(&cell.table)
                .field(&cell.row)
                .field(&cell.column)
                .optional(cell.published.as_ref())
                .optional(cell.ours.as_ref())
                .field(verdict.trim_matches('"'))
                .optional(times);
            text.push_str(&line.end());
        }
        text
    }

    /// Returns the numbers of cells by verdict as a text.
    fn verdict_counts(&self) -> String {
        let count = |verdict| self.cells.iter().filter(|c| c.verdict == verdict).count();
        format!(
            "cells: {} equal, {} different, {} new, {} not computed; {} times compared",
            count(CellVerdict::Equal),
            count(CellVerdict::Different),
            count(CellVerdict::New),
            count(CellVerdict::NotComputed),
            count(CellVerdict::Time)
        )
    }
}
