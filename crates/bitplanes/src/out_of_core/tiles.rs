//! Contract between an out-of-core solve and the place that keeps its tiles.

use hindsight_run::StoreError;

use crate::stage::PlaneStage;

/// Keeps the tiles of an out-of-core solve, and its stage.
pub trait TileStore: Sync {
    /// Keeps whole tiles.
    ///
    /// # Errors
    /// When a tile cannot be kept.
    fn put(&mut self, tiles: Vec<TileWrite<'_>>) -> Result<(), StoreError>;

    /// Reads pieces of tiles.
    ///
    /// # Errors
    /// When a tile is missing or cannot be read back.
    fn get(&mut self, tiles: Vec<TileRead<'_>>) -> Result<(), StoreError>;

    /// Removes a tile, if it is there.
    ///
    /// # Errors
    /// When the tile cannot be removed.
    fn remove(&mut self, tile: Tile) -> Result<(), StoreError>;

    /// Keeps the stage, atomically. A solve that is killed goes on from the stage kept last.
    ///
    /// # Errors
    /// When the stage cannot be kept.
    fn put_stage(&mut self, stage: &OutOfCoreStage) -> Result<(), StoreError>;

    /// Reads the stage kept last; `None` if there is none.
    ///
    /// # Errors
    /// When the stage cannot be read back.
    fn stage(&mut self) -> Result<Option<OutOfCoreStage>, StoreError>;
}

/// Name of a tile: one slice of rows and one slice of blocks of one plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// Number of the slice of rows among all slices of all planes, as in
    /// [`OutOfCoreStage::versions`].
    pub plane: u32,
    /// Slice of rows in the plane, and slice of blocks in these rows.
    pub part: [u16; 2],
    /// True for the second of two copies. A new copy lies beside the old one until the stage names
    /// it.
    pub second: bool,
}

/// A tile to be kept.
#[derive(Debug)]
pub struct TileWrite<'a> {
    /// Name of the tile.
    pub tile: Tile,
    /// Bytes of a block; neighbouring blocks are alike, which helps compression.
    pub block_bytes: usize,
    /// Bytes of the tile.
    pub bytes: &'a [u8],
}

/// Pieces of a tile to be read.
#[derive(Debug)]
pub struct TileRead<'a> {
    /// Name of the tile.
    pub tile: Tile,
    /// Bytes of a block.
    pub block_bytes: usize,
    /// Length of the tile, in bytes.
    pub bytes: u64,
    /// Offset of each piece in the tile, ascending, and the memory to be filled with it.
    pub pieces: Vec<(u64, &'a mut [u8])>,
}

/// Progress of an out-of-core solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutOfCoreStage {
    /// Slices asked for, of the sets of the most followers.
    pub slices: u64,
    /// Passes so far; [`PlaneStage::planes_done`] counts slices of rows.
    pub passes: PlaneStage,
    /// Version of each slice of rows: `2 * pass + copy`, where `copy` (0 or 1) says which of two
    /// copies is current; 0 = never written. All slices of planes come first, then the slices of
    /// side 0's frontiers.
    pub versions: Vec<u32>,
    /// 0 during sweeps. In the incremental phase, 1 + number of slices already converted to
    /// undecided planes.
    pub converted: u64,
    /// Pass that decided each tracked position, the start first; 0 while it is undecided.
    pub tracked: Vec<u16>,
}
