use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use hindsight_core::{Game, Notation, Value};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::graph::SolvedGraph;
use crate::output::Output;
use crate::tables::export::{PositionRow, RowSink};

const NODES: &str = "message nodes {
    required int64 id; required binary position (UTF8); required binary player (UTF8);
    required binary value (UTF8); optional int32 remoteness;
}";
const EDGES: &str = "message edges {
    required int64 from; required int64 to; required binary move (UTF8);
    required binary value (UTF8); optional int32 remoteness; required boolean best;
}";

/// Writes nodes and edges, each as one table of one row group.
pub(crate) fn write<G: Game + Notation>(
    graph: &SolvedGraph<'_, G>,
    nodes: &mut (impl Write + Send),
    edges: &mut (impl Write + Send),
) -> Result<()> {
    let rows: Vec<_> = graph.nodes().collect();
    in_one_group(NODES, nodes, |group| {
        numbers(group, rows.iter().map(|node| node.id as u64))?;
        texts(group, rows.iter().map(|node| node.position.as_str()))?;
        texts(group, rows.iter().map(|node| node.player))?;
        values(group, rows.iter().map(|node| node.value))
    })?;
    let rows: Vec<_> = graph.edges().collect();
    in_one_group(EDGES, edges, |group| {
        numbers(group, rows.iter().map(|edge| edge.from as u64))?;
        numbers(group, rows.iter().map(|edge| edge.to as u64))?;
        texts(group, rows.iter().map(|edge| edge.mv.as_str()))?;
        values(group, rows.iter().map(|edge| edge.value))?;
        let best: Vec<bool> = rows.iter().map(|edge| edge.best).collect();
        let mut column = group.next_column()?.expect("a column for best moves");
        column.typed::<BoolType>().write_batch(&best, None, None)?;
        Ok(column.close()?)
    })
}

fn in_one_group<W: Write + Send>(
    schema: &str,
    out: W,
    fill: impl FnOnce(&mut SerializedRowGroupWriter<'_, W>) -> Result<()>,
) -> Result<()> {
    let mut writer = open(schema, out)?;
    let mut group = writer.next_row_group()?;
    fill(&mut group)?;
    group.close()?;
    writer.close()?;
    Ok(())
}

fn open<W: Write + Send>(schema: &str, out: W) -> Result<SerializedFileWriter<W>> {
    let schema = Arc::new(parse_message_type(schema)?);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = Arc::new(WriterProperties::builder().set_compression(zstd).build());
    Ok(SerializedFileWriter::new(out, schema, properties)?)
}

const ROWS: &str = "message positions {
    required int64 tier (INTEGER(64,false)); required int64 rank (INTEGER(64,false));
    required int64 copies (INTEGER(64,false)); required binary position (UTF8);
    required binary player (UTF8); required binary value (UTF8); optional int32 remoteness;
}";

/// Rows of a group: some tens of megabytes.
const GROUP: usize = 1 << 18;

/// Writes rows as one table of as many groups as it takes.
pub(crate) struct Rows {
    writer: SerializedFileWriter<Output>,
    waiting: Vec<PositionRow>,
}

impl Rows {
    pub(crate) fn new(out: Output) -> Result<Self> {
        Ok(Self {
            writer: open(ROWS, out)?,
            waiting: Vec::new(),
        })
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let mut group = self.writer.next_row_group()?;
        numbers(&mut group, rows.iter().map(|row| row.tier))?;
        numbers(&mut group, rows.iter().map(|row| row.rank))?;
        numbers(&mut group, rows.iter().map(|row| row.copies))?;
        texts(&mut group, rows.iter().map(|row| row.position.as_str()))?;
        texts(&mut group, rows.iter().map(|row| row.player))?;
        values(&mut group, rows.iter().map(|row| row.value))?;
        group.close()?;
        Ok(())
    }
}

impl RowSink for Rows {
    fn rows(&mut self, rows: Vec<PositionRow>) -> Result<()> {
        self.waiting.extend(rows);
        if self.waiting.len() >= GROUP {
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

fn numbers<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: impl Iterator<Item = u64>,
) -> Result<()> {
    let rows: Vec<i64> = rows.map(u64::cast_signed).collect();
    let mut column = group.next_column()?.expect("a column for numbers");
    column.typed::<Int64Type>().write_batch(&rows, None, None)?;
    Ok(column.close()?)
}

fn texts<'a, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: impl Iterator<Item = &'a str>,
) -> Result<()> {
    let rows: Vec<ByteArray> = rows.map(ByteArray::from).collect();
    let mut column = group.next_column()?.expect("a column for texts");
    column
        .typed::<ByteArrayType>()
        .write_batch(&rows, None, None)?;
    Ok(column.close()?)
}

/// Two columns: win, draw or loss, and the remoteness where there is one.
fn values<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: impl Iterator<Item = Value> + Clone,
) -> Result<()> {
    let words: Vec<String> = rows.clone().map(|value| value.wdl().to_string()).collect();
    texts(group, words.iter().map(String::as_str))?;
    let levels: Vec<i16> = rows
        .clone()
        .map(|value| i16::from(value.remoteness().is_some()))
        .collect();
    let plies: Vec<i32> = rows.filter_map(Value::remoteness).map(i32::from).collect();
    let mut column = group.next_column()?.expect("a column for plies");
    column
        .typed::<Int32Type>()
        .write_batch(&plies, Some(&levels), None)?;
    Ok(column.close()?)
}
