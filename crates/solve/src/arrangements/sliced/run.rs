//! A solve by slices, pass by pass.

use game::{Arranged, Arrangements, Value};

use super::super::Instructions;
use super::super::notes::Listeners;
use super::super::pass::{Blocks, Pass, Row, Scratch};
use super::super::plane::Plane;
use super::super::rows::{BLOCKS_A_REPORT, How, captured, go_over_all};
use super::super::run::{outcome, value_of};
use super::super::shape::{Frame, Problem, Rearranged};
use super::super::slices::{Cut, Part};
use super::super::threads::PerThread;
use super::watch::Watch;
use super::{SlicedPlan, SlicedStage, SlicedTerms, Tile, Tiles};
use crate::limits;
use crate::tiered::Outcome;
use crate::{Error, Progress};

/// A solve on its way.
struct Run<'a> {
    frame: Frame,
    problems: Vec<Problem>,
    rearranged: [Vec<Vec<Rearranged>>; 2],
    cut: Cut,
    scratch: PerThread<Option<Scratch>>,
    tiles: &'a mut dyn Tiles,
    stage: SlicedStage,
    watch: Watch,
    positions: u64,
    /// Of these, so far.
    decided: u64,
    /// Memory of the plane that captures lead to, of what moves lead to, and of what a pass goes over.
    memory: [Vec<u8>; 3],
}

/// A slice of the rows of a plane.
#[derive(Clone, Copy)]
struct Slice {
    problem: usize,
    mover: usize,
    slice: usize,
}

/// The plane that captures lead to.
type Captured = Option<Plane>;

pub(super) fn run<G: Arrangements>(
    game: &G,
    plan: SlicedPlan,
    terms: SlicedTerms<'_>,
    watched: impl Iterator<Item = Arranged>,
) -> Result<(Outcome, Vec<Option<Value>>), Error> {
    let SlicedPlan { plan, cut, .. } = plan;
    let positions = plan.positions();
    let room = plan.room(&cut);
    let rearranged = plan.rearranged();
    let start = game.arranged(game.start());
    let watched = start.into_iter().chain(watched);
    let watch = Watch::new((&plan.frame, &plan.problems, &cut), watched);
    let with_room = |bytes: u64| Vec::with_capacity(bytes as usize);
    let mut run = Run {
        scratch: PerThread::new(|| None),
        tiles: terms.tiles,
        stage: SlicedStage::default(),
        decided: 0,
        memory: [room.captured, room.inside, room.rows].map(with_room),
        frame: plan.frame,
        problems: plan.problems,
        rearranged,
        cut,
        watch,
        positions,
    };
    run.resume()?;
    let mut clock = limits::Watch::new(terms.limits, terms.monitor);
    run.passes(terms.instructions, &mut clock)?;
    let start_pass = run.watch.passes.first().copied();
    let start_pass = start_pass.filter(|&pass| start.is_some() && pass > 0);
    let (_, found) = run.stage.stage.found.split_last().expect("passes");
    let outcome = outcome(positions, found, start_pass);
    let value = |&pass: &u16| (pass > 0).then(|| value_of(usize::from(pass)));
    let watched = run.watch.passes.iter().skip(usize::from(start.is_some()));
    let values = watched.map(value).collect();
    run.remove_all()?;
    Ok((outcome, values))
}

impl Run<'_> {
    /// Takes up what was kept.
    fn resume(&mut self) -> Result<(), Error> {
        let slices = self.slices();
        let Some(stage) = self.tiles.stage().map_err(Error::Store)? else {
            self.stage = SlicedStage {
                slices: self.cut.count,
                written: vec![0; slices.len()],
                ..SlicedStage::default()
            };
            // So that it can be told apart from a solve in memory.
            return self.keep();
        };
        let decided = stage.stage.decided(self.positions);
        let fits = stage.slices == self.cut.count
            && stage.written.len() == slices.len()
            && stage.watched.len() == self.watch.passes.len();
        let Some(decided) = decided.filter(|_| fits) else {
            let what = "what was kept is of another game, or was begun with other memory or another sample";
            return Err(Error::Store(what.into()));
        };
        self.decided = decided;
        self.watch.passes.clone_from(&stage.watched);
        self.stage = stage;
        Ok(())
    }

    /// All slices of all planes: those of a pass with side 0 to move first.
    fn slices(&self) -> Vec<Slice> {
        let mut slices = Vec::new();
        for mover in 0..2 {
            for (problem, of) in self.problems.iter().enumerate() {
                let count = self.cut.of(of, 1 - mover).len();
                slices.extend((0..count).map(|slice| Slice {
                    problem,
                    mover,
                    slice,
                }));
            }
        }
        slices
    }

    /// Makes passes until one finds nothing.
    fn passes(
        &mut self,
        instructions: Instructions,
        clock: &mut limits::Watch<'_>,
    ) -> Result<(), Error> {
        let slices = self.slices();
        // The last pass found nothing.
        while self.stage.stage.found.last() != Some(&0) {
            let pass = self.stage.stage.found.len() as u16 + 1;
            let mover = 1 - usize::from(pass) % 2;
            let of_pass: Vec<(usize, Slice)> = slices.iter().copied().enumerate().collect();
            let of_pass = of_pass
                .into_iter()
                .filter(|(_, slice)| slice.mover == mover);
            let how = How {
                mover,
                first: pass <= 2,
                follows: false,
                lists: false,
                instructions,
                tell: None,
            };
            let mut captured: Option<(usize, Captured)> = None;
            for (number, slice) in of_pass.skip(self.stage.stage.planes as usize) {
                if !how.first && !self.has_news(&slices, slice, pass) {
                    self.stage.stage.planes += 1;
                    continue;
                }
                let loaded = match captured.take() {
                    Some((problem, loaded)) if problem == slice.problem => loaded,
                    other => {
                        self.give_back(0, other.and_then(|(_, plane)| plane));
                        self.captured(&slices, slice)?
                    }
                };
                self.slice(&slices, (number, slice), &how, loaded.as_ref(), clock)?;
                captured = Some((slice.problem, loaded));
            }
            self.give_back(0, captured.and_then(|(_, plane)| plane));
            self.stage.stage.planes = 0;
            let found = std::mem::take(&mut self.stage.stage.partly);
            self.stage.stage.found.push(found);
            self.keep()?;
        }
        Ok(())
    }

    /// Whether the last pass wrote anything of what a slice leads to.
    fn has_news(&self, slices: &[Slice], slice: Slice, pass: u16) -> bool {
        let fewer = captured(&self.problems, slice.problem, slice.mover);
        let leads = |to: &Slice| {
            to.mover != slice.mover && (to.problem == slice.problem || Some(to.problem) == fewer)
        };
        let mut written = slices.iter().zip(&self.stage.written);
        written.any(|(to, &written)| leads(to) && written >> 1 == u32::from(pass) - 1)
    }

    /// The plane that captures lead to.
    fn captured(&mut self, slices: &[Slice], slice: Slice) -> Result<Captured, Error> {
        let Some(fewer) = captured(&self.problems, slice.problem, slice.mover) else {
            return Ok(None);
        };
        let of = |side: usize| self.cut.of(&self.problems[fewer], side).len();
        let (rows, columns) = (of(slice.mover), of(1 - slice.mover));
        let parts = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
        let parts: Vec<Part> = parts.collect();
        let plane = self.load(slices, (fewer, 1 - slice.mover), &parts, 0)?;
        Ok(Some(plane))
    }

    /// Parts of a plane, which is of a problem and a side to move.
    fn load(
        &mut self,
        slices: &[Slice],
        (problem, mover): (usize, usize),
        parts: &[Part],
        memory: usize,
    ) -> Result<Plane, Error> {
        let memory = std::mem::take(&mut self.memory[memory]);
        let of = (&self.problems[problem], 1 - mover);
        let mut plane = Plane::of_parts(&self.cut, of, parts, memory);
        let mut rest = &mut *plane.bytes;
        let mut wanted = Vec::new();
        for &part in parts {
            let (bytes, others) = rest.split_at_mut(self.cut.bytes(of, part) as usize);
            rest = others;
            let is_rows = |slice: &Slice| {
                (slice.problem, slice.mover, slice.slice) == (problem, mover, part.0)
            };
            let number = slices.iter().position(is_rows).expect("a slice");
            match tile(number, part, self.stage.written[number]) {
                Some(tile) if !bytes.is_empty() => wanted.push((tile, bytes)),
                _ => bytes.fill(0),
            }
        }
        self.tiles.get(wanted).map_err(Error::Store)?;
        Ok(plane)
    }

    /// Keeps the memory of a plane for the next one.
    fn give_back(&mut self, memory: usize, plane: Option<Plane>) {
        if let Some(plane) = plane {
            self.memory[memory] = plane.bytes;
        }
    }

    /// Goes over a slice, and keeps what is new.
    fn slice(
        &mut self,
        slices: &[Slice],
        (number, slice): (usize, Slice),
        how: &How<'_>,
        captured: Option<&Plane>,
        clock: &mut limits::Watch<'_>,
    ) -> Result<(), Error> {
        let Slice { problem, mover, .. } = slice;
        let count = |side: usize| self.cut.of(&self.problems[problem], side).len();
        let columns = (0..count(mover)).map(|row| (row, slice.slice));
        let rows = (0..count(mover)).map(|column| (slice.slice, column));
        let (columns, rows): (Vec<Part>, Vec<Part>) = (columns.collect(), rows.collect());
        let inside = self.load(slices, (problem, 1 - mover), &columns, 1)?;
        let mut plane = self.load(slices, (problem, mover), &rows, 2)?;
        let (before, positions) = (self.decided, self.positions);
        let mut found = 0;
        let mut report = |new: u64| {
            found += new;
            let progress = Progress {
                phase: "solving",
                done: before + found,
                total: Some(positions),
            };
            clock.check(progress, before + found, 0, 0)
        };
        let of = &self.problems[problem];
        let pass = Pass {
            frame: &self.frame,
            problem: of,
            rearranged: &self.rearranged[mover][of.followers[mover] as usize],
            first: how.first,
            undecided: false,
            inside: &inside,
            captured,
            listeners: Listeners::default(),
        };
        let pieces = self.pieces((problem, mover), &rows, &mut plane.bytes);
        let at_once = BLOCKS_A_REPORT.div_ceil(of.row(mover));
        let with = (&self.scratch, &self.problems[..]);
        let gone = go_over_all(pieces.into_iter(), at_once, (&pass, how), with, &mut report);
        self.give_back(1, Some(inside));
        gone?;
        let stage = &mut self.stage.stage;
        let pass = stage.found.len() as u16 + 1;
        stage.planes += 1;
        stage.partly += found;
        self.decided += found;
        if found > 0 || how.first {
            self.watch
                .note(&self.frame, &plane, (problem, mover, slice.slice), pass);
            self.put((number, slice), &rows, &plane, pass)?;
        }
        self.give_back(2, Some(plane));
        Ok(())
    }

    /// The rows of a slice, each in pieces.
    fn pieces<'b>(
        &self,
        (problem, mover): (usize, usize),
        parts: &[Part],
        mut bytes: &'b mut [u8],
    ) -> Vec<Row<'b>> {
        let of = &self.problems[problem];
        let sets = &of.kept[1 - mover].sets;
        let mut pieces: Vec<Vec<(u32, &mut [u8])>> = Vec::new();
        pieces.resize_with(sets.len(), Vec::new);
        for &part in parts {
            self.cut
                .walk((of, 1 - mover), part, &mut |row, pattern, blocks| {
                    let len = blocks as usize * of.stride;
                    let (piece, rest) = std::mem::take(&mut bytes).split_at_mut(len);
                    bytes = rest;
                    if len > 0 {
                        pieces[row].push((pattern, piece));
                    }
                });
        }
        let rows = pieces.into_iter().zip(sets);
        rows.filter(|(pieces, _)| !pieces.is_empty())
            .map(|(mut pieces, &followers)| {
                pieces.sort_unstable_by_key(|&(pattern, _)| pattern);
                let pieces = pieces.into_iter().map(|(_, piece)| piece);
                Row {
                    followers,
                    blocks: Blocks::Pieces(pieces.collect()),
                }
            })
            .collect()
    }

    /// Keeps the tiles of a slice and that they are done, then forgets what they were before.
    fn put(
        &mut self,
        (number, slice): (usize, Slice),
        parts: &[Part],
        plane: &Plane,
        pass: u16,
    ) -> Result<(), Error> {
        let before = self.stage.written[number];
        let now = u32::from(pass) << 1 | (!before & 1);
        let of = (&self.problems[slice.problem], 1 - slice.mover);
        let mut rest = &*plane.bytes;
        let tiles = parts.iter().filter_map(|&part| {
            let (bytes, others) = rest.split_at(self.cut.bytes(of, part) as usize);
            rest = others;
            let tile = tile(number, part, now).filter(|_| !bytes.is_empty());
            tile.map(|tile| (tile, bytes))
        });
        self.tiles.put(tiles.collect()).map_err(Error::Store)?;
        self.stage.written[number] = now;
        self.keep()?;
        for &part in parts {
            if let Some(tile) = tile(number, part, before) {
                self.tiles.remove(tile).map_err(Error::Store)?;
            }
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), Error> {
        self.stage.watched.clone_from(&self.watch.passes);
        self.tiles.put_stage(&self.stage).map_err(Error::Store)
    }

    /// Forgets all tiles.
    fn remove_all(&mut self) -> Result<(), Error> {
        for (number, slice) in self.slices().into_iter().enumerate() {
            let of = &self.problems[slice.problem];
            for column in 0..self.cut.of(of, slice.mover).len() {
                for second in [2, 3] {
                    if let Some(tile) = tile(number, (slice.slice, column), second) {
                        self.tiles.remove(tile).map_err(Error::Store)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The tile of a slice, if it was written.
fn tile(plane: usize, (row, column): Part, written: u32) -> Option<Tile> {
    (written > 0).then_some(Tile {
        plane: plane as u32,
        part: [row as u16, column as u16],
        second: written & 1 == 1,
    })
}
