//! Lists of what the last pass found, made of its tiles: positions with the same followers of the mover together (`news.rs`), for
//! as many rows of a slice as there is room for.

use hindsight_run::Error;
use rayon::prelude::*;

use crate::out_of_core::partition::SetSlices;
use crate::out_of_core::state::{OutOfCoreRun, RowSlice};
use crate::out_of_core::tile_io::PlaneSource;
use crate::pass::frontier::{Encoding, Frontier, FrontierWriter};
use crate::pass::recorder::Observers;
use crate::plane::packing::{FreeSquares, is_zero, unpack};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::simd::token::{Kernel, Simd};
use crate::space::board_tables::BoardTables;
use crate::space::sets::{set_rank, squares};
use crate::space::subproblem::{Subproblem, after_capture};

/// What the last pass found where moves lead that capture nothing, and where captures lead.
pub(crate) type MoveFrontiers = (Frontier, Option<(Frontier, usize)>);

impl OutOfCoreRun<'_> {
    /// What the last pass found where moves of the first of some rows lead, and of how many of them: as many as there is room for.
    pub(crate) fn load_frontiers(
        &mut self,
        slice: RowSlice,
        rows: &[usize],
        instructions: Instructions,
    ) -> Result<(MoveFrontiers, usize), Error> {
        let mut count = rows.len().min(self.incremental.max_rows);
        loop {
            // One row alone takes what it takes.
            let room = if count == 1 {
                u32::MAX
            } else {
                self.incremental.pages
            };
            if let Some(lists) =
                self.load_frontiers_of(slice, &rows[..count], (instructions, room))?
            {
                return Ok((lists, count));
            }
            count = count.div_ceil(2);
            self.incremental.max_rows = count;
        }
    }

    /// The same of all rows, if there is room for it.
    fn load_frontiers_of(
        &mut self,
        slice: RowSlice,
        rows: &[usize],
        (instructions, room): (Instructions, u32),
    ) -> Result<Option<MoveFrontiers>, Error> {
        let RowSlice {
            subproblem, mover, ..
        } = slice;
        let sets = &self.subproblems[subproblem].canonical_rows[1 - mover].sets;
        let sets: Vec<u32> = rows.iter().map(|&row| sets[row]).collect();
        let inside = self.frontier_source(subproblem, mover);
        let Some(inside) = self.load_frontier(inside, &sets, (instructions, room))? else {
            return Ok(None);
        };
        let Some(fewer) = after_capture(&self.subproblems, subproblem, mover) else {
            return Ok(Some((inside, None)));
        };
        let left = |&set: &u32| squares(set).map(move |at| set & !(1 << at));
        let left: Vec<u32> = sets.iter().flat_map(left).collect();
        let room = room - inside.most_pages();
        let listed = self.load_frontier(
            self.frontier_source(fewer, mover),
            &left,
            (instructions, room),
        )?;
        Ok(listed.map(|listed| (inside, Some((listed, fewer)))))
    }

    /// What a pass found with some sets of the mover's followers, if there is room for it.
    fn load_frontier(
        &mut self,
        source: PlaneSource,
        sets: &[u32],
        (instructions, room): (Instructions, u32),
    ) -> Result<Option<Frontier>, Error> {
        let subproblem = &self.subproblems[source.subproblem];
        let side = source.mover;
        let slices = self.partition.slices(subproblem, side);
        let mut wanted = vec![false; subproblem.sets[side].len() as usize];
        let mut columns = vec![false; slices.len()];
        for &set in sets {
            wanted[set_rank(set)] = true;
            columns[slices.slice_of(set)] = true;
        }
        let form = Encoding::new(&self.tables, subproblem).expect("positions of four bytes");
        let writers = FrontierWriter::of_some(form, &wanted, room);
        for column in (0..columns.len()).filter(|&column| columns[column]) {
            if !self.has_any(source) {
                break;
            }
            let parts = self.tiles_of_column(source, column);
            let plane = self.load_tiles(source, &parts, 1)?;
            let subproblem = &self.subproblems[source.subproblem];
            let of = TileColumn {
                tables: &self.tables,
                subproblem,
                side,
                plane: &plane,
                slices: self.partition.slices(subproblem, side),
                column,
                wanted: &wanted,
                writers: &writers,
            };
            let majors = subproblem.canonical_rows[1 - side].sets.par_iter();
            majors.for_each(|&major| instructions.dispatch(ListRowKernel { of: &of, major }));
            self.recycle(1, Some(plane));
        }
        Ok(writers.finish())
    }
}

/// A slice of the blocks of a plane, to be listed.
struct TileColumn<'a> {
    tables: &'a BoardTables,
    subproblem: &'a Subproblem,
    /// Which moved.
    side: usize,
    plane: &'a Plane,
    /// Of its followers.
    slices: &'a SetSlices,
    column: usize,
    /// Sets of them, by number.
    wanted: &'a [bool],
    writers: &'a FrontierWriter,
}

/// To list a row of it.
struct ListRowKernel<'a> {
    of: &'a TileColumn<'a>,
    /// The other side's followers.
    major: u32,
}

impl Kernel for ListRowKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { of, major } = self;
        let outside = of.tables.board() & !major;
        let observers = Observers {
            frontier: Some(of.writers),
            observer: None,
        };
        let mut recorder = observers.recorder::<false>(of.tables, major);
        for &pattern in of.slices.patterns(of.column) {
            let count = of.slices.sets_beside(pattern, major) as usize;
            let first = of.slices.first_set(pattern, major);
            let begin = set_rank(simd.extract(first.into(), outside.into()) as u32);
            let beside = &of.subproblem.sets_beside[of.side];
            for &set in beside.iter().skip(begin).take(count) {
                let own = simd.deposit(set.into(), outside.into()) as u32;
                let image = of.tables.mirror_set(own);
                if !of.wanted[set_rank(own)] && !of.wanted[set_rank(image)] {
                    continue;
                }
                let place = of
                    .plane
                    .block_in_row(simd, of.tables, set_rank(major), [major, own]);
                let block = of.plane.block(place.number);
                if is_zero(&block[..of.plane.block_bytes]) {
                    continue;
                }
                let spot = recorder.slot(simd, own);
                let free_squares = outside & !own;
                let free = FreeSquares::<S, 32>::new(simd, free_squares);
                for lane in 0..of.tables.lanes {
                    let packed = &block[lane * of.plane.lane_bytes..];
                    if is_zero(&packed[..of.plane.lane_bytes]) {
                        continue;
                    }
                    let mut words = [0; 32];
                    unpack::<S, 32>(simd, packed, &free, &mut words);
                    for row in squares(free_squares) {
                        if words[row] != 0 {
                            recorder.record_line(spot, own, lane, row, words[row]);
                        }
                    }
                }
            }
        }
    }
}
