//! The tiles of a solve by slices, a file each of a [`CheckpointDir`], and how far it has come.

use std::fs;
use std::io::ErrorKind;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use hindsight_bitplanes::{OutOfCoreStage, PlaneStage, Tile, TileRead, TileStore, TileWrite};
use hindsight_solve::StoreError;

use crate::bytes::{Cursor, put_text, put_varint};
use crate::planes_store::{put_stage, take_stage};
use crate::{CheckpointDir, TableError};
use crate::{blob_file, new_file};

/// The first bytes of a tile; others if the order of blocks, lanes or slices changes.
const TILE_MAGIC: [u8; 8] = *b"HSTILE2\n";

/// The first bytes of the file that says how far a solve has come.
const STAGE_MAGIC: [u8; 8] = *b"HSSLIC2\n";

/// Tiles that are read or written at once.
const PARALLEL_TILES: usize = 4;

/// Bytes of the longest header.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Keeps tiles. A solve that is killed at any moment goes on from the slice that it was at.
#[derive(Debug)]
pub struct TilesStore<'a> {
    work: &'a CheckpointDir,
}

impl<'a> TilesStore<'a> {
    pub(crate) fn new(work: &'a CheckpointDir) -> Self {
        Self { work }
    }

    /// Removes what says how far the solve has come, when it is done.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), TableError> {
        remove_file(&self.work.slices_path())
    }

    fn header(&self, tile: Tile) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, self.work.spec());
        put_varint(&mut out, tile.plane.into());
        put_varint(&mut out, tile.part[0].into());
        put_varint(&mut out, tile.part[1].into());
        out
    }

    fn write(&self, given: &TileWrite<'_>) -> Result<(), TableError> {
        let header = self.header(given.tile);
        new_file::write_atomically(&self.work.tile_path(given.tile), |new| {
            blob_file::write_blocks(new, (TILE_MAGIC, &header), (given.bytes, given.block_bytes))
        })
    }

    fn read(&self, wanted: TileRead<'_>) -> Result<(), TableError> {
        let TileRead {
            tile,
            block_bytes: stride,
            bytes,
            pieces,
        } = wanted;
        let path = self.work.tile_path(tile);
        let Some(file) = blob_file::open_blob(&path, TILE_MAGIC, MAX_HEADER_BYTES)? else {
            return Err(TableError::damaged(format!(
                "{} is missing",
                path.display()
            )));
        };
        if file.header != self.header(tile) {
            return Err(TableError::damaged(format!(
                "{}: it is another tile",
                file.name
            )));
        }
        file.read_pieces((bytes, stride), pieces)
    }

    fn read_stage(&self) -> Result<Option<OutOfCoreStage>, TableError> {
        let Some(file) =
            blob_file::open_blob(&self.work.slices_path(), STAGE_MAGIC, MAX_HEADER_BYTES)?
        else {
            return Ok(None);
        };
        let (spec, mut stage, watched) = take_slices_header(&file.header, &file.name)?;
        if spec != self.work.spec() {
            return Err(TableError::OtherSpec {
                wanted: self.work.spec().into(),
                found: spec,
            });
        }
        let mut bytes = vec![0; 2 * watched];
        file.read_bytes(&mut [&mut bytes])?;
        let (pairs, _) = bytes.as_chunks();
        stage.tracked = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
        Ok(Some(stage))
    }
}

impl TileStore for TilesStore<'_> {
    fn put(&mut self, tiles: Vec<TileWrite<'_>>) -> Result<(), StoreError> {
        Ok(for_each_tile(tiles, |given| self.write(&given))?)
    }

    fn get(&mut self, tiles: Vec<TileRead<'_>>) -> Result<(), StoreError> {
        Ok(for_each_tile(tiles, |wanted| self.read(wanted))?)
    }

    fn remove(&mut self, tile: Tile) -> Result<(), StoreError> {
        Ok(remove_file(&self.work.tile_path(tile))?)
    }

    fn put_stage(&mut self, stage: &OutOfCoreStage) -> Result<(), StoreError> {
        if stage.tracked.len() > MAX_WATCHED {
            return Err(format!("more than {MAX_WATCHED} positions cannot be watched").into());
        }
        let mut header = Vec::new();
        put_text(&mut header, self.work.spec());
        put_varint(&mut header, stage.slices);
        put_stage(&mut header, &stage.passes);
        put_varint(&mut header, stage.versions.len() as u64);
        for &written in &stage.versions {
            put_varint(&mut header, written.into());
        }
        put_varint(&mut header, stage.converted);
        put_varint(&mut header, stage.tracked.len() as u64);
        let watched = stage.tracked.iter().flat_map(|pass| pass.to_le_bytes());
        let watched: Vec<u8> = watched.collect();
        new_file::write_atomically(&self.work.slices_path(), |new| {
            blob_file::write_bytes(new, (STAGE_MAGIC, &header), &[&watched])
        })?;
        Ok(())
    }

    fn stage(&mut self) -> Result<Option<OutOfCoreStage>, StoreError> {
        Ok(self.read_stage()?)
    }
}

/// Does the same with each of some tiles, with several at once: where one waits for the disk, another is packed.
fn for_each_tile<T: Send>(
    tiles: Vec<T>,
    work: impl Fn(T) -> Result<(), TableError> + Sync,
) -> Result<(), TableError> {
    let tiles = Mutex::new(tiles.into_iter());
    let next = || tiles.lock().unwrap_or_else(PoisonError::into_inner).next();
    let go = || std::iter::from_fn(next).try_for_each(&work);
    thread::scope(|scope| {
        let spawn = |_| Builder::new().spawn_scoped(scope, go);
        // Those that there are do the work of all.
        let threads: Vec<_> = (0..PARALLEL_TILES).map_while(|i| spawn(i).ok()).collect();
        if threads.is_empty() {
            return go();
        }
        let done = threads.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => resume_unwind(panic),
        });
        done.collect()
    })
}

/// Spec, stage, and how many positions are watched.
fn take_slices_header(
    plain: &[u8],
    name: &str,
) -> Result<(String, OutOfCoreStage, usize), TableError> {
    let mut cursor = Cursor::new(plain, name);
    let spec = cursor.text()?;
    let slices = cursor.varint()?;
    if !(1..=MAX_SLICES).contains(&slices) {
        return Err(cursor.fail("too many slices, or none"));
    }
    let stage: PlaneStage = take_stage(&mut cursor)?;
    let count = cursor.count()?;
    let written = (0..count).map(|_| {
        let written = cursor.varint()?;
        u32::try_from(written).map_err(|_| cursor.fail("too many passes"))
    });
    let written = written.collect::<Result<Vec<u32>, TableError>>()?;
    let turned = cursor.varint()?;
    let watched = cursor.varint()?;
    let watched = usize::try_from(watched).ok().filter(|&n| n <= MAX_WATCHED);
    let watched = watched.ok_or_else(|| cursor.fail("too many positions are watched"))?;
    cursor.end()?;
    let stage = OutOfCoreStage {
        passes: stage,
        slices,
        versions: written,
        converted: turned,
        tracked: Vec::new(),
    };
    Ok((spec, stage, watched))
}

/// Slices that are asked for at most: more than a solve tries.
const MAX_SLICES: u64 = 1 << 10;

/// Positions that are watched at most: more than anyone asks for.
const MAX_WATCHED: usize = 1 << 26;

fn remove_file(path: &Path) -> Result<(), TableError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(TableError::file("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// The name of a tile's file.
pub(crate) fn tile_file_name(tile: Tile) -> PathBuf {
    let Tile {
        plane,
        part: [row, column],
        second,
    } = tile;
    let copy = if second { 'b' } else { 'a' };
    format!("tile-{plane:05}-{row:03}-{column:03}-{copy}.part").into()
}

/// True if a tile's file has this name.
pub(crate) fn is_tile_file_name(name: &str) -> bool {
    let numbers = name.strip_prefix("tile-").and_then(|rest| {
        let rest = rest.strip_suffix(".part")?;
        rest.strip_suffix("-a").or_else(|| rest.strip_suffix("-b"))
    });
    let is_number = |text: &str| text.len() >= 3 && text.bytes().all(|b| b.is_ascii_digit());
    numbers
        .is_some_and(|numbers| numbers.split('-').count() == 3 && numbers.split('-').all(is_number))
}
