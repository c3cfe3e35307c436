//! Passes over problems, handed out row by row to threads.

use rayon::prelude::*;

use super::cpu::{Cpu, Instructions, Work};
use super::follow::{Follow, FollowRow, FollowScratch, follow};
use super::news::{Form, Listed, Writers};
use super::notes::{Found, Listeners};
use super::pass::{self, Pass, Row, Scratch};
use super::shape::Problem;
use super::threads::PerThread;
use super::{Error, Planes, problem_of};

/// Blocks between two looks at the monitor: a second at most.
pub(super) const BLOCKS_A_REPORT: usize = 1 << 17;

/// How a pass goes.
pub(super) struct How<'a> {
    pub(super) mover: usize,
    /// Whether it is the first with this side to move.
    pub(super) first: bool,
    /// Whether it goes by what the last pass found, which was listed.
    pub(super) follows: bool,
    /// Whether it lists what it finds.
    pub(super) lists: bool,
    pub(super) instructions: Instructions,
    pub(super) tell: Option<&'a Found<'a>>,
}

/// Is told from time to time how many positions are new.
pub(super) type Report<'a> = dyn FnMut(u64) -> Result<(), Error> + 'a;

impl Planes {
    /// One pass over the positions of a problem with a side to move.
    pub(super) fn pass(
        &mut self,
        i: usize,
        how: &How<'_>,
        found: &mut Report<'_>,
    ) -> Result<(), Error> {
        let problem = &self.problems[i];
        let form = Form::new(&self.frame, problem);
        let sets = problem.sets[how.mover].len() as usize;
        let lists = form.filter(|_| how.lists && self.room > 0);
        let news = lists.map(|form| Writers::new(form, sets, self.room));
        let listeners = Listeners {
            news: news.as_ref(),
            found: how.tell,
        };
        if how.follows {
            self.follow(i, how, listeners, found)?;
        } else {
            self.go_over(i, how, listeners, found)?;
        }
        let listed = news.and_then(Writers::finish);
        if listed.is_none() {
            // With a part of what a pass found the next one cannot go on.
            self.room = 0;
        }
        self.room -= listed.as_ref().map_or(0, Listed::most_pages);
        self.news[how.mover][i] = listed;
        Ok(())
    }

    /// A pass over all positions.
    fn go_over(
        &mut self,
        i: usize,
        how: &How<'_>,
        listeners: Listeners<'_>,
        found: &mut Report<'_>,
    ) -> Result<(), Error> {
        let How { mover, first, .. } = *how;
        let captured = captured(&self.problems, i, mover);
        let problem = &self.problems[i];
        let [wins, losses] = &mut self.planes;
        let (plane, others) = match mover {
            0 => (&mut wins[i], &*losses),
            _ => (&mut losses[i], &*wins),
        };
        let pass = Pass {
            frame: &self.frame,
            problem,
            rearranged: &self.rearranged[mover][problem.followers[mover] as usize],
            first,
            undecided: self.undecided,
            inside: &others[i],
            captured: captured.map(|i| &others[i]),
            listeners,
        };
        let sets = problem.kept[1 - mover].sets.iter();
        let at_once = BLOCKS_A_REPORT.div_ceil(plane.row);
        let rows = sets
            .zip(plane.rows_mut())
            .map(|(&followers, blocks)| Row { followers, blocks });
        let with = (&self.scratch, &self.problems[..]);
        go_over_all(rows, at_once, (&pass, how), with, found)
    }

    /// A pass by what the last one found.
    fn follow(
        &mut self,
        i: usize,
        how: &How<'_>,
        listeners: Listeners<'_>,
        found: &mut Report<'_>,
    ) -> Result<(), Error> {
        let How { mover, .. } = *how;
        let captured = captured(&self.problems, i, mover);
        let problem = &self.problems[i];
        let [own, other] = problem.followers;
        let twin = self.problem([other, own]);
        let twin = twin.expect("problems come with their mirror images");
        let news = &self.news[1 - mover];
        let listed = |i: usize| news[i].as_ref().expect("what the last pass found");
        let [wins, losses] = &mut self.planes;
        let frame = &self.frame;
        let (plane, wins, mut undecided) = match mover {
            0 => (
                &mut wins[i],
                None,
                losses[twin].rows_mut().map(Some).collect(),
            ),
            _ => {
                let fewer = captured.map(|fewer| &wins[fewer]);
                (&mut losses[i], Some((&wins[i], fewer)), Vec::new())
            }
        };
        let pass = Follow {
            frame,
            problem,
            moved: &self.moved[mover][i],
            inside: listed(i),
            captured: captured.map(|i| (listed(i), &self.problems[i])),
            wins,
            listeners,
        };
        let scratch = PerThread::new(FollowScratch::default);
        let sets = problem.kept[1 - mover].sets.iter();
        let at_once = BLOCKS_A_REPORT.div_ceil(plane.row);
        let rows = sets.zip(plane.rows_mut()).map(|(&followers, blocks)| {
            // Of the same positions with the sides exchanged.
            let turned = super::shape::rank(frame.turned(followers));
            let (turned, _) = self.problems[twin].kept[mover].place(turned);
            FollowRow {
                followers,
                blocks,
                undecided: undecided.get_mut(turned).and_then(Option::take),
            }
        });
        each_few(rows, at_once, &mut |rows| {
            let rows = rows.into_par_iter();
            let each = |row: FollowRow<'_>| {
                let scratch = &mut *scratch.own();
                let times = frame.stands_for(row.followers);
                times
                    * how.instructions.run(GoAfter {
                        pass: &pass,
                        mover,
                        row,
                        scratch,
                    })
            };
            found(rows.map(each).sum())
        })
    }

    /// Begins a pass: forgets what the last one with this side to move listed.
    pub(super) fn begin(&mut self, mover: usize, room: u32) {
        self.news[mover] = self.problems.iter().map(|_| None).collect();
        self.room = room;
    }

    /// Whether the last pass with this side to move listed what it found.
    pub(super) fn has_listed(&self, mover: usize) -> bool {
        let news = &self.news[mover];
        !news.is_empty() && news.iter().all(Option::is_some)
    }
}

/// The problem that captures lead to, if there is anything to capture.
pub(super) fn captured(problems: &[Problem], i: usize, mover: usize) -> Option<usize> {
    let mut fewer = problems[i].followers;
    fewer[1 - mover] = fewer[1 - mover].checked_sub(1)?;
    problem_of(problems, fewer)
}

/// What a pass with each side to move found, if it was listed, by problem.
pub(super) type Lists = [Vec<Option<Listed>>; 2];

/// Hands on rows, so many at once.
pub(super) fn each_few<R>(
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
pub(super) fn go_over_all<'a>(
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
pub(super) fn go_over(
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
            0 => pass::go::<C, R, false>(cpu, self.pass, self.row, self.scratch),
            _ => pass::go::<C, R, true>(cpu, self.pass, self.row, self.scratch),
        }
    }
}

/// To go over what was found in a row.
pub(super) struct GoAfter<'a, 'b> {
    pub(super) pass: &'a Follow<'b>,
    pub(super) mover: usize,
    pub(super) row: FollowRow<'a>,
    pub(super) scratch: &'a mut FollowScratch,
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
