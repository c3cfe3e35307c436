//! What a solve by slices reads, and what it keeps.

use hindsight_run::Error;
use rayon::prelude::*;

use crate::out_of_core::partition::{SetSlices, TileIndex};
use crate::out_of_core::state::{OutOfCoreRun, RowSlice};
use crate::out_of_core::tiles::{Tile, TileRead, TileWrite};
use crate::plane::plane::Plane;
use crate::simd::portable::Portable;
use crate::simd::token::Simd;
use crate::space::sets::set_rank;
use crate::space::subproblem::after_capture;

/// What is read: of a plane, which is of a problem and a side to move, what is known, or what a pass found.
#[derive(Clone, Copy)]
pub(crate) struct PlaneSource {
    pub(crate) subproblem: usize,
    pub(crate) mover: usize,
    pub(crate) found_by: Option<u16>,
}

impl PlaneSource {
    pub(crate) fn accumulated(subproblem: usize, mover: usize) -> Self {
        Self {
            subproblem,
            mover,
            found_by: None,
        }
    }
}

/// A slice whose tiles were replaced, with its number, and what they were.
pub(crate) type ReplacedTiles = ((usize, RowSlice), u32);

/// The plane that captures lead to.
pub(crate) type CapturePlane = Option<Plane>;

/// A piece of a row that is in a tile.
struct RowPiece {
    /// Where it is in the rows that are wanted.
    to: usize,
    len: usize,
    /// Which of the tiles, and where in it.
    tile: usize,
    at: u64,
}

impl OutOfCoreRun<'_> {
    /// The number of a slice of a plane. What passes with side 0 to move found comes after all others.
    fn slice_number(&self, source: PlaneSource, slice: usize) -> usize {
        let PlaneSource {
            subproblem, mover, ..
        } = source;
        let slice = RowSlice {
            subproblem,
            mover,
            slice,
        };
        let number = self.slices.iter().position(|other| *other == slice);
        let number = number.expect("a slice");
        match source.found_by {
            Some(_) if mover == 0 => number + self.slices.len(),
            _ => number,
        }
    }

    /// The tile of a part, if it was written.
    pub(crate) fn tile(&self, source: PlaneSource, part: TileIndex) -> Option<Tile> {
        let number = self.slice_number(source, part.0);
        let written = self.stage.versions[number];
        let is_new = source
            .found_by
            .is_none_or(|pass| written >> 1 == pass.into());
        tile_of_version(number, part, written).filter(|_| is_new)
    }

    /// Whether there is anything in a plane.
    pub(crate) fn has_any(&self, source: PlaneSource) -> bool {
        let slices = self
            .partition
            .slices(&self.subproblems[source.subproblem], 1 - source.mover);
        (0..slices.len()).any(|slice| self.tile(source, (slice, 0)).is_some())
    }

    /// The plane that captures lead to.
    pub(crate) fn load_capture_plane(&mut self, slice: RowSlice) -> Result<CapturePlane, Error> {
        let late_wins = self.stage.converted > 0 && slice.mover == 0;
        let fewer = after_capture(&self.subproblems, slice.subproblem, slice.mover);
        let Some(fewer) = fewer.filter(|_| !late_wins) else {
            return Ok(None);
        };
        let columns = self
            .partition
            .slices(&self.subproblems[fewer], 1 - slice.mover)
            .len();
        let source = PlaneSource::accumulated(fewer, 1 - slice.mover);
        let parts = (0..columns).flat_map(|column| self.tiles_of_column(source, column));
        let parts: Vec<TileIndex> = parts.collect();
        Ok(Some(self.load_tiles(source, &parts, 0)?))
    }

    /// The parts with the same slice of blocks.
    pub(crate) fn tiles_of_column(&self, source: PlaneSource, column: usize) -> Vec<TileIndex> {
        let rows = self
            .partition
            .slices(&self.subproblems[source.subproblem], 1 - source.mover);
        (0..rows.len()).map(|row| (row, column)).collect()
    }

    /// Parts of a plane, one after the other.
    pub(crate) fn load_tiles(
        &mut self,
        source: PlaneSource,
        parts: &[TileIndex],
        memory: usize,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.buffers[memory]);
        let of = (&self.subproblems[source.subproblem], 1 - source.mover);
        let mut plane = Plane::of_tiles(&self.partition, of, parts, memory);
        let mut rest = &mut *plane.bytes;
        let mut wanted = Vec::new();
        for &part in parts {
            let bytes = self.partition.tile_bytes(of, part);
            let (piece, others) = rest.split_at_mut(bytes as usize);
            rest = others;
            match self.tile(source, part) {
                Some(tile) if bytes > 0 => wanted.push(TileRead {
                    tile,
                    block_bytes: of.0.block_bytes,
                    bytes,
                    pieces: vec![(0, piece)],
                }),
                _ => piece.fill(0),
            }
        }
        self.tiles.get(wanted).map_err(Error::Store)?;
        Ok(plane)
    }

    /// Rows of a plane, each in one piece.
    pub(crate) fn load_rows(
        &mut self,
        source: PlaneSource,
        rows: &[usize],
        memory: usize,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.buffers[memory]);
        let subproblem = &self.subproblems[source.subproblem];
        let mut plane = Plane::of_rows(subproblem, 1 - source.mover, rows, memory);
        let (tiles, mut pieces) = self.pieces_of_rows(source, rows);
        if pieces.iter().map(|piece| piece.len).sum::<usize>() < plane.len() {
            plane.bytes.fill(0);
        }
        pieces.sort_unstable_by_key(|piece| piece.to);
        let wanted = |&(tile, bytes)| TileRead {
            tile,
            block_bytes: subproblem.block_bytes,
            bytes,
            pieces: Vec::new(),
        };
        let mut wanted: Vec<TileRead<'_>> = tiles.iter().map(wanted).collect();
        let (mut rest, mut end) = (&mut *plane.bytes, 0);
        for RowPiece { to, len, tile, at } in pieces {
            let (piece, others) = rest[to - end..].split_at_mut(len);
            (rest, end) = (others, to + len);
            wanted[tile].pieces.push((at, piece));
        }
        for wanted in &mut wanted {
            wanted.pieces.sort_unstable_by_key(|&(at, _)| at);
        }
        self.tiles.get(wanted).map_err(Error::Store)?;
        Ok(plane)
    }

    /// The tiles that rows are in, with their bytes, and where.
    fn pieces_of_rows(
        &self,
        source: PlaneSource,
        rows: &[usize],
    ) -> (Vec<(Tile, u64)>, Vec<RowPiece>) {
        let subproblem = &self.subproblems[source.subproblem];
        let major = 1 - source.mover;
        let (slices, columns) = (
            self.partition.slices(subproblem, major),
            self.partition.slices(subproblem, 1 - major),
        );
        let sets = &subproblem.canonical_rows[major].sets;
        let row = subproblem.blocks_per_row(1 - major) * subproblem.block_bytes;
        let mut places = vec![None; sets.len()];
        let mut of_slice = vec![false; slices.len()];
        for (n, &row) in rows.iter().enumerate() {
            places[row] = Some(n);
            of_slice[slices.slice_of(sets[row])] = true;
        }
        let (mut tiles, mut pieces) = (Vec::new(), Vec::new());
        for slice in (0..slices.len()).filter(|&slice| of_slice[slice]) {
            for column in 0..columns.len() {
                let Some(tile) = self.tile(source, (slice, column)) else {
                    continue;
                };
                let mut at = 0;
                self.partition.for_each_run(
                    (subproblem, major),
                    (slice, column),
                    &mut |n, pattern, blocks| {
                        let len = blocks as usize * subproblem.block_bytes;
                        if let Some(place) = places[n].filter(|_| len > 0) {
                            let begin = first_block_of_pattern(columns, pattern, sets[n]);
                            pieces.push(RowPiece {
                                to: place * row + begin * subproblem.block_bytes,
                                len,
                                tile: tiles.len(),
                                at,
                            });
                        }
                        at += len as u64;
                    },
                );
                if at > 0 {
                    tiles.push((tile, at));
                }
            }
        }
        (tiles, pieces)
    }

    /// Keeps the memory of a plane for the next one.
    pub(crate) fn recycle(&mut self, memory: usize, plane: Option<Plane>) {
        if let Some(plane) = plane {
            self.buffers[memory] = plane.bytes;
        }
    }

    /// The parts with the same slice of rows.
    pub(crate) fn tiles_of_slice(&self, slice: RowSlice) -> Vec<TileIndex> {
        let columns = self
            .partition
            .slices(&self.subproblems[slice.subproblem], slice.mover);
        let columns = 0..columns.len();
        columns.map(|column| (slice.slice, column)).collect()
    }

    /// Keeps the tiles of a slice with this number, beside those that there were; tells which were.
    fn write_tiles(
        &mut self,
        (number, slice): (usize, RowSlice),
        bytes: &[u8],
    ) -> Result<u32, Error> {
        let before = self.stage.versions[number];
        let now = u32::from(self.current_pass()) << 1 | (!before & 1);
        let of = (&self.subproblems[slice.subproblem], 1 - slice.mover);
        let mut rest = bytes;
        let mut tiles = Vec::new();
        for part in self.tiles_of_slice(slice) {
            let (bytes, others) = rest.split_at(self.partition.tile_bytes(of, part) as usize);
            rest = others;
            if let Some(tile) = tile_of_version(number, part, now).filter(|_| !bytes.is_empty()) {
                tiles.push(TileWrite {
                    tile,
                    block_bytes: of.0.block_bytes,
                    bytes,
                });
            }
        }
        self.tiles.put(tiles).map_err(Error::Store)?;
        self.stage.versions[number] = now;
        Ok(before)
    }

    /// The same of rows that are each in one piece.
    pub(crate) fn write_rows(
        &mut self,
        (number, slice): (usize, RowSlice),
        (plane, rows): (&Plane, &[usize]),
    ) -> Result<u32, Error> {
        let subproblem = &self.subproblems[slice.subproblem];
        let major = 1 - slice.mover;
        let columns = self.partition.slices(subproblem, slice.mover);
        let sets = &subproblem.canonical_rows[major].sets;
        let row = subproblem.blocks_per_row(slice.mover) * subproblem.block_bytes;
        let mut places = vec![0; sets.len()];
        for (n, &row) in rows.iter().enumerate() {
            places[row] = n;
        }
        let mut tiles = std::mem::take(&mut self.buffers[1]);
        tiles.resize(plane.len(), 0);
        let mut rest = &mut tiles[..];
        let parts = self.tiles_of_slice(slice).into_iter().map(|part| {
            let bytes = self.partition.tile_bytes((subproblem, major), part) as usize;
            let (tile, others) = std::mem::take(&mut rest).split_at_mut(bytes);
            rest = others;
            (part, tile)
        });
        let parts: Vec<(TileIndex, &mut [u8])> = parts.collect();
        parts.into_par_iter().for_each(|(part, mut tile)| {
            let of = (subproblem, major);
            self.partition
                .for_each_run(of, part, &mut |n, pattern, blocks| {
                    let len = blocks as usize * subproblem.block_bytes;
                    if len > 0 {
                        let begin = places[n] * row
                            + first_block_of_pattern(columns, pattern, sets[n])
                                * subproblem.block_bytes;
                        let (piece, others) = std::mem::take(&mut tile).split_at_mut(len);
                        piece.copy_from_slice(&plane.bytes[begin..begin + len]);
                        tile = others;
                    }
                });
        });
        let before = self.write_tiles((number, slice), &tiles);
        self.buffers[1] = tiles;
        before
    }

    /// Keeps how far the solve has come, then forgets the tiles that were replaced.
    pub(crate) fn commit(&mut self, replaced: &[ReplacedTiles]) -> Result<(), Error> {
        if replaced.is_empty() {
            return Ok(());
        }
        self.save_stage()?;
        let mut replaced = replaced.iter();
        replaced.try_for_each(|&(slice, before)| self.remove_version(slice, before))
    }

    /// Forgets the tiles of a slice that there were before.
    fn remove_version(
        &mut self,
        (number, slice): (usize, RowSlice),
        before: u32,
    ) -> Result<(), Error> {
        for part in self.tiles_of_slice(slice) {
            if let Some(tile) = tile_of_version(number, part, before) {
                self.tiles.remove(tile).map_err(Error::Store)?;
            }
        }
        Ok(())
    }

    pub(crate) fn save_stage(&mut self) -> Result<(), Error> {
        self.stage.tracked.clone_from(&self.tracked.passes);
        self.tiles.put_stage(&self.stage).map_err(Error::Store)
    }

    /// Forgets all tiles.
    pub(crate) fn remove_all_tiles(&mut self) -> Result<(), Error> {
        let slices = self.slices.clone();
        let found = slices.iter().filter(|slice| slice.mover == 0);
        let all: Vec<(usize, RowSlice)> = slices.iter().chain(found).copied().enumerate().collect();
        for (number, slice) in all {
            for second in [2, 3] {
                self.remove_version((number, slice), second)?;
            }
        }
        Ok(())
    }
}

/// The first block with a pattern in a row of these followers of the other side.
fn first_block_of_pattern(columns: &SetSlices, pattern: u32, other: u32) -> usize {
    let first = columns.first_set(pattern, other);
    set_rank(Portable.extract(first.into(), (!other).into()) as u32)
}

/// The tile of a slice, if it was written.
fn tile_of_version(plane: usize, (row, column): TileIndex, written: u32) -> Option<Tile> {
    (written > 0).then_some(Tile {
        plane: plane as u32,
        part: [row as u16, column as u16],
        second: written & 1 == 1,
    })
}
