//! What a solve by slices reads, and what it keeps.

use hindsight_run::Error;
use rayon::prelude::*;

use crate::out_of_core::partition::{Part, Slices};
use crate::out_of_core::state::{Run, Slice};
use crate::out_of_core::tiles::{Given, Tile, Wanted};
use crate::plane::plane::Plane;
use crate::simd::portable::Portable;
use crate::simd::token::Cpu;
use crate::space::sets::rank;
use crate::space::subproblem::captured;

/// What is read: of a plane, which is of a problem and a side to move, what is known, or what a pass found.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) problem: usize,
    pub(crate) mover: usize,
    pub(crate) found_by: Option<u16>,
}

impl Source {
    pub(crate) fn known(problem: usize, mover: usize) -> Self {
        Self {
            problem,
            mover,
            found_by: None,
        }
    }
}

/// A slice whose tiles were replaced, with its number, and what they were.
pub(crate) type Replaced = ((usize, Slice), u32);

/// The plane that captures lead to.
pub(crate) type Captured = Option<Plane>;

/// A piece of a row that is in a tile.
struct Piece {
    /// Where it is in the rows that are wanted.
    to: usize,
    len: usize,
    /// Which of the tiles, and where in it.
    tile: usize,
    at: u64,
}

impl Run<'_> {
    /// The number of a slice of a plane. What passes with side 0 to move found comes after all others.
    fn number(&self, source: Source, slice: usize) -> usize {
        let Source { problem, mover, .. } = source;
        let slice = Slice {
            problem,
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
    pub(crate) fn tile(&self, source: Source, part: Part) -> Option<Tile> {
        let number = self.number(source, part.0);
        let written = self.stage.written[number];
        let is_new = source
            .found_by
            .is_none_or(|pass| written >> 1 == pass.into());
        tile(number, part, written).filter(|_| is_new)
    }

    /// Whether there is anything in a plane.
    pub(crate) fn has_any(&self, source: Source) -> bool {
        let slices = self
            .cut
            .of(&self.problems[source.problem], 1 - source.mover);
        (0..slices.len()).any(|slice| self.tile(source, (slice, 0)).is_some())
    }

    /// The plane that captures lead to.
    pub(crate) fn captured(&mut self, slice: Slice) -> Result<Captured, Error> {
        let late_wins = self.stage.turned > 0 && slice.mover == 0;
        let fewer = captured(&self.problems, slice.problem, slice.mover);
        let Some(fewer) = fewer.filter(|_| !late_wins) else {
            return Ok(None);
        };
        let columns = self.cut.of(&self.problems[fewer], 1 - slice.mover).len();
        let source = Source::known(fewer, 1 - slice.mover);
        let parts = (0..columns).flat_map(|column| self.column(source, column));
        let parts: Vec<Part> = parts.collect();
        Ok(Some(self.load(source, &parts, 0)?))
    }

    /// The parts with the same slice of blocks.
    pub(crate) fn column(&self, source: Source, column: usize) -> Vec<Part> {
        let rows = self
            .cut
            .of(&self.problems[source.problem], 1 - source.mover);
        (0..rows.len()).map(|row| (row, column)).collect()
    }

    /// Parts of a plane, one after the other.
    pub(crate) fn load(
        &mut self,
        source: Source,
        parts: &[Part],
        memory: usize,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.memory[memory]);
        let of = (&self.problems[source.problem], 1 - source.mover);
        let mut plane = Plane::of_parts(&self.cut, of, parts, memory);
        let mut rest = &mut *plane.bytes;
        let mut wanted = Vec::new();
        for &part in parts {
            let bytes = self.cut.bytes(of, part);
            let (piece, others) = rest.split_at_mut(bytes as usize);
            rest = others;
            match self.tile(source, part) {
                Some(tile) if bytes > 0 => wanted.push(Wanted {
                    tile,
                    stride: of.0.stride,
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
        source: Source,
        rows: &[usize],
        memory: usize,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.memory[memory]);
        let problem = &self.problems[source.problem];
        let mut plane = Plane::of_rows(problem, 1 - source.mover, rows, memory);
        let (tiles, mut pieces) = self.pieces_of_rows(source, rows);
        if pieces.iter().map(|piece| piece.len).sum::<usize>() < plane.len() {
            plane.bytes.fill(0);
        }
        pieces.sort_unstable_by_key(|piece| piece.to);
        let wanted = |&(tile, bytes)| Wanted {
            tile,
            stride: problem.stride,
            bytes,
            pieces: Vec::new(),
        };
        let mut wanted: Vec<Wanted<'_>> = tiles.iter().map(wanted).collect();
        let (mut rest, mut end) = (&mut *plane.bytes, 0);
        for Piece { to, len, tile, at } in pieces {
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
    fn pieces_of_rows(&self, source: Source, rows: &[usize]) -> (Vec<(Tile, u64)>, Vec<Piece>) {
        let problem = &self.problems[source.problem];
        let major = 1 - source.mover;
        let (slices, columns) = (self.cut.of(problem, major), self.cut.of(problem, 1 - major));
        let sets = &problem.kept[major].sets;
        let row = problem.row(1 - major) * problem.stride;
        let mut places = vec![None; sets.len()];
        let mut of_slice = vec![false; slices.len()];
        for (n, &row) in rows.iter().enumerate() {
            places[row] = Some(n);
            of_slice[slices.of(sets[row])] = true;
        }
        let (mut tiles, mut pieces) = (Vec::new(), Vec::new());
        for slice in (0..slices.len()).filter(|&slice| of_slice[slice]) {
            for column in 0..columns.len() {
                let Some(tile) = self.tile(source, (slice, column)) else {
                    continue;
                };
                let mut at = 0;
                self.cut.walk(
                    (problem, major),
                    (slice, column),
                    &mut |n, pattern, blocks| {
                        let len = blocks as usize * problem.stride;
                        if let Some(place) = places[n].filter(|_| len > 0) {
                            let begin = begin(columns, pattern, sets[n]);
                            pieces.push(Piece {
                                to: place * row + begin * problem.stride,
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
    pub(crate) fn give_back(&mut self, memory: usize, plane: Option<Plane>) {
        if let Some(plane) = plane {
            self.memory[memory] = plane.bytes;
        }
    }

    /// The parts with the same slice of rows.
    pub(crate) fn row(&self, slice: Slice) -> Vec<Part> {
        let columns = self.cut.of(&self.problems[slice.problem], slice.mover);
        let columns = 0..columns.len();
        columns.map(|column| (slice.slice, column)).collect()
    }

    /// Keeps the tiles of a slice with this number, beside those that there were; tells which were.
    fn write(&mut self, (number, slice): (usize, Slice), bytes: &[u8]) -> Result<u32, Error> {
        let before = self.stage.written[number];
        let now = u32::from(self.pass()) << 1 | (!before & 1);
        let of = (&self.problems[slice.problem], 1 - slice.mover);
        let mut rest = bytes;
        let mut tiles = Vec::new();
        for part in self.row(slice) {
            let (bytes, others) = rest.split_at(self.cut.bytes(of, part) as usize);
            rest = others;
            if let Some(tile) = tile(number, part, now).filter(|_| !bytes.is_empty()) {
                tiles.push(Given {
                    tile,
                    stride: of.0.stride,
                    bytes,
                });
            }
        }
        self.tiles.put(tiles).map_err(Error::Store)?;
        self.stage.written[number] = now;
        Ok(before)
    }

    /// The same of rows that are each in one piece.
    pub(crate) fn write_rows(
        &mut self,
        (number, slice): (usize, Slice),
        (plane, rows): (&Plane, &[usize]),
    ) -> Result<u32, Error> {
        let problem = &self.problems[slice.problem];
        let major = 1 - slice.mover;
        let columns = self.cut.of(problem, slice.mover);
        let sets = &problem.kept[major].sets;
        let row = problem.row(slice.mover) * problem.stride;
        let mut places = vec![0; sets.len()];
        for (n, &row) in rows.iter().enumerate() {
            places[row] = n;
        }
        let mut tiles = std::mem::take(&mut self.memory[1]);
        tiles.resize(plane.len(), 0);
        let mut rest = &mut tiles[..];
        let parts = self.row(slice).into_iter().map(|part| {
            let bytes = self.cut.bytes((problem, major), part) as usize;
            let (tile, others) = std::mem::take(&mut rest).split_at_mut(bytes);
            rest = others;
            (part, tile)
        });
        let parts: Vec<(Part, &mut [u8])> = parts.collect();
        parts.into_par_iter().for_each(|(part, mut tile)| {
            let of = (problem, major);
            self.cut.walk(of, part, &mut |n, pattern, blocks| {
                let len = blocks as usize * problem.stride;
                if len > 0 {
                    let begin = places[n] * row + begin(columns, pattern, sets[n]) * problem.stride;
                    let (piece, others) = std::mem::take(&mut tile).split_at_mut(len);
                    piece.copy_from_slice(&plane.bytes[begin..begin + len]);
                    tile = others;
                }
            });
        });
        let before = self.write((number, slice), &tiles);
        self.memory[1] = tiles;
        before
    }

    /// Keeps how far the solve has come, then forgets the tiles that were replaced.
    pub(crate) fn replace(&mut self, replaced: &[Replaced]) -> Result<(), Error> {
        if replaced.is_empty() {
            return Ok(());
        }
        self.keep()?;
        let mut replaced = replaced.iter();
        replaced.try_for_each(|&(slice, before)| self.forget(slice, before))
    }

    /// Forgets the tiles of a slice that there were before.
    fn forget(&mut self, (number, slice): (usize, Slice), before: u32) -> Result<(), Error> {
        for part in self.row(slice) {
            if let Some(tile) = tile(number, part, before) {
                self.tiles.remove(tile).map_err(Error::Store)?;
            }
        }
        Ok(())
    }

    pub(crate) fn keep(&mut self) -> Result<(), Error> {
        self.stage.watched.clone_from(&self.watch.passes);
        self.tiles.put_stage(&self.stage).map_err(Error::Store)
    }

    /// Forgets all tiles.
    pub(crate) fn remove_all(&mut self) -> Result<(), Error> {
        let slices = self.slices.clone();
        let found = slices.iter().filter(|slice| slice.mover == 0);
        let all: Vec<(usize, Slice)> = slices.iter().chain(found).copied().enumerate().collect();
        for (number, slice) in all {
            for second in [2, 3] {
                self.forget((number, slice), second)?;
            }
        }
        Ok(())
    }
}

/// The first block with a pattern in a row of these followers of the other side.
fn begin(columns: &Slices, pattern: u32, other: u32) -> usize {
    let first = columns.first(pattern, other);
    rank(Portable.extract(first.into(), (!other).into()) as u32)
}

/// The tile of a slice, if it was written.
fn tile(plane: usize, (row, column): Part, written: u32) -> Option<Tile> {
    (written > 0).then_some(Tile {
        plane: plane as u32,
        part: [row as u16, column as u16],
        second: written & 1 == 1,
    })
}
