//! Plan of the solver of states.

use std::time::{Duration, Instant};

use hindsight_core::{Answer, PackedGame, States, Tiers};
use hindsight_engine::{
    Error, FinishedTier, Layer, NullStore, StateSource, StateTierStore, StoreError, Summary,
};

use super::in_memory::ValuesInMemory;
use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{
    DiskNeeds, Extent, STATE_BYTES_PER_RANK, SolveNeeds, rate, rough_seconds, writing_seconds,
};
use super::request::{KeptValues, Request};
use super::solved::{SolvePlan, Solved};
use crate::forbidden_move::{self, SolvedStateTier, SolvedStates};

/// Plans a solve of every state of a game in which a move may be forbidden.
pub(super) fn plan_states<'g>(
    game: &'g PackedGame,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let (limits, storage) = (request.limits, request.storage);
    if storage.started.has_planes() {
        return Err(PlanError::BegunByPlanes);
    }
    let base = game.base();
    let layer_ranks = || (0..base.layers()).map(|layer| base.estimated_ranks(layer));
    let ranks: u64 = layer_ranks().sum();
    let takes = |ranks| storage.layers.takes(0, ranks, 1);
    let peak = forbidden_move::peak_with_checkpoint(game, &takes);
    let kept = STATE_BYTES_PER_RANK.saturating_mul(ranks);
    let keeps_values = request.kept_values == KeptValues::IfTheyFit
        && !storage.has_layers()
        && peak.saturating_add(kept) <= limits.memory;
    let value_bytes = if keeps_values { kept } else { 0 };
    let needs = SolveNeeds {
        method: Method::Tiered,
        choice: None,
        extent: Extent::States { ranks, layers: base.layers() },
        memory: peak.saturating_add(value_bytes),
        position_bytes: 0,
        value_bytes,
        disk: if storage.has_layers() {
            let largest = if storage.checkpoint { layer_ranks().max().unwrap_or(0) } else { 0 };
            DiskNeeds::of_states(ranks, largest, storage.table)
        } else {
            DiskNeeds::default()
        },
        seconds: Some(rough_seconds(ranks, rate::STATES)),
        writing_seconds: if storage.table { writing_seconds(ranks.saturating_mul(3)) } else { 0.0 },
        max_remoteness: Some(forbidden_move::MAX_REMOTENESS),
    };
    let run = move |io: SolveIo<'_>| {
        let mut states = SolvedStates::default();
        let mut no_store = NullStore;
        let store = io.states.unwrap_or(&mut no_store);
        let mut store = TimedStateStore { inner: store, spent: Duration::ZERO };
        let take = &mut |solved: SolvedStateTier| {
            if keeps_values {
                states.0.push(solved);
            }
        };
        let solution =
            forbidden_move::solve_from(game, &mut store, io.checkpoint, limits, io.monitor, take)?;
        let mut solved = Solved {
            histogram: Some(solution.positions.clone()),
            ..Solved::new(Answer::Exact(solution.start), Summary::of(&solution.positions))
        };
        solved.times.storing = store.spent;
        solved.states = Some(solution);
        if keeps_values {
            solved.values = Some(ValuesInMemory::States(states));
        }
        Ok(solved)
    };
    Ok(SolvePlan::new(needs, limits, run))
}

/// Store that measures the time that its inner store takes.
struct TimedStateStore<'a> {
    inner: &'a mut dyn StateTierStore,
    /// Time spent in `inner` so far.
    spent: Duration,
}

impl TimedStateStore<'_> {
    fn timed<T>(&mut self, operation: impl FnOnce(&mut dyn StateTierStore) -> T) -> T {
        let begin = Instant::now();
        let result = operation(self.inner);
        self.spent += begin.elapsed();
        result
    }
}

impl StateTierStore for TimedStateStore<'_> {
    fn takes(&self, ranks: u64) -> u64 {
        self.inner.takes(ranks)
    }

    fn allow(&mut self, bytes: u64) {
        self.inner.allow(bytes);
    }

    fn put(&mut self, solved: &dyn StateSource) -> Result<(), Error> {
        self.timed(|store| store.put(solved))
    }

    fn finished(&mut self, layer: u32) -> Result<Option<FinishedTier>, StoreError> {
        self.timed(|store| store.finished(layer))
    }

    fn unrestricted_layer(&mut self, layer: u32) -> Result<Layer, StoreError> {
        self.timed(|store| store.unrestricted_layer(layer))
    }
}
