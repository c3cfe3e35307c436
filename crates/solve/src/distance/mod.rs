//! Distances from the start over ranks: in how few plies each state of a game can be reached in which a
//! move may be forbidden.
//!
//! Breadth first, ply by ply, as Algorithm 9 of H. Takizawa, "Strongly solved Ostle" (2023), from one
//! word a position instead of a number a state. A state forbids one move at most, so of the states of a
//! position only two distances matter to others: the least, and the least of a state that does not
//! forbid the same move. A position is passed on when it is first reached, all but the move that is
//! forbidden there, and that move when a state is reached that allows it.

mod checkpoint;
mod line;
mod pass;
mod word;

use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_core::{ForbiddenMove, Ranked};
use rayon::prelude::*;

use crate::tiered::TierPlan;
use crate::{Error, Limits, Monitor, Progress};
use hindsight_run::Budget;

use checkpoint::NoDistanceCheckpoint;
pub use checkpoint::{DistanceCheckpoint, DistanceStage};
pub use line::{DistanceReader, ShortestLine};
use pass::ChunkTally;
use word::DistanceWord;

/// What is forbidden on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStates {
    /// The forbidden move is not played, as the rules have it.
    Allowed,
    /// The forbidden move is played as well, as in Table 3 of the Ostle paper: a state's distance is one
    /// more than that of the nearest state of the position before.
    All,
}

/// Ranks handled at once by one thread.
const CHUNK_RANKS: u64 = 1 << 13;
/// Chunks between two looks at the monitor.
const CHUNKS_PER_REPORT: u64 = 256;
/// The greatest distance.
pub const MAX_DISTANCE: u16 = 254;

/// How near the states of a position can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearestDistances {
    /// The least distance.
    pub least: u16,
    /// What the only state at that distance forbids, if another allows it; 0 if there is none such.
    pub forbidden: u8,
    /// The least distance of the states that allow it; `None` if none can be reached.
    pub least_allowing: Option<u16>,
}

impl NearestDistances {
    /// The least distance of the states that do not forbid a way (0: of all states).
    #[must_use]
    pub fn distance_allowing(self, move_id: u8) -> Option<u16> {
        if move_id != 0 && move_id == self.forbidden {
            self.least_allowing
        } else {
            Some(self.least)
        }
    }
}

/// Knows how near positions can be reached.
pub trait DistanceProbe {
    /// Why an answer failed.
    type Error;

    /// The distances at a rank; `None` where nothing leads.
    ///
    /// # Errors
    /// What reading from memory or disk can bring.
    fn probe_distances(
        &self,
        tier: u64,
        rank: u64,
    ) -> Result<Option<NearestDistances>, Self::Error>;
}

/// The distances of all states: a word a rank.
pub struct Distances {
    /// Where the words of each tier begin, by tier.
    tier_starts: Vec<(u64, u64)>,
    words: Vec<AtomicU32>,
    /// For each tier how many of its states have each distance, from 0.
    states_by_tier: Vec<Vec<u64>>,
}

impl Distances {
    fn tier_index(&self, tier: u64) -> usize {
        self.tier_starts.partition_point(|&(known, _)| known < tier)
    }

    fn word_index(&self, tier: u64, rank: u64) -> u64 {
        self.tier_starts[self.tier_index(tier)].1 + rank
    }

    /// What is known of a rank; `None` where nothing leads.
    #[must_use]
    pub fn nearest(&self, tier: u64, rank: u64) -> Option<NearestDistances> {
        let word = self.words.get(self.word_index(tier, rank) as usize)?;
        DistanceWord(word.load(Ordering::Relaxed)).nearest()
    }

    /// How many states have each distance, from 0.
    #[must_use]
    pub fn states_by_distance(&self) -> Vec<u64> {
        let longest = self.states_by_tier.iter().map(Vec::len).max().unwrap_or(0);
        let of = |distance: usize| {
            self.states_by_tier
                .iter()
                .filter_map(move |tier| tier.get(distance))
        };
        let mut states: Vec<u64> = (0..longest).map(|distance| of(distance).sum()).collect();
        while states.last() == Some(&0) {
            states.pop();
        }
        states
    }

    /// How many states of a tier have each distance, from 0.
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

/// Bytes that are needed.
#[must_use]
pub fn peak<G: ForbiddenMove>(game: &G) -> u64 {
    4 * TierPlan::new(game.base()).ranks()
}

/// Finds the distances of all states from the start.
///
/// # Errors
/// Before it starts, [`Error::TooLarge`] if more memory is needed than is allowed; then what the monitor
/// or the clock say; [`Error::TooLong`] for a distance beyond 254.
pub fn solve<G: ForbiddenMove>(
    game: &G,
    following: NextStates,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, Error> {
    solve_from(game, following, &mut NoDistanceCheckpoint, limits, monitor)
}

/// As [`solve`], with checkpoints: goes on with what an earlier run kept, and keeps what it has when it is
/// time, or when the monitor or the clock stop it.
///
/// # Errors
/// As [`solve`], and what the checkpoint says.
pub fn solve_from<G: ForbiddenMove>(
    game: &G,
    following: NextStates,
    checkpoint: &mut dyn DistanceCheckpoint,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, Error> {
    let base = game.base();
    let plan = TierPlan::new(base);
    let (ranks, needed) = (plan.ranks(), peak(game));
    if needed > limits.memory {
        let limit = limits.memory;
        return Err(Error::TooLarge {
            ranks,
            needed,
            limit,
        });
    }
    let mut tiers: Vec<(u64, u64)> = Vec::new();
    let mut begin = 0;
    for tier in (0..base.layers()).flat_map(|layer| plan.tiers(layer)) {
        tiers.push((*tier, begin));
        begin += base.tier_len(*tier);
    }
    let mut budget = Budget::new(limits, monitor);
    let mut search = match checkpoint.get(ranks).map_err(Error::Store)? {
        Some((stage, words)) => DistanceSearch::resumed(game, following, tiers, (stage, words))?,
        None => DistanceSearch::new(game, following, tiers, ranks),
    };
    while search.run_ply(checkpoint, &mut budget)? {
        if search.stage.distance >= MAX_DISTANCE {
            return Err(Error::TooLong(MAX_DISTANCE));
        }
    }
    search.distances.states_by_tier = search.stage.states_by_tier;
    Ok(search.distances)
}

/// A search on its way.
struct DistanceSearch<'a, G> {
    game: &'a G,
    next_states: NextStates,
    distances: Distances,
    stage: DistanceStage,
}

impl<'a, G: ForbiddenMove> DistanceSearch<'a, G> {
    /// Before the first ply: only the start is reached.
    fn new(game: &'a G, following: NextStates, tiers: Vec<(u64, u64)>, ranks: u64) -> Self {
        let distances = Distances {
            words: (0..ranks).map(|_| AtomicU32::new(0)).collect(),
            states_by_tier: Vec::new(),
            tier_starts: tiers,
        };
        let mut stage = DistanceStage {
            states_by_tier: vec![vec![0]; distances.tier_starts.len()],
            ..DistanceStage::default()
        };
        let start = game.rank_state(game.start());
        let (tier, rank, move_id) = start.expect("the start has a rank");
        let place = distances.word_index(tier, rank) as usize;
        let word = DistanceWord::default().reached(move_id, move_id, 0);
        distances.words[place].store(word.0, Ordering::Relaxed);
        stage.states_by_tier[distances.tier_index(tier)][0] = 1;
        Self {
            game,
            next_states: following,
            distances,
            stage,
        }
    }

    fn resumed(
        game: &'a G,
        following: NextStates,
        tiers: Vec<(u64, u64)>,
        (stage, words): (DistanceStage, Vec<AtomicU32>),
    ) -> Result<Self, Error> {
        if !stage.fits(words.len() as u64, tiers.len()) {
            return Err(Error::damaged("its distances are of another game"));
        }
        let distances = Distances {
            words,
            states_by_tier: Vec::new(),
            tier_starts: tiers,
        };
        let search = Self {
            game,
            next_states: following,
            distances,
            stage,
        };
        match search.is_sound() {
            true => Ok(search),
            false => Err(Error::damaged("a rank has a distance that it cannot have")),
        }
    }

    /// True if every word may be that of its rank.
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

    /// Passes on what is at the distance of the stage. Whether anything changed.
    fn run_ply(
        &mut self,
        checkpoint: &mut dyn DistanceCheckpoint,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let ranks = self.distances.words.len() as u64;
        let chunks = ranks.div_ceil(CHUNK_RANKS);
        let next = usize::from(self.stage.distance) + 1;
        for tier in &mut self.stage.states_by_tier {
            tier.resize(next + 1, 0);
        }
        while self.stage.chunks_done < chunks {
            let batch =
                self.stage.chunks_done..chunks.min(self.stage.chunks_done + CHUNKS_PER_REPORT);
            self.stage.chunks_done = batch.end;
            let done = batch.into_par_iter().map(|chunk| {
                self.expand_words(chunk * CHUNK_RANKS..ranks.min((chunk + 1) * CHUNK_RANKS))
            });
            let done = done.reduce(ChunkTally::default, ChunkTally::merged);
            self.stage.expanded += done.expanded;
            self.stage.changed_words += done.changed_words;
            for (tier, states) in self
                .stage
                .states_by_tier
                .iter_mut()
                .zip(&done.states_by_tier)
            {
                tier[next] += states;
            }
            let progress = Progress {
                phase: "reaching",
                done: self.stage.expanded,
                total: Some(ranks),
            };
            let reported = budget.check(progress, self.stage.expanded, 0, 0);
            if reported.is_err() || checkpoint.is_due() {
                let kept = checkpoint.put(&self.stage, &self.distances.words);
                kept.map_err(Error::Store)?;
            }
            reported?;
        }
        let changed = self.stage.changed_words > 0;
        self.stage.distance += 1;
        (self.stage.chunks_done, self.stage.changed_words) = (0, 0);
        Ok(changed)
    }
}
