//! Rows handed out to threads, and kernels entered for each row.

use hindsight_engine::Error;
use rayon::prelude::*;

use crate::decided::new_bits::{DecidedRow, RowObserver};
use crate::pass::incremental::{UnmovePass, UnmoveRow, UnmoveScratch, unmove_row};
use crate::pass::sweep::{SweepPass, SweepRow, SweepScratch, sweep_row};
use crate::simd::dispatch::Instructions;
use crate::simd::token::{Kernel, Simd};
use crate::space::sets::set_rank;
use crate::space::subproblem::Subproblem;
use crate::thread_scratch::ThreadScratch;

/// Blocks between two reports: a second at most.
pub(crate) const BLOCKS_PER_REPORT: usize = 1 << 17;

/// Options of a pass over all subproblems.
pub(crate) struct PassOptions<'a> {
    /// Side to move, 0 or 1.
    pub(crate) mover: usize,
    /// True for the first pass with this side to move.
    pub(crate) first: bool,
    /// True if moves are taken back from the last pass's frontier; else the pass sweeps.
    pub(crate) incremental: bool,
    /// True if the pass records its frontier.
    pub(crate) records_frontier: bool,
    /// Instruction set to use.
    pub(crate) instructions: Instructions,
    /// Called with each row in which the pass decides positions.
    pub(crate) observer: Option<&'a RowObserver<'a>>,
}

/// Called from time to time with the number of positions decided since the last call.
pub(crate) type PassReport<'a> = dyn FnMut(u64) -> Result<(), Error> + 'a;

/// Collects items in batches of `len`, the last one shorter, and calls `act` with each batch.
///
/// # Errors
/// The first error of `act`, which ends the loop.
pub(crate) fn in_batches<T>(
    mut items: impl Iterator<Item = T>,
    len: usize,
    act: &mut dyn FnMut(Vec<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    loop {
        let batch: Vec<T> = items.by_ref().take(len).collect();
        if batch.is_empty() {
            return Ok(());
        }
        act(batch)?;
    }
}

/// A sweep over rows of one plane.
#[derive(Clone, Copy)]
pub(crate) struct SweepJob<'a> {
    /// Planes that the sweep reads.
    pub(crate) pass: &'a SweepPass<'a>,
    pub(crate) options: &'a PassOptions<'a>,
    /// Scratch of each thread, made when it is first used.
    pub(crate) scratch: &'a ThreadScratch<Option<SweepScratch>>,
    /// All subproblems, which determine the size of the scratch.
    pub(crate) subproblems: &'a [Subproblem],
}

impl SweepJob<'_> {
    /// Sweeps over rows on all threads, and reports after each batch of `rows_per_report` rows.
    pub(crate) fn sweep_all<'r>(
        &self,
        rows: impl Iterator<Item = SweepRow<'r>>,
        rows_per_report: usize,
        report: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        in_batches(rows, rows_per_report, &mut |rows| {
            let found = rows.into_par_iter().map(|row| self.sweep_row(row));
            report(found.sum())
        })
    }

    /// Sweeps over a canonical row; returns the number of positions decided, mirror images
    /// included.
    pub(crate) fn sweep_row(&self, row: SweepRow<'_>) -> u64 {
        let tables = self.pass.tables;
        let orbit_size = tables.orbit_size(row.followers);
        let mut scratch = self.scratch.own();
        let scratch = scratch.get_or_insert_with(|| SweepScratch::new(tables, self.subproblems));
        let set = set_rank(row.followers);
        let found = match tables.lines_per_lane() {
            16 => self.dispatch::<16>(row, scratch),
            20 => self.dispatch::<20>(row, scratch),
            _ => self.dispatch::<32>(row, scratch),
        };
        if let (Some(observer), true) = (self.pass.observers.observer, found > 0) {
            let rows = &self.pass.subproblem.canonical_rows[1 - self.options.mover];
            observer(DecidedRow { row: rows.row_of(set).0, new: scratch.new_bits.bytes() });
        }
        orbit_size * found
    }

    /// Enters the kernel for lanes of `R` lines.
    fn dispatch<const R: usize>(&self, row: SweepRow<'_>, scratch: &mut SweepScratch) -> u64 {
        self.options.instructions.dispatch(SweepKernel::<R> {
            pass: self.pass,
            mover: self.options.mover,
            row,
            scratch,
        })
    }
}

/// Kernel that sweeps over a row. `R` is
/// [`crate::space::board_tables::BoardTables::lines_per_lane`].
struct SweepKernel<'a, 'b, const R: usize> {
    pass: &'a SweepPass<'b>,
    mover: usize,
    row: SweepRow<'a>,
    scratch: &'a mut SweepScratch,
}

impl<const R: usize> Kernel for SweepKernel<'_, '_, R> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        match self.mover {
            0 => sweep_row::<S, R, false>(simd, self.pass, self.row, self.scratch),
            _ => sweep_row::<S, R, true>(simd, self.pass, self.row, self.scratch),
        }
    }
}

/// Kernel that takes moves back to a row; returns the number of positions decided in it.
pub(crate) struct UnmoveKernel<'a, 'b> {
    /// Frontiers and planes that the pass reads.
    pub(crate) pass: &'a UnmovePass<'b>,
    /// Side to move, 0 or 1.
    pub(crate) mover: usize,
    pub(crate) row: UnmoveRow<'a>,
    pub(crate) scratch: &'a mut UnmoveScratch,
}

impl Kernel for UnmoveKernel<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        match self.mover {
            0 => unmove_row::<S, false>(simd, self.pass, self.row, self.scratch),
            _ => unmove_row::<S, true>(simd, self.pass, self.row, self.scratch),
        }
    }
}
