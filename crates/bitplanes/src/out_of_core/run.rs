//! An out-of-core solve, pass by pass.

use hindsight_core::{Game, PackedGame, Placement, TwoSided, Value};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Budget, Error, Limits, Monitor, StrongSolution};

use crate::out_of_core::partition::Partition;
use crate::out_of_core::plan::OutOfCorePlan;
use crate::out_of_core::stage::OutOfCoreStage;
use crate::out_of_core::state::{Buffer, IncrementalState, OutOfCoreRun, RowSlice, SliceRows};
use crate::out_of_core::tile_io::{PlaneSource, ReplacedTiles};
use crate::out_of_core::tracked::TrackedPositions;
use crate::pass::recorder::Observers;
use crate::pass::schedule::{BLOCKS_PER_REPORT, PassOptions, SweepJob};
use crate::pass::sweep::{SweepPass, SweepRow};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::move_lists::MoveLists;
use crate::space::subproblem::{PlaneShape, Subproblem, after_capture};
use crate::thread_scratch::ThreadScratch;
use crate::values::{counted_twice, solution_of_passes, value_of_pass};

/// Options of [`solve_out_of_core`].
pub struct OutOfCoreOptions<'a> {
    /// Instruction set to use.
    pub instructions: Instructions,
    /// Memory and time allowed.
    pub limits: Limits,
    /// Hears of the progress.
    pub monitor: &'a mut dyn Monitor,
    /// Checkpoint in which tiles and progress are kept.
    pub checkpoint: &'a Checkpoint<'a>,
}

/// A plane that captures lead to, kept loaded while slices of one subproblem follow each other.
struct LoadedCapture {
    /// Subproblem that is captured from.
    subproblem: usize,
    plane: Option<Plane>,
}

/// Solves every position with planes in tiles.
///
/// Also returns the values of the positions `tracked`, in their order; `None` for draws. A solve
/// whose tiles hold a stage goes on from it.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed.
/// Then [`Error::Stopped`], [`Error::Time`], and [`Error::Store`] if tiles fail or belong to
/// another solve.
pub fn solve_out_of_core(
    game: &PackedGame,
    plan: OutOfCorePlan,
    options: OutOfCoreOptions<'_>,
    tracked: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    plan.check(plan.peak, options.limits)?;
    let incremental = IncrementalState::new(&plan);
    let OutOfCorePlan { plan, partition, .. } = plan;
    let positions = plan.positions();
    let bytes = plan.buffers(&partition);
    let move_lists = plan.move_lists();
    let start = game.placement(game.start());
    let tracked = start.into_iter().chain(tracked);
    let tracked = TrackedPositions::new(&plan.tables, &plan.subproblems, &partition, tracked);
    let buffer = |bytes: u64| Vec::with_capacity(bytes as usize);
    let mut run = OutOfCoreRun {
        scratch: ThreadScratch::new(|| None),
        checkpoint: options.checkpoint,
        stage: OutOfCoreStage::default(),
        decided: 0,
        buffers: [bytes.captured, bytes.quiet, bytes.rows].map(buffer),
        slices: row_slices(&plan.subproblems, &partition),
        incremental,
        tables: plan.tables,
        subproblems: plan.subproblems,
        move_lists,
        partition,
        tracked,
        positions,
    };
    run.resume()?;
    let mut budget = Budget::new(options.limits, options.monitor);
    run.passes(options.instructions, &mut budget)?;
    let start_pass = run.tracked.passes.first().copied();
    let start_pass = start_pass.filter(|&pass| start.is_some() && pass > 0);
    let (_, found) = run.stage.passes.found.split_last().expect("passes");
    let solution = solution_of_passes(positions, found, start_pass)?;
    let value = |&pass: &u16| (pass > 0).then(|| value_of_pass(usize::from(pass)));
    let passes = run.tracked.passes.iter().skip(usize::from(start.is_some()));
    let values = passes.map(value).collect();
    run.remove_all_tiles()?;
    Ok((solution, values))
}

impl OutOfCoreRun<'_> {
    /// Takes up the stage of an earlier run, or saves the first one.
    fn resume(&mut self) -> Result<(), Error> {
        let versions = self.slices.len() + self.slices_of_mover(0).len();
        let Some(stage) = self.checkpoint.timed(OutOfCoreStage::stored)? else {
            self.stage = OutOfCoreStage {
                slices: self.partition.count,
                versions: vec![0; versions],
                ..OutOfCoreStage::default()
            };
            // Saved at once, so that the run can be told apart from one in memory.
            return self.save_stage();
        };
        let decided = stage.passes.decided(self.positions);
        let fits = stage.slices == self.partition.count
            && stage.versions.len() == versions
            && stage.tracked.len() == self.tracked.passes.len();
        if fits && decided.is_some() && !self.is_consistent(&stage) {
            return Err(Error::damaged("a solve by slices has passes that it did not make"));
        }
        let Some(decided) = decided.filter(|_| fits) else {
            let cause = "what was kept is of another game, or was begun with other memory or \
                         another sample";
            return Err(Error::Store(cause.into()));
        };
        self.decided = decided;
        self.tracked.passes.clone_from(&stage.tracked);
        self.stage = stage;
        Ok(())
    }

    /// Returns true if a stage of the right lengths names no pass or slice that cannot be.
    fn is_consistent(&self, stage: &OutOfCoreStage) -> bool {
        let passes = stage.passes.found.len();
        let pass = passes + 1;
        let has_begun =
            |version: u32| version == 0 || (1..=pass).contains(&(version as usize >> 1));
        let slices = |mover| self.slices_of_mover(mover).len() as u64;
        stage.versions.iter().all(|&version| has_begun(version))
            && stage.tracked.iter().all(|&by| usize::from(by) <= pass)
            && stage.passes.planes_done <= slices(1 - pass % 2)
            && (stage.converted == 0 || passes >= 3)
            && stage.converted <= slices(0) + 1
    }

    /// Makes passes until one finds nothing; that last one is counted in the stage with 0.
    fn passes(&mut self, instructions: Instructions, budget: &mut Budget<'_>) -> Result<(), Error> {
        while self.stage.passes.found.last() != Some(&0) {
            self.convert_to_undecided(instructions, budget)?;
            if self.solve_explicitly(instructions, budget)? {
                break;
            }
            let pass = self.current_pass();
            let options = PassOptions {
                mover: 1 - usize::from(pass) % 2,
                first: pass <= 2,
                incremental: false,
                records_frontier: false,
                instructions,
                observer: None,
            };
            self.pass_over_slices(&options, budget)?;
            self.stage.passes.planes_done = 0;
            let found = std::mem::take(&mut self.stage.passes.found_so_far);
            self.stage.passes.found.push(found);
            self.save_stage()?;
        }
        Ok(())
    }

    /// Makes the rest of a pass, slice by slice.
    fn pass_over_slices(
        &mut self,
        options: &PassOptions<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let mut loaded: Option<LoadedCapture> = None;
        let slices = self.slices_of_mover(options.mover).into_iter();
        for slice in slices.skip(self.stage.passes.planes_done as usize) {
            if !options.first && !self.has_new_successors(slice) {
                self.stage.passes.planes_done += 1;
                continue;
            }
            let captured = match loaded.take() {
                Some(loaded) if loaded.subproblem == slice.subproblem => loaded.plane,
                other => {
                    self.recycle(Buffer::Capture, other.and_then(|loaded| loaded.plane));
                    self.load_capture_plane(slice)?
                }
            };
            match self.stage.converted {
                0 => self.sweep_slice(slice, options, captured.as_ref(), budget)?,
                _ => self.incremental_slice(slice, options, captured.as_ref(), budget)?,
            }
            loaded = Some(LoadedCapture { subproblem: slice.subproblem, plane: captured });
        }
        self.recycle(Buffer::Capture, loaded.and_then(|loaded| loaded.plane));
        Ok(())
    }

    /// Returns true if the last pass wrote any slice that moves from this one lead to.
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
        let mut versions = self.slices.iter().zip(&self.stage.versions);
        versions.any(|(to, &version)| leads(to) && version >> 1 == last)
    }

    /// Sweeps over a slice of W or L, and writes it if anything is new.
    fn sweep_slice(
        &mut self,
        slice: RowSlice,
        options: &PassOptions<'_>,
        captured: Option<&Plane>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let RowSlice { subproblem, mover, .. } = slice;
        let successors = PlaneSource::accumulated(subproblem, 1 - mover);
        let quiet = self.load_column(successors, slice.slice)?;
        let rows = self.partition.rows(self.shape(slice), slice.slice);
        let source = PlaneSource::accumulated(subproblem, mover);
        let mut plane = self.load_rows(source, &rows, Buffer::Rows)?;
        let shape = self.shape(slice);
        let job = SweepJob {
            pass: &SweepPass {
                tables: &self.tables,
                subproblem: shape.subproblem,
                move_lists: self.move_lists_of(shape),
                first: options.first,
                undecided: false,
                quiet: &quiet,
                captured,
                observers: Observers::default(),
            },
            options,
            scratch: &self.scratch,
            subproblems: &self.subproblems,
        };
        let sets = shape.row_sets();
        let blocks = rows.iter().zip(plane.rows_mut());
        let sweep_rows = blocks.map(|(&row, blocks)| SweepRow { followers: sets[row], blocks });
        let batch = BLOCKS_PER_REPORT.div_ceil(shape.blocks_per_row());
        let mut tally = self.tally(budget);
        let swept = job.sweep_all(sweep_rows, batch, &mut |new| tally.add(new));
        let found = tally.found;
        self.recycle(Buffer::Quiet, Some(quiet));
        swept?;
        let mut replaced = Vec::new();
        if found > 0 || options.first {
            // W holds what is not won, L what is lost.
            self.track(slice, &plane, mover == 1);
            let rows = SliceRows { slice, rows: &rows };
            replaced.push(self.write_rows(rows, &plane)?);
        }
        self.recycle(Buffer::Rows, Some(plane));
        self.finish_slice(found, &replaced)
    }

    /// Looks up the tracked positions of a slice; a bit equal to `decided_bit` is decided.
    pub(crate) fn track(&mut self, slice: RowSlice, plane: &Plane, decided_bit: bool) {
        let pass = self.current_pass();
        self.tracked.record(&self.tables, plane, decided_bit, slice.key(), pass);
    }

    /// Counts a slice as done, and commits its tiles.
    pub(crate) fn finish_slice(
        &mut self,
        found: u64,
        replaced: &[ReplacedTiles],
    ) -> Result<(), Error> {
        let passes = &mut self.stage.passes;
        passes.planes_done += 1;
        passes.found_so_far += found;
        self.decided += found;
        if self.decided > self.positions {
            return Err(counted_twice());
        }
        self.commit(replaced)
    }

    /// Move lists of a plane's mover, by kind of move.
    pub(crate) fn move_lists_of(&self, shape: PlaneShape<'_>) -> &[MoveLists] {
        let mover = 1 - shape.major;
        &self.move_lists[mover][shape.subproblem.followers[mover] as usize]
    }
}

/// Slices of rows of all planes: those with side 0 to move come first.
fn row_slices(subproblems: &[Subproblem], partition: &Partition) -> Vec<RowSlice> {
    let mut slices = Vec::new();
    for mover in 0..2 {
        for (i, subproblem) in subproblems.iter().enumerate() {
            for slice in 0..partition.slices(subproblem, 1 - mover).len() {
                slices.push(RowSlice { number: slices.len(), subproblem: i, mover, slice });
            }
        }
    }
    slices
}
