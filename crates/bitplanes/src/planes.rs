use hindsight_core::{Placement, Wdl};
use hindsight_run::Error;
use rayon::prelude::*;

use crate::pass::frontier::{Encoding, Frontier, FrontierWriter, PassFrontiers};
use crate::pass::incremental::{UnmovePass, UnmoveRow, UnmoveScratch};
use crate::pass::recorder::Observers;
use crate::pass::schedule::{
    BLOCKS_PER_REPORT, PassOptions, PassReport, UnmoveKernel, in_batches, sweep_all,
};
use crate::pass::sweep::{SweepPass, SweepRow, SweepScratch};
use crate::plane::complement::{Complement, ComplementMode};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::board_tables::BoardTables;
use crate::space::move_lists::MoveLists;
use crate::space::plan::BitplanePlan;
use crate::space::sets::set_rank;
use crate::space::subproblem::{Subproblem, after_capture, subproblem_of};
use crate::thread_scratch::ThreadScratch;

impl Planes {
    /// From what is lost to what is undecided, or back.
    pub(crate) fn complement(&mut self, instructions: Instructions) {
        for i in 0..self.subproblems.len() {
            let [own, other] = self.subproblems[i].followers;
            let twin = self.subproblem([other, own]);
            let twin = twin.expect("subproblems come with their mirror images");
            let mut plane = std::mem::take(&mut self.planes[1][i].bytes);
            let stride = self.planes[1][i].block_bytes;
            let len = self.subproblems[i].canonical_blocks(0) as usize * stride;
            let wins = (&self.tables, &self.planes[0][twin]);
            let blocks = plane[..len].par_chunks_mut(stride).enumerate();
            blocks.for_each(|(n, block)| {
                instructions.dispatch(Complement {
                    source: wins,
                    followers: self.followers_of_block(1, i, n),
                    block,
                    mode: ComplementMode::MinusBlock,
                });
            });
            self.planes[1][i].bytes = plane;
        }
        self.undecided = !self.undecided;
    }

    /// The followers of a block of a problem with a side to move.
    fn followers_of_block(&self, mover: usize, subproblem: usize, block: usize) -> [u32; 2] {
        let plane = &self.planes[mover][subproblem];
        let subproblem = &self.subproblems[subproblem];
        let (n, m) = (block / plane.blocks_per_row, block % plane.blocks_per_row);
        let major = subproblem.canonical_rows[plane.major].sets[n];
        let minor = subproblem.beside[1 - plane.major].unrank(m as u64);
        let minor = hindsight_combinatorics::expand(minor, !u64::from(major));
        let mut followers = [0; 2];
        followers[plane.major] = major;
        followers[1 - plane.major] = minor as u32;
        followers
    }
}

/// Every position of a game: won, lost, or neither so far.
pub struct Planes {
    tables: BoardTables,
    pub(crate) subproblems: Vec<Subproblem>,
    /// For each side to move and problem [`Problem::moved`].
    block_after_move: [Vec<Vec<u32>>; 2],
    /// For each side to move, number of its followers, and kind of move.
    move_lists: [Vec<Vec<MoveLists>>; 2],
    /// `planes[0]`: what side 0, to move, has not won, of each problem; `planes[1]`: L, or what is undecided.
    planes: [Vec<Plane>; 2],
    pub(crate) undecided: bool,
    /// What the last passes found.
    frontiers: PassFrontiers,
    /// Pages that each thread has left in this pass.
    pages_left: u32,
    /// For passes over everything; made by the thread that needs it, so that none has memory next to another's.
    scratch: ThreadScratch<Option<SweepScratch>>,
}

impl Planes {
    pub(crate) fn new(plan: BitplanePlan) -> Self {
        // A pass goes over rows of the side that does not move.
        let plane = |major| {
            let subproblems = plan.subproblems.iter();
            subproblems
                .map(|subproblem| Plane::new(subproblem, major))
                .collect()
        };
        Self {
            planes: [plane(1), plane(0)],
            undecided: false,
            pages_left: 0,
            frontiers: [Vec::new(), Vec::new()],
            scratch: ThreadScratch::new(|| None),
            move_lists: plan.move_lists(),
            block_after_move: [0, 1].map(|mover| {
                let moved =
                    |subproblem: &Subproblem| subproblem.block_after_move(&plan.tables, mover);
                plan.subproblems.iter().map(moved).collect()
            }),
            tables: plan.tables,
            subproblems: plan.subproblems,
        }
    }

    /// Without what only a solve needs.
    pub(crate) fn without_scratch(self) -> Self {
        Self {
            frontiers: [Vec::new(), Vec::new()],
            block_after_move: [Vec::new(), Vec::new()],
            move_lists: [Vec::new(), Vec::new()],
            scratch: ThreadScratch::default(),
            ..self
        }
    }

    /// The bytes of all planes.
    pub(crate) fn plane_bytes(&self) -> Vec<&[u8]> {
        let planes = self.planes.iter().flatten();
        planes.map(|plane| &*plane.bytes).collect()
    }

    /// The bytes of all planes, to be filled.
    pub(crate) fn plane_bytes_mut(&mut self) -> Vec<&mut [u8]> {
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
        self.subproblem(followers).map(|_| self.wdl(position))
    }

    /// Bytes of the planes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.plane_bytes()
            .iter()
            .map(|part| part.len() as u64)
            .sum()
    }

    /// The bit of a position, seen by this side to move.
    fn bit(&self, mover: usize, position: Placement) -> bool {
        let seen = self.tables.from_side(position, mover);
        let subproblem = self.subproblem(seen.followers.map(u32::count_ones));
        let subproblem = subproblem.expect("followers that there can be");
        self.planes[mover][subproblem].bit(&self.tables, seen)
    }

    /// The problem with so many followers, if there is one.
    fn subproblem(&self, followers: [u32; 2]) -> Option<usize> {
        subproblem_of(&self.subproblems, followers)
    }
}

impl Planes {
    /// One pass over the positions of a problem with a side to move.
    pub(crate) fn run_pass(
        &mut self,
        i: usize,
        how: &PassOptions<'_>,
        found: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let subproblem = &self.subproblems[i];
        let form = Encoding::new(&self.tables, subproblem);
        let sets = subproblem.sets[how.mover].len() as usize;
        let lists = form.filter(|_| how.records_frontier && self.pages_left > 0);
        let news = lists.map(|form| FrontierWriter::new(form, sets, self.pages_left));
        let observers = Observers {
            frontier: news.as_ref(),
            observer: how.observer,
        };
        if how.incremental {
            self.unmove(i, how, observers, found)?;
        } else {
            self.sweep(i, how, observers, found)?;
        }
        let listed = news.and_then(FrontierWriter::finish);
        if listed.is_none() {
            // With a part of what a pass found the next one cannot go on.
            self.pages_left = 0;
        }
        self.pages_left -= listed.as_ref().map_or(0, Frontier::most_pages);
        self.frontiers[how.mover][i] = listed;
        Ok(())
    }

    /// A pass over all positions.
    fn sweep(
        &mut self,
        i: usize,
        how: &PassOptions<'_>,
        observers: Observers<'_>,
        found: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let PassOptions { mover, first, .. } = *how;
        let captured = after_capture(&self.subproblems, i, mover);
        let subproblem = &self.subproblems[i];
        let [wins, losses] = &mut self.planes;
        let (plane, others) = match mover {
            0 => (&mut wins[i], &*losses),
            _ => (&mut losses[i], &*wins),
        };
        let pass = SweepPass {
            tables: &self.tables,
            subproblem,
            move_lists: &self.move_lists[mover][subproblem.followers[mover] as usize],
            first,
            undecided: self.undecided,
            quiet: &others[i],
            captured: captured.map(|i| &others[i]),
            observers: observers,
        };
        let sets = subproblem.canonical_rows[1 - mover].sets.iter();
        let at_once = BLOCKS_PER_REPORT.div_ceil(plane.blocks_per_row);
        let rows = sets
            .zip(plane.rows_mut())
            .map(|(&followers, blocks)| SweepRow { followers, blocks });
        let with = (&self.scratch, &self.subproblems[..]);
        sweep_all(rows, at_once, (&pass, how), with, found)
    }

    /// A pass by what the last one found.
    fn unmove(
        &mut self,
        i: usize,
        how: &PassOptions<'_>,
        observers: Observers<'_>,
        found: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let PassOptions { mover, .. } = *how;
        let captured = after_capture(&self.subproblems, i, mover);
        let subproblem = &self.subproblems[i];
        let [own, other] = subproblem.followers;
        let twin = self.subproblem([other, own]);
        let twin = twin.expect("subproblems come with their mirror images");
        let news = &self.frontiers[1 - mover];
        let listed = |i: usize| news[i].as_ref().expect("what the last pass found");
        let [wins, losses] = &mut self.planes;
        let tables = &self.tables;
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
        let pass = UnmovePass {
            tables,
            subproblem,
            block_after_move: &self.block_after_move[mover][i],
            quiet: listed(i),
            captured: captured.map(|i| (listed(i), &self.subproblems[i])),
            wins,
            observers: observers,
        };
        let scratch = ThreadScratch::new(UnmoveScratch::default);
        let sets = subproblem.canonical_rows[1 - mover].sets.iter();
        let at_once = BLOCKS_PER_REPORT.div_ceil(plane.blocks_per_row);
        let rows = sets.zip(plane.rows_mut()).map(|(&followers, blocks)| {
            // Of the same positions with the sides exchanged.
            let turned = set_rank(tables.half_turn(followers));
            let (turned, _) = self.subproblems[twin].canonical_rows[mover].row_of(turned);
            UnmoveRow {
                followers,
                blocks,
                undecided: undecided.get_mut(turned).and_then(Option::take),
            }
        });
        in_batches(rows, at_once, &mut |rows| {
            let rows = rows.into_par_iter();
            let each = |row: UnmoveRow<'_>| {
                let scratch = &mut *scratch.own();
                let times = tables.orbit_size(row.followers);
                times
                    * how.instructions.dispatch(UnmoveKernel {
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
    pub(crate) fn begin_pass(&mut self, mover: usize, room: u32) {
        self.frontiers[mover] = self.subproblems.iter().map(|_| None).collect();
        self.pages_left = room;
    }

    /// Whether the last pass with this side to move listed what it found.
    pub(crate) fn has_frontier(&self, mover: usize) -> bool {
        let news = &self.frontiers[mover];
        !news.is_empty() && news.iter().all(Option::is_some)
    }
}
