//! Every state of a game with at most one forbidden move, from two values and a move per position.
//!
//! A state is a position of a base game with perhaps one forbidden move. Three entries give the
//! values of all states of a position:
//!
//! | entry | meaning |
//! |---|---|
//! | V0 | value with nothing forbidden |
//! | b | the best move, if there is only one |
//! | V1 | value if b is forbidden |
//!
//! A state that forbids b has value V1, and every other state V0. Tiers of the base game are solved
//! by their frontiers, ply by ply. A position is propagated at most twice: V0 to moves after which
//! b is not forbidden, V1 to moves after which it is. Memory: four bytes and a bit per rank of the
//! tier in work, one byte per rank of finished tiers that others look up.
//!
//! A word of 32 bits holds all states of a position (`docs/decisions/0007-forbidden-moves.md`). A
//! [`StateTierStore`] takes finished tiers. A solve can be stopped between two batches of chunks.
//! [`StateDictionary`] is the layout of H. Takizawa, "Strongly solved Ostle" (2023), kept for
//! comparison.
//!
//! Each position keeps the exclusive or of its undecided move ids. Once a single move is undecided,
//! the exclusive or is its id, and that move is b. Otherwise b is known once it wins.

mod codes;
mod counts;
mod dictionary;
mod in_memory;
mod memory;
mod solved_tier;
mod stage;
mod tier_solve;
mod word;

use std::sync::atomic::AtomicU32;

use hindsight_core::{PackedGame, States, Tiers, Value};
use hindsight_engine::checkpoint::{Blobs, Checkpoint};
use hindsight_engine::{
    Budget, Error, Histogram, Layer, Limits, Monitor, NullStore, Progress, StateSource,
    StateTierStore,
};

pub use counts::ForbiddenMoveSolution;
pub use dictionary::StateDictionary;
pub use in_memory::SolvedStates;
use memory::MemoryNeeds;
pub use memory::peak;
pub(crate) use memory::peak_with_checkpoint;
pub use solved_tier::SolvedStateTier;
use stage::{ResumePoint, StateStage};
use tier_solve::TierSolve;

/// The longest remoteness, in plies, of tiers that others look up: they keep one byte per value. A
/// solve may return [`Error::TooLong`] a few plies sooner. A layer of a tablebase has at most 256
/// different symbols: values, and numbers of best moves.
pub(crate) const MAX_REMOTENESS: u16 = 253;

/// Takes a tier once it is solved, and stored if there is a store.
pub(crate) type TakeTier<'a> = dyn FnMut(SolvedStateTier) + 'a;

/// Solves every state of a game, tier by tier, and passes each tier to `take`.
///
/// # Errors
/// [`Error::TooLarge`], before the start, if more memory is needed than is allowed. Any error of
/// the monitor or the clock. [`Error::TooLong`] if there are more values than codes.
pub fn solve(
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
    take: &mut TakeTier<'_>,
) -> Result<ForbiddenMoveSolution, Error> {
    solve_from(game, &mut NullStore, None, limits, monitor, take)
}

/// Same as [`solve`], with a store and a checkpoint. Takes finished tiers from the store, and the
/// unfinished one from the checkpoint. Keeps it there when the checkpoint is due, or when the
/// monitor or the clock stops the solve.
///
/// # Errors
/// Same as [`solve`], and any error of the store or the checkpoint.
pub fn solve_from(
    game: &PackedGame,
    store: &mut dyn StateTierStore,
    checkpoint: Option<&Checkpoint<'_>>,
    limits: Limits,
    monitor: &mut dyn Monitor,
    take: &mut TakeTier<'_>,
) -> Result<ForbiddenMoveSolution, Error> {
    let base = game.base();
    let needed = peak_with_checkpoint(game, &|ranks| store.takes(ranks));
    let needs = MemoryNeeds::new(game);
    let plan = &needs.plan;
    if needed > limits.memory {
        return Err(Error::TooLarge { ranks: plan.ranks(), needed, limit: limits.memory });
    }
    let mut run = TierRun {
        game,
        checkpoint,
        budget: Budget::new(limits, monitor),
        total: plan.ranks(),
        done: 0,
        outcome: ForbiddenMoveSolution {
            start: Value::Draw,
            positions: Histogram::default(),
            states: Histogram::default(),
            nontrivial: Histogram::default(),
        },
        layers: Vec::new(),
        not_loaded: Vec::new(),
    };
    for layer in 0..base.layers() {
        for &tier in plan.tiers(layer) {
            let is_needed = plan.last_use(layer) > layer;
            // The store keeps to the memory that was said before, even if more is allowed.
            store.allow(needed - needs.finished(layer));
            run.run_tier(layer, tier, is_needed, store, take)?;
        }
        run.layers.retain(|kept| plan.last_use(kept.layer) > layer);
        run.not_loaded.retain(|&kept| plan.last_use(kept) > layer);
    }
    Ok(run.outcome)
}

/// A solve in progress.
struct TierRun<'a> {
    game: &'a PackedGame,
    /// Keeps the unfinished tier.
    checkpoint: Option<&'a Checkpoint<'a>>,
    budget: Budget<'a>,
    /// Ranks of all tiers.
    total: u64,
    /// Ranks of finished tiers.
    done: u64,
    outcome: ForbiddenMoveSolution,
    /// Finished tiers that later ones look up.
    layers: Vec<Layer>,
    /// Layers finished by an earlier run that are not in memory.
    not_loaded: Vec<u32>,
}

impl TierRun<'_> {
    /// Solves a tier, or takes its results from the store.
    fn run_tier(
        &mut self,
        layer: u32,
        tier: u64,
        is_needed: bool,
        store: &mut dyn StateTierStore,
        take: &mut TakeTier<'_>,
    ) -> Result<(), Error> {
        if let Some(finished) = store.finished(layer).map_err(Error::Store)? {
            self.done += self.game.base().tier_len(tier);
            self.outcome.add(&finished);
            self.not_loaded.extend(Some(layer).filter(|_| is_needed));
            return Ok(());
        }
        let solved = self.solve_tier(layer, tier, store)?;
        self.outcome.add(&solved.results(self.game));
        self.done += solved.ranks();
        if is_needed {
            self.layers.push(solved.unrestricted_layer(self.game)?);
        }
        store.put(&solved)?;
        if let Some(checkpoint) = self.checkpoint {
            checkpoint.timed(|blobs| blobs.remove(stage::KEY))?;
        }
        take(solved);
        Ok(())
    }

    /// Takes up the tier of a layer that an earlier run stopped.
    fn resume(
        &self,
        layer: u32,
        ranks: u64,
    ) -> Result<Option<(StateStage, Vec<AtomicU32>)>, Error> {
        let get = |blobs: &dyn Blobs| StateStage::get(blobs, layer, ranks);
        let resumed = self.checkpoint.map(|checkpoint| checkpoint.timed(get));
        Ok(resumed.transpose()?.flatten())
    }

    /// Loads the finished tiers whose values the next tier looks up.
    fn load_lower_tiers(&mut self, store: &mut dyn StateTierStore) -> Result<(), Error> {
        for layer in self.not_loaded.drain(..) {
            self.layers.push(store.unrestricted_layer(layer).map_err(Error::Store)?);
        }
        Ok(())
    }

    fn report(&mut self, phase: &'static str, part: u64) -> Result<(), Error> {
        let done = self.done + part;
        let total = Some(self.total);
        self.budget.check(Progress { phase, done, total }, done, 0, 0)
    }

    fn solve_tier(
        &mut self,
        layer: u32,
        tier: u64,
        store: &mut dyn StateTierStore,
    ) -> Result<SolvedStateTier, Error> {
        let len = self.game.base().tier_len(tier);
        let (mut work, point) = match self.resume(layer, len)? {
            Some((stage, words)) => {
                if stage.point.pass == 0 {
                    self.load_lower_tiers(store)?;
                }
                let work = TierSolve::resumed(self.game, layer, tier, &stage, words)?;
                (work, stage.point)
            }
            None => {
                self.load_lower_tiers(store)?;
                let values = self.layers.iter().flat_map(|layer| layer.palette.iter().flatten());
                let outside =
                    values.filter(|value| value.remoteness().is_some()).map(|value| value.before());
                let outside: Vec<Value> = outside.collect();
                let (game, mut report) = (self.game, || self.report("laying out", 0));
                (TierSolve::new(game, tier, len, outside, &mut report)?, ResumePoint::default())
            }
        };
        let layers = std::mem::take(&mut self.layers);
        let checkpoint = self.checkpoint;
        let is_due = || checkpoint.is_some_and(Checkpoint::is_due);
        let mut after = |work: &TierSolve<'_>, point: ResumePoint, phase, done| {
            // A rank is half done when its moves are counted, and done when its values are
            // propagated.
            let half_ranks = if phase == "counting" { done } else { len + done };
            let reported = self.report(phase, half_ranks / 2);
            if reported.is_err() || point.chunks_done > 0 && is_due() {
                save(checkpoint, &work.stage(layer, point), &work.words)?;
            }
            reported
        };
        let ran = work.run(point, &layers, &mut after);
        self.layers = layers;
        let stage = work.stage(layer, ran?);
        let mut solved = SolvedStateTier::new(layer, work);
        let counted = solved.count(self.game, &mut |done| self.report("counting states", done));
        if counted.is_err() {
            save(self.checkpoint, &stage, &solved.words)?;
        }
        counted.map(|()| solved)
    }
}

/// Keeps an unfinished tier.
fn save(
    checkpoint: Option<&Checkpoint<'_>>,
    stage: &StateStage,
    words: &[AtomicU32],
) -> Result<(), Error> {
    if let Some(checkpoint) = checkpoint {
        checkpoint.timed(|blobs| stage.put(blobs, words))?;
    }
    Ok(())
}
