//! All planes of a game in memory, and passes over them.

use hindsight_core::{Placement, Wdl};
use hindsight_engine::Error;
use rayon::prelude::*;

use crate::decided::new_bits::DecidedRow;
use crate::pass::frontier::{Encoding, Frontier, FrontierWriter, PassFrontiers};
use crate::pass::incremental::{
    CaptureFrontier, SuccessorPlanes, UnmovePass, UnmoveRow, UnmoveScratch,
};
use crate::pass::recorder::Observers;
use crate::pass::schedule::{
    BLOCKS_PER_REPORT, PassOptions, PassReport, SweepJob, UnmoveKernel, in_batches,
};
use crate::pass::sweep::{SweepPass, SweepRow, SweepScratch};
use crate::plane::complement::{Complement, ComplementMode};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::board_tables::BoardTables;
use crate::space::move_lists::MoveLists;
use crate::space::plan::BitplanePlan;
use crate::space::sets::set_rank;
use crate::space::subproblem::{PlaneShape, Subproblem, after_capture, subproblem_of};
use crate::thread_scratch::ThreadScratch;

impl Planes {
    /// Converts all planes of side 1 from lost to undecided positions, or back.
    pub(crate) fn complement(&mut self, instructions: Instructions) {
        for i in 0..self.subproblems.len() {
            let exchanged = self.exchanged(i);
            let mut plane = std::mem::take(&mut self.planes[1][i].bytes);
            let block_bytes = self.planes[1][i].block_bytes;
            let len = self.subproblems[i].canonical_blocks(0) as usize * block_bytes;
            let blocks = plane[..len].par_chunks_mut(block_bytes).enumerate();
            blocks.for_each(|(n, block)| {
                instructions.dispatch(Complement {
                    tables: &self.tables,
                    source: &self.planes[0][exchanged],
                    followers: self.followers_of_block(1, i, n),
                    block,
                    mode: ComplementMode::MinusBlock,
                });
            });
            self.planes[1][i].bytes = plane;
        }
        self.undecided = !self.undecided;
    }

    /// Followers of sides 0 and 1 in a block of a plane.
    fn followers_of_block(&self, mover: usize, subproblem: usize, block: usize) -> [u32; 2] {
        let plane = &self.planes[mover][subproblem];
        let subproblem = &self.subproblems[subproblem];
        let (row, rank) = (block / plane.blocks_per_row, block % plane.blocks_per_row);
        let major = subproblem.canonical_rows[plane.major].sets[row];
        let beside_major = subproblem.beside[1 - plane.major].unrank(rank as u64);
        let minor = hindsight_core::combinatorics::expand(beside_major, !u64::from(major));
        let mut followers = [0; 2];
        followers[plane.major] = major;
        followers[1 - plane.major] = minor as u32;
        followers
    }
}

/// Every position of a game: won, lost, or neither so far.
///
/// Takes a bit for each position and side to move; one half of that with a mirror.
pub struct Planes {
    pub(crate) tables: BoardTables,
    pub(crate) subproblems: Vec<Subproblem>,
    /// [`Subproblem::block_after_move`]. Index: `[mover][subproblem]`.
    block_after_move: [Vec<Vec<u32>>; 2],
    /// Move lists. Index: `[mover][number of its followers][kind of move]`.
    move_lists: [Vec<Vec<MoveLists>>; 2],
    /// Planes. Index: `[mover][subproblem]`. `planes[0]` is W; `planes[1]` is L, or the undecided
    /// plane.
    planes: [Vec<Plane>; 2],
    /// True if `planes[1]` holds undecided positions instead of lost ones.
    pub(crate) undecided: bool,
    /// Frontiers of the last pass with each side to move.
    frontiers: PassFrontiers,
    /// Pages of frontiers that each thread has left in this pass.
    pages_left: u32,
    /// Scratch of sweeps. Each thread makes its own, so that no two threads share a page.
    scratch: ThreadScratch<Option<SweepScratch>>,
}

impl Planes {
    /// Allocates all planes, with all bits 0.
    pub(crate) fn new(plan: BitplanePlan) -> Self {
        let planes = |major| {
            let shapes = plan.subproblems.iter();
            let shapes = shapes.map(|subproblem| PlaneShape { subproblem, major });
            shapes.map(Plane::new).collect()
        };
        Self {
            planes: [planes(1), planes(0)],
            undecided: false,
            pages_left: 0,
            frontiers: [Vec::new(), Vec::new()],
            scratch: ThreadScratch::new(|| None),
            move_lists: plan.move_lists(),
            block_after_move: [0, 1].map(|mover| {
                let table =
                    |subproblem: &Subproblem| subproblem.block_after_move(&plan.tables, mover);
                plan.subproblems.iter().map(table).collect()
            }),
            tables: plan.tables,
            subproblems: plan.subproblems,
        }
    }

    /// Frees all memory that only a solve needs.
    pub(crate) fn without_scratch(self) -> Self {
        Self {
            frontiers: [Vec::new(), Vec::new()],
            block_after_move: [Vec::new(), Vec::new()],
            move_lists: [Vec::new(), Vec::new()],
            scratch: ThreadScratch::default(),
            ..self
        }
    }

    /// Frees the planes and all memory that only passes need.
    pub(crate) fn drop_planes(&mut self) {
        for plane in self.planes.iter_mut().flatten() {
            plane.bytes = Vec::new();
        }
        self.frontiers = [Vec::new(), Vec::new()];
        self.scratch = ThreadScratch::default();
    }

    pub(crate) fn plane_bytes(&self) -> Vec<&[u8]> {
        let planes = self.planes.iter().flatten();
        planes.map(|plane| &*plane.bytes).collect()
    }

    /// Bytes of all planes, to be filled.
    pub(crate) fn plane_bytes_mut(&mut self) -> Vec<&mut [u8]> {
        let planes = self.planes.iter_mut().flatten();
        planes.map(|plane| &mut *plane.bytes).collect()
    }

    /// Result of a position for its mover, after the passes so far; a draw while it is undecided.
    ///
    /// Costs two cache misses. The pieces must be on different squares of the board, no leader on
    /// its goal.
    ///
    /// # Panics
    /// If the position has more followers than the plan.
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

    /// As [`Planes::wdl`]; `None` if the position has more followers than the plan.
    #[must_use]
    pub fn known(&self, position: Placement) -> Option<Wdl> {
        let followers = position.followers.map(u32::count_ones);
        self.subproblem(followers).map(|_| self.wdl(position))
    }

    /// Bytes of memory that the planes take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.plane_bytes().iter().map(|part| part.len() as u64).sum()
    }

    /// Bit of a position in the plane of a mover: of the position itself, or of the exchanged one.
    fn bit(&self, mover: usize, position: Placement) -> bool {
        let position = self.tables.side_view(position, mover);
        let subproblem = self.subproblem(position.followers.map(u32::count_ones));
        let subproblem = subproblem.expect("a number of followers in the plan");
        self.planes[mover][subproblem].bit(&self.tables, position)
    }

    /// Index of the subproblem with the sides exchanged.
    fn exchanged(&self, subproblem: usize) -> usize {
        let [own, other] = self.subproblems[subproblem].followers;
        let exchanged = self.subproblem([other, own]);
        exchanged.expect("subproblems come with their exchanged ones")
    }

    /// Index of the subproblem with these numbers of followers, if there is one.
    fn subproblem(&self, followers: [u32; 2]) -> Option<usize> {
        subproblem_of(&self.subproblems, followers)
    }
}

impl Planes {
    /// Makes one pass over a plane, and records its frontier if there is room for it.
    pub(crate) fn run_pass(
        &mut self,
        i: usize,
        options: &PassOptions<'_>,
        report: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let subproblem = &self.subproblems[i];
        let encoding = Encoding::new(&self.tables, subproblem);
        let sets = subproblem.sets[options.mover].len() as usize;
        let encoding = encoding.filter(|_| options.records_frontier && self.pages_left > 0);
        let writer = encoding.map(|encoding| FrontierWriter::new(encoding, sets, self.pages_left));
        let observers = Observers { frontier: writer.as_ref(), observer: options.observer };
        if options.incremental {
            self.unmove(i, options, observers, report)?;
        } else {
            self.sweep(i, options, observers, report)?;
        }
        let frontier = writer.and_then(FrontierWriter::finish);
        if frontier.is_none() {
            // A frontier that lacks any part is of no use, so the rest is not recorded either.
            self.pages_left = 0;
        }
        self.pages_left -= frontier.as_ref().map_or(0, Frontier::most_pages);
        self.frontiers[options.mover][i] = frontier;
        Ok(())
    }

    /// Sweeps over a plane.
    fn sweep(
        &mut self,
        i: usize,
        options: &PassOptions<'_>,
        observers: Observers<'_>,
        report: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let PassOptions { mover, first, .. } = *options;
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
            observers,
        };
        let job = SweepJob {
            pass: &pass,
            options,
            scratch: &self.scratch,
            subproblems: &self.subproblems,
        };
        let sets = subproblem.canonical_rows[1 - mover].sets.iter();
        let batch = BLOCKS_PER_REPORT.div_ceil(plane.blocks_per_row);
        let rows =
            sets.zip(plane.rows_mut()).map(|(&followers, blocks)| SweepRow { followers, blocks });
        job.sweep_all(rows, batch, report)
    }

    /// Takes moves back from the frontiers of the last pass to a plane.
    fn unmove(
        &mut self,
        i: usize,
        options: &PassOptions<'_>,
        observers: Observers<'_>,
        report: &mut PassReport<'_>,
    ) -> Result<(), Error> {
        let PassOptions { mover, .. } = *options;
        let captured = after_capture(&self.subproblems, i, mover);
        let subproblem = &self.subproblems[i];
        let exchanged = self.exchanged(i);
        let frontiers = &self.frontiers[1 - mover];
        let frontier = |i: usize| frontiers[i].as_ref().expect("frontiers of the last pass");
        let [wins, losses] = &mut self.planes;
        let tables = &self.tables;
        let (plane, wins, mut undecided) = match mover {
            0 => (&mut wins[i], None, losses[exchanged].rows_mut().map(Some).collect()),
            _ => {
                let successors = SuccessorPlanes {
                    quiet: &wins[i],
                    captured: captured.map(|fewer| &wins[fewer]),
                };
                (&mut losses[i], Some(successors), Vec::new())
            }
        };
        let pass = UnmovePass {
            tables,
            subproblem,
            block_after_move: &self.block_after_move[mover][i],
            quiet: frontier(i),
            captured: captured.map(|i| CaptureFrontier {
                frontier: frontier(i),
                subproblem: &self.subproblems[i],
            }),
            not_won: wins,
            observers,
        };
        let scratch = ThreadScratch::new(UnmoveScratch::default);
        let sets = subproblem.canonical_rows[1 - mover].sets.iter();
        let batch = BLOCKS_PER_REPORT.div_ceil(plane.blocks_per_row);
        let canonical_rows = &self.subproblems[exchanged].canonical_rows[mover];
        let rows = sets.zip(plane.rows_mut()).map(|(&followers, blocks)| {
            let half_turn = set_rank(tables.half_turn(followers));
            let (exchanged_row, _) = canonical_rows.row_of(half_turn);
            UnmoveRow {
                followers,
                blocks,
                undecided: undecided.get_mut(exchanged_row).and_then(Option::take),
            }
        });
        in_batches(rows, batch, &mut |rows| {
            let unmove = |row: UnmoveRow<'_>| {
                let orbit_size = tables.orbit_size(row.followers);
                let set = set_rank(row.followers);
                let mut scratch = scratch.own();
                let found = options.instructions.dispatch(UnmoveKernel {
                    pass: &pass,
                    mover,
                    row,
                    scratch: &mut scratch,
                });
                if let (Some(observer), true) = (observers.observer, found > 0) {
                    observer(DecidedRow {
                        row: subproblem.canonical_rows[1 - mover].row_of(set).0,
                        new: scratch.new_bits.bytes(),
                    });
                }
                orbit_size * found
            };
            report(rows.into_par_iter().map(unmove).sum())
        })
    }

    /// Begins a pass: drops the frontiers of the last one with this mover.
    ///
    /// Each thread may use `pages` pages for new ones.
    pub(crate) fn begin_pass(&mut self, mover: usize, pages: u32) {
        self.frontiers[mover] = self.subproblems.iter().map(|_| None).collect();
        self.pages_left = pages;
    }

    /// Returns true if the last pass with this mover recorded all of its frontiers.
    pub(crate) fn has_frontier(&self, mover: usize) -> bool {
        let frontiers = &self.frontiers[mover];
        !frontiers.is_empty() && frontiers.iter().all(Option::is_some)
    }
}
