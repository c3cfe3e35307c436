//! A solve, pass by pass.

use hindsight_core::{Placement, TwoSided, Value, Wdl};
use hindsight_run::{Budget, Error, Limits, Monitor, Progress, Store, StrongSolution};

use crate::pass::recorder::Found;
use crate::pass::schedule::How;
use crate::pass::value_layers::{MOST_PLIES, Record, beside, ranks};
use crate::planes::Planes;
use crate::simd::dispatch::Instructions;
use crate::space::plan::Plan;
use crate::stage::{Checkpoint, Stage};
use crate::values::{found_twice, outcome, value_of};

/// How to solve.
pub struct Terms<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
    /// Keeps it, once two passes are over: when it is time, between two planes, and when the solve is stopped.
    pub checkpoint: &'a mut dyn Checkpoint,
}

/// The first passes, which are not kept: they fill planes that are empty.
const FILLING: usize = 2;

/// Solves every position. `after` is called after each pass with the value of what it decided, but not
/// for passes that an earlier run kept.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor, clock, checkpoint and `after` say.
pub fn solve<G: TwoSided>(
    game: &G,
    plan: Plan,
    mut terms: Terms<'_>,
    after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
) -> Result<StrongSolution, Error> {
    let memory = terms.limits.memory;
    plan.check(plan.peak(memory), terms.limits)?;
    let mut run = Run::<G>::new(game, plan, memory, None);
    run.passes(&mut terms, after)?;
    run.outcome()
}

/// Solves every position, and keeps who wins where: the planes.
///
/// # Errors
/// As [`solve`].
pub fn solve_planes<G: TwoSided>(
    game: &G,
    plan: Plan,
    mut terms: Terms<'_>,
) -> Result<Planes, Error> {
    let memory = terms.limits.memory;
    plan.check(plan.peak(memory), terms.limits)?;
    let mut run = Run::<G>::new(game, plan, memory, None);
    run.passes(&mut terms, &mut |_, _| Ok(()))?;
    Ok(run.planes.for_answers())
}

/// Solves every position and hands all values to a store, layer by layer: a byte a rank more.
///
/// # Errors
/// As [`solve`]; [`Error::TooLong`] after 254 plies, if more is decided then; [`Error::Store`].
pub fn solve_and_store<G: TwoSided>(
    game: &G,
    plan: Plan,
    mut terms: Terms<'_>,
    store: &mut dyn Store,
) -> Result<StrongSolution, Error> {
    let memory = terms.limits.memory;
    let beside = beside(game, store);
    plan.check(plan.peak_with_store(game, store, memory), terms.limits)?;
    let memory = memory - beside - ranks(game);
    let mut run = Run::new(game, plan, memory, Some(Record::new(game)));
    let after = &mut |_: &Planes, value: Value| match value.remoteness() {
        Some(plies) if plies > MOST_PLIES => Err(Error::TooLong(MOST_PLIES)),
        _ => Ok(()),
    };
    run.passes(&mut terms, after)?;
    let outcome = run.outcome()?;
    store.allow(beside);
    run.put(&mut terms, store)?;
    Ok(outcome)
}

/// A solve on its way.
struct Run<'a, G> {
    start: Option<Placement>,
    planes: Planes,
    record: Option<Record<'a, G>>,
    positions: u64,
    /// Of these, so far.
    decided: u64,
    stage: Stage,
    /// [`Plan::lists`].
    lists: [(u64, u32); 2],
}

impl<'a, G: TwoSided> Run<'a, G> {
    /// A solve whose planes and lists take so many bytes at most.
    fn new(game: &G, plan: Plan, memory: u64, record: Option<Record<'a, G>>) -> Self {
        Self {
            start: game.placement(game.start()),
            positions: plan.positions(),
            lists: plan.lists(memory),
            planes: Planes::new(plan),
            record,
            decided: 0,
            stage: Stage::default(),
        }
    }

    /// Makes passes until one finds nothing.
    fn passes(
        &mut self,
        terms: &mut Terms<'_>,
        after: &mut dyn FnMut(&Planes, Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Terms {
            instructions,
            limits,
            monitor,
            checkpoint,
        } = terms;
        let (instructions, checkpoint) = (*instructions, &mut **checkpoint);
        self.decided = self.resume(checkpoint)?;
        if self.stage.undecided {
            // What the last pass had found was not kept.
            self.planes.undecided = true;
            self.exchange(instructions);
        }
        let mut watch = Budget::new(*limits, &mut **monitor);
        loop {
            let pass = self.stage.found.len() + 1;
            let mover = 1 - pass % 2;
            let follows = self.planes.has_listed(1 - mover);
            if mover == 0 && follows != self.planes.undecided {
                self.exchange(instructions);
            }
            let how = How {
                mover,
                first: pass <= FILLING,
                follows: follows && self.planes.undecided,
                lists: self.is_to_list(pass),
                instructions,
                tell: None,
            };
            self.planes.begin(mover, self.lists[mover].1);
            for i in self.stage.planes as usize..self.planes.problems.len() {
                let passed = self.pass(&how, i, &mut watch);
                self.stage.planes += u64::from(passed.is_ok());
                // What was kept wrongly is left as it is.
                let is_stopped = matches!(&passed, Err(error) if !matches!(error, Error::Store(_)));
                if pass > FILLING && (is_stopped || passed.is_ok() && checkpoint.is_due()) {
                    self.keep(checkpoint)?;
                }
                passed?;
            }
            self.stage.planes = 0;
            let found = std::mem::take(&mut self.stage.partly);
            if found == 0 {
                return Ok(());
            }
            self.stage.found.push(found);
            let is_decided = |start| self.planes.known(start).is_some_and(|wdl| wdl != Wdl::Draw);
            if self.stage.start.is_none() && self.start.is_some_and(is_decided) {
                self.stage.start = Some(pass as u16);
            }
            after(&self.planes, value_of(pass))?;
        }
    }

    /// Whether a pass lists what it finds, so that the next one goes by it: if the pass of its side
    /// before found few; wins only if the pass itself goes by losses.
    fn is_to_list(&self, pass: usize) -> bool {
        let before = pass.checked_sub(3).map(|before| self.stage.found[before]);
        let few = before.is_some_and(|found| found <= self.lists[1 - pass % 2].0);
        self.stage.planes == 0 && few && (pass.is_multiple_of(2) || self.planes.undecided)
    }

    fn exchange(&mut self, instructions: Instructions) {
        self.planes.exchange_losses(instructions);
        self.stage.undecided = self.planes.undecided;
    }

    /// Goes over a plane; what it finds is counted in the stage, also if it is stopped.
    fn pass(&mut self, how: &How<'_>, problem: usize, watch: &mut Budget<'_>) -> Result<(), Error> {
        let pass = self.stage.found.len() as u16 + 1;
        let record = self.record.as_ref();
        let tell = record.map(|record| move |position| record.note(position, pass));
        let how = How {
            tell: tell.as_ref().map(|tell| tell as &Found<'_>),
            ..*how
        };
        self.planes.pass(problem, &how, &mut |new| {
            self.stage.partly += new;
            self.decided += new;
            if self.decided > self.positions {
                return Err(found_twice());
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
    fn resume(&mut self, checkpoint: &mut dyn Checkpoint) -> Result<u64, Error> {
        let mut codes = self.record.as_mut().map_or_else(Vec::new, Record::take);
        let mut parts = self.planes.parts_mut();
        parts.extend(codes.iter_mut().map(Vec::as_mut_slice));
        let kept = checkpoint.get(&mut parts).map_err(Error::Store)?;
        if let Some(record) = &mut self.record {
            record.give(codes);
        }
        let Some(stage) = kept else {
            return Ok(0);
        };
        let passes = stage.found.len();
        let noted = self
            .record
            .as_ref()
            .is_none_or(|record| passes <= usize::from(MOST_PLIES) && record.is_within(passes + 1));
        let fits = noted
            && passes >= FILLING
            && stage.found.last() != Some(&0)
            && stage.planes <= self.planes.problems.len() as u64;
        let decided = stage.decided(self.positions).filter(|_| fits);
        self.stage = stage;
        decided.ok_or_else(|| Error::damaged("its planes are of another game"))
    }

    fn keep(&mut self, checkpoint: &mut dyn Checkpoint) -> Result<(), Error> {
        let codes = self.record.as_mut().map_or_else(Vec::new, Record::take);
        let mut parts = self.planes.parts();
        parts.extend(codes.iter().map(Vec::as_slice));
        let kept = checkpoint.put(&self.stage, &parts);
        if let Some(record) = &mut self.record {
            record.give(codes);
        }
        kept.map_err(Error::Store)
    }

    /// Hands the values to a store, layer by layer; keeps all if it is stopped between two.
    fn put(&mut self, terms: &mut Terms<'_>, store: &mut dyn Store) -> Result<(), Error> {
        let plies = self.stage.found.len() as u16;
        let layers = self.record.as_ref().map_or(0, Record::layers);
        for layer in 0..layers {
            let Some(record) = &mut self.record else {
                break;
            };
            let progress = Progress {
                phase: "writing",
                done: record.ranks_before(layer),
                total: Some(record.ranks_before(layers)),
            };
            if terms.monitor.report(progress) {
                record.put(layer, plies, store)?;
            } else {
                self.keep(terms.checkpoint)?;
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    fn outcome(&self) -> Result<StrongSolution, Error> {
        outcome(self.positions, &self.stage.found, self.stage.start)
    }
}
