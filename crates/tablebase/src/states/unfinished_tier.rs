//! File of a tier of states whose solve was stopped.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::atomic::AtomicU32;

use hindsight_solve::forbidden_move::{ResumePoint, StateStage};

use crate::blob_file::{self, BlobHeader};
use crate::bytes::{Cursor, put_varint};
use crate::error::TableError;
use crate::new_file::NewFile;
use crate::symbol::{Symbol, put_symbol, take_value};

/// First bytes of the file.
const MAGIC: [u8; 8] = *b"HSWORDS\n";

/// Writes the stage and the words, and syncs the file.
pub(super) fn write_tier(
    new: NewFile,
    stage: &StateStage,
    words: &[AtomicU32],
) -> Result<(), TableError> {
    let fields = tier_header(stage, words.len() as u64);
    let header = BlobHeader {
        magic: MAGIC,
        fields: &fields,
    };
    blob_file::write_words(new, header, words)
}

fn tier_header(stage: &StateStage, ranks: u64) -> Vec<u8> {
    let mut out = Vec::new();
    let point = stage.point;
    let numbers = [
        stage.layer.into(),
        stage.tier,
        ranks,
        point.pass.into(),
        u64::from(point.concluded),
        point.chunks_done,
        stage.values_propagated,
        stage.values.len() as u64,
    ];
    for number in numbers {
        put_varint(&mut out, number);
    }
    for &value in &stage.values {
        put_symbol(&mut out, Symbol::Exact(value));
    }
    for word in stage.ply_marks.iter().flatten() {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out
}

/// Reads the file of [`write_tier`]. Returns `None` if there is no file, or if it belongs to an
/// earlier layer. `ranks` is the number of ranks of the layer.
pub(super) fn read_tier(
    path: &Path,
    layer: u32,
    ranks: u64,
) -> Result<Option<(StateStage, Vec<AtomicU32>)>, TableError> {
    let max_header_bytes = 64 * ranks.div_ceil(4096) as usize + (1 << 12);
    let Some(file) = blob_file::open_blob(path, MAGIC, max_header_bytes)? else {
        return Ok(None);
    };
    let (stage, stored_ranks) = take_tier_stage(&file.header, &file.name)?;
    match stage.layer.cmp(&layer) {
        // The solve was killed after the tier was finished, but before this file was removed.
        Ordering::Less => return Ok(None),
        Ordering::Equal => {}
        Ordering::Greater => {
            let fault = format!("{}: it is of a later layer than was begun", file.name);
            return Err(TableError::damaged(fault));
        }
    }
    if stored_ranks != ranks || !stage.fits(ranks) {
        let fault = format!("{}: the tier has another number of ranks", file.name);
        return Err(TableError::damaged(fault));
    }
    Ok(Some((stage, file.read_words(ranks)?)))
}

fn take_tier_stage(plain: &[u8], name: &str) -> Result<(StateStage, u64), TableError> {
    let mut cursor = Cursor::new(plain, name);
    let layer = cursor.varint()?;
    let tier = cursor.varint()?;
    let ranks = cursor.varint()?;
    let pass = cursor.varint()?;
    let concluded = cursor.varint()?;
    let chunks_done = cursor.varint()?;
    let values_propagated = cursor.varint()?;
    let values = (0..cursor.count()?)
        .map(|_| take_value(&mut cursor))
        .collect::<Result<_, _>>()?;
    let (plies, rest) = cursor.rest().as_chunks::<64>();
    if !rest.is_empty() || concluded > 1 {
        return Err(TableError::damaged(format!(
            "{name}: not an unfinished tier"
        )));
    }
    let word = |bytes: &[u8; 64], i: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[8 * i..8 * i + 8]);
        u64::from_le_bytes(word)
    };
    let number = |n: u64| u32::try_from(n).map_err(|_| TableError::damaged(name));
    let stage = StateStage {
        layer: number(layer)?,
        tier,
        point: ResumePoint {
            pass: number(pass)?,
            concluded: concluded == 1,
            chunks_done,
        },
        values_propagated,
        values,
        ply_marks: plies
            .iter()
            .map(|bytes| std::array::from_fn(|i| word(bytes, i)))
            .collect(),
    };
    Ok((stage, ranks))
}
