//! The file of a tier of states that is not finished.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::atomic::AtomicU32;

use hindsight_solve::forbidden_move::{ResumePoint, StateStage};

use crate::TableError;
use crate::blob_file;
use crate::bytes::{Cursor, put_varint};
use crate::info::{Symbol, put_symbol, take_value};
use crate::new_file::NewFile;

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"HSWORDS\n";

/// Writes the stage and the words, and brings them to the disk.
pub(super) fn write(
    new: NewFile,
    stage: &StateStage,
    words: &[AtomicU32],
) -> Result<(), TableError> {
    let header = tier_header(stage, words.len() as u64);
    blob_file::write_words(new, (MAGIC, &header), words)
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

/// Reads what [`write`] wrote, if it is of this layer, which has so many ranks.
pub(super) fn read(
    path: &Path,
    layer: u32,
    ranks: u64,
) -> Result<Option<(StateStage, Vec<AtomicU32>)>, TableError> {
    let most = 64 * ranks.div_ceil(4096) as usize + (1 << 12);
    let Some(file) = blob_file::open_blob(path, MAGIC, most)? else {
        return Ok(None);
    };
    let (stage, found) = take_tier_stage(&file.header, &file.name)?;
    match stage.layer.cmp(&layer) {
        // Left by a solve that was killed when the tier was done.
        Ordering::Less => return Ok(None),
        Ordering::Equal => {}
        Ordering::Greater => {
            let what = format!("{}: it is of a later layer than was begun", file.name);
            return Err(TableError::damaged(what));
        }
    }
    if found != ranks || !stage.fits(ranks) {
        let what = format!("{}: the tier has another number of ranks", file.name);
        return Err(TableError::damaged(what));
    }
    Ok(Some((stage, file.read_words(ranks)?)))
}

fn take_tier_stage(plain: &[u8], name: &str) -> Result<(StateStage, u64), TableError> {
    let mut cursor = Cursor::new(plain, name);
    let layer = cursor.varint()?;
    let tier = cursor.varint()?;
    let ranks = cursor.varint()?;
    let pass = cursor.varint()?;
    let ended = cursor.varint()?;
    let done = cursor.varint()?;
    let passed = cursor.varint()?;
    let values = (0..cursor.count()?)
        .map(|_| take_value(&mut cursor))
        .collect::<Result<_, _>>()?;
    let (plies, rest) = cursor.rest().as_chunks::<64>();
    if !rest.is_empty() || ended > 1 {
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
            concluded: ended == 1,
            chunks_done: done,
        },
        values_propagated: passed,
        values,
        ply_marks: plies
            .iter()
            .map(|bytes| std::array::from_fn(|i| word(bytes, i)))
            .collect(),
    };
    Ok((stage, ranks))
}
