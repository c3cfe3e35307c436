//! A solve, pass by pass.

use hindsight_core::{Placement, TwoSided, Value, Wdl};
use hindsight_run::{Budget, Error, Limits, Monitor, Progress, Store, StrongSolution};

use crate::pass::recorder::PositionObserver;
use crate::pass::schedule::PassOptions;
use crate::pass::value_layers::{MAX_PLIES, ValueLayers, max_store_bytes, total_ranks};
use crate::planes::Planes;
use crate::simd::dispatch::Instructions;
use crate::space::plan::{BitplanePlan, FrontierBudget};
use crate::stage::{PlaneCheckpoint, PlaneStage};
use crate::values::{counted_twice, solution_of_passes, value_of_pass};

/// How to solve.
pub struct InMemoryOptions<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
    /// Keeps it, once two passes are over: when it is time, between two planes, and when the solve is stopped.
    pub checkpoint: &'a mut dyn PlaneCheckpoint,
}

/// The first passes, which are not kept: they fill planes that are empty.
const FILLING_PASSES: usize = 2;

/// Solves every position. `after` is called after each pass with the value of what it decided, but not
/// for passes that an earlier run kept.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor, clock, checkpoint and `after` say.
pub fn solve<G: TwoSided>(
    game: &G,
    plan: BitplanePlan,
    mut terms: InMemoryOptions<'_>,
    after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
) -> Result<StrongSolution, Error> {
    let memory = terms.limits.memory;
    plan.check(plan.peak(memory), terms.limits)?;
    let mut run = InMemoryRun::<G>::new(game, plan, memory, None);
    run.passes(&mut terms, after)?;
    run.outcome()
}

/// Solves every position, and keeps who wins where: the planes.
///
/// # Errors
/// As [`solve`].
pub fn solve_planes<G: TwoSided>(
    game: &G,
    plan: BitplanePlan,
    mut terms: InMemoryOptions<'_>,
) -> Result<Planes, Error> {
    let memory = terms.limits.memory;
    plan.check(plan.peak(memory), terms.limits)?;
    let mut run = InMemoryRun::<G>::new(game, plan, memory, None);
    run.passes(&mut terms, &mut |_, _| Ok(()))?;
    Ok(run.planes.without_scratch())
}

/// Solves every position and hands all values to a store, layer by layer: a byte a rank more.
///
/// # Errors
/// As [`solve`]; [`Error::TooLong`] after 254 plies, if more is decided then; [`Error::Store`].
pub fn solve_and_store<G: TwoSided>(
    game: &G,
    plan: BitplanePlan,
    mut terms: InMemoryOptions<'_>,
    store: &mut dyn Store,
) -> Result<StrongSolution, Error> {
    let memory = terms.limits.memory;
    let beside = max_store_bytes(game, store);
    plan.check(plan.peak_with_store(game, store, memory), terms.limits)?;
    let memory = memory - beside - total_ranks(game);
    let mut run = InMemoryRun::new(game, plan, memory, Some(ValueLayers::new(game)));
    let after = &mut |_: &Planes, value: Value| match value.remoteness() {
        Some(plies) if plies > MAX_PLIES => Err(Error::TooLong(MAX_PLIES)),
        _ => Ok(()),
    };
    run.passes(&mut terms, after)?;
    let outcome = run.outcome()?;
    store.allow(beside);
    run.store_layers(&mut terms, store)?;
    Ok(outcome)
}

/// A solve on its way.
struct InMemoryRun<'a, G> {
    start: Option<Placement>,
    planes: Planes,
    layers: Option<ValueLayers<'a, G>>,
    positions: u64,
    /// Of these, so far.
    decided: u64,
    stage: PlaneStage,
    /// [`Plan::lists`].
    frontier_budgets: [FrontierBudget; 2],
}

impl<'a, G: TwoSided> InMemoryRun<'a, G> {
    /// A solve whose planes and lists take so many bytes at most.
    fn new(game: &G, plan: BitplanePlan, memory: u64, record: Option<ValueLayers<'a, G>>) -> Self {
        Self {
            start: game.placement(game.start()),
            positions: plan.positions(),
            frontier_budgets: plan.frontiers_within(memory),
            planes: Planes::new(plan),
            layers: record,
            decided: 0,
            stage: PlaneStage::default(),
        }
    }

    /// Makes passes until one finds nothing.
    fn passes(
        &mut self,
        terms: &mut InMemoryOptions<'_>,
        after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let InMemoryOptions {
            instructions,
            limits,
            monitor,
            checkpoint,
        } = terms;
        let (instructions, checkpoint) = (*instructions, &mut **checkpoint);
        self.decided = self.resume(checkpoint)?;
        if self.stage.holds_undecided {
            // What the last pass had found was not kept.
            self.planes.undecided = true;
            self.complement(instructions);
        }
        let mut watch = Budget::new(*limits, &mut **monitor);
        loop {
            let pass = self.stage.found.len() + 1;
            let mover = 1 - pass % 2;
            let follows = self.planes.has_frontier(1 - mover);
            if mover == 0 && follows != self.planes.undecided {
                self.complement(instructions);
            }
            let how = PassOptions {
                mover,
                first: pass <= FILLING_PASSES,
                incremental: follows && self.planes.undecided,
                records_frontier: self.records_frontier(pass),
                instructions,
                observer: None,
            };
            self.planes
                .begin_pass(mover, self.frontier_budgets[mover].pages);
            for i in self.stage.planes_done as usize..self.planes.subproblems.len() {
                let passed = self.pass(&how, i, &mut watch);
                self.stage.planes_done += u64::from(passed.is_ok());
                // What was kept wrongly is left as it is.
                let is_stopped = matches!(&passed, Err(error) if !matches!(error, Error::Store(_)));
                if pass > FILLING_PASSES && (is_stopped || passed.is_ok() && checkpoint.is_due()) {
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

    /// Whether a pass lists what it finds, so that the next one goes by it: if the pass of its side
    /// before found few; wins only if the pass itself goes by losses.
    fn records_frontier(&self, pass: usize) -> bool {
        let before = pass.checked_sub(3).map(|before| self.stage.found[before]);
        let few =
            before.is_some_and(|found| found <= self.frontier_budgets[1 - pass % 2].positions);
        self.stage.planes_done == 0 && few && (pass.is_multiple_of(2) || self.planes.undecided)
    }

    fn complement(&mut self, instructions: Instructions) {
        self.planes.complement(instructions);
        self.stage.holds_undecided = self.planes.undecided;
    }

    /// Goes over a plane; what it finds is counted in the stage, also if it is stopped.
    fn pass(
        &mut self,
        how: &PassOptions<'_>,
        subproblem: usize,
        watch: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let pass = self.stage.found.len() as u16 + 1;
        let record = self.layers.as_ref();
        let tell = record.map(|record| move |position| record.record(position, pass));
        let how = PassOptions {
            observer: tell.as_ref().map(|tell| tell as &PositionObserver<'_>),
            ..*how
        };
        self.planes.run_pass(subproblem, &how, &mut |new| {
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
            watch.check(progress, self.decided, 0, 0)
        })
    }

    /// Takes up what was kept; how many positions are decided.
    fn resume(&mut self, checkpoint: &mut dyn PlaneCheckpoint) -> Result<u64, Error> {
        let mut codes = self
            .layers
            .as_mut()
            .map_or_else(Vec::new, ValueLayers::take_codes);
        let mut parts = self.planes.plane_bytes_mut();
        parts.extend(codes.iter_mut().map(Vec::as_mut_slice));
        let kept = checkpoint.get(&mut parts).map_err(Error::Store)?;
        if let Some(record) = &mut self.layers {
            record.restore_codes(codes);
        }
        let Some(stage) = kept else {
            return Ok(0);
        };
        let passes = stage.found.len();
        let noted = self
            .layers
            .as_ref()
            .is_none_or(|record| passes <= usize::from(MAX_PLIES) && record.is_within(passes + 1));
        let fits = noted
            && passes >= FILLING_PASSES
            && stage.found.last() != Some(&0)
            && stage.planes_done <= self.planes.subproblems.len() as u64;
        let decided = stage.decided(self.positions).filter(|_| fits);
        self.stage = stage;
        decided.ok_or_else(|| Error::damaged("its planes are of another game"))
    }

    fn save(&mut self, checkpoint: &mut dyn PlaneCheckpoint) -> Result<(), Error> {
        let codes = self
            .layers
            .as_mut()
            .map_or_else(Vec::new, ValueLayers::take_codes);
        let mut parts = self.planes.plane_bytes();
        parts.extend(codes.iter().map(Vec::as_slice));
        let kept = checkpoint.put(&self.stage, &parts);
        if let Some(record) = &mut self.layers {
            record.restore_codes(codes);
        }
        kept.map_err(Error::Store)
    }

    /// Hands the values to a store, layer by layer; keeps all if it is stopped between two.
    fn store_layers(
        &mut self,
        terms: &mut InMemoryOptions<'_>,
        store: &mut dyn Store,
    ) -> Result<(), Error> {
        let plies = self.stage.found.len() as u16;
        let layers = self.layers.as_ref().map_or(0, ValueLayers::layers);
        for layer in 0..layers {
            let Some(record) = &mut self.layers else {
                break;
            };
            let progress = Progress {
                phase: "writing",
                done: record.ranks_before(layer),
                total: Some(record.ranks_before(layers)),
            };
            if terms.monitor.report(progress) {
                record.store_layer(layer, plies, store)?;
            } else {
                self.save(terms.checkpoint)?;
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    fn outcome(&self) -> Result<StrongSolution, Error> {
        solution_of_passes(self.positions, &self.stage.found, self.stage.start_pass)
    }
}
