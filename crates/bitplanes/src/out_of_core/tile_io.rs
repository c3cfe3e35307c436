//! Planes and frontiers read from tiles, and written to them.
//!
//! Each slice of rows has two copies of its tiles. A pass writes the copy that is not current,
//! saves the stage, which makes that copy the current one, and then removes the other.

use hindsight_engine::Error;
use rayon::prelude::*;

use crate::out_of_core::partition::{SetSlices, TileIndex};
use crate::out_of_core::stage::MAX_TRACKED;
use crate::out_of_core::state::{Buffer, OutOfCoreRun, RowSlice, SliceRows};
use crate::out_of_core::tiles::{Tile, TileRead, TileWrite, get_tiles, put_tiles};
use crate::plane::plane::Plane;
use crate::simd::portable::Portable;
use crate::simd::token::Simd;
use crate::space::sets::set_rank;
use crate::space::subproblem::{PlaneShape, after_capture};

/// Source of a read: a plane, either its accumulated values or the frontier of one pass.
#[derive(Clone, Copy)]
pub(crate) struct PlaneSource {
    pub(crate) subproblem: usize,
    /// Side to move in the plane, 0 or 1.
    pub(crate) mover: usize,
    /// Pass whose frontier is read; `None` for accumulated values.
    pub(crate) found_by: Option<u16>,
}

impl PlaneSource {
    /// Accumulated values of a plane.
    pub(crate) fn accumulated(subproblem: usize, mover: usize) -> Self {
        Self { subproblem, mover, found_by: None }
    }
}

/// Tiles of a slice that a new version has replaced.
#[derive(Clone, Copy)]
pub(crate) struct ReplacedTiles {
    slice: RowSlice,
    /// Version that was replaced, as in [`crate::OutOfCoreStage::versions`].
    version: u32,
}

/// Consecutive blocks of a row that lie in one tile.
struct RowPiece {
    /// Offset in the loaded rows, in bytes.
    to: usize,
    /// Length in bytes.
    len: usize,
    /// Index of the tile among those that are read.
    tile: usize,
    /// Offset in the tile, in bytes.
    from: u64,
}

/// A tile that rows are read from.
struct SourceTile {
    tile: Tile,
    bytes: u64,
}

impl OutOfCoreRun<'_> {
    /// Shape of the plane that a source reads.
    fn shape_of_source(&self, source: PlaneSource) -> PlaneShape<'_> {
        self.shape_of(source.subproblem, source.mover)
    }

    /// Number of a slice of rows, as in [`RowSlice::number`].
    fn slice_number(&self, source: PlaneSource, slice: usize) -> usize {
        let is_same = |other: &RowSlice| {
            other.subproblem == source.subproblem
                && other.mover == source.mover
                && other.slice == slice
        };
        let number = self.slices.iter().position(is_same).expect("a slice");
        match source.found_by {
            Some(_) if source.mover == 0 => number + self.slices.len(),
            _ => number,
        }
    }

    /// Name of a tile; `None` if it was never written, or by another pass than the source asks for.
    fn tile(&self, source: PlaneSource, index: TileIndex) -> Option<Tile> {
        let number = self.slice_number(source, index.row_slice);
        let version = self.stage.versions[number];
        let is_wanted = source.found_by.is_none_or(|pass| version >> 1 == pass.into());
        tile_of_version(number, index, version).filter(|_| is_wanted)
    }

    /// Returns true if any tile of a source was written.
    pub(crate) fn has_any(&self, source: PlaneSource) -> bool {
        let slices = self.partition.row_slices(self.shape_of_source(source));
        let first_tile = |row_slice| TileIndex { row_slice, column: 0 };
        (0..slices.len()).any(|slice| self.tile(source, first_tile(slice)).is_some())
    }

    /// Loads the plane that captures from a slice lead to; `None` if there is no follower to
    /// capture, or if an incremental pass over wins does without.
    pub(crate) fn load_capture_plane(&mut self, slice: RowSlice) -> Result<Option<Plane>, Error> {
        let unmoves_wins = self.stage.converted > 0 && slice.mover == 0;
        let fewer = after_capture(&self.subproblems, slice.subproblem, slice.mover);
        let Some(fewer) = fewer.filter(|_| !unmoves_wins) else {
            return Ok(None);
        };
        let source = PlaneSource::accumulated(fewer, 1 - slice.mover);
        let columns = self.partition.columns(self.shape_of_source(source)).len();
        let tiles = (0..columns).flat_map(|column| self.tiles_of_column(source, column));
        let tiles: Vec<TileIndex> = tiles.collect();
        Ok(Some(self.load_tiles(source, &tiles, Buffer::Capture)?))
    }

    /// Tiles of one slice of blocks, for all slices of rows.
    pub(crate) fn tiles_of_column(&self, source: PlaneSource, column: usize) -> Vec<TileIndex> {
        let slices = self.partition.row_slices(self.shape_of_source(source));
        let tile = |row_slice| TileIndex { row_slice, column };
        (0..slices.len()).map(tile).collect()
    }

    /// Loads one slice of the blocks of a source, for all rows.
    pub(crate) fn load_column(
        &mut self,
        source: PlaneSource,
        column: usize,
    ) -> Result<Plane, Error> {
        let tiles = self.tiles_of_column(source, column);
        self.load_tiles(source, &tiles, Buffer::Quiet)
    }

    /// Loads tiles, one after the other. A tile that was never written is all 0.
    fn load_tiles(
        &mut self,
        source: PlaneSource,
        tiles: &[TileIndex],
        buffer: Buffer,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.buffers[buffer as usize]);
        let shape = self.shape_of_source(source);
        let mut plane = Plane::of_tiles(&self.partition, shape, tiles, memory);
        let mut rest = &mut *plane.bytes;
        let mut reads = Vec::new();
        for &index in tiles {
            let bytes = self.partition.tile_bytes(shape, index);
            let (piece, others) = rest.split_at_mut(bytes as usize);
            rest = others;
            match self.tile(source, index) {
                Some(tile) if bytes > 0 => reads.push(TileRead {
                    tile,
                    block_bytes: shape.subproblem.block_bytes,
                    bytes,
                    pieces: vec![(0, piece)],
                }),
                _ => piece.fill(0),
            }
        }
        self.checkpoint.timed(|blobs| get_tiles(blobs, reads))?;
        Ok(plane)
    }

    /// Loads canonical rows, each in one piece. Blocks of tiles that were never written are 0.
    pub(crate) fn load_rows(
        &mut self,
        source: PlaneSource,
        rows: &[usize],
        buffer: Buffer,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.buffers[buffer as usize]);
        let shape = self.shape_of_source(source);
        let mut plane = Plane::of_rows(shape, rows, memory);
        let (tiles, mut pieces) = self.pieces_of_rows(source, rows);
        if pieces.iter().map(|piece| piece.len).sum::<usize>() < plane.len() {
            plane.bytes.fill(0);
        }
        pieces.sort_unstable_by_key(|piece| piece.to);
        let read = |source: &SourceTile| TileRead {
            tile: source.tile,
            block_bytes: shape.subproblem.block_bytes,
            bytes: source.bytes,
            pieces: Vec::new(),
        };
        let mut reads: Vec<TileRead<'_>> = tiles.iter().map(read).collect();
        let (mut rest, mut end) = (&mut *plane.bytes, 0);
        for piece in pieces {
            let (memory, others) = rest[piece.to - end..].split_at_mut(piece.len);
            (rest, end) = (others, piece.to + piece.len);
            reads[piece.tile].pieces.push((piece.from, memory));
        }
        for read in &mut reads {
            read.pieces.sort_unstable_by_key(|&(from, _)| from);
        }
        self.checkpoint.timed(|blobs| get_tiles(blobs, reads))?;
        Ok(plane)
    }

    /// Tiles that hold rows of a source, and the pieces of the rows in them.
    fn pieces_of_rows(
        &self,
        source: PlaneSource,
        rows: &[usize],
    ) -> (Vec<SourceTile>, Vec<RowPiece>) {
        let shape = self.shape_of_source(source);
        let slices = self.partition.row_slices(shape);
        let columns = self.partition.columns(shape);
        let (sets, block_bytes) = (shape.row_sets(), shape.subproblem.block_bytes);
        let row_bytes = shape.blocks_per_row() * block_bytes;
        let mut index_of_row = vec![None; sets.len()];
        let mut is_needed = vec![false; slices.len()];
        for (n, &row) in rows.iter().enumerate() {
            index_of_row[row] = Some(n);
            is_needed[slices.slice_of(sets[row])] = true;
        }
        let (mut tiles, mut pieces) = (Vec::new(), Vec::new());
        for row_slice in (0..slices.len()).filter(|&slice| is_needed[slice]) {
            for column in 0..columns.len() {
                let index = TileIndex { row_slice, column };
                let Some(tile) = self.tile(source, index) else {
                    continue;
                };
                let mut from = 0;
                self.partition.for_each_run(shape, index, &mut |run| {
                    let len = run.blocks as usize * block_bytes;
                    if let Some(n) = index_of_row[run.row].filter(|_| len > 0) {
                        let begin = first_block_of_pattern(columns, run.pattern, sets[run.row]);
                        pieces.push(RowPiece {
                            to: n * row_bytes + begin * block_bytes,
                            len,
                            tile: tiles.len(),
                            from,
                        });
                    }
                    from += len as u64;
                });
                if from > 0 {
                    tiles.push(SourceTile { tile, bytes: from });
                }
            }
        }
        (tiles, pieces)
    }

    /// Keeps the memory of a plane for the next one.
    pub(crate) fn recycle(&mut self, buffer: Buffer, plane: Option<Plane>) {
        if let Some(plane) = plane {
            self.buffers[buffer as usize] = plane.bytes;
        }
    }

    /// Tiles of one slice of rows, for all slices of blocks.
    fn tiles_of_slice(&self, slice: RowSlice) -> Vec<TileIndex> {
        let columns = 0..self.partition.columns(self.shape(slice)).len();
        let tile = |column| TileIndex { row_slice: slice.slice, column };
        columns.map(tile).collect()
    }

    /// Writes a new version of the tiles of a slice beside the current one.
    fn write_tiles(&mut self, slice: RowSlice, bytes: &[u8]) -> Result<ReplacedTiles, Error> {
        let old = self.stage.versions[slice.number];
        let new = u32::from(self.current_pass()) << 1 | (!old & 1);
        let shape = self.shape(slice);
        let mut rest = bytes;
        let mut writes = Vec::new();
        for index in self.tiles_of_slice(slice) {
            let (bytes, others) = rest.split_at(self.partition.tile_bytes(shape, index) as usize);
            rest = others;
            let tile = tile_of_version(slice.number, index, new);
            if let Some(tile) = tile.filter(|_| !bytes.is_empty()) {
                writes.push(TileWrite { tile, block_bytes: shape.subproblem.block_bytes, bytes });
            }
        }
        self.checkpoint.timed(|blobs| put_tiles(blobs, writes))?;
        self.stage.versions[slice.number] = new;
        Ok(ReplacedTiles { slice, version: old })
    }

    /// As [`Self::write_tiles`], for rows that are each in one piece.
    ///
    /// Uses the buffer of quiet moves.
    pub(crate) fn write_rows(
        &mut self,
        SliceRows { slice, rows }: SliceRows<'_>,
        plane: &Plane,
    ) -> Result<ReplacedTiles, Error> {
        let mut memory = std::mem::take(&mut self.buffers[Buffer::Quiet as usize]);
        memory.resize(plane.len(), 0);
        let shape = self.shape(slice);
        let columns = self.partition.columns(shape);
        let (sets, block_bytes) = (shape.row_sets(), shape.subproblem.block_bytes);
        let row_bytes = shape.blocks_per_row() * block_bytes;
        let mut index_of_row = vec![0; sets.len()];
        for (n, &row) in rows.iter().enumerate() {
            index_of_row[row] = n;
        }
        let mut rest = &mut memory[..];
        let tiles = self.tiles_of_slice(slice).into_iter().map(|index| {
            let bytes = self.partition.tile_bytes(shape, index) as usize;
            let (tile, others) = std::mem::take(&mut rest).split_at_mut(bytes);
            rest = others;
            (index, tile)
        });
        let tiles: Vec<(TileIndex, &mut [u8])> = tiles.collect();
        tiles.into_par_iter().for_each(|(index, mut tile)| {
            self.partition.for_each_run(shape, index, &mut |run| {
                let len = run.blocks as usize * block_bytes;
                if len > 0 {
                    let block = first_block_of_pattern(columns, run.pattern, sets[run.row]);
                    let begin = index_of_row[run.row] * row_bytes + block * block_bytes;
                    let (piece, others) = std::mem::take(&mut tile).split_at_mut(len);
                    piece.copy_from_slice(&plane.bytes[begin..begin + len]);
                    tile = others;
                }
            });
        });
        let replaced = self.write_tiles(slice, &memory);
        self.buffers[Buffer::Quiet as usize] = memory;
        replaced
    }

    /// Saves the stage, which makes new versions the current ones; then removes the replaced ones.
    pub(crate) fn commit(&mut self, replaced: &[ReplacedTiles]) -> Result<(), Error> {
        if replaced.is_empty() {
            return Ok(());
        }
        self.save_stage()?;
        let mut replaced = replaced.iter();
        replaced.try_for_each(|&replaced| self.remove_tiles(replaced))
    }

    /// Removes a version of the tiles of a slice.
    fn remove_tiles(&mut self, replaced: ReplacedTiles) -> Result<(), Error> {
        let ReplacedTiles { slice, version } = replaced;
        for index in self.tiles_of_slice(slice) {
            if let Some(tile) = tile_of_version(slice.number, index, version) {
                self.checkpoint.timed(|blobs| blobs.remove(&tile.key()))?;
            }
        }
        Ok(())
    }

    pub(crate) fn save_stage(&mut self) -> Result<(), Error> {
        self.stage.tracked.clone_from(&self.tracked.passes);
        if self.stage.tracked.len() > MAX_TRACKED {
            let refused = format!("more than {MAX_TRACKED} positions cannot be watched");
            return Err(Error::Store(refused.into()));
        }
        Ok(self.checkpoint.timed(|blobs| self.stage.put(blobs))?)
    }

    /// The slice of side 0's frontier that belongs to a slice of its plane.
    pub(crate) fn frontier_slice(&self, slice: RowSlice) -> RowSlice {
        RowSlice { number: slice.number + self.slices.len(), ..slice }
    }

    /// Removes both copies of all tiles.
    pub(crate) fn remove_all_tiles(&mut self) -> Result<(), Error> {
        let frontiers = self.slices_of_mover(0).into_iter();
        let frontiers: Vec<RowSlice> = frontiers.map(|slice| self.frontier_slice(slice)).collect();
        let slices = self.slices.clone().into_iter().chain(frontiers);
        for slice in slices {
            // Any pass will do: only the copy is in a tile's name.
            for version in [2, 3] {
                self.remove_tiles(ReplacedTiles { slice, version })?;
            }
        }
        Ok(())
    }

    /// Slices of all planes with a side to move.
    pub(crate) fn slices_of_mover(&self, mover: usize) -> Vec<RowSlice> {
        let slices = self.slices.iter().copied();
        slices.filter(|slice| slice.mover == mover).collect()
    }
}

/// First block with a pattern in the row whose major followers are `major`.
fn first_block_of_pattern(columns: &SetSlices, pattern: u32, major: u32) -> usize {
    let first = columns.first_set(pattern, major);
    set_rank(Portable.extract(first.into(), (!major).into()) as u32)
}

/// Name of a tile in a version of its slice; `None` for version 0, which was never written.
fn tile_of_version(number: usize, index: TileIndex, version: u32) -> Option<Tile> {
    (version > 0).then_some(Tile {
        plane: number as u32,
        part: [index.row_slice as u16, index.column as u16],
        second: version & 1 == 1,
    })
}
