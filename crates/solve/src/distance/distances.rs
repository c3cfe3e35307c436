//! Distances of all states in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_core::{PackedGame, Ranked, States, Tiers, Value};
use hindsight_engine::{Histogram, StateHistograms, StateSource};

use super::nearest::NearestDistances;
use super::word::DistanceWord;

/// Distances of all states: one word per rank.
pub struct Distances {
    /// Pairs of a tier and the index of its first word, by tier.
    pub(super) tier_starts: Vec<(u64, u64)>,
    pub(super) words: Vec<AtomicU32>,
    /// For each tier, its number of states at each distance, from 0.
    pub(super) states_by_tier: Vec<Vec<u64>>,
}

impl Distances {
    pub(super) fn tier_index(&self, tier: u64) -> usize {
        self.tier_starts.partition_point(|&(known, _)| known < tier)
    }

    pub(super) fn word_index(&self, tier: u64, rank: u64) -> u64 {
        self.tier_starts[self.tier_index(tier)].1 + rank
    }

    /// Returns the distances at a rank; `None` if it cannot be reached.
    #[must_use]
    pub fn nearest(&self, tier: u64, rank: u64) -> Option<NearestDistances> {
        let word = self.words.get(self.word_index(tier, rank) as usize)?;
        DistanceWord(word.load(Ordering::Relaxed)).nearest()
    }

    /// Returns the distances of each layer, as a table keeps them.
    #[must_use]
    pub fn layers(self: &Arc<Self>, game: &PackedGame) -> Vec<impl StateSource + use<>> {
        let mut layers = Vec::new();
        for layer in 0..game.base().layers() {
            let mut tiers = Vec::new();
            game.base().tiers(layer, &mut tiers);
            layers.extend(tiers.into_iter().map(|tier| LayerDistances {
                game: game.clone(),
                distances: Arc::clone(self),
                layer,
                tier,
            }));
        }
        layers
    }

    /// Returns the number of states at each distance, from 0.
    #[must_use]
    pub fn states_by_distance(&self) -> Vec<u64> {
        let longest = self.states_by_tier.iter().map(Vec::len).max().unwrap_or(0);
        let per_tier =
            |distance: usize| self.states_by_tier.iter().filter_map(move |tier| tier.get(distance));
        let mut states: Vec<u64> = (0..longest).map(|distance| per_tier(distance).sum()).collect();
        while states.last() == Some(&0) {
            states.pop();
        }
        states
    }

    /// Returns the number of states of a tier at each distance, from 0.
    #[must_use]
    pub(crate) fn states_by_distance_in(&self, tier: u64) -> &[u64] {
        let states = self.states_by_tier.get(self.tier_index(tier));
        states.map_or(&[], |states| states)
    }
}

/// Distances of a layer with one tier, as [`NearestDistances::values`].
struct LayerDistances {
    game: PackedGame,
    distances: Arc<Distances>,
    layer: u32,
    tier: u64,
}

impl StateSource for LayerDistances {
    fn layer(&self) -> u32 {
        self.layer
    }

    fn tier(&self) -> u64 {
        self.tier
    }

    fn ranks(&self) -> u64 {
        self.game.base().tier_len(self.tier)
    }

    fn value(&self, rank: u64) -> Option<Value> {
        match self.distances.nearest(self.tier, rank) {
            Some(nearest) => Some(nearest.values().0),
            None => {
                let position = self.game.base().unrank(self.tier, rank);
                position.map(|_| Value::Draw)
            }
        }
    }

    fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        self.distances.nearest(self.tier, rank)?.values().1
    }

    fn known_counts(&self) -> Option<StateHistograms> {
        let states = (0..).zip(self.distances.states_by_distance_in(self.tier));
        let states = states.filter(|(_, n)| **n > 0);
        Some(StateHistograms {
            all: states.map(|(plies, &n)| (Value::Loss(plies), n)).collect(),
            nontrivial: Histogram::default(),
        })
    }
}
