//! Breadth-first search over ranks.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_core::{ForbiddenMove, Game, OutEdge, PackedGame, Ranked, States, Tiers};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Budget, Error, Pace, Progress, memory};
use rayon::prelude::*;

use super::distances::Distances;
use super::nearest::NextStates;
use super::stage::{CHUNK_RANKS, DistanceStage};
use super::word::DistanceWord;

/// Most chunks between two calls of the monitor.
const CHUNKS_PER_REPORT: u64 = 256;
/// Edges per batch of memory accesses.
const BATCH_EDGES: usize = 1024;

/// Counts of some chunks of ranks.
#[derive(Default)]
pub(super) struct ChunkTally {
    /// Positions expanded for the first time.
    pub(super) expanded: u64,
    /// States reached for the first time, by tier.
    pub(super) states_by_tier: Vec<u64>,
    pub(super) changed_words: u64,
}

impl ChunkTally {
    pub(super) fn merged(mut self, other: Self) -> Self {
        self.expanded += other.expanded;
        self.changed_words += other.changed_words;
        self.states_by_tier.resize(self.states_by_tier.len().max(other.states_by_tier.len()), 0);
        for (sum, states) in self.states_by_tier.iter_mut().zip(other.states_by_tier) {
            *sum += states;
        }
        self
    }
}

/// A search in progress.
pub(super) struct DistanceSearch<'a> {
    game: &'a PackedGame,
    next_states: NextStates,
    pub(super) distances: Distances,
    pub(super) stage: DistanceStage,
}

impl<'a> DistanceSearch<'a> {
    /// Starts a search: only the start is reached.
    pub(super) fn new(
        game: &'a PackedGame,
        next_states: NextStates,
        tiers: Vec<(u64, u64)>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        let ranks = tiers.last().map_or(0, |&(tier, begin)| begin + game.base().tier_len(tier));
        let progress = Progress { phase: "laying out", done: 0, total: Some(ranks) };
        let mut report = |_| budget.check(progress, 0, 0, 0);
        let distances = Distances {
            words: memory::lay_out(ranks, &mut report)?,
            states_by_tier: Vec::new(),
            tier_starts: tiers,
        };
        let mut stage = DistanceStage {
            states_by_tier: vec![vec![0]; distances.tier_starts.len()],
            ..DistanceStage::default()
        };
        let start = game.rank_state(game.start());
        let (tier, rank, move_id) = start.expect("the start has a rank");
        let index = distances.word_index(tier, rank) as usize;
        let word = DistanceWord::default().reached(move_id, move_id, 0);
        distances.words[index].store(word.0, Ordering::Relaxed);
        stage.states_by_tier[distances.tier_index(tier)][0] = 1;
        Ok(Self { game, next_states, distances, stage })
    }

    pub(super) fn resumed(
        game: &'a PackedGame,
        next_states: NextStates,
        tiers: Vec<(u64, u64)>,
        stage: DistanceStage,
        words: Vec<AtomicU32>,
    ) -> Result<Self, Error> {
        if !stage.fits(words.len() as u64, tiers.len()) {
            return Err(Error::damaged("its distances are of another game"));
        }
        let distances = Distances { words, states_by_tier: Vec::new(), tier_starts: tiers };
        let search = Self { game, next_states, distances, stage };
        if search.is_sound() {
            Ok(search)
        } else {
            Err(Error::damaged("a rank has a distance that it cannot have"))
        }
    }

    /// True if every word can belong to its rank.
    fn is_sound(&self) -> bool {
        let (base, most) = (self.game.base(), self.stage.distance + 1);
        self.distances.tier_starts.iter().all(|&(tier, begin)| {
            let ranks = (0..base.tier_len(tier)).into_par_iter();
            ranks.into_par_iter().all(|rank| {
                let word = &self.distances.words[(begin + rank) as usize];
                let word = DistanceWord(word.load(Ordering::Relaxed));
                word == DistanceWord::default()
                    || word.is_reached_within(most) && base.unrank(tier, rank).is_some()
            })
        })
    }

    /// Expands the positions at the distance of the stage. Returns true if any word changed.
    pub(super) fn run_ply(
        &mut self,
        checkpoint: Option<&Checkpoint<'_>>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let ranks = self.distances.words.len() as u64;
        let chunks = ranks.div_ceil(CHUNK_RANKS);
        let next = usize::from(self.stage.distance) + 1;
        for tier in &mut self.stage.states_by_tier {
            tier.resize(next + 1, 0);
        }
        let mut pace = Pace::new(CHUNKS_PER_REPORT);
        while self.stage.chunks_done < chunks {
            let batch = self.stage.chunks_done..chunks.min(self.stage.chunks_done + pace.portion());
            self.stage.chunks_done = batch.end;
            let tallies = batch.into_par_iter().map(|chunk| {
                self.expand_words(chunk * CHUNK_RANKS..ranks.min((chunk + 1) * CHUNK_RANKS))
            });
            let tally = tallies.reduce(ChunkTally::default, ChunkTally::merged);
            self.stage.expanded += tally.expanded;
            self.stage.changed_words += tally.changed_words;
            for (tier, states) in self.stage.states_by_tier.iter_mut().zip(&tally.states_by_tier) {
                tier[next] += states;
            }
            let progress =
                Progress { phase: "reaching", done: self.stage.expanded, total: Some(ranks) };
            let reported = budget.check(progress, self.stage.expanded, 0, 0);
            let is_due = || checkpoint.is_some_and(Checkpoint::is_due);
            if let Some(checkpoint) = checkpoint.filter(|_| reported.is_err() || is_due()) {
                checkpoint.timed(|blobs| self.stage.put(blobs, &self.distances.words))?;
            }
            reported?;
        }
        let changed = self.stage.changed_words > 0;
        self.stage.distance += 1;
        (self.stage.chunks_done, self.stage.changed_words) = (0, 0);
        Ok(changed)
    }
}

impl DistanceSearch<'_> {
    /// Expands the positions of a range of words whose distance is the stage's.
    pub(super) fn expand_words(&self, indices: Range<u64>) -> ChunkTally {
        let tiers = &self.distances.tier_starts;
        let mut tally =
            ChunkTally { states_by_tier: vec![0; tiers.len()], ..ChunkTally::default() };
        let (mut edges, mut batch) = (Vec::new(), Vec::with_capacity(2 * BATCH_EDGES));
        let mut tier_index = tiers.partition_point(|&(_, begin)| begin <= indices.start) - 1;
        for index in indices {
            while tiers.get(tier_index + 1).is_some_and(|next| next.1 <= index) {
                tier_index += 1;
            }
            let word = DistanceWord(self.distances.words[index as usize].load(Ordering::Relaxed));
            let is_first = word.least() == Some(self.stage.distance);
            let is_second = word.least_allowing() == Some(self.stage.distance);
            if !is_first && !is_second {
                continue;
            }
            let (tier, begin) = tiers[tier_index];
            tally.expanded += u64::from(is_first);
            edges.clear();
            let may_share_target = self.game.edges_from(tier, index - begin, &mut edges);
            let forbidden = match self.next_states {
                NextStates::Allowed => word.forbidden(),
                NextStates::All => 0,
            };
            let barred = |edge: &OutEdge| forbidden != 0 && edge.move_id == forbidden;
            edges.retain(|edge| if is_first { !barred(edge) } else { barred(edge) });
            if may_share_target {
                edges.sort_unstable();
                edges.dedup_by_key(|edge| (edge.tier, edge.rank, edge.forbids));
            }
            let indexed = |edge: &OutEdge| (self.distances.word_index(edge.tier, edge.rank), *edge);
            batch.extend(edges.iter().map(indexed));
            if batch.len() >= BATCH_EDGES {
                self.apply(&mut batch, &mut tally);
            }
        }
        self.apply(&mut batch, &mut tally);
        tally
    }

    /// Applies edges to the words of their targets, given by index.
    fn apply(&self, batch: &mut Vec<(u64, OutEdge)>, tally: &mut ChunkTally) {
        // Locked instructions wait for one another, loads do not. So loads fetch the cache lines
        // first.
        let word = |index: u64| &self.distances.words[index as usize];
        let touch = |sum, &(index, _): &(u64, OutEdge)| sum ^ word(index).load(Ordering::Relaxed);
        std::hint::black_box(batch.iter().fold(0, touch));
        let distance = self.stage.distance + 1;
        for (index, edge) in batch.drain(..) {
            let effective = match self.next_states {
                NextStates::All => 0,
                NextStates::Allowed if edge.may_share_target && edge.forbids != 0 => {
                    self.effective_forbidden(edge)
                }
                NextStates::Allowed => edge.forbids,
            };
            let changed = |word| {
                let after = DistanceWord(word).reached(edge.forbids, effective, distance);
                (after.0 != word).then_some(after.0)
            };
            let update = word(index).fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
            tally.changed_words += u64::from(update.is_ok());
            // A state that forbids a move is reached from one position only.
            let is_new = match (edge.forbids, update) {
                (0, Ok(before)) => !DistanceWord(before).reached_unrestricted(),
                (0, Err(_)) => false,
                _ => true,
            };
            tally.states_by_tier[self.distances.tier_index(edge.tier)] += u64::from(is_new);
        }
    }

    /// Returns the move that a state forbids, or 0 if another move leads to the same state up to
    /// symmetry.
    fn effective_forbidden(&self, state: OutEdge) -> u8 {
        let mut edges = Vec::new();
        self.game.edges_from(state.tier, state.rank, &mut edges);
        let key = |edge: &OutEdge| (edge.tier, edge.rank, edge.forbids);
        let Some(forbidden) = edges.iter().find(|edge| edge.move_id == state.forbids) else {
            return 0;
        };
        let alike = edges.iter().filter(|edge| key(edge) == key(forbidden));
        if alike.count() > 1 { 0 } else { state.forbids }
    }
}
