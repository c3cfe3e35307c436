//! Distances of all states in memory.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};

use super::nearest::{DistanceProbe, NearestDistances};
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
    pub fn states_by_distance_in(&self, tier: u64) -> &[u64] {
        let states = self.states_by_tier.get(self.tier_index(tier));
        states.map_or(&[], |states| states)
    }
}

impl DistanceProbe for Distances {
    type Error = Infallible;

    fn probe_distances(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<NearestDistances>, Infallible> {
        Ok(self.nearest(tier, rank))
    }
}
