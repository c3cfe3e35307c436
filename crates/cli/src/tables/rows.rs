//! The rows that `export` writes.

use std::io::Write;

use anyhow::Result;
use hindsight_answers::report::CsvLine;
use hindsight_games::TableRow;

use crate::output::Output;

/// A file that grows by rows.
pub(super) trait RowSink {
    fn append(&mut self, rows: Vec<TableRow>) -> Result<()>;

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A file of comma-separated values.
pub(super) struct CsvRows(Output);

impl CsvRows {
    pub(super) fn new(mut out: Output) -> Result<Self> {
        writeln!(out, "tier,rank,copies,position,player,value,remoteness")?;
        Ok(Self(out))
    }
}

impl RowSink for CsvRows {
    fn append(&mut self, rows: Vec<TableRow>) -> Result<()> {
        for row in rows {
            let line = CsvLine::default()
                .field(row.tier)
                .field(row.rank)
                .field(row.copies)
                .quoted(&row.position)
                .field(row.player)
                .value(row.value);
            self.0.write_all(line.end().as_bytes())?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish()
    }
}
