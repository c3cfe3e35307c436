//! How far a solve by planes of bits has come, in a file of a [`CheckpointDir`].

use std::fs;
use std::io::ErrorKind;
use std::time::Duration;

use hindsight_bitplanes::{PlaneCheckpoint, PlaneStage};
use hindsight_solve::StoreError;

use crate::bytes::{Cursor, put_text, put_varint};
use crate::checkpoint_clock::CheckpointClock;
use crate::{CheckpointDir, TableError};
use crate::{blob_file, new_file};

/// The first bytes of the file; others if the order of planes or lanes changes.
const MAGIC: [u8; 8] = *b"HSPLAN3\n";

/// Bytes of the longest header: parts and passes by their numbers.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Keeps planes now and then.
#[derive(Debug)]
pub struct PlanesStore<'a> {
    work: &'a CheckpointDir,
    clock: CheckpointClock,
}

impl<'a> PlanesStore<'a> {
    /// Planes are kept when so much time has gone since the last ones, and when the solve is stopped.
    pub(crate) fn new(work: &'a CheckpointDir, every: Duration) -> Self {
        Self {
            work,
            clock: CheckpointClock::new(every),
        }
    }

    /// The time it took to write and to read.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.clock.spent()
    }

    /// Removes the file, when the solve is done.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), TableError> {
        let path = self.work.planes_path();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(TableError::file("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }
}

fn read_planes(
    work: &CheckpointDir,
    parts: &mut [&mut [u8]],
) -> Result<Option<PlaneStage>, TableError> {
    let Some(file) = blob_file::open_blob(&work.planes_path(), MAGIC, MAX_HEADER_BYTES)? else {
        return Ok(None);
    };
    let (spec, stage, lengths) = take_planes_header(&file.header, &file.name)?;
    if spec != work.spec() {
        return Err(TableError::OtherSpec {
            wanted: work.spec().into(),
            found: spec,
        });
    }
    if !parts.iter().map(|part| part.len() as u64).eq(lengths) {
        let what = format!(
            "{}: of other sizes; a solve that writes a table keeps more than one that does not",
            file.name
        );
        return Err(TableError::damaged(what));
    }
    file.read_bytes(parts)?;
    Ok(Some(stage))
}

impl PlaneCheckpoint for PlanesStore<'_> {
    fn is_due(&mut self) -> bool {
        self.clock.is_due()
    }

    fn put(&mut self, stage: &PlaneStage, parts: &[&[u8]]) -> Result<(), StoreError> {
        let header = planes_header(self.work.spec(), stage, parts);
        let work = self.work;
        self.clock.timed(|| {
            new_file::write_atomically(&work.planes_path(), |new| {
                blob_file::write_bytes(new, (MAGIC, &header), parts)
            })?;
            Ok(())
        })
    }

    fn get(&mut self, parts: &mut [&mut [u8]]) -> Result<Option<PlaneStage>, StoreError> {
        let work = self.work;
        self.clock.timed(|| Ok(read_planes(work, parts)?))
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

/// Appends how far a solve has come.
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

/// Reads how far a solve has come.
pub(crate) fn take_stage(cursor: &mut Cursor<'_>) -> Result<PlaneStage, TableError> {
    let found = take_numbers(cursor)?;
    let (partly, planes) = (cursor.varint()?, cursor.varint()?);
    let undecided = match cursor.varint()? {
        0 => false,
        1 => true,
        _ => return Err(cursor.fail("neither losses nor what is undecided")),
    };
    let start = u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many passes"))?;
    Ok(PlaneStage {
        found,
        found_so_far: partly,
        planes_done: planes,
        holds_undecided: undecided,
        start_pass: (start > 0).then_some(start),
    })
}

fn take_numbers(cursor: &mut Cursor<'_>) -> Result<Vec<u64>, TableError> {
    let count = cursor.count()?;
    (0..count).map(|_| cursor.varint()).collect()
}
