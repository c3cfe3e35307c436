use hindsight_core::{Placement, Wdl};
use hindsight_run::Error;
use rayon::prelude::*;

use crate::pass::frontier::{Form, Listed, Lists, Writers};
use crate::pass::incremental::{Follow, FollowRow, FollowScratch};
use crate::pass::recorder::Listeners;
use crate::pass::schedule::{BLOCKS_A_REPORT, GoAfter, How, Report, each_few, go_over_all};
use crate::pass::sweep::{Pass, Row, Scratch};
use crate::plane::complement::{Turn, Turned};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::board_tables::Frame;
use crate::space::move_lists::Rearranged;
use crate::space::plan::Plan;
use crate::space::sets::rank;
use crate::space::subproblem::{Problem, captured, problem_of};
use crate::thread_scratch::PerThread;

impl Planes {
    /// From what is lost to what is undecided, or back.
    pub(crate) fn exchange_losses(&mut self, instructions: Instructions) {
        for i in 0..self.problems.len() {
            let [own, other] = self.problems[i].followers;
            let twin = self.problem([other, own]);
            let twin = twin.expect("problems come with their mirror images");
            let mut plane = std::mem::take(&mut self.planes[1][i].bytes);
            let stride = self.planes[1][i].stride;
            let len = self.problems[i].kept_blocks(0) as usize * stride;
            let wins = (&self.frame, &self.planes[0][twin]);
            let blocks = plane[..len].par_chunks_mut(stride).enumerate();
            blocks.for_each(|(n, block)| {
                instructions.run(Turn {
                    of: wins,
                    followers: self.followers_of(1, i, n),
                    block,
                    what: Turned::LessBlock,
                });
            });
            self.planes[1][i].bytes = plane;
        }
        self.undecided = !self.undecided;
    }

    /// The followers of a block of a problem with a side to move.
    fn followers_of(&self, mover: usize, problem: usize, block: usize) -> [u32; 2] {
        let plane = &self.planes[mover][problem];
        let problem = &self.problems[problem];
        let (n, m) = (block / plane.row, block % plane.row);
        let major = problem.kept[plane.major].sets[n];
        let minor = problem.beside[1 - plane.major].unrank(m as u64);
        let minor = hindsight_combinatorics::expand(minor, !u64::from(major));
        let mut followers = [0; 2];
        followers[plane.major] = major;
        followers[1 - plane.major] = minor as u32;
        followers
    }
}

/// Every position of a game: won, lost, or neither so far.
pub struct Planes {
    frame: Frame,
    pub(crate) problems: Vec<Problem>,
    /// For each side to move and problem [`Problem::moved`].
    moved: [Vec<Vec<u32>>; 2],
    /// For each side to move, number of its followers, and kind of move.
    rearranged: [Vec<Vec<Rearranged>>; 2],
    /// `planes[0]`: what side 0, to move, has not won, of each problem; `planes[1]`: L, or what is undecided.
    planes: [Vec<Plane>; 2],
    pub(crate) undecided: bool,
    /// What the last passes found.
    news: Lists,
    /// Pages that each thread has left in this pass.
    room: u32,
    /// For passes over everything; made by the thread that needs it, so that none has memory next to another's.
    scratch: PerThread<Option<Scratch>>,
}

impl Planes {
    pub(crate) fn new(plan: Plan) -> Self {
        // A pass goes over rows of the side that does not move.
        let plane = |major| {
            let problems = plan.problems.iter();
            problems.map(|problem| Plane::new(problem, major)).collect()
        };
        Self {
            planes: [plane(1), plane(0)],
            undecided: false,
            room: 0,
            news: [Vec::new(), Vec::new()],
            scratch: PerThread::new(|| None),
            rearranged: plan.rearranged(),
            moved: [0, 1].map(|mover| {
                let moved = |problem: &Problem| problem.moved(&plan.frame, mover);
                plan.problems.iter().map(moved).collect()
            }),
            frame: plan.frame,
            problems: plan.problems,
        }
    }

    /// Without what only a solve needs.
    pub(crate) fn for_answers(self) -> Self {
        Self {
            news: [Vec::new(), Vec::new()],
            moved: [Vec::new(), Vec::new()],
            rearranged: [Vec::new(), Vec::new()],
            scratch: PerThread::default(),
            ..self
        }
    }

    /// The bytes of all planes.
    pub(crate) fn parts(&self) -> Vec<&[u8]> {
        let planes = self.planes.iter().flatten();
        planes.map(|plane| &*plane.bytes).collect()
    }

    /// The bytes of all planes, to be filled.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut [u8]> {
        let planes = self.planes.iter_mut().flatten();
        planes.map(|plane| &mut *plane.bytes).collect()
    }

    /// What is known of a position after the passes so far, for the side to move. Its pieces must be on
    /// different squares of the board, no leader on its goal.
    #[must_use]
    pub fn wdl(&self, position: Placement) -> Wdl {
        if !self.bit(0, position) {
            Wdl::Win
        } else if self.bit(1, position) != self.undecided {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// As [`Planes::wdl`] after the last pass; `None` for more followers than were solved.
    #[must_use]
    pub fn known(&self, position: Placement) -> Option<Wdl> {
        let followers = position.followers.map(u32::count_ones);
        self.problem(followers).map(|_| self.wdl(position))
    }

    /// Bytes of the planes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts().iter().map(|part| part.len() as u64).sum()
    }

    /// The bit of a position, seen by this side to move.
    fn bit(&self, mover: usize, position: Placement) -> bool {
        let seen = self.frame.seen_by(position, mover);
        let problem = self.problem(seen.followers.map(u32::count_ones));
        let problem = problem.expect("followers that there can be");
        self.planes[mover][problem].bit(&self.frame, seen)
    }

    /// The problem with so many followers, if there is one.
    fn problem(&self, followers: [u32; 2]) -> Option<usize> {
        problem_of(&self.problems, followers)
    }
}

impl Planes {
    /// One pass over the positions of a problem with a side to move.
    pub(crate) fn pass(
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
            let turned = rank(frame.turned(followers));
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
    pub(crate) fn begin(&mut self, mover: usize, room: u32) {
        self.news[mover] = self.problems.iter().map(|_| None).collect();
        self.room = room;
    }

    /// Whether the last pass with this side to move listed what it found.
    pub(crate) fn has_listed(&self, mover: usize) -> bool {
        let news = &self.news[mover];
        !news.is_empty() && news.iter().all(Option::is_some)
    }
}
