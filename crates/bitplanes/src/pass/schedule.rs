//! Passes over problems, handed out row by row to threads.

use hindsight_run::Error;
use rayon::prelude::*;

use crate::pass::incremental::{Follow, FollowRow, FollowScratch, follow};
use crate::pass::recorder::Found;
use crate::pass::sweep::{Pass, Row, Scratch, go};
use crate::simd::dispatch::Instructions;
use crate::simd::token::{Cpu, Work};
use crate::space::subproblem::Problem;
use crate::thread_scratch::PerThread;

/// Blocks between two looks at the monitor: a second at most.
pub(crate) const BLOCKS_A_REPORT: usize = 1 << 17;

/// How a pass goes.
pub(crate) struct How<'a> {
    pub(crate) mover: usize,
    /// Whether it is the first with this side to move.
    pub(crate) first: bool,
    /// Whether it goes by what the last pass found, which was listed.
    pub(crate) follows: bool,
    /// Whether it lists what it finds.
    pub(crate) lists: bool,
    pub(crate) instructions: Instructions,
    pub(crate) tell: Option<&'a Found<'a>>,
}

/// Is told from time to time how many positions are new.
pub(crate) type Report<'a> = dyn FnMut(u64) -> Result<(), Error> + 'a;

/// Hands on rows, so many at once.
pub(crate) fn each_few<R>(
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
pub(crate) fn go_over_all<'a>(
    rows: impl Iterator<Item = Row<'a>>,
    at_once: usize,
    (pass, how): (&Pass<'_>, &How<'_>),
    (scratch, problems): (&PerThread<Option<Scratch>>, &[Problem]),
    found: &mut Report<'_>,
) -> Result<(), Error> {
    let each = |row| go_over(row, (pass, how), (scratch, problems));
    each_few(rows, at_once, &mut |rows| {
        found(rows.into_par_iter().map(each).sum())
    })
}

/// Goes over a row.
pub(crate) fn go_over(
    row: Row<'_>,
    with: (&Pass<'_>, &How<'_>),
    (scratch, problems): (&PerThread<Option<Scratch>>, &[Problem]),
) -> u64 {
    let frame = with.0.frame;
    let times = frame.stands_for(row.followers);
    let mut scratch = scratch.own();
    let scratch = scratch.get_or_insert_with(|| Scratch::new(frame, problems));
    let found = match frame.rows() {
        16 => go_over_in::<16>(row, with, scratch),
        20 => go_over_in::<20>(row, with, scratch),
        _ => go_over_in::<32>(row, with, scratch),
    };
    times * found
}

/// The same; `R` is at least the number of squares.
fn go_over_in<const R: usize>(
    row: Row<'_>,
    (pass, how): (&Pass<'_>, &How<'_>),
    scratch: &mut Scratch,
) -> u64 {
    how.instructions.run(GoOver::<R> {
        pass,
        mover: how.mover,
        row,
        scratch,
    })
}

/// To go over a row.
struct GoOver<'a, 'b, const R: usize> {
    pass: &'a Pass<'b>,
    mover: usize,
    row: Row<'a>,
    scratch: &'a mut Scratch,
}

impl<const R: usize> Work for GoOver<'_, '_, R> {
    type Done = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        match self.mover {
            0 => go::<C, R, false>(cpu, self.pass, self.row, self.scratch),
            _ => go::<C, R, true>(cpu, self.pass, self.row, self.scratch),
        }
    }
}

/// To go over what was found in a row.
pub(crate) struct GoAfter<'a, 'b> {
    pub(crate) pass: &'a Follow<'b>,
    pub(crate) mover: usize,
    pub(crate) row: FollowRow<'a>,
    pub(crate) scratch: &'a mut FollowScratch,
}

impl Work for GoAfter<'_, '_> {
    type Done = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        match self.mover {
            0 => follow::<C, false>(cpu, self.pass, self.row, self.scratch),
            _ => follow::<C, true>(cpu, self.pass, self.row, self.scratch),
        }
    }
}
