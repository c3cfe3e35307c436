//! Every position of a game, tier by tier, one byte per position.
//!
//! Layers are solved in order, each tier by its frontier. Positions decided at ply `n` are
//! propagated to their predecessors, which are decided at `n + 1` or later. A position that is
//! never decided is a draw, so remoteness is exact. Values outside the tier are known before it
//! begins, and count when the ply reaches their remoteness.
//!
//! The first pass summarizes the moves of each position
//! ([`summarize_moves`](hindsight_core::Retro::summarize_moves)). Positions whose value the rules
//! give at once are never propagated, because their predecessors see it in the first pass; this
//! halves the work. [`TierPlan`] gives the memory that a solve needs before it begins.
//!
//! Tiers in work take two bytes per rank: the value, and the number of moves not known to lose.
//! Finished layers that others still look up take one. In Quoridor they are the "reduced versions"
//! of S. Ikeda et al., "An analysis of Quoridor by reusing results from the reduced version"
//! (2024). The order of layers used here needs no propagation between layers; two layers of
//! Quoridor are in memory. `hindsight-papers` has the order of that paper, over the same
//! [`SolveLayer`].

mod finished;
mod layer_blob;
mod plan;
mod unfinished;
mod unstored;
mod work;

use hindsight_core::{Game, PackedGame, Ranked, Tiers, Value};
use hindsight_engine::checkpoint::{Blobs, Checkpoint};
use hindsight_engine::{
    Budget, Error, Histogram, Layer, Limits, Monitor, Pace, Progress, Store, StrongSolution,
    Summary, TierCodes, parallel,
};

use crate::solve_layer::{LayerProgress, SolveLayer};

pub(crate) use finished::FinishedLayers;
use plan::TIERS_PER_REPORT;
pub use plan::TierPlan;
use unfinished::UnfinishedLayer;
use work::{TierContext, solve_tier};

/// The longest remoteness, in plies, that is stored: 256 codes of a byte less holes and draws. A
/// solve may return [`Error::TooLong`] sooner, since some values have two codes.
pub(crate) const MAX_REMOTENESS: u16 = 253;

/// Solves every position of a game, layer by layer, and puts each layer into the store. Layers that
/// the store has already are not solved again.
///
/// # Errors
/// [`Error::TooLarge`], before the start, if the plan needs more memory than is allowed. Any error
/// of the monitor, the clock or the store. [`Error::TooLong`] for a remoteness without a code.
pub fn solve(
    game: &PackedGame,
    plan: &TierPlan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let checkpoint = None;
    let storage = TierStorage { layers: store, checkpoint };
    solve_from(game, plan, storage, limits, monitor)
}

/// Storage of finished layers, and of the one in work.
pub struct TierStorage<'a> {
    /// Store of finished layers.
    pub layers: &'a mut dyn Store,
    /// Checkpoint in which the layer in work is kept when the monitor stops its solve.
    pub checkpoint: Option<&'a Checkpoint<'a>>,
}

/// Same as [`solve`], with a checkpoint. Resumes the layer that an earlier run stopped.
///
/// # Errors
/// Same as [`solve`], and any error of the checkpoint.
pub fn solve_from(
    game: &PackedGame,
    plan: &TierPlan,
    storage: TierStorage<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let checkpoint = storage.checkpoint;
    let solver = TierByTier::new(game, false, checkpoint);
    let solved = layer_by_layer(game, plan, storage, limits, monitor, &solver)?;
    if let Some(checkpoint) = checkpoint {
        checkpoint.timed(|blobs| blobs.remove(unfinished::KEY))?;
    }
    Ok(solved)
}

/// Loops over the layers: reads a layer back if the store has it, else solves and stores it. Keeps
/// a solved layer in the checkpoint if the monitor stops its storing.
pub(crate) fn layer_by_layer(
    game: &PackedGame,
    plan: &TierPlan,
    storage: TierStorage<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
    solver: &dyn SolveLayer,
) -> Result<StrongSolution, Error> {
    let TierStorage { layers: store, checkpoint } = storage;
    plan.check_with_store(store, limits.memory)?;
    // The store keeps to the memory that was said before the start, even if more is allowed.
    let peak = plan.peak_with_store(store).min(limits.memory);
    let mut budget = Budget::new(limits, monitor);
    let mut count = SolutionCounter::new(game);
    let mut finished = FinishedLayers::default();
    let mut done = 0;
    for layer in 0..game.layers() {
        let total = Some(plan.ranks());
        let mut report = |phase, layer_ranks| {
            let done = done + layer_ranks;
            budget.check(Progress { phase, done, total }, done, 0, 0)
        };
        if layer == 0
            && plan.is_streamed()
            && let Some(histogram) =
                solver.solve_streamed(plan.tiers(0), plan.tiers(1), &mut report)?
        {
            done = histogram.positions();
            count.histogram.merge(&histogram);
            continue;
        }
        store.allow(peak.saturating_sub(plan.resident_bytes(layer)));
        let solved = if store.has(layer).map_err(Error::Store)? {
            let mut kept = store.get(layer).map_err(Error::Store)?;
            solver.adopt(&mut kept)?;
            kept
        } else {
            let mut solved = Layer::unsolved(game, layer, plan.tiers(layer));
            let is_kept = match checkpoint {
                Some(checkpoint) => checkpoint.timed(|blobs| unstored::get(blobs, &mut solved))?,
                None => false,
            };
            if is_kept {
                solver.adopt(&mut solved)?;
            } else {
                solver.solve(&mut solved, None, &finished.0, &mut report)?;
            }
            let ranks = solved.codes.len() as u64;
            // The time limit ends the solve before the next layer, and not what is solved.
            let stored = store.put(&solved, &mut || match report("storing", ranks) {
                Err(Error::Time { .. }) => Ok(()),
                checked => checked,
            });
            if let (Err(Error::Stopped), Some(checkpoint)) = (&stored, checkpoint) {
                checkpoint.timed(|blobs| unstored::put(blobs, &solved))?;
            }
            stored?;
            solved
        };
        count.add(game, &solved);
        done += solved.codes.len() as u64;
        finished.0.push(solved);
        finished.0.retain(|kept| plan.last_use(kept.layer) > layer);
        debug_assert!(finished.bytes() <= plan.peak());
    }
    if let Some(checkpoint) = checkpoint {
        checkpoint.timed(|blobs| blobs.remove(unstored::KEY))?;
    }
    count.into_solution()
}

/// Returns the solver of single layers, for which moves to layers that are not there do not count.
#[must_use]
pub fn layer_solver(game: &PackedGame) -> Box<dyn SolveLayer + '_> {
    Box::new(TierByTier::new(game, true, None))
}

/// Solver of layers by [`solve_tier`].
struct TierByTier<'a> {
    game: &'a PackedGame,
    codes: TierCodes,
    /// True if moves to layers that are not finished do not count.
    ignores_missing_layers: bool,
    /// Checkpoint of a layer with a single tier.
    checkpoint: Option<&'a Checkpoint<'a>>,
}

impl<'a> TierByTier<'a> {
    fn new(
        game: &'a PackedGame,
        ignores_missing_layers: bool,
        checkpoint: Option<&'a Checkpoint<'a>>,
    ) -> Self {
        Self { game, codes: TierCodes::new(), ignores_missing_layers, checkpoint }
    }

    /// Takes up a layer that an earlier run stopped.
    fn resume(&self, layer: &Layer) -> Result<Option<UnfinishedLayer>, Error> {
        let Some(checkpoint) = self.checkpoint else {
            return Ok(None);
        };
        let ranks = layer.codes.len() as u64;
        let get = |blobs: &dyn Blobs| UnfinishedLayer::get(blobs, layer.layer, ranks);
        Ok(checkpoint.timed(get)?)
    }

    /// Keeps a layer that is stopped.
    fn save(&self, layer: u32, unfinished: Option<UnfinishedLayer>) -> Result<(), Error> {
        if let (Some(checkpoint), Some(unfinished)) = (self.checkpoint, unfinished) {
            let unfinished = UnfinishedLayer { layer, ..unfinished };
            checkpoint.timed(|blobs| unfinished.put(blobs))?;
        }
        Ok(())
    }

    fn context<'s>(&'s self, finished: &'s [Layer]) -> TierContext<'s> {
        TierContext {
            game: self.game,
            codes: &self.codes,
            finished,
            ignores_missing_layers: self.ignores_missing_layers,
        }
    }
}

impl SolveLayer for TierByTier<'_> {
    fn solve(
        &self,
        layer: &mut Layer,
        previous: Option<&[Layer]>,
        current: &[Layer],
        report: &mut LayerProgress<'_>,
    ) -> Result<Vec<bool>, Error> {
        let context = self.context(current);
        let tiers = 0..layer.tiers.len() as u64;
        let again: Vec<bool> = match previous.map(|previous| self.context(previous)) {
            None => vec![true; layer.tiers.len()],
            Some(previous) => {
                let differs = |i| context.exits_differ(&previous, layer.tiers[i as usize]);
                parallel::map(tiers, &differs)
            }
        };
        if let ([tier], [true]) = (&layer.tiers[..], &again[..]) {
            let mut unfinished = self.resume(layer)?;
            let solved = solve_tier(
                &context,
                *tier,
                &mut unfinished,
                &mut |phase, ranks_done, tier_ranks| {
                    // A rank is half done when its moves are counted, and done when its value is
                    // propagated.
                    let half_ranks =
                        if phase == "counting" { ranks_done } else { tier_ranks + ranks_done };
                    report(phase, half_ranks / 2)
                },
            );
            self.save(layer.layer, unfinished)?;
            layer.codes = solved?;
        } else {
            solve_marked(&context, layer, &again, report)?;
        }
        layer.palette = self.codes.palette();
        Ok(again)
    }
}

/// Solves the marked tiers of a layer, several in parallel.
fn solve_marked(
    context: &TierContext<'_>,
    layer: &mut Layer,
    marked: &[bool],
    report: &mut LayerProgress<'_>,
) -> Result<(), Error> {
    let marked: Vec<usize> = (0..marked.len()).filter(|&i| marked[i]).collect();
    let mut pace = Pace::new(TIERS_PER_REPORT as u64);
    let mut rest = &marked[..];
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(rest.len().min(pace.portion() as usize));
        rest = later;
        let solve =
            |&i: &usize| solve_tier(context, layer.tiers[i], &mut None, &mut |_, _, _| Ok(()));
        let solved = parallel::try_of(batch, &solve)?;
        for (&i, codes) in batch.iter().zip(&solved) {
            layer.tier_codes_mut(i).copy_from_slice(codes);
        }
        report("solving", layer.starts[batch[batch.len() - 1] + 1])?;
    }
    Ok(())
}

/// Sums positions by value over layers.
pub(crate) struct SolutionCounter {
    start: (u64, u64),
    value: Option<Value>,
    histogram: Histogram,
}

impl SolutionCounter {
    pub(crate) fn new(game: &PackedGame) -> Self {
        Self {
            start: game.rank(game.start()).expect("the start has a rank"),
            value: None,
            histogram: Histogram::default(),
        }
    }

    pub(crate) fn add(&mut self, game: &PackedGame, layer: &Layer) {
        let (tier, rank) = self.start;
        self.value = self.value.or_else(|| layer.value(tier, rank));
        self.histogram.merge(&layer.histogram(game));
    }

    pub(crate) fn into_solution(self) -> Result<StrongSolution, Error> {
        let histogram = self.histogram;
        Ok(StrongSolution {
            start: self.value.expect("the start lies in a layer"),
            summary: Summary::of(&histogram),
            histogram,
        })
    }
}
