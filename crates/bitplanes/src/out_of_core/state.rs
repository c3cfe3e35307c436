use hindsight_run::{Budget, Error, Progress};

use crate::out_of_core::partition::Partition;
use crate::out_of_core::plan::OutOfCorePlan;
use crate::out_of_core::tiles::{OutOfCoreStage, TileStore};
use crate::out_of_core::tracked::TrackedPositions;
use crate::pass::frontier::Frontier;
use crate::pass::incremental::UnmoveScratch;
use crate::pass::sweep::SweepScratch;
use crate::space::board_tables::BoardTables;
use crate::space::move_lists::MoveLists;
use crate::space::subproblem::Subproblem;
use crate::thread_scratch::ThreadScratch;

/// A solve on its way.
pub(crate) struct OutOfCoreRun<'a> {
    pub(crate) tables: BoardTables,
    pub(crate) subproblems: Vec<Subproblem>,
    pub(crate) move_lists: [Vec<Vec<MoveLists>>; 2],
    pub(crate) partition: Partition,
    /// All slices of all planes: those of a pass with side 0 to move first.
    pub(crate) slices: Vec<RowSlice>,
    pub(crate) scratch: ThreadScratch<Option<SweepScratch>>,
    pub(crate) tiles: &'a mut dyn TileStore,
    pub(crate) stage: OutOfCoreStage,
    pub(crate) tracked: TrackedPositions,
    pub(crate) positions: u64,
    /// Of these, so far.
    pub(crate) decided: u64,
    /// Memory of the plane that captures lead to, of what moves lead to, and of what a pass goes over.
    pub(crate) buffers: [Vec<u8>; 3],
    pub(crate) incremental: IncrementalState,
}

/// A slice of the rows of a plane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowSlice {
    pub(crate) subproblem: usize,
    pub(crate) mover: usize,
    pub(crate) slice: usize,
}

/// Tells how far it has come.
pub(crate) struct SliceTally<'a, 'b> {
    pub(crate) found: u64,
    pub(crate) decided: u64,
    pub(crate) positions: u64,
    pub(crate) clock: &'a mut Budget<'b>,
}

impl SliceTally<'_, '_> {
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
pub(crate) struct IncrementalState {
    /// Positions that two passes find at most before passes are late.
    pub(crate) max_found: u64,
    /// Wins up to which the next pass goes by them.
    pub(crate) max_wins: u64,
    /// Pages of lists, a thread.
    pub(crate) pages: u32,
    /// Rows that a list was short enough for.
    pub(crate) max_rows: usize,
    /// Bytes there are for the rest (`rest.rs`), and how often they were too few.
    pub(crate) explicit_bytes: u64,
    pub(crate) failed_tries: u32,
    /// Rows as they were.
    pub(crate) before: ThreadScratch<Vec<u8>>,
    pub(crate) scratch: ThreadScratch<UnmoveScratch>,
}

/// Lists are this many times as long as those of a solve in memory: without them a pass also reads and writes more.
const LIST_FACTOR: u64 = 2;

impl IncrementalState {
    pub(crate) fn new(plan: &OutOfCorePlan) -> Self {
        let threads = rayon::current_num_threads() as u64;
        let pages = plan.frontier_bytes / threads / Frontier::bytes_for(1);
        let [wins, losses] = plan.plan.frontier_limits();
        Self {
            max_found: LIST_FACTOR * (wins + losses),
            max_wins: LIST_FACTOR * wins,
            pages: u32::try_from(pages).unwrap_or(u32::MAX),
            max_rows: usize::MAX,
            explicit_bytes: plan.explicit_bytes(),
            failed_tries: 0,
            before: ThreadScratch::new(Vec::new),
            scratch: ThreadScratch::new(UnmoveScratch::default),
        }
    }
}
