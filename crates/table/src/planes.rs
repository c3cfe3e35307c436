//! How far a solve by planes of bits has come, in a file of a [`Work`].

use std::fs;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use solve::StoreError;
use solve::arrangements::{Checkpoint, Stage};

use crate::bytes::{Cursor, put_varint};
use crate::words;
use crate::{Error, Work};

/// The first bytes of the file; others if the order of planes or lanes changes.
const MAGIC: [u8; 8] = *b"HSPLANE\n";

/// Bytes of the longest header: parts and passes by their numbers.
const MOST_HEADER: usize = 1 << 20;

/// Keeps planes now and then.
#[derive(Debug)]
pub struct PlanesStore<'a> {
    work: &'a Work,
    every: Duration,
    last: Instant,
    spent: Duration,
}

impl<'a> PlanesStore<'a> {
    /// Planes are kept when so much time has gone since the last ones, and when the solve is stopped.
    pub(crate) fn new(work: &'a Work, every: Duration) -> Self {
        Self {
            work,
            every,
            last: Instant::now(),
            spent: Duration::ZERO,
        }
    }

    /// The time it took to write and to read.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent
    }

    fn timed<T>(&mut self, act: impl FnOnce(&Self) -> T) -> T {
        let begin = Instant::now();
        let done = act(self);
        self.spent += begin.elapsed();
        self.last = Instant::now();
        done
    }

    /// Removes the file, when the solve is done.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), Error> {
        let path = self.work.planes();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Error::file("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    fn read(&self, parts: &mut [&mut [u8]]) -> Result<Option<Stage>, Error> {
        let Some(file) = words::open(&self.work.planes(), MAGIC, MOST_HEADER)? else {
            return Ok(None);
        };
        let (spec, stage, lengths) = take_header(&file.header, &file.name)?;
        if spec != self.work.spec() {
            return Err(Error::OtherSpec {
                wanted: self.work.spec().into(),
                found: spec,
            });
        }
        if !parts.iter().map(|part| part.len() as u64).eq(lengths) {
            let what = format!(
                "{}: of other sizes; a solve that writes a table keeps more than one that does not",
                file.name
            );
            return Err(Error::damaged(what));
        }
        file.bytes(parts)?;
        Ok(Some(stage))
    }
}

impl Checkpoint for PlanesStore<'_> {
    fn is_due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn put(&mut self, stage: &Stage, parts: &[&[u8]]) -> Result<(), StoreError> {
        let header = header(self.work.spec(), stage, parts);
        self.timed(|store| {
            store.work.put_file(&store.work.planes(), |path| {
                words::write_bytes(path, (MAGIC, &header), parts)
            })?;
            Ok(())
        })
    }

    fn get(&mut self, parts: &mut [&mut [u8]]) -> Result<Option<Stage>, StoreError> {
        self.timed(|store| Ok(store.read(parts)?))
    }
}

fn header(spec: &str, stage: &Stage, parts: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, spec.len() as u64);
    out.extend_from_slice(spec.as_bytes());
    let lengths = parts.iter().map(|part| part.len() as u64);
    for numbers in [lengths.collect(), stage.found.clone()] {
        put_varint(&mut out, numbers.len() as u64);
        numbers
            .into_iter()
            .for_each(|number| put_varint(&mut out, number));
    }
    put_varint(&mut out, stage.partly);
    put_varint(&mut out, stage.planes);
    put_varint(&mut out, stage.start.unwrap_or(0).into());
    out
}

fn take_header(plain: &[u8], name: &str) -> Result<(String, Stage, Vec<u64>), Error> {
    let mut cursor = Cursor::new(plain, name);
    let spec = cursor.count()?;
    let spec = String::from_utf8_lossy(cursor.take(spec)?).into_owned();
    let mut numbers = || {
        let count = cursor.count()?;
        (0..count)
            .map(|_| cursor.varint())
            .collect::<Result<Vec<u64>, Error>>()
    };
    let [lengths, found] = [numbers()?, numbers()?];
    let (partly, planes) = (cursor.varint()?, cursor.varint()?);
    let start = u16::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many passes"))?;
    cursor.end()?;
    let stage = Stage {
        found,
        partly,
        planes,
        start: (start > 0).then_some(start),
    };
    Ok((spec, stage, lengths))
}
