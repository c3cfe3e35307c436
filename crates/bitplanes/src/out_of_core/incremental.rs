//! Incremental passes of an out-of-core solve.
//!
//! Once passes find little, W and L of a subproblem are replaced by one undecided plane, whose
//! mover is side 0. Its exchanged positions are the undecided ones with side 1 to move. A pass
//! takes moves back from the frontier of the last pass, which is kept in tiles as well.
//!
//! Invariant: no undecided position has a move to a lost one, or else the pass over wins before
//! would have decided it. So an undecided position is lost as soon as all its successors are
//! decided.

use hindsight_engine::{Budget, Error};
use rayon::prelude::*;

use crate::out_of_core::frontier_tiles::MoveFrontiers;
use crate::out_of_core::state::{Buffer, OutOfCoreRun, RowSlice, SliceRows};
use crate::out_of_core::tile_io::PlaneSource;
use crate::pass::incremental::{CaptureFrontier, SuccessorPlanes, UnmovePass, UnmoveRow};
use crate::pass::recorder::Observers;
use crate::pass::schedule::{
    BLOCKS_PER_REPORT, PassOptions, PassReport, SweepJob, UnmoveKernel, in_batches,
};
use crate::pass::sweep::{SweepPass, SweepRow};
use crate::plane::complement::{Complement, ComplementMode};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::sets::set_rank;
use crate::space::subproblem::{after_capture, subproblem_of};

/// Bytes that a thread copies at a time.
const COPY_BYTES: usize = 1 << 20;

/// Some rows of a slice, with the frontiers that their moves lead to.
struct RowBatch<'a> {
    slice: RowSlice,
    /// Canonical rows.
    rows: &'a [usize],
    options: &'a PassOptions<'a>,
    frontiers: MoveFrontiers,
}

impl OutOfCoreRun<'_> {
    /// Converts W and L to undecided planes, if the last two passes found little.
    ///
    /// Happens before a pass over losses. Goes on with a conversion that was interrupted.
    pub(crate) fn convert_to_undecided(
        &mut self,
        instructions: Instructions,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        if self.stage.converted == 0 {
            if !self.found_little() {
                return Ok(());
            }
            self.stage.converted = 1;
            self.save_stage()?;
        }
        let slices = self.slices_of_mover(0).into_iter();
        for slice in slices.skip(self.stage.converted as usize - 1) {
            let rows = self.rows(slice);
            let rows = SliceRows { slice, rows: &rows };
            let source = PlaneSource::accumulated(slice.subproblem, 0);
            let mut plane = self.load_rows(source, rows.rows, Buffer::Rows)?;
            let lost = self.load_exchanged(rows, None)?;
            let mode = ComplementMode::RemoveFromBlock;
            self.complement_rows(rows, &mut plane, &lost, instructions, mode);
            self.recycle(Buffer::Quiet, Some(lost));
            let replaced = self.write_rows(rows, &plane)?;
            self.recycle(Buffer::Rows, Some(plane));
            self.stage.converted += 1;
            self.commit(&[replaced])?;
            self.report(budget)?;
        }
        Ok(())
    }

    /// Returns true between a pass over wins and one over losses, if the last two passes found
    /// little.
    fn found_little(&self) -> bool {
        let passes = &self.stage.passes;
        let limit = self.incremental.max_found;
        passes.planes_done == 0
            && !passes.found.len().is_multiple_of(2)
            && matches!(passes.found[..], [.., losses, wins] if losses + wins <= limit)
    }

    /// Canonical rows of a slice, in the order of its tiles.
    pub(crate) fn rows(&self, slice: RowSlice) -> Vec<usize> {
        self.partition.rows(self.shape(slice), slice.slice)
    }

    /// Index of the subproblem with the sides exchanged.
    fn exchanged_subproblem(&self, subproblem: usize) -> usize {
        let [own, other] = self.subproblems[subproblem].followers;
        subproblem_of(&self.subproblems, [other, own])
            .expect("subproblems come with their exchanged ones")
    }

    /// Loads the rows of the exchanged positions: accumulated values, or the frontier of a pass.
    fn load_exchanged(
        &mut self,
        SliceRows { slice, rows }: SliceRows<'_>,
        found_by: Option<u16>,
    ) -> Result<Plane, Error> {
        let source = PlaneSource {
            subproblem: self.exchanged_subproblem(slice.subproblem),
            mover: 1 - slice.mover,
            found_by,
        };
        let sets = self.shape(slice).row_sets();
        let canonical = &self.subproblems[source.subproblem].canonical_rows[slice.mover];
        let exchanged = |&row: &usize| {
            let half_turn = self.tables.half_turn(sets[row]);
            canonical.row_of(set_rank(half_turn)).0
        };
        let rows: Vec<usize> = rows.iter().map(exchanged).collect();
        self.load_rows(source, &rows, Buffer::Quiet)
    }

    /// Complements the blocks of rows by the blocks of their exchanged positions.
    fn complement_rows(
        &self,
        SliceRows { slice, rows }: SliceRows<'_>,
        plane: &mut Plane,
        exchanged: &Plane,
        instructions: Instructions,
        mode: ComplementMode,
    ) {
        let shape = self.shape(slice);
        let (mover, sets) = (slice.mover, shape.row_sets());
        let rows: Vec<(&usize, &mut [u8])> = rows.iter().zip(plane.rows_mut()).collect();
        rows.into_par_iter().for_each(|(&row, blocks)| {
            let major = sets[row];
            let beside = shape.subproblem.sets_beside[mover].iter();
            let blocks = blocks.chunks_exact_mut(shape.subproblem.block_bytes);
            for (&own, block) in beside.zip(blocks) {
                let own =
                    hindsight_core::combinatorics::expand(own.into(), !u64::from(major)) as u32;
                let mut followers = [own, major];
                followers.rotate_right(mover);
                instructions.dispatch(Complement {
                    tables: &self.tables,
                    source: exchanged,
                    followers,
                    block,
                    mode,
                });
            }
        });
    }

    /// Returns true if the frontier of the last pass bears on a slice, or is not known.
    pub(crate) fn has_new_frontier(&self, slice: RowSlice) -> bool {
        let RowSlice { subproblem, mover, .. } = slice;
        if mover == 1 && !self.has_wins_frontier() {
            return true;
        }
        let has = |subproblem| self.has_any(self.frontier_source(subproblem, mover));
        let fewer = after_capture(&self.subproblems, subproblem, mover);
        // New losses are also to be removed from the undecided plane of their exchanged positions.
        has(subproblem)
            || fewer.is_some_and(has)
            || mover == 0 && has(self.exchanged_subproblem(subproblem))
    }

    /// Source of the last pass's frontier in a subproblem, for a pass with this mover.
    pub(crate) fn frontier_source(&self, subproblem: usize, mover: usize) -> PlaneSource {
        PlaneSource { subproblem, mover: 1 - mover, found_by: Some(self.current_pass() - 1) }
    }

    /// Returns true if the last pass over wins wrote a frontier.
    fn has_wins_frontier(&self) -> bool {
        let versions = &self.stage.versions[self.slices.len()..];
        let last = u32::from(self.current_pass()) - 1;
        versions.iter().any(|version| version >> 1 == last)
    }

    /// Makes an incremental pass over a slice, and writes what is new.
    pub(crate) fn incremental_slice(
        &mut self,
        slice: RowSlice,
        options: &PassOptions<'_>,
        captured: Option<&Plane>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let rows = self.rows(slice);
        let rows = SliceRows { slice, rows: &rows };
        match options.mover {
            0 => self.unmove_wins(rows, options, budget),
            _ => self.unmove_losses(rows, options, captured, budget),
        }
    }

    /// Decides wins of side 0: undecided positions with a move to a new loss.
    fn unmove_wins(
        &mut self,
        rows: SliceRows<'_>,
        options: &PassOptions<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let slice = rows.slice;
        let source = PlaneSource::accumulated(slice.subproblem, 0);
        let mut plane = self.load_rows(source, rows.rows, Buffer::Rows)?;
        let losses = self.frontier_source(self.exchanged_subproblem(slice.subproblem), 0);
        if self.has_any(losses) {
            let lost = self.load_exchanged(rows, losses.found_by)?;
            let mode = ComplementMode::RemoveFromBlock;
            self.complement_rows(rows, &mut plane, &lost, options.instructions, mode);
            self.recycle(Buffer::Quiet, Some(lost));
        }
        // The frontier of this pass: the plane before it without the plane after it.
        let mut found = std::mem::take(&mut self.buffers[Buffer::Capture as usize]);
        found.resize(plane.bytes.len(), 0);
        for_each_pair(&mut found, &plane.bytes, |found, plane| *found = *plane);
        let mut new = 0;
        let mut begin = 0;
        while begin < rows.rows.len() {
            let rest = SliceRows { slice, rows: &rows.rows[begin..] };
            let (frontiers, count) = self.load_frontiers(rest, options.instructions)?;
            let mut tally = self.tally(budget);
            let batch = RowBatch { slice, rows: &rest.rows[..count], options, frontiers };
            let blocks = plane.rows_mut().skip(begin);
            let unmoved = self.unmove_rows(&batch, None, blocks, &mut |new| tally.add(new));
            new += tally.found;
            unmoved?;
            begin += count;
        }
        for_each_pair(&mut found, &plane.bytes, |found, left| *found &= !left);
        let mut replaced = vec![self.write_rows(rows, &plane)?];
        self.recycle(Buffer::Rows, Some(plane));
        let found = Plane::of_rows(self.shape(slice), rows.rows, found);
        if new > 0 {
            self.track(slice, &found, true);
            let frontier = SliceRows { slice: self.frontier_slice(slice), ..rows };
            replaced.push(self.write_rows(frontier, &found)?);
        }
        self.recycle(Buffer::Capture, Some(found));
        self.finish_slice(new, &replaced)
    }

    /// Decides losses of side 1: undecided positions whose successors are all won for side 0.
    fn unmove_losses(
        &mut self,
        rows: SliceRows<'_>,
        options: &PassOptions<'_>,
        captured: Option<&Plane>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let slice = rows.slice;
        let undecided = self.load_exchanged(rows, None)?;
        let memory = std::mem::take(&mut self.buffers[Buffer::Rows as usize]);
        let mut plane = Plane::of_rows(self.shape(slice), rows.rows, memory);
        let mode = ComplementMode::Replace;
        self.complement_rows(rows, &mut plane, &undecided, options.instructions, mode);
        self.recycle(Buffer::Quiet, Some(undecided));
        let last = self.stage.passes.found.last().copied().unwrap_or(0);
        let new = if self.has_wins_frontier() && last <= self.incremental.max_wins {
            self.unmove_from_wins(rows, options, captured, &mut plane, budget)?
        } else {
            let successors = PlaneSource::accumulated(slice.subproblem, 0);
            let quiet = self.load_column(successors, slice.slice)?;
            let planes = SuccessorPlanes { quiet: &quiet, captured };
            let mut tally = self.tally(budget);
            let swept =
                self.sweep_undecided(rows, options, planes, &mut plane, &mut |new| tally.add(new));
            let new = tally.found;
            self.recycle(Buffer::Quiet, Some(quiet));
            swept?;
            new
        };
        let mut replaced = Vec::new();
        if new > 0 {
            self.track(slice, &plane, true);
            replaced.push(self.write_rows(rows, &plane)?);
        }
        self.recycle(Buffer::Rows, Some(plane));
        self.finish_slice(new, &replaced)
    }

    /// Leaves in the rows the losses that follow from the frontier of wins; returns their number.
    fn unmove_from_wins(
        &mut self,
        rows: SliceRows<'_>,
        options: &PassOptions<'_>,
        captured: Option<&Plane>,
        plane: &mut Plane,
        budget: &mut Budget<'_>,
    ) -> Result<u64, Error> {
        let slice = rows.slice;
        let successors = PlaneSource::accumulated(slice.subproblem, 0);
        let mut new = 0;
        let mut begin = 0;
        while begin < rows.rows.len() {
            let rest = SliceRows { slice, rows: &rows.rows[begin..] };
            let (frontiers, count) = self.load_frontiers(rest, options.instructions)?;
            let quiet = self.load_column(successors, slice.slice)?;
            let mut tally = self.tally(budget);
            let batch = RowBatch { slice, rows: &rest.rows[..count], options, frontiers };
            let blocks = plane.rows_mut().skip(begin);
            let wins = Some(SuccessorPlanes { quiet: &quiet, captured });
            let unmoved = self.unmove_rows(&batch, wins, blocks, &mut |new| tally.add(new));
            new += tally.found;
            self.recycle(Buffer::Quiet, Some(quiet));
            unmoved?;
            begin += count;
        }
        Ok(new)
    }

    /// Sweeps over undecided positions with side 1 to move; leaves only new losses in the rows.
    fn sweep_undecided(
        &self,
        SliceRows { slice, rows }: SliceRows<'_>,
        options: &PassOptions<'_>,
        successors: SuccessorPlanes<'_>,
        plane: &mut Plane,
        report: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let shape = self.shape(slice);
        let job = SweepJob {
            pass: &SweepPass {
                tables: &self.tables,
                subproblem: shape.subproblem,
                move_lists: self.move_lists_of(shape),
                first: false,
                undecided: true,
                quiet: successors.quiet,
                captured: successors.captured,
                observers: Observers::default(),
            },
            options,
            scratch: &self.scratch,
            subproblems: &self.subproblems,
        };
        let sets = shape.row_sets();
        let sweep = |(&row, blocks): (&usize, &mut [u8])| {
            self.keep_removed(blocks, |blocks| {
                job.sweep_row(SweepRow { followers: sets[row], blocks })
            })
        };
        let batch = BLOCKS_PER_REPORT.div_ceil(shape.blocks_per_row());
        in_batches(rows.iter().zip(plane.rows_mut()), batch, &mut |rows| {
            report(rows.into_par_iter().map(sweep).sum())
        })
    }

    /// Replaces a row by the bits that `remove` clears in it; returns the result of `remove`.
    fn keep_removed(&self, blocks: &mut [u8], remove: impl FnOnce(&mut [u8]) -> u64) -> u64 {
        let mut before = std::mem::take(&mut *self.incremental.before.own());
        before.clear();
        before.extend_from_slice(blocks);
        let count = remove(blocks);
        match count {
            0 => blocks.fill(0),
            _ => {
                for (new, before) in blocks.iter_mut().zip(&before) {
                    *new = before & !*new;
                }
            }
        }
        *self.incremental.before.own() = before;
        count
    }

    /// Takes moves back from frontiers to rows.
    ///
    /// With side 0 to move, the new wins are removed from the rows. With side 1 to move, for which
    /// `wins` is given, only the new losses are left in the rows.
    fn unmove_rows<'b>(
        &self,
        batch: &RowBatch<'_>,
        wins: Option<SuccessorPlanes<'_>>,
        blocks: impl Iterator<Item = &'b mut [u8]>,
        report: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let (shape, mover) = (self.shape(batch.slice), batch.slice.mover);
        let captured = batch.frontiers.captured.as_ref();
        let pass = UnmovePass {
            tables: &self.tables,
            subproblem: shape.subproblem,
            block_after_move: &shape.subproblem.block_after_move(&self.tables, mover),
            quiet: &batch.frontiers.quiet,
            captured: captured.map(|captured| CaptureFrontier {
                frontier: &captured.frontier,
                subproblem: &self.subproblems[captured.subproblem],
            }),
            not_won: wins,
            observers: Observers::default(),
        };
        let unmove = |followers: u32, blocks: &mut [u8]| {
            let row = UnmoveRow { followers, blocks, undecided: None };
            let mut scratch = self.incremental.scratch.own();
            let kernel = UnmoveKernel { pass: &pass, mover, row, scratch: &mut scratch };
            self.tables.orbit_size(followers) * batch.options.instructions.dispatch(kernel)
        };
        let sets = shape.row_sets();
        let unmove_row = |(&row, blocks): (&usize, &mut [u8])| match wins {
            Some(_) => self.keep_removed(blocks, |blocks| unmove(sets[row], blocks)),
            None => unmove(sets[row], blocks),
        };
        let rows_per_report = BLOCKS_PER_REPORT.div_ceil(shape.blocks_per_row());
        in_batches(batch.rows.iter().zip(blocks), rows_per_report, &mut |rows| {
            report(rows.into_par_iter().map(unmove_row).sum())
        })
    }
}

/// Calls `act` with each pair of bytes, on all threads.
fn for_each_pair(bytes: &mut [u8], others: &[u8], act: impl Fn(&mut u8, &u8) + Sync) {
    let chunks = bytes.par_chunks_mut(COPY_BYTES);
    let chunks = chunks.zip(others.par_chunks(COPY_BYTES));
    chunks.for_each(|(bytes, others)| {
        for (byte, other) in bytes.iter_mut().zip(others) {
            act(byte, other);
        }
    });
}
