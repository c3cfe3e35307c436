use hindsight_run::{Budget, Error, Progress};

use crate::out_of_core::partition::Cut;
use crate::out_of_core::plan::SlicedPlan;
use crate::out_of_core::tiles::{SlicedStage, Tiles};
use crate::out_of_core::tracked::Watch;
use crate::pass::frontier::Listed;
use crate::pass::incremental::FollowScratch;
use crate::pass::sweep::Scratch;
use crate::space::board_tables::Frame;
use crate::space::move_lists::Rearranged;
use crate::space::subproblem::Problem;
use crate::thread_scratch::PerThread;

/// A solve on its way.
pub(crate) struct Run<'a> {
    pub(crate) frame: Frame,
    pub(crate) problems: Vec<Problem>,
    pub(crate) rearranged: [Vec<Vec<Rearranged>>; 2],
    pub(crate) cut: Cut,
    /// All slices of all planes: those of a pass with side 0 to move first.
    pub(crate) slices: Vec<Slice>,
    pub(crate) scratch: PerThread<Option<Scratch>>,
    pub(crate) tiles: &'a mut dyn Tiles,
    pub(crate) stage: SlicedStage,
    pub(crate) watch: Watch,
    pub(crate) positions: u64,
    /// Of these, so far.
    pub(crate) decided: u64,
    /// Memory of the plane that captures lead to, of what moves lead to, and of what a pass goes over.
    pub(crate) memory: [Vec<u8>; 3],
    pub(crate) late: Late,
}

/// A slice of the rows of a plane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) problem: usize,
    pub(crate) mover: usize,
    pub(crate) slice: usize,
}

/// Tells how far it has come.
pub(crate) struct Tally<'a, 'b> {
    pub(crate) found: u64,
    pub(crate) decided: u64,
    pub(crate) positions: u64,
    pub(crate) clock: &'a mut Budget<'b>,
}

impl Tally<'_, '_> {
    pub(crate) fn add(&mut self, new: u64) -> Result<(), Error> {
        self.found += new;
        let done = self.decided + self.found;
        let progress = Progress {
            phase: "solving",
            done,
            total: Some(self.positions),
        };
        self.clock.check(progress, done, 0, 0)
    }
}

/// What late passes need.
pub(crate) struct Late {
    /// Positions that two passes find at most before passes are late.
    pub(crate) few: u64,
    /// Wins up to which the next pass goes by them.
    pub(crate) listed: u64,
    /// Pages of lists, a thread.
    pub(crate) pages: u32,
    /// Rows that a list was short enough for.
    pub(crate) rows: usize,
    /// Bytes there are for the rest (`rest.rs`), and how often they were too few.
    pub(crate) room_of_rest: u64,
    pub(crate) tries: u32,
    /// Rows as they were.
    pub(crate) before: PerThread<Vec<u8>>,
    pub(crate) scratch: PerThread<FollowScratch>,
}

/// Lists are this many times as long as those of a solve in memory: without them a pass also reads and writes more.
const LONGER: u64 = 2;

impl Late {
    pub(crate) fn new(plan: &SlicedPlan) -> Self {
        let threads = rayon::current_num_threads() as u64;
        let pages = plan.lists / threads / Listed::bytes(1);
        let [wins, losses] = plan.plan.listed();
        Self {
            few: LONGER * (wins + losses),
            listed: LONGER * wins,
            pages: u32::try_from(pages).unwrap_or(u32::MAX),
            rows: usize::MAX,
            room_of_rest: plan.room_of_rest(),
            tries: 0,
            before: PerThread::new(Vec::new),
            scratch: PerThread::new(FollowScratch::default),
        }
    }
}
