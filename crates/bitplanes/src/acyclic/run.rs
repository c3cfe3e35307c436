use hindsight_core::{Placement, TwoSided, Value};
use hindsight_run::{Budget, Error, Limits, Monitor, Progress, StrongSolution};
use rayon::prelude::*;

use crate::acyclic::gather::Scratch;
use crate::acyclic::lane_permutations::Orders;
use crate::acyclic::plan::{Layer, OnwardPlan, both};
use crate::acyclic::tier::{DRAW, Key, MOST_PLIES, NONE, OVER, Tier, Tiers, value_of};
use crate::acyclic::tracked::Watched;
use crate::acyclic::value_iteration::{Pair, Settle};
use crate::simd::chunk::Chunk;
use crate::simd::dispatch::Instructions;
use crate::space::board_tables::Frame;
use crate::thread_scratch::PerThread;
use crate::values::outcome;

/// Bytes a thread between two looks at the monitor, some seconds.
const BYTES_A_REPORT: u64 = 1 << 26;

/// How to solve where no piece can go back.
pub struct OnwardTerms<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
}

/// How many positions have each value, by bytes, and when those watched were decided.
struct Counted {
    of: [u64; 256],
    watched: Watched,
}

impl Counted {
    fn decided(&self) -> u64 {
        let values = OVER + 1..NONE;
        values
            .filter(|&value| value != DRAW)
            .map(|value| self.of[usize::from(value)])
            .sum()
    }
}

/// Solves every position, and tells the values of some of them, in their order; `None` for draws.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor and clock say; [`Error::TooLong`] after 252 plies.
pub fn solve_onward<G: TwoSided>(
    game: &G,
    plan: OnwardPlan,
    terms: OnwardTerms<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let OnwardPlan {
        plan,
        mut tiers,
        layers,
        peak,
    } = plan;
    plan.check(peak, terms.limits)?;
    let start = game.placement(game.start());
    let frame = &plan.frame;
    let orders = Orders::new(frame);
    let mut counted = Counted {
        of: [0; 256],
        watched: Watched::new(frame, &tiers, start.into_iter().chain(watched)),
    };
    let scratch = PerThread::new(|| Scratch::new(frame, &orders));
    let mut clock = Budget::new(terms.limits, terms.monitor);
    let positions = plan.positions();
    for Layer { pairs, last } in layers {
        let mut made = Vec::new();
        let mut rest = &pairs[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(so_many(rest));
            rest = later;
            let solve = |&(key, _): &(Key, u64)| {
                make((frame, &orders), &tiers, key, terms.instructions, &scratch)
            };
            let solved: Vec<Made> = now.par_iter().map(solve).collect();
            for (key, tier, counts) in solved.into_iter().flatten() {
                add(&mut counted.of, &counts);
                counted.watched.note(key, &tier);
                made.push((key, tier));
            }
            let done = counted.decided();
            let progress = Progress {
                phase: "solving",
                done,
                total: Some(positions),
            };
            clock.check(progress, done, 0, 0)?;
        }
        for (key, tier) in made {
            tiers.put(key, Some(tier));
        }
        for key in last {
            tiers.put(key, None);
        }
    }
    finish(&counted, start.is_some(), positions)
}

/// How many pairs are solved between two looks at the monitor.
fn so_many(pairs: &[(Key, u64)]) -> usize {
    let threads = rayon::current_num_threads();
    let bytes = pairs.iter().scan(0, |sum, (_, bytes)| {
        *sum += bytes;
        Some(*sum)
    });
    let most = threads as u64 * BYTES_A_REPORT;
    let few = bytes.take_while(|&sum| sum <= most).count();
    few.max(threads).min(pairs.len())
}

/// A tier, and how many of its positions have each value, by bytes.
type Made = Vec<(Key, Tier, [u64; 256])>;

fn make(
    (frame, orders): (&Frame, &Orders),
    tiers: &Tiers,
    key: Key,
    instructions: Instructions,
    scratch: &PerThread<Scratch>,
) -> Made {
    let pair = Pair::new(frame, orders, tiers, key);
    let scratch = &mut scratch.own();
    let solved = instructions.run(Settle { pair, scratch });
    let counted = |(key, tier): (Key, Tier)| {
        let kept = &tiers.class(key[0]).kept;
        let mut counts = [0; 256];
        for (row, &set) in kept.iter().enumerate() {
            let times = frame.stands_for(set);
            add(
                &mut counts,
                &count(Chunk::flat(tier.row(row))).map(|number| times * number),
            );
        }
        (key, tier, counts)
    };
    both(key).zip(solved).map(counted).collect()
}

fn add(all: &mut [u64; 256], new: &[u64; 256]) {
    for (all, new) in all.iter_mut().zip(new) {
        *all += new;
    }
}

/// How often each byte occurs but [`NONE`], of which there may be fewer.
fn count(bytes: &[u8]) -> [u64; 256] {
    // Equal bytes that follow each other are not counted at the same place.
    let mut counts = [[0_u64; 256]; 4];
    for eight in bytes.as_chunks::<8>().0 {
        if *eight != [NONE; 8] {
            for (at, &byte) in eight.iter().enumerate() {
                counts[at % 4][usize::from(byte)] += 1;
            }
        }
    }
    let mut all = [0; 256];
    for counts in &counts {
        add(&mut all, counts);
    }
    all
}

fn finish(
    counted: &Counted,
    has_start: bool,
    positions: u64,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let mut found = vec![0; usize::from(MOST_PLIES) + 1];
    for byte in 0..=255 {
        if let Some(plies) = value_of(byte).and_then(Value::remoteness) {
            let number = counted.of[usize::from(byte)];
            if number > 0 && plies > MOST_PLIES {
                return Err(Error::TooLong(MOST_PLIES));
            }
            if number > 0 {
                found[usize::from(plies) - 1] = number;
            }
        }
    }
    let last = found.iter().rposition(|&number| number > 0);
    found.truncate(last.map_or(0, |last| last + 1));
    let watched = counted.watched.values.iter();
    let mut values: Vec<Option<Value>> = watched.copied().collect();
    let start = match has_start {
        true => values.remove(0),
        false => None,
    };
    let start = start.and_then(Value::remoteness);
    Ok((outcome(positions, &found, start)?, values))
}
