//! Columns of Parquet files.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use hindsight_core::Value;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

/// Opens a Parquet file, compressed with Zstandard.
pub(crate) fn open_writer<W: Write + Send>(
    schema: &str,
    out: W,
) -> Result<SerializedFileWriter<W>> {
    let schema = Arc::new(parse_message_type(schema)?);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = Arc::new(WriterProperties::builder().set_compression(zstd).build());
    Ok(SerializedFileWriter::new(out, schema, properties)?)
}

/// Writes the next column of a group: 64-bit integers, unsigned ones as their bits.
pub(crate) fn write_numbers<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: impl Iterator<Item = u64>,
) -> Result<()> {
    let rows: Vec<i64> = rows.map(u64::cast_signed).collect();
    let mut column = group.next_column()?.expect("a column for numbers");
    column.typed::<Int64Type>().write_batch(&rows, None, None)?;
    Ok(column.close()?)
}

/// Writes the next column of a group: texts.
pub(crate) fn write_texts<'a, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: impl Iterator<Item = &'a str>,
) -> Result<()> {
    let rows: Vec<ByteArray> = rows.map(ByteArray::from).collect();
    let mut column = group.next_column()?.expect("a column for texts");
    column.typed::<ByteArrayType>().write_batch(&rows, None, None)?;
    Ok(column.close()?)
}

/// Writes the next two columns of a group: `win`, `draw` or `loss`, and the remoteness (null for
/// draws).
pub(crate) fn write_values<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: impl Iterator<Item = Value> + Clone,
) -> Result<()> {
    let words: Vec<String> = rows.clone().map(|value| value.wdl().to_string()).collect();
    write_texts(group, words.iter().map(String::as_str))?;
    let levels: Vec<i16> =
        rows.clone().map(|value| i16::from(value.remoteness().is_some())).collect();
    let plies: Vec<i32> = rows.filter_map(Value::remoteness).map(i32::from).collect();
    let mut column = group.next_column()?.expect("a column for plies");
    column.typed::<Int32Type>().write_batch(&plies, Some(&levels), None)?;
    Ok(column.close()?)
}
