//! Tiles as blobs of a checkpoint.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError};

/// Tiles that are read or written in parallel.
const PARALLEL_TILES: usize = 4;

/// Name of a tile: one slice of rows and one slice of blocks of one plane.
#[derive(Clone, Copy)]
pub(crate) struct Tile {
    /// Number of the slice of rows among all slices of all planes, as in
    /// [`OutOfCoreStage::versions`](crate::OutOfCoreStage::versions).
    pub(crate) plane: u32,
    /// Slice of rows in the plane, and slice of blocks in these rows.
    pub(crate) part: [u16; 2],
    /// True for the second of two copies. A new copy lies beside the old one until the stage names
    /// it.
    pub(crate) second: bool,
}

impl Tile {
    /// Key of the tile's blob.
    pub(crate) fn key(self) -> String {
        let [row, column] = self.part;
        let copy = if self.second { 'b' } else { 'a' };
        format!("tile-{:05}-{row:03}-{column:03}-{copy}", self.plane)
    }
}

/// A tile to be kept.
pub(crate) struct TileWrite<'a> {
    pub(crate) tile: Tile,
    /// Bytes of a block; neighbouring blocks are alike, which helps compression.
    pub(crate) block_bytes: usize,
    pub(crate) bytes: &'a [u8],
}

/// Pieces of a tile to be read.
pub(crate) struct TileRead<'a> {
    pub(crate) tile: Tile,
    pub(crate) block_bytes: usize,
    /// Length of the tile, in bytes.
    pub(crate) bytes: u64,
    /// Offset of each piece in the tile, ascending, and the memory to be filled with it.
    pub(crate) pieces: Vec<(u64, &'a mut [u8])>,
}

/// Keeps whole tiles.
pub(crate) fn put_tiles(
    blobs: &dyn Blobs,
    tiles: Vec<TileWrite<'_>>,
) -> Result<(), CheckpointError> {
    for_each_tile(tiles, |write| {
        let TileWrite { tile, block_bytes, bytes } = write;
        let array = PackedArray::Blocks { bytes, block_bytes };
        packed::put(blobs, &tile.key(), &[], array)
    })
}

/// Reads pieces of tiles. A missing tile is an error.
pub(crate) fn get_tiles(
    blobs: &dyn Blobs,
    tiles: Vec<TileRead<'_>>,
) -> Result<(), CheckpointError> {
    for_each_tile(tiles, |read| {
        let key = read.tile.key();
        match packed::get(blobs, &key, 0)? {
            Some(blob) => blob.read_pieces(read.bytes, read.block_bytes, read.pieces),
            None => Err(CheckpointError::damaged(&blobs.name(&key), "it is missing")),
        }
    })
}

/// Runs `work` on every tile, [`PARALLEL_TILES`] at a time, so that one tile is packed while
/// another waits for the disk.
fn for_each_tile<T: Send>(
    tiles: Vec<T>,
    work: impl Fn(T) -> Result<(), CheckpointError> + Sync,
) -> Result<(), CheckpointError> {
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
