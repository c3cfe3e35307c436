use hindsight_core::{Placement, TwoSided, Value};
use hindsight_run::{Budget, Error, Limits, Monitor, Progress, StrongSolution};
use rayon::prelude::*;

use crate::acyclic::gather::GatherScratch;
use crate::acyclic::lane_permutations::LanePermutations;
use crate::acyclic::plan::{AcyclicPlan, TierLayer, key_and_exchanged};
use crate::acyclic::tier::{
    ByteTier, ByteTiers, DRAW, MAX_PLIES, MOVER_LOST, NO_SUCCESSOR, TierKey, value_of_byte,
};
use crate::acyclic::tracked::TrackedValues;
use crate::acyclic::value_iteration::{TierPair, ValueIteration};
use crate::simd::chunk::Chunk;
use crate::simd::dispatch::Instructions;
use crate::space::board_tables::BoardTables;
use crate::thread_scratch::ThreadScratch;
use crate::values::solution_of_passes;

/// Bytes a thread between two looks at the monitor, some seconds.
const BYTES_PER_REPORT: u64 = 1 << 26;

/// How to solve where no piece can go back.
pub struct AcyclicOptions<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
}

/// How many positions have each value, by bytes, and when those watched were decided.
struct ValueCounts {
    by_byte: [u64; 256],
    tracked: TrackedValues,
}

impl ValueCounts {
    fn decided(&self) -> u64 {
        let values = MOVER_LOST + 1..NO_SUCCESSOR;
        values
            .filter(|&value| value != DRAW)
            .map(|value| self.by_byte[usize::from(value)])
            .sum()
    }
}

/// Solves every position, and tells the values of some of them, in their order; `None` for draws.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor and clock say; [`Error::TooLong`] after 252 plies.
pub fn solve_acyclic<G: TwoSided>(
    game: &G,
    plan: AcyclicPlan,
    terms: AcyclicOptions<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let AcyclicPlan {
        plan,
        mut tiers,
        layers,
        peak,
    } = plan;
    plan.check(peak, terms.limits)?;
    let start = game.placement(game.start());
    let tables = &plan.tables;
    let orders = LanePermutations::new(tables);
    let mut counted = ValueCounts {
        by_byte: [0; 256],
        tracked: TrackedValues::new(tables, &tiers, start.into_iter().chain(watched)),
    };
    let scratch = ThreadScratch::new(|| GatherScratch::new(tables, &orders));
    let mut clock = Budget::new(terms.limits, terms.monitor);
    let positions = plan.positions();
    for TierLayer {
        pairs,
        last_used: last,
    } in layers
    {
        let mut made = Vec::new();
        let mut rest = &pairs[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(batch_len(rest));
            rest = later;
            let solve = |&(key, _): &(TierKey, u64)| {
                solve_pair((tables, &orders), &tiers, key, terms.instructions, &scratch)
            };
            let solved: Vec<SolvedTiers> = now.par_iter().map(solve).collect();
            for (key, tier, counts) in solved.into_iter().flatten() {
                add_counts(&mut counted.by_byte, &counts);
                counted.tracked.record(key, &tier);
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
    solution_of_counts(&counted, start.is_some(), positions)
}

/// How many pairs are solved between two looks at the monitor.
fn batch_len(pairs: &[(TierKey, u64)]) -> usize {
    let threads = rayon::current_num_threads();
    let bytes = pairs.iter().scan(0, |sum, (_, bytes)| {
        *sum += bytes;
        Some(*sum)
    });
    let most = threads as u64 * BYTES_PER_REPORT;
    let few = bytes.take_while(|&sum| sum <= most).count();
    few.max(threads).min(pairs.len())
}

/// A tier, and how many of its positions have each value, by bytes.
type SolvedTiers = Vec<(TierKey, ByteTier, [u64; 256])>;

fn solve_pair(
    (tables, orders): (&BoardTables, &LanePermutations),
    tiers: &ByteTiers,
    key: TierKey,
    instructions: Instructions,
    scratch: &ThreadScratch<GatherScratch>,
) -> SolvedTiers {
    let pair = TierPair::new(tables, orders, tiers, key);
    let scratch = &mut scratch.own();
    let solved = instructions.dispatch(ValueIteration { pair, scratch });
    let counted = |(key, tier): (TierKey, ByteTier)| {
        let kept = &tiers.class(key[0]).canonical;
        let mut counts = [0; 256];
        for (row, &set) in kept.iter().enumerate() {
            let times = tables.orbit_size(set);
            add_counts(
                &mut counts,
                &count_bytes(Chunk::as_bytes(tier.row(row))).map(|number| times * number),
            );
        }
        (key, tier, counts)
    };
    key_and_exchanged(key).zip(solved).map(counted).collect()
}

fn add_counts(all: &mut [u64; 256], new: &[u64; 256]) {
    for (all, new) in all.iter_mut().zip(new) {
        *all += new;
    }
}

/// How often each byte occurs but [`NONE`], of which there may be fewer.
fn count_bytes(bytes: &[u8]) -> [u64; 256] {
    // Equal bytes that follow each other are not counted at the same place.
    let mut counts = [[0_u64; 256]; 4];
    for eight in bytes.as_chunks::<8>().0 {
        if *eight != [NO_SUCCESSOR; 8] {
            for (at, &byte) in eight.iter().enumerate() {
                counts[at % 4][usize::from(byte)] += 1;
            }
        }
    }
    let mut all = [0; 256];
    for counts in &counts {
        add_counts(&mut all, counts);
    }
    all
}

fn solution_of_counts(
    counted: &ValueCounts,
    has_start: bool,
    positions: u64,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let mut found = vec![0; usize::from(MAX_PLIES) + 1];
    for byte in 0..=255 {
        if let Some(plies) = value_of_byte(byte).and_then(Value::remoteness) {
            let number = counted.by_byte[usize::from(byte)];
            if number > 0 && plies > MAX_PLIES {
                return Err(Error::TooLong(MAX_PLIES));
            }
            if number > 0 {
                found[usize::from(plies) - 1] = number;
            }
        }
    }
    let last = found.iter().rposition(|&number| number > 0);
    found.truncate(last.map_or(0, |last| last + 1));
    let watched = counted.tracked.values.iter();
    let mut values: Vec<Option<Value>> = watched.copied().collect();
    let start = match has_start {
        true => values.remove(0),
        false => None,
    };
    let start = start.and_then(Value::remoteness);
    Ok((solution_of_passes(positions, &found, start)?, values))
}
