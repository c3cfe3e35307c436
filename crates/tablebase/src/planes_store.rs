//! Checkpoints of unfinished bit planes, in a file of a [`CheckpointDir`].

use std::time::Duration;

use hindsight_bitplanes::{PlaneCheckpoint, PlaneStage};
use hindsight_solve::StoreError;

use crate::blob_file::{self, BlobHeader};
use crate::bytes::{Cursor, put_text, put_varint};
use crate::checkpoint_clock::CheckpointClock;
use crate::checkpoint_dir::{CheckpointDir, remove_if_present};
use crate::error::TableError;
use crate::new_file;

/// First bytes of the file. They change with the order of planes or lanes.
const MAGIC: [u8; 8] = *b"HSPLAN3\n";

/// Longest header in bytes: lengths of the parts, and counts of the passes.
const MAX_HEADER_BYTES: usize = 1 << 20;

impl CheckpointDir {
    /// Returns the store for unfinished bit planes. A checkpoint is due every `interval`.
    pub fn planes_store(&self, interval: Duration) -> PlanesStore<'_> {
        PlanesStore {
            checkpoint: self,
            clock: CheckpointClock::new(interval),
        }
    }
}

/// Store of unfinished bit planes. They are written at intervals, and when the solve is stopped.
#[derive(Debug)]
pub struct PlanesStore<'a> {
    checkpoint: &'a CheckpointDir,
    clock: CheckpointClock,
}

impl PlanesStore<'_> {
    /// Time spent on writing and reading.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.clock.spent()
    }

    /// Removes the file of a finished solve.
    ///
    /// # Errors
    /// [`TableError::File`] if the file cannot be removed.
    pub fn remove(self) -> Result<(), TableError> {
        remove_if_present(&self.checkpoint.planes_path())
    }
}

fn read_planes(
    checkpoint: &CheckpointDir,
    parts: &mut [&mut [u8]],
) -> Result<Option<PlaneStage>, TableError> {
    let Some(file) = blob_file::open_blob(&checkpoint.planes_path(), MAGIC, MAX_HEADER_BYTES)?
    else {
        return Ok(None);
    };
    let (spec, stage, lengths) = take_planes_header(&file.header, &file.name)?;
    if spec != checkpoint.spec() {
        return Err(TableError::OtherSpec {
            wanted: checkpoint.spec().into(),
            found: spec,
        });
    }
    if !parts.iter().map(|part| part.len() as u64).eq(lengths) {
        let fault = format!(
            "{}: of other sizes; a solve that writes a table keeps more than one that does not",
            file.name
        );
        return Err(TableError::damaged(fault));
    }
    file.read_bytes(parts)?;
    Ok(Some(stage))
}

impl PlaneCheckpoint for PlanesStore<'_> {
    fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    fn put(&mut self, stage: &PlaneStage, parts: &[&[u8]]) -> Result<(), StoreError> {
        let fields = planes_header(self.checkpoint.spec(), stage, parts);
        let header = BlobHeader {
            magic: MAGIC,
            fields: &fields,
        };
        let checkpoint = self.checkpoint;
        self.clock.timed(|| {
            new_file::write_atomically(&checkpoint.planes_path(), |new| {
                blob_file::write_bytes(new, header, parts)
            })?;
            Ok(())
        })
    }

    fn get(&mut self, parts: &mut [&mut [u8]]) -> Result<Option<PlaneStage>, StoreError> {
        let checkpoint = self.checkpoint;
        self.clock.timed(|| Ok(read_planes(checkpoint, parts)?))
    }
}

fn planes_header(spec: &str, stage: &PlaneStage, parts: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    put_text(&mut out, spec);
    put_varint(&mut out, parts.len() as u64);
    for part in parts {
        put_varint(&mut out, part.len() as u64);
    }
    put_stage(&mut out, stage);
    out
}

/// Appends the progress of a solve.
pub(crate) fn put_stage(out: &mut Vec<u8>, stage: &PlaneStage) {
    put_varint(out, stage.found.len() as u64);
    for &found in &stage.found {
        put_varint(out, found);
    }
    put_varint(out, stage.found_so_far);
    put_varint(out, stage.planes_done);
    put_varint(out, stage.holds_undecided.into());
    put_varint(out, stage.start_pass.unwrap_or(0).into());
}

fn take_planes_header(
    plain: &[u8],
    name: &str,
) -> Result<(String, PlaneStage, Vec<u64>), TableError> {
    let mut cursor = Cursor::new(plain, name);
    let spec = cursor.text()?;
    let lengths = take_numbers(&mut cursor)?;
    let stage = take_stage(&mut cursor)?;
    cursor.end()?;
    Ok((spec, stage, lengths))
}

/// Reads the bytes of [`put_stage`].
pub(crate) fn take_stage(cursor: &mut Cursor<'_>) -> Result<PlaneStage, TableError> {
    let found = take_numbers(cursor)?;
    let (found_so_far, planes_done) = (cursor.varint()?, cursor.varint()?);
    let holds_undecided = match cursor.varint()? {
        0 => false,
        1 => true,
        _ => return Err(cursor.fail("neither losses nor what is undecided")),
    };
    let start_pass = u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many passes"))?;
    Ok(PlaneStage {
        found,
        found_so_far,
        planes_done,
        holds_undecided,
        start_pass: (start_pass > 0).then_some(start_pass),
    })
}

fn take_numbers(cursor: &mut Cursor<'_>) -> Result<Vec<u64>, TableError> {
    let count = cursor.count()?;
    (0..count).map(|_| cursor.varint()).collect()
}
