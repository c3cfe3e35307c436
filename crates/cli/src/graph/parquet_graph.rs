//! A graph as two Parquet files.

use std::io::Write;

use anyhow::Result;
use hindsight_core::{Game, Notation};
use parquet::data_type::BoolType;
use parquet::file::writer::SerializedRowGroupWriter;

use super::rows::SolvedGraph;
use crate::output::parquet_columns::{open_writer, write_numbers, write_texts, write_values};

const NODE_SCHEMA: &str = "message nodes {
    required int64 id; required binary position (UTF8); required binary player (UTF8);
    required binary value (UTF8); optional int32 remoteness;
}";
const EDGE_SCHEMA: &str = "message edges {
    required int64 from; required int64 to; required binary move (UTF8);
    required binary value (UTF8); optional int32 remoteness; required boolean best;
}";

/// Writes nodes and edges, each as a file of one row group.
pub(super) fn write(
    graph: &SolvedGraph<'_>,
    nodes: &mut (impl Write + Send),
    edges: &mut (impl Write + Send),
) -> Result<()> {
    let rows: Vec<_> = graph.nodes().collect();
    write_one_group(NODE_SCHEMA, nodes, |group| {
        write_numbers(group, rows.iter().map(|node| node.id as u64))?;
        write_texts(group, rows.iter().map(|node| node.position.as_str()))?;
        write_texts(group, rows.iter().map(|node| node.player))?;
        write_values(group, rows.iter().map(|node| node.value))
    })?;
    let rows: Vec<_> = graph.edges().collect();
    write_one_group(EDGE_SCHEMA, edges, |group| {
        write_numbers(group, rows.iter().map(|edge| edge.from as u64))?;
        write_numbers(group, rows.iter().map(|edge| edge.to as u64))?;
        write_texts(group, rows.iter().map(|edge| edge.mv.as_str()))?;
        write_values(group, rows.iter().map(|edge| edge.value))?;
        let best: Vec<bool> = rows.iter().map(|edge| edge.best).collect();
        let mut column = group.next_column()?.expect("a column for best moves");
        column.typed::<BoolType>().write_batch(&best, None, None)?;
        Ok(column.close()?)
    })
}

/// Writes a file that has one row group; `fill` writes the columns.
fn write_one_group<W: Write + Send>(
    schema: &str,
    out: W,
    fill: impl FnOnce(&mut SerializedRowGroupWriter<'_, W>) -> Result<()>,
) -> Result<()> {
    let mut writer = open_writer(schema, out)?;
    let mut group = writer.next_row_group()?;
    fill(&mut group)?;
    group.close()?;
    writer.close()?;
    Ok(())
}
