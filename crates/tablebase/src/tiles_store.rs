//! Checkpoints of out-of-core solves: a file of a [`CheckpointDir`] per tile, and one for the
//! progress.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use hindsight_bitplanes::{OutOfCoreStage, PlaneStage, Tile, TileRead, TileStore, TileWrite};
use hindsight_solve::StoreError;

use crate::blob_file::{self, BlobHeader};
use crate::bytes::{Cursor, put_text, put_varint};
use crate::checkpoint_dir::{CheckpointDir, remove_if_present};
use crate::error::TableError;
use crate::new_file;
use crate::planes_store::{put_stage, take_stage};

/// First bytes of a tile. They change with the order of blocks, lanes or slices.
const TILE_MAGIC: [u8; 8] = *b"HSTILE2\n";

/// First bytes of the file with the progress of the solve.
const STAGE_MAGIC: [u8; 8] = *b"HSSLIC2\n";

/// Tiles that are read or written in parallel.
const PARALLEL_TILES: usize = 4;

/// Longest header in bytes.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Most slices per side: more than any solve tries.
const MAX_SLICES: u64 = 1 << 10;

/// Most tracked positions: more than any solve needs.
const MAX_TRACKED: usize = 1 << 26;

impl CheckpointDir {
    /// Returns the store for the tiles of an out-of-core solve.
    pub fn tiles_store(&self) -> TilesStore<'_> {
        TilesStore { checkpoint: self }
    }
}

/// Store of tiles. A solve that is killed resumes at its current slice.
#[derive(Debug)]
pub struct TilesStore<'a> {
    checkpoint: &'a CheckpointDir,
}

impl TilesStore<'_> {
    /// Removes the progress of a finished solve.
    ///
    /// # Errors
    /// [`TableError::File`] if the file cannot be removed.
    pub fn remove(self) -> Result<(), TableError> {
        remove_if_present(&self.checkpoint.slices_path())
    }

    fn header(&self, tile: Tile) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, self.checkpoint.spec());
        put_varint(&mut out, tile.plane.into());
        put_varint(&mut out, tile.part[0].into());
        put_varint(&mut out, tile.part[1].into());
        out
    }

    fn write(&self, tile: &TileWrite<'_>) -> Result<(), TableError> {
        let fields = self.header(tile.tile);
        let header = BlobHeader {
            magic: TILE_MAGIC,
            fields: &fields,
        };
        new_file::write_atomically(&self.checkpoint.tile_path(tile.tile), |new| {
            blob_file::write_blocks(new, header, tile.bytes, tile.block_bytes)
        })
    }

    fn read(&self, tile_read: TileRead<'_>) -> Result<(), TableError> {
        let TileRead {
            tile,
            block_bytes,
            bytes,
            pieces,
        } = tile_read;
        let path = self.checkpoint.tile_path(tile);
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
        file.read_pieces(bytes, block_bytes, pieces)
    }

    fn read_stage(&self) -> Result<Option<OutOfCoreStage>, TableError> {
        let Some(file) = blob_file::open_blob(
            &self.checkpoint.slices_path(),
            STAGE_MAGIC,
            MAX_HEADER_BYTES,
        )?
        else {
            return Ok(None);
        };
        let (spec, mut stage, tracked) = take_slices_header(&file.header, &file.name)?;
        if spec != self.checkpoint.spec() {
            return Err(TableError::OtherSpec {
                wanted: self.checkpoint.spec().into(),
                found: spec,
            });
        }
        let mut bytes = vec![0; 2 * tracked];
        file.read_bytes(&mut [&mut bytes])?;
        let (pairs, _) = bytes.as_chunks();
        stage.tracked = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
        Ok(Some(stage))
    }
}

impl TileStore for TilesStore<'_> {
    fn put(&mut self, tiles: Vec<TileWrite<'_>>) -> Result<(), StoreError> {
        Ok(for_each_tile(tiles, |tile| self.write(&tile))?)
    }

    fn get(&mut self, tiles: Vec<TileRead<'_>>) -> Result<(), StoreError> {
        Ok(for_each_tile(tiles, |tile| self.read(tile))?)
    }

    fn remove(&mut self, tile: Tile) -> Result<(), StoreError> {
        Ok(remove_if_present(&self.checkpoint.tile_path(tile))?)
    }

    fn put_stage(&mut self, stage: &OutOfCoreStage) -> Result<(), StoreError> {
        if stage.tracked.len() > MAX_TRACKED {
            return Err(format!("more than {MAX_TRACKED} positions cannot be watched").into());
        }
        let mut fields = Vec::new();
        put_text(&mut fields, self.checkpoint.spec());
        put_varint(&mut fields, stage.slices);
        put_stage(&mut fields, &stage.passes);
        put_varint(&mut fields, stage.versions.len() as u64);
        for &version in &stage.versions {
            put_varint(&mut fields, version.into());
        }
        put_varint(&mut fields, stage.converted);
        put_varint(&mut fields, stage.tracked.len() as u64);
        let tracked = stage.tracked.iter().flat_map(|pass| pass.to_le_bytes());
        let tracked: Vec<u8> = tracked.collect();
        let header = BlobHeader {
            magic: STAGE_MAGIC,
            fields: &fields,
        };
        new_file::write_atomically(&self.checkpoint.slices_path(), |new| {
            blob_file::write_bytes(new, header, &[&tracked])
        })?;
        Ok(())
    }

    fn stage(&mut self) -> Result<Option<OutOfCoreStage>, StoreError> {
        Ok(self.read_stage()?)
    }
}

/// Runs `work` on every tile, [`PARALLEL_TILES`] at a time, so that one tile is packed while
/// another waits for the disk.
fn for_each_tile<T: Send>(
    tiles: Vec<T>,
    work: impl Fn(T) -> Result<(), TableError> + Sync,
) -> Result<(), TableError> {
    let tiles = Mutex::new(tiles.into_iter());
    let next = || tiles.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || std::iter::from_fn(next).try_for_each(&work);
    thread::scope(|scope| {
        let spawn = |_| Builder::new().spawn_scoped(scope, run);
        // If not all threads can be spawned, the others do the work.
        let threads: Vec<_> = (0..PARALLEL_TILES).map_while(|i| spawn(i).ok()).collect();
        if threads.is_empty() {
            return run();
        }
        let done = threads.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => resume_unwind(panic),
        });
        done.collect()
    })
}

/// Reads the spec, the progress without its tracked positions, and their number.
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
    let passes: PlaneStage = take_stage(&mut cursor)?;
    let count = cursor.count()?;
    let versions = (0..count).map(|_| {
        let version = cursor.varint()?;
        u32::try_from(version).map_err(|_| cursor.fail("too many passes"))
    });
    let versions = versions.collect::<Result<Vec<u32>, TableError>>()?;
    let converted = cursor.varint()?;
    let tracked = cursor.varint()?;
    let tracked = usize::try_from(tracked).ok().filter(|&n| n <= MAX_TRACKED);
    let tracked = tracked.ok_or_else(|| cursor.fail("too many positions are watched"))?;
    cursor.end()?;
    let stage = OutOfCoreStage {
        passes,
        slices,
        versions,
        converted,
        tracked: Vec::new(),
    };
    Ok((spec, stage, tracked))
}
