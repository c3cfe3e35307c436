//! A solve in memory, pass by pass.

use hindsight_checkpoint::Checkpoint;
use hindsight_core::{Placement, TwoSided, Value, Wdl};
use hindsight_run::{Budget, Error, Limits, Monitor, Progress, Store, StrongSolution};

use crate::pass::recorder::PositionObserver;
use crate::pass::schedule::PassOptions;
use crate::pass::value_layers::{MAX_PLIES, ValueLayers, max_store_bytes, total_ranks};
use crate::planes::Planes;
use crate::simd::dispatch::Instructions;
use crate::solved_planes::SolvedPlanes;
use crate::space::plan::{BitplanePlan, FrontierBudget};
use crate::stage::PlaneStage;
use crate::values::{counted_twice, solution_of_passes, value_of_pass};

/// Options of [`solve`], [`solve_planes`] and [`solve_and_store`].
pub struct InMemoryOptions<'a> {
    /// Instruction set to use.
    pub instructions: Instructions,
    /// Memory and time allowed.
    pub limits: Limits,
    /// Hears of the progress.
    pub monitor: &'a mut dyn Monitor,
    /// Keeps the planes: between two planes when it is due, and when the solve is stopped.
    ///
    /// The first two passes are never kept.
    pub checkpoint: Option<&'a Checkpoint<'a>>,
}

/// Passes that fill empty planes, and are never kept.
const FILLING_PASSES: usize = 2;

/// Solves every position, and counts them by value.
///
/// `after` is called after each pass with the value that it decided, but not for passes of an
/// earlier run.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed.
/// Then [`Error::Stopped`], [`Error::Time`], [`Error::Store`] if the checkpoint fails or belongs to
/// another solve, and any error of `after`.
pub fn solve<G: TwoSided>(
    game: &G,
    plan: BitplanePlan,
    mut options: InMemoryOptions<'_>,
    after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
) -> Result<StrongSolution, Error> {
    let memory = options.limits.memory;
    plan.check(plan.peak(memory), options.limits)?;
    let mut run = InMemoryRun::<G>::new(game, plan, memory, None);
    run.passes(&mut options, after)?;
    run.solution()
}

/// Solves every position, and returns the planes, which tell who wins.
///
/// `after` is as in [`solve`].
///
/// # Errors
/// As [`solve`].
pub fn solve_planes<G: TwoSided>(
    game: &G,
    plan: BitplanePlan,
    mut options: InMemoryOptions<'_>,
    after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
) -> Result<SolvedPlanes, Error> {
    let memory = options.limits.memory;
    plan.check(plan.peak(memory), options.limits)?;
    let mut run = InMemoryRun::<G>::new(game, plan, memory, None);
    run.passes(&mut options, after)?;
    Ok(SolvedPlanes {
        longest: run.stage.found.len() as u16,
        planes: run.planes.without_scratch(),
    })
}

/// Solves every position, and hands all values to a store, layer by layer.
///
/// Takes a byte a rank more than [`solve`].
///
/// # Errors
/// As [`solve`]; also [`Error::TooLong`] if a position is decided after 254 plies, and
/// [`Error::Store`] if the store fails.
pub fn solve_and_store<G: TwoSided>(
    game: &G,
    plan: BitplanePlan,
    mut options: InMemoryOptions<'_>,
    store: &mut dyn Store,
) -> Result<StrongSolution, Error> {
    let memory = options.limits.memory;
    let beside = max_store_bytes(game, store);
    plan.check(plan.peak_with_store(game, store, memory), options.limits)?;
    let memory = memory - beside - total_ranks(game);
    let mut run = InMemoryRun::new(game, plan, memory, Some(ValueLayers::new(game)));
    let after = &mut |_: &Planes, value: Value| match value.remoteness() {
        Some(plies) if plies > MAX_PLIES => Err(Error::TooLong(MAX_PLIES)),
        _ => Ok(()),
    };
    run.passes(&mut options, after)?;
    let solution = run.solution()?;
    store.allow(beside);
    run.store_layers(&mut options, store)?;
    Ok(solution)
}

/// A solve in memory on its way.
struct InMemoryRun<'a, G> {
    /// Start of the game; `None` if it is over there.
    start: Option<Placement>,
    planes: Planes,
    layers: Option<ValueLayers<'a, G>>,
    /// Number of all positions.
    positions: u64,
    /// Number of positions decided so far.
    decided: u64,
    stage: PlaneStage,
    /// [`BitplanePlan::frontiers_within`].
    frontier_budgets: [FrontierBudget; 2],
}

impl<'a, G: TwoSided> InMemoryRun<'a, G> {
    /// Allocates planes and, within `memory` bytes, plans frontiers.
    fn new(game: &G, plan: BitplanePlan, memory: u64, layers: Option<ValueLayers<'a, G>>) -> Self {
        Self {
            start: game.placement(game.start()),
            positions: plan.positions(),
            frontier_budgets: plan.frontiers_within(memory),
            planes: Planes::new(plan),
            layers,
            decided: 0,
            stage: PlaneStage::default(),
        }
    }

    /// Makes passes until one finds nothing.
    fn passes(
        &mut self,
        options: &mut InMemoryOptions<'_>,
        after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let InMemoryOptions {
            instructions,
            limits,
            monitor,
            checkpoint,
        } = options;
        let (instructions, checkpoint) = (*instructions, *checkpoint);
        let is_due = || checkpoint.is_some_and(Checkpoint::is_due);
        self.decided = self.resume(checkpoint)?;
        if self.stage.holds_undecided {
            // Frontiers are not kept, so the next pass sweeps over lost positions.
            self.planes.undecided = true;
            self.complement(instructions);
        }
        let mut budget = Budget::new(*limits, &mut **monitor);
        loop {
            let pass = self.stage.found.len() + 1;
            let mover = 1 - pass % 2;
            let has_frontier = self.planes.has_frontier(1 - mover);
            if mover == 0 && has_frontier != self.planes.undecided {
                self.complement(instructions);
            }
            let pass_options = PassOptions {
                mover,
                first: pass <= FILLING_PASSES,
                incremental: has_frontier && self.planes.undecided,
                records_frontier: self.records_frontier(pass),
                instructions,
                observer: None,
            };
            self.planes
                .begin_pass(mover, self.frontier_budgets[mover].pages);
            for i in self.stage.planes_done as usize..self.planes.subproblems.len() {
                let passed = self.pass(&pass_options, i, &mut budget);
                self.stage.planes_done += u64::from(passed.is_ok());
                // A wrong checkpoint is left as it is.
                let is_stopped = matches!(&passed, Err(error) if !matches!(error, Error::Store(_)));
                if pass > FILLING_PASSES && (is_stopped || passed.is_ok() && is_due()) {
                    self.save(checkpoint)?;
                }
                passed?;
            }
            self.stage.planes_done = 0;
            let found = std::mem::take(&mut self.stage.found_so_far);
            if found == 0 {
                return Ok(());
            }
            self.stage.found.push(found);
            let is_decided = |start| self.planes.known(start).is_some_and(|wdl| wdl != Wdl::Draw);
            if self.stage.start_pass.is_none() && self.start.is_some_and(is_decided) {
                self.stage.start_pass = Some(pass as u16);
            }
            after(&self.planes, value_of_pass(pass))?;
        }
    }

    /// Returns true if a pass is to record its frontier, for the next one to be incremental.
    ///
    /// Records if the last pass of the same side found few, and starts with losses: wins are
    /// recorded only by a pass that is itself incremental.
    fn records_frontier(&self, pass: usize) -> bool {
        let before = pass.checked_sub(3).map(|before| self.stage.found[before]);
        let found_few =
            before.is_some_and(|found| found <= self.frontier_budgets[1 - pass % 2].positions);
        self.stage.planes_done == 0
            && found_few
            && (pass.is_multiple_of(2) || self.planes.undecided)
    }

    /// Converts the planes of side 1 between lost and undecided positions.
    fn complement(&mut self, instructions: Instructions) {
        self.planes.complement(instructions);
        self.stage.holds_undecided = self.planes.undecided;
    }

    /// Makes a pass over one plane, and counts in the stage, even if it is stopped.
    fn pass(
        &mut self,
        pass_options: &PassOptions<'_>,
        subproblem: usize,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let pass = self.stage.found.len() as u16 + 1;
        let layers = self.layers.as_ref();
        let record = layers.map(|layers| move |position| layers.record(position, pass));
        let pass_options = PassOptions {
            observer: record
                .as_ref()
                .map(|record| record as &PositionObserver<'_>),
            ..*pass_options
        };
        self.planes.run_pass(subproblem, &pass_options, &mut |new| {
            self.stage.found_so_far += new;
            self.decided += new;
            if self.decided > self.positions {
                return Err(counted_twice());
            }
            let progress = Progress {
                phase: "solving",
                done: self.decided,
                total: Some(self.positions),
            };
            budget.check(progress, self.decided, 0, 0)
        })
    }

    /// Takes up a checkpoint, if there is one; returns the number of positions decided.
    fn resume(&mut self, checkpoint: Option<&Checkpoint<'_>>) -> Result<u64, Error> {
        let Some(checkpoint) = checkpoint else {
            return Ok(0);
        };
        let mut codes = self
            .layers
            .as_mut()
            .map_or_else(Vec::new, ValueLayers::take_codes);
        let mut parts = self.planes.plane_bytes_mut();
        parts.extend(codes.iter_mut().map(Vec::as_mut_slice));
        let kept = checkpoint.timed(|blobs| PlaneStage::get(blobs, &mut parts))?;
        if let Some(layers) = &mut self.layers {
            layers.restore_codes(codes);
        }
        let Some(stage) = kept else {
            return Ok(0);
        };
        let passes = stage.found.len();
        let codes_fit = self
            .layers
            .as_ref()
            .is_none_or(|layers| passes <= usize::from(MAX_PLIES) && layers.is_within(passes + 1));
        let fits = codes_fit
            && passes >= FILLING_PASSES
            && stage.found.last() != Some(&0)
            && stage.planes_done <= self.planes.subproblems.len() as u64;
        let decided = stage.decided(self.positions).filter(|_| fits);
        self.stage = stage;
        decided.ok_or_else(|| Error::damaged("its planes are of another game"))
    }

    /// Keeps a checkpoint.
    fn save(&mut self, checkpoint: Option<&Checkpoint<'_>>) -> Result<(), Error> {
        let Some(checkpoint) = checkpoint else {
            return Ok(());
        };
        let codes = self
            .layers
            .as_mut()
            .map_or_else(Vec::new, ValueLayers::take_codes);
        let mut parts = self.planes.plane_bytes();
        parts.extend(codes.iter().map(Vec::as_slice));
        let kept = checkpoint.timed(|blobs| self.stage.put(blobs, &parts));
        if let Some(layers) = &mut self.layers {
            layers.restore_codes(codes);
        }
        Ok(kept?)
    }

    /// Hands the values to a store, layer by layer; keeps a checkpoint if stopped between two.
    fn store_layers(
        &mut self,
        options: &mut InMemoryOptions<'_>,
        store: &mut dyn Store,
    ) -> Result<(), Error> {
        let plies = self.stage.found.len() as u16;
        let count = self.layers.as_ref().map_or(0, ValueLayers::layers);
        for layer in 0..count {
            let Some(layers) = &mut self.layers else {
                break;
            };
            let progress = Progress {
                phase: "writing",
                done: layers.ranks_before(layer),
                total: Some(layers.ranks_before(count)),
            };
            if options.monitor.report(progress) {
                layers.store_layer(layer, plies, store)?;
            } else {
                self.save(options.checkpoint)?;
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    /// Counts of the solve.
    fn solution(&self) -> Result<StrongSolution, Error> {
        solution_of_passes(self.positions, &self.stage.found, self.stage.start_pass)
    }
}
