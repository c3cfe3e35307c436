//! File of a layer whose solve was stopped.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use hindsight_core::Value;
use hindsight_solve::UnfinishedLayer;

use crate::bytes::{Cursor, push_checksum, put_varint, split_checksum};
use crate::error::TableError;
use crate::new_file::NewFile;
use crate::symbol::{Symbol, put_symbol, take_value};

/// First bytes of the file.
const MAGIC: [u8; 8] = *b"HSSTOP\r\n";

/// zstd level: the fastest, so that a stop takes little time.
const ZSTD_LEVEL: i32 = 1;

/// Writes a header, codes and counts, and syncs the file.
pub(crate) fn write_unfinished(
    new: NewFile,
    unfinished: &UnfinishedLayer,
) -> Result<(), TableError> {
    let mut header = Vec::new();
    put_varint(&mut header, unfinished.layer.into());
    put_varint(&mut header, unfinished.pass.into());
    put_varint(&mut header, unfinished.done);
    put_varint(&mut header, unfinished.codes.len() as u64);
    put_varint(&mut header, unfinished.meaning.len() as u64);
    for &(value, settled) in &unfinished.meaning {
        put_symbol(&mut header, Symbol::Exact(value));
        header.push(u8::from(settled));
    }
    let mut start = MAGIC.to_vec();
    start.extend_from_slice(&(header.len() as u32).to_le_bytes());
    start.extend_from_slice(&header);
    push_checksum(&mut start, 0);
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 20, new.file);
        file.write_all(&start)?;
        let mut packed = zstd::Encoder::new(file, ZSTD_LEVEL)?;
        packed.include_checksum(true)?;
        packed.write_all(&unfinished.codes)?;
        packed.write_all(&unfinished.counts)?;
        let file = packed.finish()?.into_inner();
        file.map_err(|error| error.into_error())?.sync_all()
    };
    write().map_err(TableError::file("write", &new.path))
}

/// Reads the file of [`write_unfinished`]. Returns `None` if there is no file, or if it belongs to
/// an earlier layer. `ranks` is the number of ranks of the layer.
pub(crate) fn read_unfinished(
    path: &Path,
    layer: u32,
    ranks: u64,
) -> Result<Option<UnfinishedLayer>, TableError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::file("open", path)(error)),
    };
    let mut file = BufReader::with_capacity(1 << 20, file);
    let damaged = |_| TableError::damaged(format!("{}: it ends too early", path.display()));
    let mut start = [0; MAGIC.len() + 4];
    file.read_exact(&mut start).map_err(damaged)?;
    let length = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
    if start[..MAGIC.len()] != MAGIC || length > MAX_HEADER_BYTES {
        return Err(TableError::damaged(format!(
            "{}: not a stopped layer",
            path.display()
        )));
    }
    let mut header = start.to_vec();
    header.resize(start.len() + length as usize + 4, 0);
    file.read_exact(&mut header[start.len()..])
        .map_err(damaged)?;
    let name = path.display().to_string();
    let mut cursor = Cursor::new(split_checksum(&header, &name)?, &name);
    cursor.take(start.len())?;
    let found = cursor.varint()?;
    let pass = u32::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many passes"))?;
    let done = cursor.varint()?;
    let len = cursor.varint()?;
    match found.cmp(&u64::from(layer)) {
        // The solve was killed after the layer was finished, but before this file was removed.
        Ordering::Less => return Ok(None),
        Ordering::Equal => {}
        Ordering::Greater => return Err(cursor.fail("it is of a later layer than was begun")),
    }
    if len != ranks {
        return Err(cursor.fail("the layer has another number of ranks"));
    }
    let count = cursor.count()?;
    if count > MAX_VALUES {
        return Err(cursor.fail("too many values"));
    }
    let meaning = (0..count).map(|_| take_code_meaning(&mut cursor));
    let meaning = meaning.collect::<Result<_, _>>()?;
    cursor.end()?;
    let unpack = || {
        let mut packed = zstd::Decoder::with_buffer(file)?;
        packed.window_log_max(MAX_WINDOW_LOG)?;
        Ok(packed)
    };
    let mut packed = unpack().map_err(TableError::file("read", path))?;
    let mut part = || {
        let mut bytes = vec![0; ranks as usize];
        packed.read_exact(&mut bytes).map_err(damaged)?;
        Ok::<_, TableError>(bytes)
    };
    let [codes, counts] = [part()?, part()?];
    let mut more = [0];
    match packed.read(&mut more) {
        Ok(0) => Ok(Some(UnfinishedLayer {
            layer,
            pass,
            done,
            meaning,
            codes,
            counts,
        })),
        _ => Err(TableError::damaged(format!("{name}: it goes on too long"))),
    }
}

/// Values that have a code, at most: 256 less the codes of a hole and a draw.
const MAX_VALUES: usize = 254;

/// Longest header in bytes, with [`MAX_VALUES`] values.
const MAX_HEADER_BYTES: u32 = 4096;

/// Binary logarithm of the largest zstd window. The fastest levels use smaller ones.
const MAX_WINDOW_LOG: u32 = 22;

fn take_code_meaning(cursor: &mut Cursor<'_>) -> Result<(Value, bool), TableError> {
    let value = take_value(cursor)?;
    match cursor.byte()? {
        0 => Ok((value, false)),
        1 => Ok((value, true)),
        _ => Err(cursor.fail("neither settled nor open")),
    }
}
