//! The moves of positions that are at a distance.

use std::ops::Range;
use std::sync::atomic::Ordering;

use hindsight_core::{ForbiddenMove, OutEdge};

use super::word::DistanceWord;
use super::{DistanceSearch, NextStates};

/// Steps in a batch of memory accesses.
const BATCH_EDGES: usize = 1024;

/// What was done in some chunks.
#[derive(Default)]
pub(super) struct ChunkTally {
    /// Positions passed on for the first time.
    pub(super) expanded: u64,
    /// States reached for the first time, by tier.
    pub(super) states_by_tier: Vec<u64>,
    /// Words that changed.
    pub(super) changed_words: u64,
}

impl ChunkTally {
    pub(super) fn merged(mut self, other: Self) -> Self {
        self.expanded += other.expanded;
        self.changed_words += other.changed_words;
        self.states_by_tier
            .resize(self.states_by_tier.len().max(other.states_by_tier.len()), 0);
        for (sum, states) in self.states_by_tier.iter_mut().zip(other.states_by_tier) {
            *sum += states;
        }
        self
    }
}

impl<G: ForbiddenMove> DistanceSearch<'_, G> {
    /// Passes on the positions among some words that are at the distance of the stage.
    pub(super) fn expand_words(&self, places: Range<u64>) -> ChunkTally {
        let tiers = &self.distances.tier_starts;
        let mut done = ChunkTally {
            states_by_tier: vec![0; tiers.len()],
            ..ChunkTally::default()
        };
        let (mut steps, mut batch) = (Vec::new(), Vec::with_capacity(2 * BATCH_EDGES));
        let mut i = tiers.partition_point(|&(_, begin)| begin <= places.start) - 1;
        for place in places {
            while tiers.get(i + 1).is_some_and(|next| next.1 <= place) {
                i += 1;
            }
            let word = DistanceWord(self.distances.words[place as usize].load(Ordering::Relaxed));
            let first = word.least() == Some(self.stage.distance);
            let second = word.least_allowing() == Some(self.stage.distance);
            if !first && !second {
                continue;
            }
            let (tier, begin) = tiers[i];
            done.expanded += u64::from(first);
            steps.clear();
            let may_share_target = self.game.edges_from(tier, place - begin, &mut steps);
            let forbidden = match self.next_states {
                NextStates::Allowed => word.forbidden(),
                NextStates::All => 0,
            };
            let barred = |step: &OutEdge| forbidden != 0 && step.move_id == forbidden;
            steps.retain(|step| if first { !barred(step) } else { barred(step) });
            if may_share_target {
                steps.sort_unstable();
                steps.dedup_by_key(|step| (step.tier, step.rank, step.forbids));
            }
            let places = steps.iter();
            batch.extend(
                places.map(|step| (self.distances.word_index(step.tier, step.rank), *step)),
            );
            if batch.len() >= BATCH_EDGES {
                self.apply(&mut batch, &mut done);
            }
        }
        self.apply(&mut batch, &mut done);
        done
    }

    fn apply(&self, batch: &mut Vec<(u64, OutEdge)>, done: &mut ChunkTally) {
        // Locked instructions wait for one another; loads do not, so they fetch the lines first.
        let word = |place: u64| &self.distances.words[place as usize];
        let touch = |sum, &(place, _): &(u64, OutEdge)| sum ^ word(place).load(Ordering::Relaxed);
        std::hint::black_box(batch.iter().fold(0, touch));
        let distance = self.stage.distance + 1;
        for (place, step) in batch.drain(..) {
            let allows = match self.next_states {
                NextStates::All => 0,
                NextStates::Allowed if step.may_share_target && step.forbids != 0 => {
                    self.forbidden_seen_by_others(step)
                }
                NextStates::Allowed => step.forbids,
            };
            let changed = |word| {
                let after = DistanceWord(word).reached(step.forbids, allows, distance);
                (after.0 != word).then_some(after.0)
            };
            let update = word(place).fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
            done.changed_words += u64::from(update.is_ok());
            // A state that forbids a move is reached from one position only.
            let is_new = match (step.forbids, update) {
                (0, Ok(before)) => !DistanceWord(before).reached_unrestricted(),
                (0, Err(_)) => false,
                _ => true,
            };
            done.states_by_tier[self.distances.tier_index(step.tier)] += u64::from(is_new);
        }
    }

    /// The way that a state forbids, or 0 if another move leads to the same state up to symmetry.
    fn forbidden_seen_by_others(&self, state: OutEdge) -> u8 {
        let mut steps = Vec::new();
        self.game.edges_from(state.tier, state.rank, &mut steps);
        let key = |step: &OutEdge| (step.tier, step.rank, step.forbids);
        let Some(forbidden) = steps.iter().find(|step| step.move_id == state.forbids) else {
            return 0;
        };
        let alike = steps.iter().filter(|step| key(step) == key(forbidden));
        if alike.count() > 1 { 0 } else { state.forbids }
    }
}
