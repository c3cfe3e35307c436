use hindsight_run::StoreError;

use crate::stage::PlaneStage;

/// Where the tiles are of a solve that does not fit in memory, and how far it has come.
pub trait TileStore: Sync {
    /// Takes the bytes of tiles.
    ///
    /// # Errors
    /// When they cannot be kept.
    fn put(&mut self, tiles: Vec<TileWrite<'_>>) -> Result<(), StoreError>;

    /// Fills pieces of tiles.
    ///
    /// # Errors
    /// When they cannot be read back.
    fn get(&mut self, tiles: Vec<TileRead<'_>>) -> Result<(), StoreError>;

    /// Forgets a tile, if it is there.
    ///
    /// # Errors
    /// When it cannot be removed.
    fn remove(&mut self, tile: Tile) -> Result<(), StoreError>;

    /// Keeps how far the solve has come. Whenever it is killed, this is what it goes on from.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn put_stage(&mut self, stage: &OutOfCoreStage) -> Result<(), StoreError>;

    /// What was kept last.
    ///
    /// # Errors
    /// When it cannot be read back.
    fn stage(&mut self) -> Result<Option<OutOfCoreStage>, StoreError>;
}

/// A part of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// The plane, in the order in which passes go over them.
    pub plane: u32,
    /// Which slice of its rows, and which of the blocks in these.
    pub part: [u16; 2],
    /// Whether it is the second of two copies: a new one is kept beside the old one until the stage says so.
    pub second: bool,
}

/// What a tile has.
#[derive(Debug)]
pub struct TileWrite<'a> {
    /// The tile.
    pub tile: Tile,
    /// Bytes of a block. Blocks that follow each other are alike.
    pub block_bytes: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What is wanted of a tile.
#[derive(Debug)]
pub struct TileRead<'a> {
    /// The tile.
    pub tile: Tile,
    /// Bytes of a block.
    pub block_bytes: usize,
    /// Its bytes.
    pub bytes: u64,
    /// Where pieces of it begin, ascending, and what is to be filled with each.
    pub pieces: Vec<(u64, &'a mut [u8])>,
}

/// How far a solve by slices has come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutOfCoreStage {
    /// Slices that were asked for.
    pub slices: u64,
    /// Passes; its planes are slices of planes.
    pub passes: PlaneStage,
    /// For each slice of each plane, then of what passes with side 0 to move found, the last pass that wrote it, twice, and one for its
    /// second copy; 0 if there is none.
    pub versions: Vec<u32>,
    /// Once passes are late one more than the slices of planes that have what is undecided; 0 before.
    pub converted: u64,
    /// The start and what else is watched: the pass that decided it, or 0.
    pub tracked: Vec<u16>,
}
