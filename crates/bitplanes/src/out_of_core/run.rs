//! A solve by slices, pass by pass.

use hindsight_core::{Placement, TwoSided, Value};
use hindsight_run::{Budget, Error, Limits, Monitor, StrongSolution};

use crate::out_of_core::partition::Partition;
use crate::out_of_core::plan::OutOfCorePlan;
use crate::out_of_core::state::{IncrementalState, OutOfCoreRun, RowSlice, SliceTally};
use crate::out_of_core::tile_io::{CapturePlane, PlaneSource, ReplacedTiles};
use crate::out_of_core::tiles::{OutOfCoreStage, TileStore};
use crate::out_of_core::tracked::TrackedPositions;
use crate::pass::recorder::Observers;
use crate::pass::schedule::{BLOCKS_PER_REPORT, PassOptions, sweep_all};
use crate::pass::sweep::{SweepPass, SweepRow};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::subproblem::{Subproblem, after_capture};
use crate::thread_scratch::ThreadScratch;
use crate::values::{counted_twice, solution_of_passes, value_of_pass};

/// How to solve by slices.
pub struct OutOfCoreOptions<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
    /// Has the planes.
    pub tiles: &'a mut dyn TileStore,
}

/// Solves every position, and tells when some of them were decided, in their order; `None` for draws.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor, clock and tiles say.
pub fn solve_out_of_core<G: TwoSided>(
    game: &G,
    plan: OutOfCorePlan,
    terms: OutOfCoreOptions<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    plan.check(plan.peak, terms.limits)?;
    run(game, plan, terms, watched)
}

pub(crate) fn run<G: TwoSided>(
    game: &G,
    plan: OutOfCorePlan,
    terms: OutOfCoreOptions<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let late = IncrementalState::new(&plan);
    let OutOfCorePlan {
        plan,
        partition: cut,
        ..
    } = plan;
    let positions = plan.positions();
    let room = plan.buffers(&cut);
    let move_lists = plan.move_lists();
    let start = game.placement(game.start());
    let watched = start.into_iter().chain(watched);
    let watch = TrackedPositions::new((&plan.tables, &plan.subproblems, &cut), watched);
    let with_room = |bytes: u64| Vec::with_capacity(bytes as usize);
    let mut run = OutOfCoreRun {
        scratch: ThreadScratch::new(|| None),
        tiles: terms.tiles,
        stage: OutOfCoreStage::default(),
        decided: 0,
        buffers: [room.captured, room.quiet, room.rows].map(with_room),
        slices: row_slices(&plan.subproblems, &cut),
        incremental: late,
        tables: plan.tables,
        subproblems: plan.subproblems,
        move_lists: move_lists,
        partition: cut,
        tracked: watch,
        positions,
    };
    run.resume()?;
    let mut clock = Budget::new(terms.limits, terms.monitor);
    run.passes(terms.instructions, &mut clock)?;
    let start_pass = run.tracked.passes.first().copied();
    let start_pass = start_pass.filter(|&pass| start.is_some() && pass > 0);
    let (_, found) = run.stage.passes.found.split_last().expect("passes");
    let outcome = solution_of_passes(positions, found, start_pass)?;
    let value = |&pass: &u16| (pass > 0).then(|| value_of_pass(usize::from(pass)));
    let watched = run.tracked.passes.iter().skip(usize::from(start.is_some()));
    let values = watched.map(value).collect();
    run.remove_all_tiles()?;
    Ok((outcome, values))
}

impl OutOfCoreRun<'_> {
    /// Takes up what was kept.
    fn resume(&mut self) -> Result<(), Error> {
        // What passes with side 0 to move found is beside their planes.
        let numbers = self.slices.len() + self.slices_of_mover(0).len();
        let Some(stage) = self.tiles.stage().map_err(Error::Store)? else {
            self.stage = OutOfCoreStage {
                slices: self.partition.count,
                versions: vec![0; numbers],
                ..OutOfCoreStage::default()
            };
            // So that it can be told apart from a solve in memory.
            return self.save_stage();
        };
        let decided = stage.passes.decided(self.positions);
        let fits = stage.slices == self.partition.count
            && stage.versions.len() == numbers
            && stage.tracked.len() == self.tracked.passes.len();
        if fits && decided.is_some() && !self.is_consistent(&stage) {
            return Err(Error::damaged(
                "a solve by slices has passes that it did not make",
            ));
        }
        let Some(decided) = decided.filter(|_| fits) else {
            let what = "what was kept is of another game, or was begun with other memory or another sample";
            return Err(Error::Store(what.into()));
        };
        self.decided = decided;
        self.tracked.passes.clone_from(&stage.tracked);
        self.stage = stage;
        Ok(())
    }

    /// True if a stage names no pass that is not begun, and no slice that there is not. It has as many slices.
    fn is_consistent(&self, stage: &OutOfCoreStage) -> bool {
        let passes = stage.passes.found.len();
        let pass = passes + 1;
        let begun = |by: u32| by == 0 || (1..=pass).contains(&(by as usize >> 1));
        let to_move = |mover| self.slices_of_mover(mover).len() as u64;
        let planes = to_move(1 - pass % 2);
        stage.versions.iter().all(|&by| begun(by))
            && stage.tracked.iter().all(|&by| usize::from(by) <= pass)
            && stage.passes.planes_done <= planes
            && (stage.converted == 0 || passes >= 3)
            && stage.converted <= to_move(0) + 1
    }

    /// The slices of a pass with a side to move, and their numbers.
    pub(crate) fn slices_of_mover(&self, mover: usize) -> Vec<(usize, RowSlice)> {
        let slices = self.slices.iter().copied().enumerate();
        slices.filter(|(_, slice)| slice.mover == mover).collect()
    }

    /// The pass that is not over.
    pub(crate) fn current_pass(&self) -> u16 {
        self.stage.passes.found.len() as u16 + 1
    }

    /// Makes passes until one finds nothing.
    fn passes(&mut self, instructions: Instructions, clock: &mut Budget<'_>) -> Result<(), Error> {
        // The last pass found nothing.
        while self.stage.passes.found.last() != Some(&0) {
            self.convert_to_undecided(instructions, clock)?;
            if self.solve_explicitly(instructions, clock)? {
                break;
            }
            let pass = self.current_pass();
            let how = PassOptions {
                mover: 1 - usize::from(pass) % 2,
                first: pass <= 2,
                incremental: false,
                records_frontier: false,
                instructions,
                observer: None,
            };
            let mut captured: Option<(usize, CapturePlane)> = None;
            let slices = self.slices_of_mover(how.mover).into_iter();
            for (number, slice) in slices.skip(self.stage.passes.planes_done as usize) {
                if !how.first && !self.has_new_successors(slice) {
                    self.stage.passes.planes_done += 1;
                    continue;
                }
                let loaded = match captured.take() {
                    Some((subproblem, loaded)) if subproblem == slice.subproblem => loaded,
                    other => {
                        self.recycle(0, other.and_then(|(_, plane)| plane));
                        self.load_capture_plane(slice)?
                    }
                };
                match self.stage.converted {
                    0 => self.sweep_slice((number, slice), &how, loaded.as_ref(), clock)?,
                    _ => self.incremental_slice((number, slice), &how, loaded.as_ref(), clock)?,
                }
                captured = Some((slice.subproblem, loaded));
            }
            self.recycle(0, captured.and_then(|(_, plane)| plane));
            self.stage.passes.planes_done = 0;
            let found = std::mem::take(&mut self.stage.passes.found_so_far);
            self.stage.passes.found.push(found);
            self.save_stage()?;
        }
        Ok(())
    }

    /// Whether the last pass wrote anything of what a slice leads to.
    fn has_new_successors(&self, slice: RowSlice) -> bool {
        if self.stage.converted > 0 {
            return self.has_new_frontier(slice);
        }
        let fewer = after_capture(&self.subproblems, slice.subproblem, slice.mover);
        let leads = |to: &RowSlice| {
            to.mover != slice.mover
                && (to.subproblem == slice.subproblem || Some(to.subproblem) == fewer)
        };
        let last = u32::from(self.current_pass()) - 1;
        let mut written = self.slices.iter().zip(&self.stage.versions);
        written.any(|(to, &written)| leads(to) && written >> 1 == last)
    }

    /// Goes over a slice, and keeps what is new.
    fn sweep_slice(
        &mut self,
        (number, slice): (usize, RowSlice),
        how: &PassOptions<'_>,
        captured: Option<&Plane>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let RowSlice {
            subproblem, mover, ..
        } = slice;
        let to = PlaneSource::accumulated(subproblem, 1 - mover);
        let inside = self.load_tiles(to, &self.tiles_of_column(to, slice.slice), 1)?;
        let of = &self.subproblems[subproblem];
        let rows = self.partition.rows((of, 1 - mover), slice.slice);
        let mut plane = self.load_rows(PlaneSource::accumulated(subproblem, mover), &rows, 2)?;
        let of = &self.subproblems[subproblem];
        let pass = SweepPass {
            tables: &self.tables,
            subproblem: of,
            move_lists: &self.move_lists[mover][of.followers[mover] as usize],
            first: how.first,
            undecided: false,
            quiet: &inside,
            captured,
            observers: Observers::default(),
        };
        let sets = &of.canonical_rows[1 - mover].sets;
        let of_plane = rows
            .iter()
            .zip(plane.rows_mut())
            .map(|(&row, blocks)| SweepRow {
                followers: sets[row],
                blocks,
            });
        let at_once = BLOCKS_PER_REPORT.div_ceil(of.blocks_per_row(mover));
        let with = (&self.scratch, &self.subproblems[..]);
        let mut tally = self.tally(clock);
        let gone = sweep_all(of_plane, at_once, (&pass, how), with, &mut |new| {
            tally.add(new)
        });
        let found = tally.found;
        self.recycle(1, Some(inside));
        gone?;
        let mut replaced = Vec::new();
        if found > 0 || how.first {
            // What is not won, or what is lost.
            self.track(slice, (&plane, mover == 1));
            let before = self.write_rows((number, slice), (&plane, &rows))?;
            replaced.push(((number, slice), before));
        }
        self.recycle(2, Some(plane));
        self.finish_slice(found, &replaced)
    }

    /// Looks at what is watched in a slice.
    pub(crate) fn track(&mut self, slice: RowSlice, plane: (&Plane, bool)) {
        let RowSlice {
            subproblem,
            mover,
            slice,
        } = slice;
        let pass = self.current_pass();
        self.tracked
            .record(&self.tables, plane, (subproblem, mover, slice), pass);
    }

    /// Counts what a slice finds.
    pub(crate) fn tally<'a, 'b>(&self, clock: &'a mut Budget<'b>) -> SliceTally<'a, 'b> {
        SliceTally {
            found: 0,
            decided: self.decided,
            positions: self.positions,
            clock,
        }
    }

    /// Takes down that a slice is done, then forgets the tiles that were replaced.
    pub(crate) fn finish_slice(
        &mut self,
        found: u64,
        replaced: &[ReplacedTiles],
    ) -> Result<(), Error> {
        let stage = &mut self.stage.passes;
        stage.planes_done += 1;
        stage.found_so_far += found;
        self.decided += found;
        if self.decided > self.positions {
            return Err(counted_twice());
        }
        self.commit(replaced)
    }
}

/// All slices of all planes: those of a pass with side 0 to move first.
pub(crate) fn row_slices(subproblems: &[Subproblem], cut: &Partition) -> Vec<RowSlice> {
    let mut slices = Vec::new();
    for mover in 0..2 {
        for (subproblem, of) in subproblems.iter().enumerate() {
            let count = cut.slices(of, 1 - mover).len();
            slices.extend((0..count).map(|slice| RowSlice {
                subproblem,
                mover,
                slice,
            }));
        }
    }
    slices
}
