//! Strong solves of two-sided games by bit planes: in memory, out of core, or acyclic by bytes.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use hindsight_bitplanes::{
    AcyclicOptions, AcyclicPlan, BitplanePlan, InMemoryOptions, Instructions, NoPlaneCheckpoint,
    OutOfCoreOptions, OutOfCorePlan, Sample, SampleReport, TileStore,
};
use hindsight_core::{Notation, TwoSided};
use hindsight_play::SeededRandom;
use hindsight_solve::{Error, Limits, MemoryStore, StrongSolution};
use hindsight_tablebase::{CheckpointDir, Layout, PlanesStore};

use super::report::SampleCheck;
use super::strong::{MAX_RANKS_FOR_LINE, StrongSolve, TimedStore};
use crate::args::Solver;
use crate::errors::{solver_error, store_error};
use crate::files::{
    CHECKPOINT_INTERVAL, DiskNeeds, PlannedStore, layer_folder, remoteness_limit_text, write_table,
};
use crate::huge_pages::return_freed_blocks;
use crate::memory::{check_disk, program_bytes};
use crate::output::{Output, print_message, with_commas};
use crate::progress::ProgressDisplay;
use crate::sizes::format_needed;

/// Seed of the positions that `--check` draws.
const SAMPLE_SEED: u64 = 1;

/// Bytes of tiles on the disk per byte of planes, with a margin: 0.29 were measured.
const TILE_COMPRESSION: f64 = 0.35;

/// Size of the sample that `--check` draws, and the memory that is left to the solver.
struct SampleBudget {
    /// Number of positions; 0 without `--check`.
    count: u32,
    /// Bytes that the sample takes.
    bytes: u64,
    /// Limits of the solver: those of the command less `bytes`.
    limits: Limits,
}

impl<G: TwoSided + Notation> StrongSolve<'_, G> {
    /// Solves by bit planes. Values of single positions are kept only for a table.
    pub(crate) fn run_planes(&self, out: Option<Output>) -> Result<()> {
        let layout = self.table_layout()?;
        let (game, allowed) = (self.game, self.context.limits());
        BitplanePlan::check_roughly(game, allowed).map_err(solver_error)?;
        let plan = BitplanePlan::new(game);
        let checkpoint = self.args.files.checkpoint.as_deref();
        let started_checkpoint =
            checkpoint.filter(|dir| self.args.files.resume && CheckpointDir::has_slices(dir));
        if let Some(dir) = started_checkpoint {
            return self.run_out_of_core(plan, dir);
        }
        let budget = self.sample_budget(allowed);
        let writes_table = self.args.files.out.is_some();
        let plan = if writes_table || checkpoint.is_some() {
            plan
        } else {
            match plan.acyclic(budget.limits.memory) {
                Ok(plan) => return self.run_acyclic(plan),
                Err(plan) => *plan,
            }
        };
        let solver_peak = |memory| {
            if writes_table {
                plan.peak_with_store(game, &PlannedStore::<G>::new(layout), memory)
            } else {
                plan.peak(memory)
            }
        };
        // New planes are written beside those of the last checkpoint; frontiers are not saved.
        let checkpoint_bytes = 2 * solver_peak(0);
        let disk = if writes_table {
            DiskNeeds::for_values(&self.args.files, plan.positions())
        } else {
            DiskNeeds::default()
        };
        let disk = disk.plus_checkpoint(&self.args.files, checkpoint_bytes);
        let peak = solver_peak(budget.limits.memory) + budget.bytes;
        if peak > allowed.memory && !writes_table {
            match checkpoint {
                // A checkpoint of planes in memory cannot be resumed out of core.
                Some(dir) if CheckpointDir::has_planes(dir) => {}
                Some(dir) => return self.run_out_of_core(plan, dir),
                None => return Err(self.suggest_checkpoint(plan, peak)),
            }
        }
        let note = if writes_table {
            remoteness_limit_text(hindsight_bitplanes::LONGEST_STORED)
        } else {
            String::new()
        };
        disk.report(&self.work_text(plan.positions()), peak, &note, self.context);
        plan.check(peak, allowed).map_err(solver_error)?;
        disk.check()?;
        let folder = layer_folder(&self.args.files)?;
        let layers = self.open_checkpoint(folder.as_ref(), layout)?;
        let has_checkpoint = self.args.files.checkpoint.is_some();
        let mut planes_store = layers
            .as_ref()
            .filter(|_| has_checkpoint)
            .map(|layers| layers.planes_store(CHECKPOINT_INTERVAL));
        let keeps_values = writes_table && plan.positions() <= MAX_RANKS_FOR_LINE;
        let mut store = TimedStore {
            inner: layers.as_ref().map(|layers| layers.layer_store(game)),
            in_memory: keeps_values.then(MemoryStore::default),
            storing_time: Duration::ZERO,
        };
        let mut sample = Sample::draw(game, budget.count, &mut SeededRandom::new(&[SAMPLE_SEED]));
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let options = InMemoryOptions {
            instructions: Instructions::detect(),
            limits: budget.limits,
            monitor: &mut display,
            checkpoint: match &mut planes_store {
                Some(planes_store) => planes_store,
                None => &mut NoPlaneCheckpoint,
            },
        };
        let solved = if writes_table {
            hindsight_bitplanes::solve_and_store(game, plan, options, &mut store)
        } else {
            hindsight_bitplanes::solve(game, plan, options, &mut |planes, value| {
                sample.record(planes, value);
                Ok(())
            })
        };
        drop(display);
        let elapsed = begin.elapsed();
        let solved = solved.map_err(store_error)?;
        let TimedStore {
            in_memory,
            storing_time,
            ..
        } = store;
        let table = write_table(layers.as_ref(), out, layout, storing_time)?;
        let checkpoint_time = planes_store
            .as_ref()
            .map_or(Duration::ZERO, PlanesStore::spent);
        planes_store.map_or(Ok(()), PlanesStore::remove)?;
        let seconds = (elapsed - storing_time - checkpoint_time).as_secs_f64();
        let mut report = self.report(Solver::Planes, &solved, seconds, table);
        if budget.count > 0 {
            report.checked = Some(self.sample_check(sample.check())?);
        }
        self.print_report(&report, &solved, in_memory.as_ref())
    }

    /// Solves out of core: the planes are in `dir`, and slices of them in memory.
    fn run_out_of_core(&self, plan: BitplanePlan, dir: &Path) -> Result<()> {
        let (game, allowed) = (self.game, self.context.limits());
        let budget = self.sample_budget(allowed);
        let solver_memory = budget.limits.memory;
        let resumed = if self.args.files.resume {
            Some(CheckpointDir::resume(dir, &game.spec(), Layout::Full)?)
        } else {
            None
        };
        let stage = match &resumed {
            Some(checkpoint) => checkpoint.tiles_store().stage().map_err(Error::Store),
            None => Ok(None),
        };
        let plan = match stage.map_err(store_error)? {
            Some(stage) => OutOfCorePlan::with_slices(plan, stage.slices, solver_memory),
            None => OutOfCorePlan::new(plan, solver_memory),
        };
        let peak = plan.peak() + budget.bytes;
        let disk_bytes = tile_disk_bytes(&plan);
        if !self.context.quiet {
            print_message(&format!(
                "every position of {}: {} positions by slices, {} of memory, about {} of disk",
                game.spec(),
                with_commas(plan.positions()),
                format_needed(peak + program_bytes()),
                format_needed(disk_bytes)
            ));
        }
        plan.check(peak, allowed).map_err(solver_error)?;
        let checkpoint = match resumed {
            Some(checkpoint) => checkpoint,
            None => {
                check_disk(&[(dir, disk_bytes)])?;
                CheckpointDir::create(dir, &game.spec(), Layout::Full)?
            }
        };
        let mut tiles = checkpoint.tiles_store();
        let mut sample = Sample::draw(game, budget.count, &mut SeededRandom::new(&[SAMPLE_SEED]));
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let options = OutOfCoreOptions {
            instructions: Instructions::detect(),
            limits: budget.limits,
            monitor: &mut display,
            tiles: &mut tiles,
        };
        let solved = hindsight_bitplanes::solve_out_of_core(game, plan, options, sample.tracked());
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let (solved, values) = solved.map_err(store_error)?;
        tiles.remove()?;
        sample.set_values(&values);
        self.print_without_table(&solved, seconds, (budget.count > 0).then_some(sample))
    }

    /// Solves in memory with a byte a position, for games in which no piece can move backwards.
    fn run_acyclic(&self, plan: AcyclicPlan) -> Result<()> {
        let game = self.game;
        let budget = self.sample_budget(self.context.limits());
        let work = self.work_text(plan.positions());
        DiskNeeds::default().report(&work, plan.peak() + budget.bytes, "", self.context);
        return_freed_blocks();
        let mut sample = Sample::draw(game, budget.count, &mut SeededRandom::new(&[SAMPLE_SEED]));
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let options = AcyclicOptions {
            instructions: Instructions::detect(),
            limits: budget.limits,
            monitor: &mut display,
        };
        let solved = hindsight_bitplanes::solve_acyclic(game, plan, options, sample.tracked());
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let (solved, values) = solved.map_err(solver_error)?;
        sample.set_values(&values);
        self.print_without_table(&solved, seconds, (budget.count > 0).then_some(sample))
    }

    /// Description of the work, for the message before it starts.
    fn work_text(&self, positions: u64) -> String {
        let spec = self.game.spec();
        format!(
            "every position of {spec}: {} positions",
            with_commas(positions)
        )
    }

    /// Checks the sample, if any, and prints the answer of a solve without a table.
    fn print_without_table(
        &self,
        solved: &StrongSolution,
        seconds: f64,
        sample: Option<Sample<G::Position>>,
    ) -> Result<()> {
        let mut report = self.report(Solver::Planes, solved, seconds, None);
        if let Some(sample) = sample {
            report.checked = Some(self.sample_check(sample.check())?);
        }
        self.print_report(&report, solved, None)
    }

    /// Splits the memory of the command between the sample of `--check` and the solver.
    fn sample_budget(&self, allowed: Limits) -> SampleBudget {
        let count = self.args.check.unwrap_or(0);
        let bytes = u64::from(count) * Sample::<G::Position>::BYTES;
        let memory = allowed.memory.saturating_sub(bytes);
        SampleBudget {
            count,
            bytes,
            limits: Limits { memory, ..allowed },
        }
    }

    /// Returns the error of planes that exceed the memory, with the needs of an out-of-core solve.
    fn suggest_checkpoint(&self, plan: BitplanePlan, peak: u64) -> anyhow::Error {
        let allowed = self.context.limits();
        let Err(error) = plan.check(peak, allowed) else {
            return anyhow!("{} are enough", format_needed(peak + program_bytes()));
        };
        let out_of_core = OutOfCorePlan::new(plan, allowed.memory);
        anyhow!(
            "{}; with --checkpoint DIR it is solved by slices, in {} and with about {} of disk",
            solver_error(error),
            format_needed(out_of_core.peak() + program_bytes()),
            format_needed(tile_disk_bytes(&out_of_core))
        )
    }

    /// Summary of the sample.
    ///
    /// # Errors
    /// An error if the value of a position contradicts those of its successors.
    fn sample_check(&self, sample: SampleReport<G::Position>) -> Result<SampleCheck> {
        if let Some(fault) = sample.faults.first() {
            bail!(
                "the solve is wrong, and nothing of it can be trusted: {} is a {}, \
                 and by its successors a {}",
                self.game.format(fault.position),
                fault.value,
                fault.by_successors
            );
        }
        Ok(SampleCheck {
            positions: sample.positions,
            successors: sample.successors,
        })
    }
}

/// Estimate of the bytes that tiles take on the disk.
fn tile_disk_bytes(plan: &OutOfCorePlan) -> u64 {
    (plan.bytes() as f64 * TILE_COMPRESSION) as u64 + (1 << 20)
}
