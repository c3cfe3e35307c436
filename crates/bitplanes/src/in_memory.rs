//! A solve in memory, pass by pass.

use hindsight_core::{Game, PackedGame, Placement, Tiers, TwoSided, Value, Wdl};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Budget, Error, Layer, Limits, Monitor, Progress, Store, StrongSolution};

use crate::decided::layer_codes::{MAX_PLIES, PlaneLayerCodes, PlaneOrder, palette};
use crate::decided::needs::{PassesKept, StorePlan, layer_tiers};
use crate::decided::new_bits::{DecidedRow, RowObserver};
use crate::decided::pass_log::PassLog;
use crate::decided::row_passes::{DecidedPlanes, PlaneKey, RowPasses};
use crate::pass::schedule::PassOptions;
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
pub fn solve(
    game: &PackedGame,
    plan: BitplanePlan,
    mut options: InMemoryOptions<'_>,
    after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
) -> Result<StrongSolution, Error> {
    let memory = options.limits.memory;
    plan.check(plan.peak(memory), options.limits)?;
    let mut run = InMemoryRun::new(game, plan, memory, None);
    run.passes(&mut options, after)?;
    run.solution()
}

/// Solves every position, and returns the planes, which tell who wins.
///
/// `after` is as in [`solve`].
///
/// # Errors
/// As [`solve`].
pub fn solve_planes(
    game: &PackedGame,
    plan: BitplanePlan,
    mut options: InMemoryOptions<'_>,
    after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
) -> Result<SolvedPlanes, Error> {
    let memory = options.limits.memory;
    plan.check(plan.peak(memory), options.limits)?;
    let mut run = InMemoryRun::new(game, plan, memory, None);
    run.passes(&mut options, after)?;
    Ok(SolvedPlanes { longest: run.stage.found.len() as u16, planes: run.planes.without_scratch() })
}

/// Solves every position, and hands all values to a store, layer by layer.
///
/// Takes a byte more than [`solve`] for each bit of its planes, and one for each rank of the
/// largest layer. If memory is short and there is a checkpoint, the former are kept there,
/// compressed, and the layer is handed over in pieces.
///
/// # Errors
/// As [`solve`]; also [`Error::TooLong`] if a position is decided after 254 plies, and
/// [`Error::Store`] if the store fails.
pub fn solve_and_store(
    game: &PackedGame,
    plan: BitplanePlan,
    mut options: InMemoryOptions<'_>,
    store: &mut dyn Store,
) -> Result<StrongSolution, Error> {
    let memory = options.limits.memory;
    let has_checkpoint = options.checkpoint.is_some();
    let needs = StorePlan::new(game, store, &plan, memory, has_checkpoint);
    plan.check(needs.peak, options.limits)?;
    let passes = match (needs.kept, options.checkpoint) {
        (PassesKept::InLog, Some(checkpoint)) => {
            KeptPasses::InLog(PassLog::new(checkpoint, &plan.subproblems))
        }
        _ => KeptPasses::InMemory(RowPasses::new(&plan.subproblems)),
    };
    let mut run = InMemoryRun::new(game, plan, needs.solve, Some(passes));
    let after = &mut |_: &Planes, value: Value| match value.remoteness() {
        Some(plies) if plies > MAX_PLIES => Err(Error::TooLong(MAX_PLIES)),
        _ => Ok(()),
    };
    run.passes(&mut options, after)?;
    let solution = run.solution()?;
    let mut codes = needs.codes;
    if let Some(KeptPasses::InLog(log)) = &run.passes {
        codes = needs.codes_beside_log(memory, log.reading_bytes()?);
        // The planes have told all that they know; a run that is stopped from here on reads them
        // back.
        run.save(options.checkpoint)?;
        run.planes.drop_planes();
    }
    store.allow(needs.store());
    run.store_layers(game, &mut options, codes, store)?;
    if let Some(KeptPasses::InLog(log)) = &run.passes {
        log.remove()?;
    }
    Ok(solution)
}

/// Passes that decided the positions, in the order of the planes.
enum KeptPasses<'a> {
    InMemory(RowPasses),
    InLog(PassLog<'a>),
}

impl KeptPasses<'_> {
    fn add(&self, plane: PlaneKey, decided: &DecidedRow<'_>, pass: u8) {
        match self {
            Self::InMemory(rows) => rows.add(plane, decided, pass),
            Self::InLog(log) => log.add(decided),
        }
    }

    /// Ends a pass over a plane, perhaps before its end.
    fn close_plane(&self, plane: PlaneKey, pass: u8) -> Result<(), Error> {
        match self {
            Self::InMemory(_) => Ok(()),
            Self::InLog(log) => log.close_plane(plane, pass),
        }
    }

    fn planes(&self) -> &dyn DecidedPlanes {
        match self {
            Self::InMemory(rows) => rows,
            Self::InLog(log) => log,
        }
    }

    /// Parts that are kept with the planes. A log has one without bytes, so that its planes are
    /// told from those of a solve without values.
    fn parts(&mut self) -> Vec<&mut [u8]> {
        match self {
            Self::InMemory(rows) => rows.parts(),
            Self::InLog(_) => vec![&mut []],
        }
    }

    /// Returns true if no part has a pass after `pass`.
    fn are_within(&mut self, pass: usize) -> bool {
        match self {
            Self::InMemory(rows) => rows.are_within(pass),
            Self::InLog(_) => true,
        }
    }
}

/// A solve in memory on its way.
struct InMemoryRun<'a> {
    /// Start of the game; `None` if it is over there.
    start: Option<Placement>,
    planes: Planes,
    /// Passes that decided the positions, if they are to be stored.
    passes: Option<KeptPasses<'a>>,
    positions: u64,
    /// Number of positions decided so far.
    decided: u64,
    stage: PlaneStage,
    /// [`BitplanePlan::frontiers_within`].
    frontier_budgets: [FrontierBudget; 2],
}

impl<'a> InMemoryRun<'a> {
    /// Allocates planes and, within `memory` bytes, plans frontiers.
    fn new(
        game: &PackedGame,
        plan: BitplanePlan,
        memory: u64,
        passes: Option<KeptPasses<'a>>,
    ) -> Self {
        Self {
            start: game.placement(game.start()),
            positions: plan.positions(),
            frontier_budgets: plan.frontiers_within(memory),
            planes: Planes::new(plan),
            passes,
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
        let InMemoryOptions { instructions, limits, monitor, checkpoint } = options;
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
            self.planes.begin_pass(mover, self.frontier_budgets[mover].pages);
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
        let pass = (self.stage.found.len() + 1).min(255) as u8;
        let plane = PlaneKey { mover: pass_options.mover, subproblem };
        let passes = self.passes.as_ref();
        let add = passes.map(|passes| move |row: DecidedRow<'_>| passes.add(plane, &row, pass));
        let pass_options = PassOptions {
            observer: add.as_ref().map(|add| add as &RowObserver<'_>),
            ..*pass_options
        };
        let passed = self.planes.run_pass(subproblem, &pass_options, &mut |new| {
            self.stage.found_so_far += new;
            self.decided += new;
            if self.decided > self.positions {
                return Err(counted_twice());
            }
            let progress =
                Progress { phase: "solving", done: self.decided, total: Some(self.positions) };
            budget.check(progress, self.decided, 0, 0)
        });
        let closed = passes.map_or(Ok(()), |passes| passes.close_plane(plane, pass));
        closed.and(passed)
    }

    /// Takes up a checkpoint, if there is one; returns the number of positions decided.
    fn resume(&mut self, checkpoint: Option<&Checkpoint<'_>>) -> Result<u64, Error> {
        let Some(checkpoint) = checkpoint else {
            return Ok(0);
        };
        let mut parts = self.planes.plane_bytes_mut();
        parts.extend(self.passes.iter_mut().flat_map(KeptPasses::parts));
        let kept = checkpoint.timed(|blobs| PlaneStage::get(blobs, &mut parts))?;
        let Some(stage) = kept else {
            return Ok(0);
        };
        let passes = stage.found.len();
        let rows_fit = |kept: &mut KeptPasses<'_>| kept.are_within(passes + 1);
        let fits = self.passes.as_mut().is_none_or(rows_fit)
            && passes >= FILLING_PASSES
            && stage.found.last() != Some(&0)
            && stage.planes_done <= self.planes.subproblems.len() as u64;
        let decided = stage.decided(self.positions).filter(|_| fits);
        self.stage = stage;
        if let Some(KeptPasses::InLog(log)) = &self.passes {
            log.check_list()?;
        }
        decided.ok_or_else(|| Error::damaged("its planes are of another game"))
    }

    fn save(&mut self, checkpoint: Option<&Checkpoint<'_>>) -> Result<(), Error> {
        let Some(checkpoint) = checkpoint else {
            return Ok(());
        };
        if let Some(KeptPasses::InLog(log)) = &self.passes {
            log.put_list()?;
        }
        let mut parts = self.planes.plane_bytes();
        let rows = self.passes.iter_mut().flat_map(KeptPasses::parts);
        parts.extend(rows.map(|row| &*row));
        Ok(checkpoint.timed(|blobs| self.stage.put(blobs, &parts))?)
    }

    /// Hands the values to a store, layer by layer; keeps a checkpoint if stopped.
    fn store_layers(
        &mut self,
        game: &PackedGame,
        options: &mut InMemoryOptions<'_>,
        most_ranks: u64,
        store: &mut dyn Store,
    ) -> Result<(), Error> {
        let passes = self.passes.take().expect("passes of a solve with a store");
        let plies = self.stage.found.len() as u16;
        let ranks = |layer: &Layer| layer.starts.last().copied().unwrap_or(0);
        let layers = (0..game.layers()).map(|layer| Layer {
            palette: palette(plies),
            ..Layer::without_codes(game, layer, &layer_tiers(game, layer))
        });
        let layers: Vec<Layer> = layers.collect();
        let total = layers.iter().map(ranks).sum();
        let mut done = 0;
        for layer in &layers {
            if store.has(layer.layer).map_err(Error::Store)? {
                done += ranks(layer);
                continue;
            }
            let mut codes = PlaneLayerCodes {
                solved: PlaneOrder {
                    game,
                    tables: &self.planes.tables,
                    subproblems: &self.planes.subproblems,
                    decided: passes.planes(),
                },
                layer,
                most_ranks,
                monitor: &mut *options.monitor,
                done,
                total,
                rounds: store.rounds(),
                round: 0,
                codes: Vec::new(),
                made: None,
            };
            let stored = store.put_pieces(layer, &mut codes);
            if let (Err(Error::Stopped), KeptPasses::InMemory(_)) = (&stored, &passes) {
                self.passes = Some(passes);
                self.save(options.checkpoint)?;
                return Err(Error::Stopped);
            }
            stored?;
            done += ranks(layer);
        }
        self.passes = Some(passes);
        Ok(())
    }

    /// Counts of the solve.
    fn solution(&self) -> Result<StrongSolution, Error> {
        solution_of_passes(self.positions, &self.stage.found, self.stage.start_pass)
    }
}
