//! The rows that `export` writes.

use std::io::Write;

use anyhow::Result;
use hindsight_games::TableRow;

use crate::output::Output;

/// A file that grows by rows.
pub(super) trait RowSink {
    /// Appends rows.
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
            let plies = row.value.remoteness();
            let plies = plies.map_or(String::new(), |plies| plies.to_string());
            let TableRow {
                tier,
                rank,
                copies,
                position,
                player,
                value,
            } = row;
            writeln!(
                self.0,
                "{tier},{rank},{copies},\"{position}\",{player},{},{plies}",
                value.wdl()
            )?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish()
    }
}
