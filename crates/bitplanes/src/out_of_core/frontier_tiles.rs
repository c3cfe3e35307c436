//! Frontiers of the last pass, read from its tiles for some rows of the next one.
//!
//! Tiles hold a frontier by the followers of the side that did not move. An incremental pass needs
//! it by the followers of the side that moved, so the blocks are listed in [`Frontier`]s, for as
//! many rows of a slice as there is room for.

use hindsight_engine::Error;
use rayon::prelude::*;

use crate::out_of_core::partition::SetSlices;
use crate::out_of_core::state::{Buffer, OutOfCoreRun, SliceRows};
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

/// Frontiers that the moves of some rows lead to.
pub(crate) struct MoveFrontiers {
    /// Frontier of the same subproblem: targets of quiet moves.
    pub(crate) quiet: Frontier,
    /// Frontier of the subproblem with a follower fewer: targets of captures.
    pub(crate) captured: Option<CapturedFrontier>,
}

/// Frontier of the subproblem after a capture.
pub(crate) struct CapturedFrontier {
    pub(crate) frontier: Frontier,
    pub(crate) subproblem: usize,
}

impl OutOfCoreRun<'_> {
    /// Loads the frontiers for the first rows, and returns the number of these rows.
    ///
    /// Tries fewer rows until their frontiers fit; the frontiers of a single row always do.
    pub(crate) fn load_frontiers(
        &mut self,
        rows: SliceRows<'_>,
        instructions: Instructions,
    ) -> Result<(MoveFrontiers, usize), Error> {
        let mut count = rows.rows.len().min(self.incremental.max_rows);
        loop {
            let max_pages = match count {
                1 => u32::MAX,
                _ => self.incremental.pages,
            };
            let first = SliceRows { rows: &rows.rows[..count], ..rows };
            if let Some(frontiers) = self.load_frontiers_of(first, instructions, max_pages)? {
                return Ok((frontiers, count));
            }
            count = count.div_ceil(2);
            self.incremental.max_rows = count;
        }
    }

    /// Loads the frontiers for all rows; `None` if they need more pages.
    fn load_frontiers_of(
        &mut self,
        SliceRows { slice, rows }: SliceRows<'_>,
        instructions: Instructions,
        max_pages: u32,
    ) -> Result<Option<MoveFrontiers>, Error> {
        let (subproblem, mover) = (slice.subproblem, slice.mover);
        let row_sets = self.shape(slice).row_sets();
        let sets: Vec<u32> = rows.iter().map(|&row| row_sets[row]).collect();
        let source = self.frontier_source(subproblem, mover);
        let Some(quiet) = self.load_frontier(source, &sets, instructions, max_pages)? else {
            return Ok(None);
        };
        let Some(fewer) = after_capture(&self.subproblems, subproblem, mover) else {
            return Ok(Some(MoveFrontiers { quiet, captured: None }));
        };
        let sets_after = |&set: &u32| squares(set).map(move |captured| set & !(1 << captured));
        let fewer_sets: Vec<u32> = sets.iter().flat_map(sets_after).collect();
        let pages = max_pages - quiet.most_pages();
        let source = self.frontier_source(fewer, mover);
        let captured = self.load_frontier(source, &fewer_sets, instructions, pages)?;
        Ok(captured.map(|frontier| MoveFrontiers {
            quiet,
            captured: Some(CapturedFrontier { frontier, subproblem: fewer }),
        }))
    }

    /// Loads the part of a frontier with some follower sets of its mover; `None` if it needs more
    /// pages.
    fn load_frontier(
        &mut self,
        source: PlaneSource,
        sets: &[u32],
        instructions: Instructions,
        max_pages: u32,
    ) -> Result<Option<Frontier>, Error> {
        let subproblem = &self.subproblems[source.subproblem];
        let mover = source.mover;
        let slices = self.partition.slices(subproblem, mover);
        let mut is_wanted = vec![false; subproblem.sets[mover].len() as usize];
        let mut has_wanted = vec![false; slices.len()];
        for &set in sets {
            is_wanted[set_rank(set)] = true;
            has_wanted[slices.slice_of(set)] = true;
        }
        let encoding = Encoding::new(&self.tables, subproblem).expect("positions of four bytes");
        let writer = FrontierWriter::of_some(encoding, &is_wanted, max_pages);
        for column in (0..has_wanted.len()).filter(|&column| has_wanted[column]) {
            if !self.has_any(source) {
                break;
            }
            let plane = self.load_column(source, column)?;
            let subproblem = &self.subproblems[source.subproblem];
            let blocks = FrontierColumn {
                tables: &self.tables,
                subproblem,
                mover,
                plane: &plane,
                slices: self.partition.slices(subproblem, mover),
                column,
                is_wanted: &is_wanted,
                writer: &writer,
            };
            let majors = subproblem.canonical_rows[1 - mover].sets.par_iter();
            majors.for_each(|&major| {
                instructions.dispatch(ListRowKernel { blocks: &blocks, major });
            });
            self.recycle(Buffer::Quiet, Some(plane));
        }
        Ok(writer.finish())
    }
}

/// One slice of the blocks of a frontier's plane, to be listed.
struct FrontierColumn<'a> {
    tables: &'a BoardTables,
    subproblem: &'a Subproblem,
    /// Side that moved.
    mover: usize,
    plane: &'a Plane,
    /// Slices of the mover's follower sets.
    slices: &'a SetSlices,
    /// The slice to be listed.
    column: usize,
    /// True for the mover's follower sets that are to be listed, by set rank.
    is_wanted: &'a [bool],
    writer: &'a FrontierWriter,
}

/// Kernel that lists one row.
struct ListRowKernel<'a> {
    blocks: &'a FrontierColumn<'a>,
    /// Followers of the side that did not move.
    major: u32,
}

impl Kernel for ListRowKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { blocks, major } = self;
        let FrontierColumn { tables, plane, .. } = *blocks;
        let open = tables.board() & !major;
        let observers = Observers { frontier: Some(blocks.writer), observer: None };
        let mut recorder = observers.recorder::<false>(tables, major);
        for &pattern in blocks.slices.patterns(blocks.column) {
            let count = blocks.slices.sets_beside(pattern, major) as usize;
            let first = blocks.slices.first_set(pattern, major);
            let begin = set_rank(simd.extract(first.into(), open.into()) as u32);
            let beside = &blocks.subproblem.sets_beside[blocks.mover];
            for &set in beside.iter().skip(begin).take(count) {
                let own = simd.deposit(set.into(), open.into()) as u32;
                let image = tables.mirror_set(own);
                if !blocks.is_wanted[set_rank(own)] && !blocks.is_wanted[set_rank(image)] {
                    continue;
                }
                let block = plane.block_of_ranked(simd, tables, set_rank(major), [major, own]);
                let block = plane.block(block.number);
                if is_zero(&block[..plane.block_bytes]) {
                    continue;
                }
                let slot = recorder.slot(simd, own);
                let free_squares = open & !own;
                let free = FreeSquares::<S, 32>::new(simd, free_squares);
                for lane in 0..tables.lanes {
                    let packed = &block[lane * plane.lane_bytes..];
                    if is_zero(&packed[..plane.lane_bytes]) {
                        continue;
                    }
                    let mut words = [0; 32];
                    unpack::<S, 32>(simd, packed, &free, &mut words);
                    for line in squares(free_squares) {
                        if words[line] != 0 {
                            recorder.record_line(slot, lane, line, words[line]);
                        }
                    }
                }
            }
        }
    }
}
