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

use super::report::Sampled;
use super::strong::{Every, SMALL, Timed};
use crate::args::Solver;
use crate::errors::{explain, explain_store};
use crate::files::{CHECKPOINT_INTERVAL, DiskNeeds, FilesToBe, folder, kept_up_to, write};
use crate::huge_pages::return_blocks;
use crate::memory::{beside, check_disk};
use crate::output::{Output, print_message, with_commas};
use crate::progress::Display;
use crate::sizes::format_needed;

/// Of the positions that `--check` draws.
const SEED: u64 = 1;

/// What tiles take on the disk, of the bytes of planes, with a margin: 0.29 were measured.
const PACKED: f64 = 0.35;

impl<G: TwoSided + Notation> Every<'_, G> {
    /// Solves by planes of bits. Every value is kept only if a table is asked for.
    pub(crate) fn by_planes(&self, out: Option<Output>) -> Result<()> {
        let layout = self.layout()?;
        let (game, allowed) = (self.game, self.context.limits());
        BitplanePlan::check_roughly(game, allowed).map_err(explain)?;
        let plan = BitplanePlan::new(game);
        let checkpoint = self.args.files.checkpoint.as_deref();
        let begun =
            checkpoint.filter(|dir| self.args.files.resume && CheckpointDir::has_slices(dir));
        if let Some(dir) = begun {
            return self.by_slices(plan, dir);
        }
        let (count, watched, limits) = self.beside_sample(allowed);
        let files = self.args.files.out.is_some();
        let plan = match files || checkpoint.is_some() {
            true => plan,
            false => match plan.acyclic(limits.memory) {
                Ok(plan) => return self.by_bytes(plan),
                Err(plan) => *plan,
            },
        };
        let peak = |memory| match files {
            true => plan.peak_with_store(game, &FilesToBe::<G>::new(layout), memory),
            false => plan.peak(memory),
        };
        // New planes are written beside those of the last checkpoint; lists are not kept.
        let kept = 2 * peak(0);
        let disk = match files {
            true => DiskNeeds::of_values(&self.args.files, plan.positions()),
            false => DiskNeeds::default(),
        };
        let disk = disk.and_kept(&self.args.files, kept);
        let peak = peak(limits.memory) + watched;
        if peak > allowed.memory && !files {
            match checkpoint {
                // Planes that were begun in memory stay there.
                Some(dir) if CheckpointDir::has_planes(dir) => {}
                Some(dir) => return self.by_slices(plan, dir),
                None => return Err(self.or_by_slices(plan, peak)),
            }
        }
        let more = if files {
            kept_up_to(hindsight_bitplanes::LONGEST_STORED)
        } else {
            String::new()
        };
        disk.tell(&self.every(plan.positions()), peak, &more, self.context);
        plan.check(peak, allowed).map_err(explain)?;
        disk.check()?;
        let folder = folder(&self.args.files)?;
        let work = self.work(folder.as_ref(), layout)?;
        let keeps = self.args.files.checkpoint.is_some();
        let work_kept = work.as_ref().filter(|_| keeps);
        let mut kept = work_kept.map(|work| work.planes_store(CHECKPOINT_INTERVAL));
        let mut store = Timed {
            files: work.as_ref().map(|work| work.layer_store(game)),
            small: (files && plan.positions() <= SMALL).then(MemoryStore::default),
            spent: Duration::ZERO,
        };
        let mut sample = Sample::draw(game, count, &mut SeededRandom::new(&[SEED]));
        let begin = Instant::now();
        let mut display = Display::new(self.context.quiet);
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
        let solved = solved.map_err(explain_store)?;
        let Timed { small, spent, .. } = store;
        let written = write(work.as_ref(), out, layout, spent)?;
        let keeping = kept.as_ref().map_or(Duration::ZERO, PlanesStore::spent);
        kept.map_or(Ok(()), PlanesStore::remove)?;
        let seconds = (elapsed - spent - keeping).as_secs_f64();
        let mut found = self.found(Solver::Planes, &solved, seconds, written);
        if count > 0 {
            found.checked = Some(self.sampled(sample.check())?);
        }
        self.show(&found, &solved, small.as_ref())
    }

    /// Solves by planes that are in a folder, slice by slice.
    fn by_slices(&self, plan: BitplanePlan, dir: &Path) -> Result<()> {
        let (game, allowed) = (self.game, self.context.limits());
        let (count, watched, limits) = self.beside_sample(allowed);
        let resumed = match self.args.files.resume {
            true => Some(CheckpointDir::resume(dir, &game.spec(), Layout::Full)?),
            false => None,
        };
        let begun = match &resumed {
            Some(work) => work.tiles_store().stage().map_err(Error::Store),
            None => Ok(None),
        };
        let plan = match begun.map_err(explain_store)? {
            Some(stage) => OutOfCorePlan::with_slices(plan, stage.slices, limits.memory),
            None => OutOfCorePlan::new(plan, limits.memory),
        };
        let (peak, disk) = (plan.peak() + watched, packed(&plan));
        if !self.context.quiet {
            print_message(&format!(
                "every position of {}: {} positions by slices, {} of memory, about {} of disk",
                game.spec(),
                with_commas(plan.positions()),
                format_needed(peak + beside()),
                format_needed(disk)
            ));
        }
        plan.check(peak, allowed).map_err(explain)?;
        let work = match resumed {
            Some(work) => work,
            None => {
                check_disk(&[(dir, disk)])?;
                CheckpointDir::create(dir, &game.spec(), Layout::Full)?
            }
        };
        let mut tiles = work.tiles_store();
        let mut sample = Sample::draw(game, count, &mut SeededRandom::new(&[SEED]));
        let begin = Instant::now();
        let mut display = Display::new(self.context.quiet);
        let terms = OutOfCoreOptions {
            instructions: Instructions::detect(),
            limits,
            monitor: &mut display,
            tiles: &mut tiles,
        };
        let solved = hindsight_bitplanes::solve_out_of_core(game, plan, terms, sample.tracked());
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let (solved, values) = solved.map_err(explain_store)?;
        tiles.remove()?;
        sample.set_values(&values);
        self.tell(&solved, seconds, (count > 0).then_some(sample))
    }

    /// Solves by bytes in memory, where no piece can go back.
    fn by_bytes(&self, plan: AcyclicPlan) -> Result<()> {
        let game = self.game;
        let (count, watched, limits) = self.beside_sample(self.context.limits());
        let every = self.every(plan.positions());
        DiskNeeds::default().tell(&every, plan.peak() + watched, "", self.context);
        return_blocks();
        let mut sample = Sample::draw(game, count, &mut SeededRandom::new(&[SEED]));
        let begin = Instant::now();
        let mut display = Display::new(self.context.quiet);
        let terms = AcyclicOptions {
            instructions: Instructions::detect(),
            limits,
            monitor: &mut display,
        };
        let solved = hindsight_bitplanes::solve_acyclic(game, plan, terms, sample.tracked());
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let (solved, values) = solved.map_err(explain)?;
        sample.set_values(&values);
        self.tell(&solved, seconds, (count > 0).then_some(sample))
    }

    /// The work, as it is told before it starts.
    fn every(&self, positions: u64) -> String {
        let spec = self.game.spec();
        format!(
            "every position of {spec}: {} positions",
            with_commas(positions)
        )
    }

    /// What was found without files, and what a sample says of it.
    fn tell(
        &self,
        solved: &StrongSolution,
        seconds: f64,
        sample: Option<Sample<G::Position>>,
    ) -> Result<()> {
        let mut found = self.found(Solver::Planes, solved, seconds, None);
        if let Some(sample) = sample {
            found.checked = Some(self.sampled(sample.check())?);
        }
        self.show(&found, solved, None)
    }

    /// How many positions `--check` draws, their bytes, and what is left of the limits.
    fn beside_sample(&self, allowed: Limits) -> (u32, u64, Limits) {
        let count = self.args.check.unwrap_or(0);
        let watched = u64::from(count) * Sample::<G::Position>::BYTES;
        let memory = allowed.memory.saturating_sub(watched);
        (count, watched, Limits { memory, ..allowed })
    }

    /// That planes do not fit, and what they take by slices.
    fn or_by_slices(&self, plan: BitplanePlan, peak: u64) -> anyhow::Error {
        let allowed = self.context.limits();
        let Err(error) = plan.check(peak, allowed) else {
            return anyhow!("{} are enough", format_needed(peak + beside()));
        };
        let sliced = OutOfCorePlan::new(plan, allowed.memory);
        anyhow!(
            "{}; with --checkpoint DIR it is solved by slices, in {} and with about {} of disk",
            explain(error),
            format_needed(sliced.peak() + beside()),
            format_needed(packed(&sliced))
        )
    }

    /// What was checked, if all is well.
    fn sampled(&self, checked: SampleReport<G::Position>) -> Result<Sampled> {
        if let Some(fault) = checked.faults.first() {
            bail!(
                "the solve is wrong, and nothing of it can be trusted: {} is a {}, and by its successors a {}",
                self.game.format(fault.position),
                fault.value,
                fault.by_successors
            );
        }
        Ok(Sampled {
            positions: checked.positions,
            successors: checked.successors,
        })
    }
}

/// About the bytes on the disk.
fn packed(plan: &OutOfCorePlan) -> u64 {
    (plan.bytes() as f64 * PACKED) as u64 + (1 << 20)
}
