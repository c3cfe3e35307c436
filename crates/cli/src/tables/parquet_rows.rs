//! Positions of a table as a Parquet file.

use anyhow::Result;
use hindsight_games::TableRow;
use parquet::file::writer::SerializedFileWriter;

use super::rows::RowSink;
use crate::output::Output;
use crate::output::parquet_columns::{open_writer, write_numbers, write_texts, write_values};

const SCHEMA: &str = "message positions {
    required int64 tier (INTEGER(64,false)); required int64 rank (INTEGER(64,false));
    required int64 copies (INTEGER(64,false)); required binary position (UTF8);
    required binary player (UTF8); required binary value (UTF8); optional int32 remoteness;
}";

/// Number of rows in a row group. The rows of an unfinished group are in memory: some tens of
/// megabytes.
const GROUP_ROWS: usize = 1 << 18;

/// A Parquet file that grows by row groups of [`GROUP_ROWS`] rows.
pub(super) struct ParquetRows {
    writer: SerializedFileWriter<Output>,
    waiting: Vec<TableRow>,
}

impl ParquetRows {
    pub(super) fn new(out: Output) -> Result<Self> {
        Ok(Self { writer: open_writer(SCHEMA, out)?, waiting: Vec::new() })
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let mut group = self.writer.next_row_group()?;
        write_numbers(&mut group, rows.iter().map(|row| row.tier))?;
        write_numbers(&mut group, rows.iter().map(|row| row.rank))?;
        write_numbers(&mut group, rows.iter().map(|row| row.copies))?;
        write_texts(&mut group, rows.iter().map(|row| row.position.as_str()))?;
        write_texts(&mut group, rows.iter().map(|row| row.player))?;
        write_values(&mut group, rows.iter().map(|row| row.value))?;
        group.close()?;
        Ok(())
    }
}

impl RowSink for ParquetRows {
    fn append(&mut self, rows: Vec<TableRow>) -> Result<()> {
        self.waiting.extend(rows);
        if self.waiting.len() >= GROUP_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        self.writer.into_inner()?.finish()
    }
}
