use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use hindsight_bitplanes::{
    AcyclicOptions, AcyclicPlan, BitplanePlan, InMemoryOptions, Instructions, NoPlaneCheckpoint,
    OutOfCoreOptions, OutOfCorePlan, Sample, SampleReport, TileStore,
};
use hindsight_core::{Notation, TwoSided};
use hindsight_play::SeededRandom;
use hindsight_solve::StrongSolution;
use hindsight_solve::{Error, Limits, MemoryStore};
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

/// Of the positions that `--check` draws.
const SAMPLE_SEED: u64 = 1;

/// What tiles take on the disk, of the bytes of planes, with a margin: 0.29 were measured.
const TILE_COMPRESSION: f64 = 0.35;

impl<G: TwoSided + Notation> StrongSolve<'_, G> {
    /// Solves by planes of bits. Every value is kept only if a table is asked for.
    pub(crate) fn run_planes(&self, out: Option<Output>) -> Result<()> {
        let layout = self.table_layout()?;
        let (game, allowed) = (self.game, self.context.limits());
        BitplanePlan::check_roughly(game, allowed).map_err(solver_error)?;
        let plan = BitplanePlan::new(game);
        let checkpoint = self.args.files.checkpoint.as_deref();
        let begun =
            checkpoint.filter(|dir| self.args.files.resume && CheckpointDir::has_slices(dir));
        if let Some(dir) = begun {
            return self.run_out_of_core(plan, dir);
        }
        let (count, watched, limits) = self.sample_budget(allowed);
        let files = self.args.files.out.is_some();
        let plan = match files || checkpoint.is_some() {
            true => plan,
            false => match plan.acyclic(limits.memory) {
                Ok(plan) => return self.run_acyclic(plan),
                Err(plan) => *plan,
            },
        };
        let peak = |memory| match files {
            true => plan.peak_with_store(game, &PlannedStore::<G>::new(layout), memory),
            false => plan.peak(memory),
        };
        // New planes are written beside those of the last checkpoint; lists are not kept.
        let kept = 2 * peak(0);
        let disk = match files {
            true => DiskNeeds::for_values(&self.args.files, plan.positions()),
            false => DiskNeeds::default(),
        };
        let disk = disk.plus_checkpoint(&self.args.files, kept);
        let peak = peak(limits.memory) + watched;
        if peak > allowed.memory && !files {
            match checkpoint {
                // Planes that were begun in memory stay there.
                Some(dir) if CheckpointDir::has_planes(dir) => {}
                Some(dir) => return self.run_out_of_core(plan, dir),
                None => return Err(self.suggest_checkpoint(plan, peak)),
            }
        }
        let more = if files {
            remoteness_limit_text(hindsight_bitplanes::LONGEST_STORED)
        } else {
            String::new()
        };
        disk.report(&self.work_text(plan.positions()), peak, &more, self.context);
        plan.check(peak, allowed).map_err(solver_error)?;
        disk.check()?;
        let folder = layer_folder(&self.args.files)?;
        let work = self.open_checkpoint(folder.as_ref(), layout)?;
        let keeps = self.args.files.checkpoint.is_some();
        let work_kept = work.as_ref().filter(|_| keeps);
        let mut kept = work_kept.map(|work| work.planes_store(CHECKPOINT_INTERVAL));
        let mut store = TimedStore {
            inner: work.as_ref().map(|work| work.layer_store(game)),
            in_memory: (files && plan.positions() <= MAX_RANKS_FOR_LINE).then(MemoryStore::default),
            storing_time: Duration::ZERO,
        };
        let mut sample = Sample::draw(game, count, &mut SeededRandom::new(&[SAMPLE_SEED]));
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let terms = InMemoryOptions {
            instructions: Instructions::detect(),
            limits,
            monitor: &mut display,
            checkpoint: match &mut kept {
                Some(kept) => kept,
                None => &mut NoPlaneCheckpoint,
            },
        };
        let solved = if files {
            hindsight_bitplanes::solve_and_store(game, plan, terms, &mut store)
        } else {
            hindsight_bitplanes::solve(game, plan, terms, &mut |planes, value| {
                sample.record(planes, value);
                Ok(())
            })
        };
        drop(display);
        let elapsed = begin.elapsed();
        let solved = solved.map_err(store_error)?;
        let TimedStore {
            in_memory: small,
            storing_time: spent,
            ..
        } = store;
        let written = write_table(work.as_ref(), out, layout, spent)?;
        let keeping = kept.as_ref().map_or(Duration::ZERO, PlanesStore::spent);
        kept.map_or(Ok(()), PlanesStore::remove)?;
        let seconds = (elapsed - spent - keeping).as_secs_f64();
        let mut found = self.report(Solver::Planes, &solved, seconds, written);
        if count > 0 {
            found.checked = Some(self.sample_check(sample.check())?);
        }
        self.print_report(&found, &solved, small.as_ref())
    }

    /// Solves by planes that are in a folder, slice by slice.
    fn run_out_of_core(&self, plan: BitplanePlan, dir: &Path) -> Result<()> {
        let (game, allowed) = (self.game, self.context.limits());
        let (count, watched, limits) = self.sample_budget(allowed);
        let resumed = match self.args.files.resume {
            true => Some(CheckpointDir::resume(dir, &game.spec(), Layout::Full)?),
            false => None,
        };
        let begun = match &resumed {
            Some(work) => work.tiles_store().stage().map_err(Error::Store),
            None => Ok(None),
        };
        let plan = match begun.map_err(store_error)? {
            Some(stage) => OutOfCorePlan::with_slices(plan, stage.slices, limits.memory),
            None => OutOfCorePlan::new(plan, limits.memory),
        };
        let (peak, disk) = (plan.peak() + watched, tile_disk_bytes(&plan));
        if !self.context.quiet {
            print_message(&format!(
                "every position of {}: {} positions by slices, {} of memory, about {} of disk",
                game.spec(),
                with_commas(plan.positions()),
                format_needed(peak + program_bytes()),
                format_needed(disk)
            ));
        }
        plan.check(peak, allowed).map_err(solver_error)?;
        let work = match resumed {
            Some(work) => work,
            None => {
                check_disk(&[(dir, disk)])?;
                CheckpointDir::create(dir, &game.spec(), Layout::Full)?
            }
        };
        let mut tiles = work.tiles_store();
        let mut sample = Sample::draw(game, count, &mut SeededRandom::new(&[SAMPLE_SEED]));
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let terms = OutOfCoreOptions {
            instructions: Instructions::detect(),
            limits,
            monitor: &mut display,
            tiles: &mut tiles,
        };
        let solved = hindsight_bitplanes::solve_out_of_core(game, plan, terms, sample.tracked());
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let (solved, values) = solved.map_err(store_error)?;
        tiles.remove()?;
        sample.set_values(&values);
        self.print_without_table(&solved, seconds, (count > 0).then_some(sample))
    }

    /// Solves by bytes in memory, where no piece can go back.
    fn run_acyclic(&self, plan: AcyclicPlan) -> Result<()> {
        let game = self.game;
        let (count, watched, limits) = self.sample_budget(self.context.limits());
        let every = self.work_text(plan.positions());
        DiskNeeds::default().report(&every, plan.peak() + watched, "", self.context);
        return_freed_blocks();
        let mut sample = Sample::draw(game, count, &mut SeededRandom::new(&[SAMPLE_SEED]));
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let terms = AcyclicOptions {
            instructions: Instructions::detect(),
            limits,
            monitor: &mut display,
        };
        let solved = hindsight_bitplanes::solve_acyclic(game, plan, terms, sample.tracked());
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let (solved, values) = solved.map_err(solver_error)?;
        sample.set_values(&values);
        self.print_without_table(&solved, seconds, (count > 0).then_some(sample))
    }

    /// The work, as it is told before it starts.
    fn work_text(&self, positions: u64) -> String {
        let spec = self.game.spec();
        format!(
            "every position of {spec}: {} positions",
            with_commas(positions)
        )
    }

    /// What was found without files, and what a sample says of it.
    fn print_without_table(
        &self,
        solved: &StrongSolution,
        seconds: f64,
        sample: Option<Sample<G::Position>>,
    ) -> Result<()> {
        let mut found = self.report(Solver::Planes, solved, seconds, None);
        if let Some(sample) = sample {
            found.checked = Some(self.sample_check(sample.check())?);
        }
        self.print_report(&found, solved, None)
    }

    /// How many positions `--check` draws, their bytes, and what is left of the limits.
    fn sample_budget(&self, allowed: Limits) -> (u32, u64, Limits) {
        let count = self.args.check.unwrap_or(0);
        let watched = u64::from(count) * Sample::<G::Position>::BYTES;
        let memory = allowed.memory.saturating_sub(watched);
        (count, watched, Limits { memory, ..allowed })
    }

    /// That planes do not fit, and what they take by slices.
    fn suggest_checkpoint(&self, plan: BitplanePlan, peak: u64) -> anyhow::Error {
        let allowed = self.context.limits();
        let Err(error) = plan.check(peak, allowed) else {
            return anyhow!("{} are enough", format_needed(peak + program_bytes()));
        };
        let sliced = OutOfCorePlan::new(plan, allowed.memory);
        anyhow!(
            "{}; with --checkpoint DIR it is solved by slices, in {} and with about {} of disk",
            solver_error(error),
            format_needed(sliced.peak() + program_bytes()),
            format_needed(tile_disk_bytes(&sliced))
        )
    }

    /// What was checked, if all is well.
    fn sample_check(&self, checked: SampleReport<G::Position>) -> Result<SampleCheck> {
        if let Some(fault) = checked.faults.first() {
            bail!(
                "the solve is wrong, and nothing of it can be trusted: {} is a {}, and by its successors a {}",
                self.game.format(fault.position),
                fault.value,
                fault.by_successors
            );
        }
        Ok(SampleCheck {
            positions: checked.positions,
            successors: checked.successors,
        })
    }
}

/// About the bytes on the disk.
fn tile_disk_bytes(plan: &OutOfCorePlan) -> u64 {
    (plan.bytes() as f64 * TILE_COMPRESSION) as u64 + (1 << 20)
}
