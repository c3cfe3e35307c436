//! Distances from the start over ranks: in how few plies each state of a game can be reached in which a
//! move may be forbidden.
//!
//! Breadth first, ply by ply, as Algorithm 9 of H. Takizawa, "Strongly solved Ostle" (2023), from one
//! word a position instead of a number a state. A state forbids one move at most, so of the states of a
//! position only two distances matter to others: the least, and the least of a state that does not
//! forbid the same move. A position is passed on when it is first reached, all but the move that is
//! forbidden there, and that move when a state is reached that allows it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use game::{Ranked, Restricting, Step};
use rayon::prelude::*;

use crate::limits::Watch;
use crate::tiered::Plan;
use crate::{Error, Limits, Monitor, Progress};

/// What is forbidden on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Following {
    /// The forbidden move is not played, as the rules have it.
    Rules,
    /// The forbidden move is played as well, as in Table 3 of the Ostle paper: a state's distance is one
    /// more than that of the nearest state of the position before.
    Everything,
}

/// Ranks handled at once by one thread.
const CHUNK: u64 = 1 << 13;
/// Chunks between two looks at the monitor.
const CHUNKS_A_REPORT: u64 = 256;
/// Steps in a batch of memory accesses.
const BATCH: usize = 1024;
/// The greatest distance.
const FARTHEST: u32 = 254;

/// How near a position can be reached: bits 0..8 the least distance of its states, one more, 0 for none; 8..16 that of a
/// state that allows what the only nearest one forbids; 16..24 that of the state that forbids nothing;
/// 24..31 what the only nearest state forbids, or 0.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word(u32);

impl Word {
    fn distance(self, at: u32) -> Option<u32> {
        (self.0 >> at & 0xFF).checked_sub(1)
    }

    fn with(self, at: u32, distance: u32) -> Self {
        Self(self.0 & !(0xFF << at) | (distance + 1) << at)
    }

    fn first(self) -> Option<u32> {
        self.distance(0)
    }

    fn second(self) -> Option<u32> {
        self.distance(8)
    }

    fn free(self) -> Option<u32> {
        self.distance(16)
    }

    fn forbidden(self) -> u8 {
        (self.0 >> 24) as u8
    }

    fn with_forbidden(self, way: u8) -> Self {
        Self(self.0 & 0x00FF_FFFF | u32::from(way) << 24)
    }

    /// After a state was reached that forbids a way (0: none), of which `allows` is what other positions
    /// see: 0 where an image of the forbidden move is allowed.
    fn reached(self, back: u8, allows: u8, distance: u32) -> Self {
        let mut word = self;
        if back == 0 && word.free().is_none() {
            word = word.with(16, distance);
        }
        match word.first() {
            None => word.with(0, distance).with_forbidden(allows),
            Some(_) if word.forbidden() == 0 || word.forbidden() == allows => word,
            Some(first) if first == distance => word.with_forbidden(0),
            Some(_) if word.second().is_none() => word.with(8, distance),
            Some(_) => word,
        }
    }
}

/// The distances of all states.
pub struct Distances {
    /// Where the words of each tier begin, by layer.
    tiers: Vec<(u64, u64)>,
    words: Vec<AtomicU32>,
    /// How many states have each distance, from 0.
    pub states: Vec<u64>,
    following: Following,
}

impl Distances {
    fn place(&self, tier: u64, rank: u64) -> u64 {
        let i = self.tiers.partition_point(|&(known, _)| known < tier);
        self.tiers[i].1 + rank
    }

    fn word(&self, tier: u64, rank: u64) -> Word {
        Word(self.words[self.place(tier, rank) as usize].load(Ordering::Relaxed))
    }

    /// The distance of a state; `None` if it cannot be reached, or is terminal.
    pub fn distance<G: Restricting>(&self, game: &G, state: G::Position) -> Option<u32> {
        let (tier, rank, way) = game.rank_state(state)?;
        if game.rank_state(game.start()) == Some((tier, rank, way)) {
            return Some(0);
        }
        if way == 0 {
            return self.word(tier, rank).free();
        }
        // The forbidden move leads to the position before, and one that leads back here came from there.
        let mut edges = Vec::new();
        game.edges_to(tier, rank, &mut edges);
        let came = edges.iter().filter(|edge| edge.back == way);
        let before = came.filter_map(|edge| {
            let word = self.word(tier, edge.rank);
            let barred =
                self.following == Following::Rules && edge.way != 0 && word.forbidden() == edge.way;
            if barred { word.second() } else { word.first() }
        });
        before.min().map(|distance| distance + 1)
    }
}

/// Bytes that are needed.
#[must_use]
pub fn peak<G: Restricting>(game: &G) -> u64 {
    4 * Plan::new(game.base()).ranks()
}

/// Finds the distances of all states from the start.
///
/// # Errors
/// Before it starts, [`Error::TooLarge`] if more memory is needed than is allowed; then what the monitor
/// or the clock say; [`Error::TooLong`] for a distance beyond 254.
pub fn solve<G: Restricting>(
    game: &G,
    following: Following,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Distances, Error> {
    let base = game.base();
    let plan = Plan::new(base);
    let (ranks, needed) = (plan.ranks(), peak(game));
    if needed > limits.memory {
        let limit = limits.memory;
        return Err(Error::TooLarge {
            ranks,
            needed,
            limit,
        });
    }
    let mut watch = Watch::new(limits, monitor);
    let mut tiers: Vec<(u64, u64)> = Vec::new();
    let mut begin = 0;
    for tier in (0..base.layers()).flat_map(|layer| plan.tiers(layer)) {
        tiers.push((*tier, begin));
        begin += base.tier_len(*tier);
    }
    let mut distances = Distances {
        tiers,
        words: (0..ranks).map(|_| AtomicU32::new(0)).collect(),
        states: vec![1],
        following,
    };
    let (tier, rank, way) = game.rank_state(game.start()).expect("the start has a rank");
    let start = distances.place(tier, rank) as usize;
    *distances.words[start].get_mut() = Word(0).reached(way, way, 0).0;
    let passed = AtomicU64::new(0);
    for distance in 0.. {
        let reached = AtomicU64::new(0);
        let found = AtomicU64::new(0);
        let chunks = ranks.div_ceil(CHUNK);
        for first in (0..chunks).step_by(CHUNKS_A_REPORT as usize) {
            let batch = first..chunks.min(first + CHUNKS_A_REPORT);
            batch.into_par_iter().for_each(|chunk| {
                let ranks = chunk * CHUNK..ranks.min((chunk + 1) * CHUNK);
                let done = distances.pass_on(game, ranks, distance);
                passed.fetch_add(done.passed, Ordering::Relaxed);
                reached.fetch_add(done.states, Ordering::Relaxed);
                found.fetch_add(done.found, Ordering::Relaxed);
            });
            let done = passed.load(Ordering::Relaxed);
            let progress = Progress {
                phase: "reaching",
                done,
                total: Some(ranks),
            };
            watch.check(progress, done, 0, 0)?;
        }
        distances.states.push(reached.into_inner());
        if found.into_inner() == 0 {
            break;
        }
        if distance + 1 >= FARTHEST {
            return Err(Error::TooLong(FARTHEST as u16));
        }
    }
    while distances.states.last() == Some(&0) {
        distances.states.pop();
    }
    Ok(distances)
}

/// What was done in a chunk.
#[derive(Default)]
struct Done {
    /// Positions passed on for the first time.
    passed: u64,
    /// States reached for the first time.
    states: u64,
    /// Words that changed.
    found: u64,
}

impl Distances {
    /// Passes on the positions among some words that are at a distance.
    fn pass_on<G: Restricting>(
        &self,
        game: &G,
        places: std::ops::Range<u64>,
        distance: u32,
    ) -> Done {
        let mut done = Done::default();
        let (mut steps, mut batch) = (Vec::new(), Vec::with_capacity(2 * BATCH));
        let mut i = self
            .tiers
            .partition_point(|&(_, begin)| begin <= places.start)
            - 1;
        for place in places {
            while self.tiers.get(i + 1).is_some_and(|next| next.1 <= place) {
                i += 1;
            }
            let word = Word(self.words[place as usize].load(Ordering::Relaxed));
            let first = word.first() == Some(distance);
            let second = word.second() == Some(distance);
            if !first && !second {
                continue;
            }
            let (tier, begin) = self.tiers[i];
            let rank = place - begin;
            done.passed += u64::from(first);
            steps.clear();
            game.steps_from(tier, rank, &mut steps);
            let forbidden = match self.following {
                Following::Rules => word.forbidden(),
                Following::Everything => 0,
            };
            let barred = |step: &Step| forbidden != 0 && step.way == forbidden;
            steps.retain(|step| if first { !barred(step) } else { barred(step) });
            if game.has_twins(tier, rank) {
                steps.sort_unstable();
                steps.dedup_by_key(|step| (step.tier, step.rank, step.back));
            }
            batch.extend(
                steps
                    .iter()
                    .map(|step| (self.place(step.tier, step.rank), *step)),
            );
            if batch.len() >= BATCH {
                self.apply(game, &mut batch, distance + 1, &mut done);
            }
        }
        self.apply(game, &mut batch, distance + 1, &mut done);
        done
    }

    fn apply<G: Restricting>(
        &self,
        game: &G,
        batch: &mut Vec<(u64, Step)>,
        distance: u32,
        done: &mut Done,
    ) {
        let touch = |sum, &(place, _): &(u64, Step)| {
            sum ^ self.words[place as usize].load(Ordering::Relaxed)
        };
        std::hint::black_box(batch.iter().fold(0, touch));
        for (place, step) in batch.drain(..) {
            let twins = step.back != 0 && game.has_twins(step.tier, step.rank);
            let allows = if twins {
                self.allows(game, step)
            } else {
                step.back
            };
            let change = |word: Word| match self.following {
                Following::Rules => word.reached(step.back, allows, distance),
                Following::Everything => word.reached(step.back, 0, distance),
            };
            let changed = |word| {
                let after = change(Word(word));
                (after.0 != word).then_some(after.0)
            };
            let update = self.words[place as usize].fetch_update(
                Ordering::Relaxed,
                Ordering::Relaxed,
                changed,
            );
            done.found += u64::from(update.is_ok());
            // A state that forbids a move is reached from one position only.
            done.states += match (step.back, update) {
                (0, Ok(before)) => u64::from(Word(before).free().is_none()),
                (0, Err(_)) => 0,
                _ => 1,
            };
        }
    }

    /// The way that a state forbids, or 0 if another move leads to the same state up to symmetry.
    fn allows<G: Restricting>(&self, game: &G, state: Step) -> u8 {
        let mut steps = Vec::new();
        game.steps_from(state.tier, state.rank, &mut steps);
        let key = |step: &Step| (step.tier, step.rank, step.back);
        let Some(forbidden) = steps.iter().find(|step| step.way == state.back) else {
            return 0;
        };
        let alike = steps.iter().filter(|step| key(step) == key(forbidden));
        if alike.count() > 1 { 0 } else { state.back }
    }
}
