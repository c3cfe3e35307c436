//! Plans of the solvers by tiers.

use std::ops::Range;
use std::time::{Duration, Instant};

use hindsight_core::{PackedGame, RankSummaries, Retro, Tiers};
use hindsight_engine::{
    Error, Layer, LayerCodes, Limits, MemoryStore, Monitor, NullStore, Poll, Store, StoreError,
    StrongSolution, all_codes,
};

use super::in_memory::ValuesInMemory;
use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds, rate, rough_seconds, writing_seconds};
use super::request::{KeptValues, Request};
use super::solved::{SolvePlan, Solved};
use crate::tiered::{TierPlan, TierStorage};

/// Largest number of ranks of [`KeptValues::OfSmallGames`].
pub(super) const SMALL_GAME_RANKS: u64 = 1 << 24;

/// Solver of every position by tiers.
pub(super) struct TierSolver {
    pub(super) solve: SolveTiers,
    /// True if the solver need not keep layer 0.
    pub(super) can_stream: bool,
    /// Largest remoteness that is stored, in plies.
    pub(super) max_remoteness: u16,
    /// Ranks that a thread decides in a second; `None` if the game tells it.
    pub(super) rate: Option<f64>,
}

impl TierSolver {
    /// Ranks that a thread decides in a second: of games with more than some ranks, as fast as the
    /// rules look at some of them now.
    fn rate(&self, game: &PackedGame, plan: &TierPlan) -> f64 {
        self.rate.or_else(|| measured_rate(game, plan)).unwrap_or(rate::TIERS)
    }
}

/// Fewest ranks of a game whose rate is measured.
const MEASURED_RANKS: u64 = 1 << 18;
/// Places of a game at which the rate is measured, and ranks at each.
const SAMPLES: u64 = 16;
const SAMPLE_RANKS: u64 = 256;
/// Seconds in which a thread fetches a predecessor's byte from memory and changes it.
const PREDECESSOR_SECONDS: f64 = 1e-8;

/// Measures the time of a thread for some ranks of a tier: their moves are looked at once, and
/// taken back once.
fn seconds_of_ranks(game: &PackedGame, tier: u64, ranks: Range<u64>) -> f64 {
    let (mut summaries, mut predecessors) = (RankSummaries::default(), Vec::new());
    let begin = Instant::now();
    game.summarize_ranks(tier, ranks, &mut summaries);
    // Rules that live outside take back the moves of all ranks or of none.
    if game.is_outside() {
        return begin.elapsed().as_secs_f64();
    }
    let open = summaries.ranks.iter().filter(|summary| summary.value.is_none());
    let open: Vec<u64> = open.map(|summary| summary.rank).collect();
    game.predecessors_of_ranks(tier, &open, &mut predecessors);
    begin.elapsed().as_secs_f64() + predecessors.len() as f64 * PREDECESSOR_SECONDS
}

/// Measures how many ranks a thread looks at in a second, by ranks at equal distances; `None` for a
/// small game.
pub(super) fn measured_rate(game: &PackedGame, plan: &TierPlan) -> Option<f64> {
    if plan.ranks() < MEASURED_RANKS {
        return None;
    }
    let (mut sampled, mut seconds) = (0, 0.0);
    for sample in 0..SAMPLES {
        let (tier, rank) = plan.address(game, plan.ranks() / SAMPLES * sample)?;
        let ranks = rank..game.tier_len(tier).min(rank + SAMPLE_RANKS);
        sampled += ranks.end - ranks.start;
        // The shorter of two times, for another process may have interrupted one.
        let times = [(); 2].map(|()| seconds_of_ranks(game, tier, ranks.clone()));
        seconds += times[0].min(times[1]);
    }
    Some(sampled as f64 / seconds.max(f64::MIN_POSITIVE))
}

type SolveTiers = fn(
    &PackedGame,
    &TierPlan,
    TierStorage<'_>,
    Limits,
    &mut dyn Monitor,
) -> Result<StrongSolution, Error>;

/// Plans a solve of every position by tiers.
pub(super) fn plan_tiers<'g>(
    game: &'g PackedGame,
    request: &Request<'_>,
    solver: TierSolver,
) -> Result<SolvePlan<'g>, PlanError> {
    let (limits, storage) = (request.limits, request.storage);
    if storage.started.has_planes() {
        return Err(PlanError::BegunByPlanes);
    }
    let can_stream = solver.can_stream && !storage.has_layers();
    TierPlan::check_roughly(game, can_stream, limits.memory)?;
    let mut plan = TierPlan::new(game);
    if can_stream && plan.peak() > limits.memory {
        let streamed = plan.clone().streamed();
        if streamed.peak() < plan.peak() {
            plan = streamed;
        }
    }
    let peak = plan.peak_with_store(storage.layers);
    let ranks = plan.ranks();
    let is_small = ranks <= SMALL_GAME_RANKS || request.kept_values == KeptValues::IfTheyFit;
    let keeps_values =
        is_small && !plan.is_streamed() && peak.saturating_add(ranks) <= limits.memory;
    let value_bytes = if keeps_values { ranks } else { 0 };
    let needs = SolveNeeds {
        method: Method::Tiered,
        choice: None,
        extent: Extent::Tiers { ranks, layers: game.layers(), streamed: plan.is_streamed() },
        memory: peak.saturating_add(value_bytes),
        position_bytes: 0,
        value_bytes,
        disk: if storage.has_layers() {
            DiskNeeds::of_values(game, ranks, storage.table)
        } else {
            DiskNeeds::default()
        },
        seconds: Some(rough_seconds(ranks, solver.rate(game, &plan))),
        writing_seconds: if storage.table { writing_seconds(ranks) } else { 0.0 },
        max_remoteness: Some(solver.max_remoteness),
    };
    let run = move |io: SolveIo<'_>| {
        let mut store = TimedStore::new(io.layers, keeps_values);
        let storage = TierStorage { layers: &mut store, checkpoint: io.checkpoint };
        let solution = (solver.solve)(game, &plan, storage, limits, io.monitor)?;
        let mut solved = Solved::strong(solution);
        store.hand_over(game.layers(), &mut solved)?;
        Ok(solved)
    };
    Ok(SolvePlan::new(needs, limits, run))
}

/// Store that measures the time that its inner store takes, and keeps layers in memory.
pub(super) struct TimedStore<'a> {
    /// Store of the request, if layers are stored.
    inner: Option<&'a mut dyn Store>,
    /// Copy of all layers, if values are kept.
    in_memory: Option<MemoryStore>,
    /// Time spent in `inner` so far.
    spent: Duration,
}

impl<'a> TimedStore<'a> {
    pub(super) fn new(inner: Option<&'a mut dyn Store>, keeps_values: bool) -> Self {
        Self { inner, in_memory: keeps_values.then(MemoryStore::default), spent: Duration::ZERO }
    }

    /// Sets the storing time of a result, and the reader of its values: of `layers` layers, of
    /// which an earlier run may have stored some.
    pub(super) fn hand_over(mut self, layers: u32, solved: &mut Solved) -> Result<(), Error> {
        if let Some(mut in_memory) = self.in_memory.take() {
            for layer in 0..layers {
                let is_kept = in_memory.has(layer).map_err(Error::Store)?;
                if !is_kept {
                    let earlier = self.timed(|store| store.get(layer));
                    in_memory.0.push(earlier.map_err(Error::Store)?);
                }
            }
            solved.values = Some(ValuesInMemory::Layers(in_memory));
        }
        solved.times.storing += self.spent;
        Ok(())
    }

    fn timed<T>(&mut self, operation: impl FnOnce(&mut dyn Store) -> T) -> T {
        let begin = Instant::now();
        let result = match &mut self.inner {
            Some(inner) => operation(&mut **inner),
            None => operation(&mut NullStore),
        };
        self.spent += begin.elapsed();
        result
    }
}

impl Store for TimedStore<'_> {
    fn takes(&self, layer: u32, ranks: u64, tiers: u64) -> u64 {
        let inner = self.inner.as_ref();
        inner.map_or(0, |inner| inner.takes(layer, ranks, tiers))
    }

    fn allow(&mut self, bytes: u64) {
        if let Some(inner) = &mut self.inner {
            inner.allow(bytes);
        }
    }

    fn rounds(&self) -> u64 {
        match &self.inner {
            Some(inner) if self.in_memory.is_none() => inner.rounds(),
            _ => 1,
        }
    }

    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error> {
        self.timed(|store| store.put(layer, poll))?;
        if let Some(in_memory) = &mut self.in_memory {
            in_memory.0.push(layer.clone());
        }
        Ok(())
    }

    fn put_pieces(&mut self, layer: &Layer, codes: &mut dyn LayerCodes) -> Result<(), Error> {
        if self.in_memory.is_some() {
            let whole = Layer { codes: all_codes(codes)?, ..layer.clone() };
            return self.put(&whole, &mut || Ok(()));
        }
        self.timed(|store| store.put_pieces(layer, codes))
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        self.timed(|store| store.has(layer))
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let layer = self.timed(|store| store.get(layer))?;
        if let Some(in_memory) = &mut self.in_memory {
            in_memory.0.push(layer.clone());
        }
        Ok(layer)
    }
}
