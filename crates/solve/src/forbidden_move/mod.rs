//! Every state of a game in which at most one move is forbidden, from three numbers a position.
//!
//! A state is a position of a base game and perhaps one forbidden move. If V0 is the value with nothing
//! forbidden, b the best move where there is only one, and V1 the value when b is forbidden, then a state
//! that forbids b is worth V1 and every other V0. So tiers of the base are solved by their frontiers,
//! ply by ply, and a position is passed on at most twice: V0 to the moves into it after which something
//! other than b is forbidden, V1 to those after which b is. Four bytes and a bit a position of the tier in
//! work, one byte of finished tiers that others look up.
//!
//! b is known at the latest when V0 is won by it, or when all other moves have lost: then the undecided
//! way is the exclusive or of those that were undecided at first, and of all that were decided since.

mod checkpoint;
mod codes;
mod counts;
mod dictionary;
mod in_memory;
mod memory;
mod solved_tier;
mod stage;
mod tier_solve;
mod word;

use hindsight_core::{ForbiddenMove, Ranked, Value};
use hindsight_run::{Budget, Error, Histogram, Layer, Limits, Monitor, Progress};

use checkpoint::PutOnly;
pub use checkpoint::{FinishedTier, StateCheckpoint};
pub use counts::{ForbiddenMoveSolution, StateCounts};
pub use dictionary::StateDictionary;
pub use in_memory::{SolvedStates, SolvedStatesReader};
use memory::MemoryNeeds;
pub use memory::{peak, peak_with_checkpoint};
pub use solved_tier::SolvedStateTier;
pub use stage::{ResumePoint, StateStage};
use tier_solve::TierSolve;

/// No longer remoteness than this, in plies, is kept of tiers that others look up, where a byte tells the
/// values. A solve may end with [`Error::TooLong`] a few plies sooner, and a table has at most 256 different
/// values and ways in a layer.
pub const MAX_REMOTENESS: u16 = 253;

/// Solves every state of a game, tier by tier, and hands each tier over.
///
/// # Errors
/// Before it starts, [`Error::TooLarge`] if more memory is needed than is allowed; then what the monitor,
/// the clock or the receiver say; [`Error::TooLong`] for more values than codes.
pub fn solve<G: ForbiddenMove>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
    put: &mut dyn FnMut(SolvedStateTier) -> Result<(), Error>,
) -> Result<ForbiddenMoveSolution, Error> {
    solve_from(game, &mut PutOnly(put), limits, monitor)
}

/// As [`solve`], with checkpoints: goes on with what an earlier run kept, and keeps what it has when it is
/// time, or when the monitor or the clock stop it.
///
/// # Errors
/// As [`solve`], and what the checkpoint says.
pub fn solve_from<G: ForbiddenMove>(
    game: &G,
    checkpoint: &mut dyn StateCheckpoint,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ForbiddenMoveSolution, Error> {
    let base = game.base();
    let needed = peak_with_checkpoint(game, &|ranks| checkpoint.takes(ranks));
    let needs = MemoryNeeds::new(game);
    let plan = &needs.plan;
    if needed > limits.memory {
        return Err(Error::TooLarge {
            ranks: plan.ranks(),
            needed,
            limit: limits.memory,
        });
    }
    let mut run = TierRun {
        game,
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
            checkpoint.allow(limits.memory - needs.finished(layer));
            run.run_tier(layer, tier, is_needed, checkpoint)?;
        }
        run.layers.retain(|kept| plan.last_use(kept.layer) > layer);
        run.not_loaded.retain(|&kept| plan.last_use(kept) > layer);
    }
    Ok(run.outcome)
}

/// A solve on its way.
struct TierRun<'a, G> {
    game: &'a G,
    budget: Budget<'a>,
    /// Ranks of all tiers, and of those that are done.
    total: u64,
    done: u64,
    outcome: ForbiddenMoveSolution,
    /// Finished tiers that later ones look up.
    layers: Vec<Layer>,
    /// Those of an earlier run that are not in memory.
    not_loaded: Vec<u32>,
}

impl<G: ForbiddenMove> TierRun<'_, G> {
    /// Solves a tier, or takes it from the checkpoint.
    fn run_tier(
        &mut self,
        layer: u32,
        tier: u64,
        is_needed: bool,
        checkpoint: &mut dyn StateCheckpoint,
    ) -> Result<(), Error> {
        if let Some(finished) = checkpoint.finished(layer).map_err(Error::Store)? {
            self.done += self.game.base().tier_len(tier);
            self.outcome.start = finished.start.unwrap_or(self.outcome.start);
            self.outcome.add(&finished.counts);
            self.not_loaded.extend(Some(layer).filter(|_| is_needed));
            return Ok(());
        }
        let solved = self.solve_tier(layer, tier, checkpoint)?;
        let start = self.game.rank_state(self.game.start());
        if let Some((_, rank, move_id)) = start.filter(|&(start_tier, ..)| start_tier == tier) {
            self.outcome.start = solved
                .state_value(rank, move_id)
                .expect("the start is no hole");
        }
        self.outcome.add(solved.counts());
        self.done += solved.ranks();
        if is_needed {
            self.layers.push(solved.unrestricted_layer(self.game)?);
        }
        checkpoint.put(solved)
    }

    /// Reads the tiers that are looked up when one begins.
    fn load_lower_tiers(&mut self, checkpoint: &mut dyn StateCheckpoint) -> Result<(), Error> {
        for layer in self.not_loaded.drain(..) {
            self.layers
                .push(checkpoint.unrestricted_layer(layer).map_err(Error::Store)?);
        }
        Ok(())
    }

    fn report(&mut self, phase: &'static str, part: u64) -> Result<(), Error> {
        let done = self.done + part;
        let total = Some(self.total);
        self.budget
            .check(Progress { phase, done, total }, done, 0, 0)
    }

    fn solve_tier(
        &mut self,
        layer: u32,
        tier: u64,
        checkpoint: &mut dyn StateCheckpoint,
    ) -> Result<SolvedStateTier, Error> {
        let len = self.game.base().tier_len(tier);
        let unfinished = checkpoint.unfinished(layer, len).map_err(Error::Store)?;
        let (mut work, point) = match unfinished {
            Some((stage, words)) => {
                if stage.point.pass == 0 {
                    self.load_lower_tiers(checkpoint)?;
                }
                let work = TierSolve::resumed(self.game, layer, tier, &stage, words)?;
                (work, stage.point)
            }
            None => {
                self.load_lower_tiers(checkpoint)?;
                let values = self
                    .layers
                    .iter()
                    .flat_map(|layer| layer.palette.iter().flatten());
                let outside = values
                    .filter(|value| value.remoteness().is_some())
                    .map(|value| value.before());
                (
                    TierSolve::new(self.game, tier, len, outside)?,
                    ResumePoint::default(),
                )
            }
        };
        let layers = std::mem::take(&mut self.layers);
        let mut after = |work: &TierSolve<'_, G>, point: ResumePoint, phase, done| {
            // A rank is half done when its moves were looked at, and done when its values were passed on.
            let twice = if phase == "counting" {
                done
            } else {
                len + done
            };
            let reported = self.report(phase, twice / 2);
            if reported.is_err() || point.chunks_done > 0 && checkpoint.is_due() {
                let kept = checkpoint.put_unfinished(&work.stage(layer, point), &work.words);
                kept.map_err(Error::Store)?;
            }
            reported
        };
        let ran = work.run(point, &layers, &mut after);
        self.layers = layers;
        let stage = work.stage(layer, ran?);
        let mut solved = SolvedStateTier::new(layer, work);
        let counted = solved.count(self.game, &mut |done| self.report("counting states", done));
        if counted.is_err() {
            let kept = checkpoint.put_unfinished(&stage, &solved.words);
            kept.map_err(Error::Store)?;
        }
        counted.map(|()| solved)
    }
}
