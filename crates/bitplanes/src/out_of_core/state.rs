//! State of an out-of-core solve.

use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Budget, Error, Progress};

use crate::out_of_core::partition::Partition;
use crate::out_of_core::plan::OutOfCorePlan;
use crate::out_of_core::stage::OutOfCoreStage;
use crate::out_of_core::tracked::{SliceKey, TrackedPositions};
use crate::pass::frontier::Frontier;
use crate::pass::incremental::UnmoveScratch;
use crate::pass::sweep::SweepScratch;
use crate::space::board_tables::BoardTables;
use crate::space::move_lists::MoveLists;
use crate::space::subproblem::{PlaneShape, Subproblem};
use crate::thread_scratch::ThreadScratch;

/// An out-of-core solve on its way.
pub(crate) struct OutOfCoreRun<'a> {
    /// Rules of the game, tabulated.
    pub(crate) tables: BoardTables,
    pub(crate) subproblems: Vec<Subproblem>,
    /// Move lists. Index: `[mover][number of its followers][kind of move]`.
    pub(crate) move_lists: [Vec<Vec<MoveLists>>; 2],
    /// Partition of planes into tiles.
    pub(crate) partition: Partition,
    /// Slices of rows of all planes, by number: those with side 0 to move come first.
    pub(crate) slices: Vec<RowSlice>,
    /// Scratch of sweeps, a thread.
    pub(crate) scratch: ThreadScratch<Option<SweepScratch>>,
    /// Checkpoint in which tiles and progress are kept.
    pub(crate) checkpoint: &'a Checkpoint<'a>,
    /// Progress so far.
    pub(crate) stage: OutOfCoreStage,
    /// The start, and positions whose values are wanted.
    pub(crate) tracked: TrackedPositions,
    pub(crate) positions: u64,
    /// Number of positions decided so far.
    pub(crate) decided: u64,
    /// Memory of planes that are not loaded, by [`Buffer`].
    pub(crate) buffers: [Vec<u8>; 3],
    /// State of incremental passes.
    pub(crate) incremental: IncrementalState,
}

/// Memory for one plane, or a part of it, that is kept from one slice to the next.
#[derive(Clone, Copy)]
pub(crate) enum Buffer {
    /// The plane that captures lead to.
    Capture,
    /// The plane that quiet moves lead to.
    Quiet,
    /// The rows that a pass goes over.
    Rows,
}

/// A slice of the rows of a plane, or of side 0's frontier in it.
#[derive(Clone, Copy)]
pub(crate) struct RowSlice {
    /// Index into [`OutOfCoreStage::versions`].
    pub(crate) number: usize,
    pub(crate) subproblem: usize,
    /// Side to move in the plane, 0 or 1.
    pub(crate) mover: usize,
    /// Slice of the rows of the plane.
    pub(crate) slice: usize,
}

impl RowSlice {
    /// The slice without its number.
    pub(crate) fn key(self) -> SliceKey {
        SliceKey { subproblem: self.subproblem, mover: self.mover, slice: self.slice }
    }
}

/// All rows of a slice, in the order of its tiles.
#[derive(Clone, Copy)]
pub(crate) struct SliceRows<'a> {
    pub(crate) slice: RowSlice,
    /// Its canonical rows.
    pub(crate) rows: &'a [usize],
}

impl OutOfCoreRun<'_> {
    /// Shape of the plane that a slice belongs to.
    pub(crate) fn shape(&self, slice: RowSlice) -> PlaneShape<'_> {
        self.shape_of(slice.subproblem, slice.mover)
    }

    /// Shape of the plane of a subproblem and mover.
    pub(crate) fn shape_of(&self, subproblem: usize, mover: usize) -> PlaneShape<'_> {
        PlaneShape { subproblem: &self.subproblems[subproblem], major: 1 - mover }
    }

    /// Number of the pass that is under way, from 1.
    pub(crate) fn current_pass(&self) -> u16 {
        self.stage.passes.found.len() as u16 + 1
    }

    /// Reports the positions decided so far.
    pub(crate) fn report(&self, budget: &mut Budget<'_>) -> Result<(), Error> {
        check_progress(budget, self.decided, self.positions)
    }

    /// Begins to count the positions that a pass finds in a slice.
    pub(crate) fn tally<'a, 'b>(&self, budget: &'a mut Budget<'b>) -> SliceTally<'a, 'b> {
        SliceTally { found: 0, decided: self.decided, positions: self.positions, budget }
    }
}

/// Positions that a pass finds in a slice, reported as they are counted.
pub(crate) struct SliceTally<'a, 'b> {
    pub(crate) found: u64,
    /// Positions decided before the slice.
    decided: u64,
    positions: u64,
    budget: &'a mut Budget<'b>,
}

impl SliceTally<'_, '_> {
    pub(crate) fn add(&mut self, new: u64) -> Result<(), Error> {
        self.found += new;
        check_progress(self.budget, self.decided + self.found, self.positions)
    }
}

fn check_progress(budget: &mut Budget<'_>, decided: u64, positions: u64) -> Result<(), Error> {
    let progress = Progress { phase: "solving", done: decided, total: Some(positions) };
    budget.check(progress, decided, 0, 0)
}

/// Limits and scratch of incremental passes and of the explicit graph.
pub(crate) struct IncrementalState {
    /// Passes become incremental once two of them together find at most this number of positions.
    pub(crate) max_found: u64,
    /// A pass over losses unmoves from wins if these are at most this number; else it sweeps.
    pub(crate) max_wins: u64,
    /// Pages of frontiers, a thread.
    pub(crate) pages: u32,
    /// Number of rows whose frontiers have fitted into the pages so far.
    pub(crate) max_rows: usize,
    pub(crate) explicit_bytes: u64,
    /// Number of explicit graphs that did not fit into these bytes.
    pub(crate) failed_tries: u32,
    /// A row as it was before a pass, a thread.
    pub(crate) before: ThreadScratch<Vec<u8>>,
    /// Scratch of incremental passes, a thread.
    pub(crate) scratch: ThreadScratch<UnmoveScratch>,
}

/// Factor of the limits over those of a solve in memory: a sweep here also reads and writes tiles.
const LIST_FACTOR: u64 = 2;

impl IncrementalState {
    /// Takes the limits from a plan.
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
