//! Passes over problems, handed out row by row to threads.

use hindsight_run::Error;
use rayon::prelude::*;

use crate::pass::incremental::{UnmovePass, UnmoveRow, UnmoveScratch, unmove_row};
use crate::pass::recorder::PositionObserver;
use crate::pass::sweep::{SweepPass, SweepRow, SweepScratch, sweep_row};
use crate::simd::dispatch::Instructions;
use crate::simd::token::{Kernel, Simd};
use crate::space::subproblem::Subproblem;
use crate::thread_scratch::ThreadScratch;

/// Blocks between two looks at the monitor: a second at most.
pub(crate) const BLOCKS_PER_REPORT: usize = 1 << 17;

/// How a pass goes.
pub(crate) struct PassOptions<'a> {
    pub(crate) mover: usize,
    /// Whether it is the first with this side to move.
    pub(crate) first: bool,
    /// Whether it goes by what the last pass found, which was listed.
    pub(crate) incremental: bool,
    /// Whether it lists what it finds.
    pub(crate) records_frontier: bool,
    pub(crate) instructions: Instructions,
    pub(crate) observer: Option<&'a PositionObserver<'a>>,
}

/// Is told from time to time how many positions are new.
pub(crate) type PassReport<'a> = dyn FnMut(u64) -> Result<(), Error> + 'a;

/// Hands on rows, so many at once.
pub(crate) fn in_batches<R>(
    mut rows: impl Iterator<Item = R>,
    few: usize,
    each: &mut dyn FnMut(Vec<R>) -> Result<(), Error>,
) -> Result<(), Error> {
    loop {
        let next: Vec<R> = rows.by_ref().take(few).collect();
        if next.is_empty() {
            return Ok(());
        }
        each(next)?;
    }
}

/// Goes over all rows, so many between two reports.
pub(crate) fn sweep_all<'a>(
    rows: impl Iterator<Item = SweepRow<'a>>,
    at_once: usize,
    (pass, how): (&SweepPass<'_>, &PassOptions<'_>),
    (scratch, subproblems): (&ThreadScratch<Option<SweepScratch>>, &[Subproblem]),
    found: &mut PassReport<'_>,
) -> Result<(), Error> {
    let each = |row| sweep_canonical_row(row, (pass, how), (scratch, subproblems));
    in_batches(rows, at_once, &mut |rows| {
        found(rows.into_par_iter().map(each).sum())
    })
}

/// Goes over a row.
pub(crate) fn sweep_canonical_row(
    row: SweepRow<'_>,
    with: (&SweepPass<'_>, &PassOptions<'_>),
    (scratch, subproblems): (&ThreadScratch<Option<SweepScratch>>, &[Subproblem]),
) -> u64 {
    let tables = with.0.tables;
    let times = tables.orbit_size(row.followers);
    let mut scratch = scratch.own();
    let scratch = scratch.get_or_insert_with(|| SweepScratch::new(tables, subproblems));
    let found = match tables.lines_per_lane() {
        16 => sweep_row_of::<16>(row, with, scratch),
        20 => sweep_row_of::<20>(row, with, scratch),
        _ => sweep_row_of::<32>(row, with, scratch),
    };
    times * found
}

/// The same; `R` is at least the number of squares.
fn sweep_row_of<const R: usize>(
    row: SweepRow<'_>,
    (pass, how): (&SweepPass<'_>, &PassOptions<'_>),
    scratch: &mut SweepScratch,
) -> u64 {
    how.instructions.dispatch(SweepKernel::<R> {
        pass,
        mover: how.mover,
        row,
        scratch,
    })
}

/// To go over a row.
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

/// To go over what was found in a row.
pub(crate) struct UnmoveKernel<'a, 'b> {
    pub(crate) pass: &'a UnmovePass<'b>,
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
