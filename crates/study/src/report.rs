use serde::Serialize;

use crate::drawing::quoted;

/// How our number stands to the published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// The same.
    #[serde(rename = "equal")]
    Equal,
    /// Another.
    #[serde(rename = "different")]
    Different,
    /// Nothing was published here.
    #[serde(rename = "new")]
    New,
    /// We have none: a limit was reached.
    #[serde(rename = "not computed")]
    NotComputed,
}

/// One cell of a table: theirs and ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// The table, such as `6`.
    pub table: String,
    /// The row, such as `m=4`.
    pub row: String,
    /// The column, such as `n=3`.
    pub column: String,
    /// The published number, as printed.
    pub published: Option<String>,
    /// Our number.
    pub ours: Option<String>,
    /// How they compare.
    pub verdict: Verdict,
    /// For times: how many times faster ours is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_faster: Option<f64>,
}

impl Cell {
    /// A cell with the verdict that its numbers have.
    #[must_use]
    pub fn new(
        table: &str,
        row: String,
        column: String,
        published: Option<String>,
        ours: Option<String>,
    ) -> Self {
        let verdict = match (&published, &ours) {
            (_, None) => Verdict::NotComputed,
            (None, Some(_)) => Verdict::New,
            (Some(theirs), Some(ours)) if theirs == ours => Verdict::Equal,
            _ => Verdict::Different,
        };
        Self {
            table: table.to_string(),
            row,
            column,
            published,
            ours,
            verdict,
            times_faster: None,
        }
    }

    /// A time in seconds. The published one has whole milliseconds and is equal to ours when ours rounds
    /// to it; else the cell says how many times faster ours is.
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
                cell.verdict = Verdict::Equal;
            } else {
                cell.times_faster = Some(theirs / ours);
            }
        }
        cell
    }

    /// What one sees in a table: ours, with theirs where it differs, and a mark.
    fn show(&self) -> String {
        let theirs = self.published.as_deref().unwrap_or("");
        match (&self.ours, self.verdict, self.times_faster) {
            (Some(ours), Verdict::Equal, _) => format!("{ours} ="),
            (Some(ours), _, Some(times)) => format!("{ours} ({theirs}: {times:.1}x)"),
            (Some(ours), Verdict::Different, _) => format!("{ours} (not {theirs}) !"),
            (Some(ours), _, _) => format!("{ours} *"),
            (None, _, _) if theirs.is_empty() => String::from("-"),
            (None, _, _) => format!("? ({theirs})"),
        }
    }
}

/// A table with its caption; its cells are in the report.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Caption {
    pub(crate) table: String,
    pub(crate) text: String,
    pub(crate) note: Option<String>,
}

/// The tables that were asked for, in their order and once each; all if none was.
pub(crate) fn wanted<T: Copy + Ord>(asked: &[T], all: &[T]) -> Vec<T> {
    let mut tables = if asked.is_empty() { all } else { asked }.to_vec();
    tables.sort_unstable();
    tables.dedup();
    tables
}

/// All cells of a study, with what is needed to print them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The cells, table by table, row by row.
    pub cells: Vec<Cell>,
    pub(crate) captions: Vec<Caption>,
}

const LEGEND: &str = "= equal to the published number, * new, ! different, - not computed, ? (published) not computed, (published: 9x) a time of theirs and how many times faster ours is";

/// Rows of cells, the first one the heads of the columns.
type Grid = Vec<Vec<String>>;

impl Report {
    fn grid(&self, table: &str) -> Grid {
        let cells: Vec<&Cell> = self
            .cells
            .iter()
            .filter(|cell| cell.table == table)
            .collect();
        let mut rows: Vec<&str> = Vec::new();
        let mut columns: Vec<&str> = Vec::new();
        for cell in &cells {
            if !rows.contains(&cell.row.as_str()) {
                rows.push(&cell.row);
            }
            if !columns.contains(&cell.column.as_str()) {
                columns.push(&cell.column);
            }
        }
        let mut grid = vec![
            std::iter::once("")
                .chain(columns.iter().copied())
                .map(String::from)
                .collect(),
        ];
        for row in rows {
            let mut line = vec![row.to_string()];
            for column in &columns {
                let cell = cells
                    .iter()
                    .find(|cell| cell.row == row && cell.column == *column);
                line.push(cell.map_or(String::new(), |cell| cell.show()));
            }
            grid.push(line);
        }
        grid
    }

    /// The tables one below the other, columns aligned.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for caption in &self.captions {
            let grid = self.grid(&caption.table);
            text.push_str(&format!("{}\n", caption.text));
            let width = |column: usize| {
                grid.iter()
                    .map(|row| row[column].chars().count())
                    .max()
                    .unwrap_or(0)
            };
            for row in &grid {
                let cells = row
                    .iter()
                    .enumerate()
                    .map(|(i, cell)| format!("{cell:>width$}", width = width(i)));
                text.push_str(&format!(
                    "  {}\n",
                    cells.collect::<Vec<_>>().join("   ").trim_end()
                ));
            }
            if let Some(note) = &caption.note {
                text.push_str(&format!("  {note}\n"));
            }
            text.push('\n');
        }
        text.push_str(&format!("{LEGEND}\n{}\n", self.verdicts()));
        text
    }

    /// The tables in Markdown.
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
        text.push_str(&format!("{LEGEND}\n\n{}\n", self.verdicts()));
        text
    }

    /// One line a cell, with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("table,row,column,published,ours,verdict,times_faster\n");
        for cell in &self.cells {
            let verdict = serde_json::to_string(&cell.verdict).unwrap_or_default();
            let times = cell
                .times_faster
                .map_or(String::new(), |times| format!("{times:.1}"));
            let published = cell.published.as_deref().unwrap_or_default();
            let ours = cell.ours.as_deref().unwrap_or_default();
            let verdict = verdict.trim_matches('"');
            text.push_str(&format!(
                "{},{},{},{},{},{verdict},{times}\n",
                quoted(&cell.table),
                quoted(&cell.row),
                quoted(&cell.column),
                quoted(published),
                quoted(ours)
            ));
        }
        text
    }

    /// How many cells have each verdict; times apart.
    fn verdicts(&self) -> String {
        let count = |verdict| {
            self.cells
                .iter()
                .filter(|c| c.verdict == verdict && c.times_faster.is_none())
                .count()
        };
        format!(
            "cells: {} equal, {} different, {} new, {} not computed; {} times compared",
            count(Verdict::Equal),
            count(Verdict::Different),
            count(Verdict::New),
            count(Verdict::NotComputed),
            self.cells
                .iter()
                .filter(|cell| cell.times_faster.is_some())
                .count()
        )
    }
}
