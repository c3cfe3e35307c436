//! Acyclic solve: layer by layer, with the pairs of a layer on all threads.

use hindsight_core::{Game, PackedGame, Placement, TwoSided, Value};
use hindsight_engine::{Budget, Error, Limits, Monitor, Progress, StrongSolution};
use rayon::prelude::*;

use crate::acyclic::gather::GatherScratch;
use crate::acyclic::lane_permutations::{AcyclicTables, LanePermutations};
use crate::acyclic::plan::{AcyclicPlan, SizedPair, TierLayer, key_and_exchanged};
use crate::acyclic::tier::{
    ByteTier, ByteTiers, DRAW, MAX_PLIES, MOVER_LOST, NO_SUCCESSOR, TierKey, value_of_byte,
};
use crate::acyclic::tracked::TrackedValues;
use crate::acyclic::value_iteration::{TierPair, ValueIteration};
use crate::simd::chunk::Chunk;
use crate::simd::dispatch::Instructions;
use crate::thread_scratch::ThreadScratch;
use crate::values::solution_of_passes;

/// Bytes that a thread solves between two reports to the monitor: some seconds.
const BYTES_PER_REPORT: u64 = 1 << 26;

/// Options of [`solve_acyclic`].
pub struct AcyclicOptions<'a> {
    /// Instruction set to use.
    pub instructions: Instructions,
    /// Limits of memory and time.
    pub limits: Limits,
    /// Receiver of progress reports.
    pub monitor: &'a mut dyn Monitor,
}

/// Number of positions of each value so far, and values of the tracked positions.
struct ValueCounts {
    /// Index: byte of the value.
    by_byte: [u64; 256],
    tracked: TrackedValues,
}

impl ValueCounts {
    /// Number of positions won or lost.
    fn decided(&self) -> u64 {
        let values = MOVER_LOST + 1..NO_SUCCESSOR;
        values.filter(|&value| value != DRAW).map(|value| self.by_byte[usize::from(value)]).sum()
    }
}

/// Solves every position; also returns the values of the tracked ones, in their order, `None` for
/// draws.
///
/// # Errors
/// - [`Error::TooLarge`], before anything is allocated, if the plan needs more memory than is
///   allowed;
/// - [`Error::TooLong`] if a win takes more than 252 plies;
/// - the error of the monitor or the clock.
pub fn solve_acyclic(
    game: &PackedGame,
    plan: AcyclicPlan,
    options: AcyclicOptions<'_>,
    tracked: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let AcyclicPlan { plan, mut tiers, layers, peak } = plan;
    plan.check(peak, options.limits)?;
    let start = game.placement(game.start());
    let board = &plan.tables;
    let permutations = LanePermutations::new(board);
    let tables = AcyclicTables { board, permutations: &permutations };
    let mut counts = ValueCounts {
        by_byte: [0; 256],
        tracked: TrackedValues::new(board, &tiers, start.into_iter().chain(tracked)),
    };
    let scratch = ThreadScratch::new(|| GatherScratch::new(tables));
    let mut budget = Budget::new(options.limits, options.monitor);
    let positions = plan.positions();
    for TierLayer { pairs, last_used } in layers {
        let mut solved_tiers = Vec::new();
        let mut rest = &pairs[..];
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(batch_len(rest));
            rest = later;
            let solve = |pair: &SizedPair| {
                solve_pair(tables, &tiers, pair.key, options.instructions, &scratch)
            };
            let solved: Vec<Vec<SolvedTier>> = batch.par_iter().map(solve).collect();
            for solved in solved.into_iter().flatten() {
                add_counts(&mut counts.by_byte, &solved.counts);
                counts.tracked.record(solved.key, &solved.tier);
                solved_tiers.push((solved.key, solved.tier));
            }
            let done = counts.decided();
            let progress = Progress { phase: "solving", done, total: Some(positions) };
            budget.check(progress, done, 0, 0)?;
        }
        for (key, tier) in solved_tiers {
            tiers.put(key, Some(tier));
        }
        for key in last_used {
            tiers.put(key, None);
        }
    }
    solution_of_counts(&counts, start.is_some(), positions)
}

/// Number of pairs to solve until the next report; at least one for each thread.
fn batch_len(pairs: &[SizedPair]) -> usize {
    let threads = rayon::current_num_threads();
    let sums = pairs.iter().scan(0, |sum, pair| {
        *sum += pair.bytes;
        Some(*sum)
    });
    let most = threads as u64 * BYTES_PER_REPORT;
    let within = sums.take_while(|&sum| sum <= most).count();
    within.max(threads).min(pairs.len())
}

/// A solved tier.
struct SolvedTier {
    key: TierKey,
    tier: ByteTier,
    /// Number of positions of each value, mirror images included. Index: byte of the value.
    counts: [u64; 256],
}

/// Solves a pair of tiers on this thread.
fn solve_pair(
    tables: AcyclicTables<'_>,
    tiers: &ByteTiers,
    key: TierKey,
    instructions: Instructions,
    scratch: &ThreadScratch<GatherScratch>,
) -> Vec<SolvedTier> {
    let pair = TierPair::new(tables, tiers, key);
    let scratch = &mut scratch.own();
    let solved = instructions.dispatch(ValueIteration { pair, scratch });
    let counted = |(key, tier): (TierKey, ByteTier)| {
        let canonical = &tiers.class(key[0]).canonical;
        let mut counts = [0; 256];
        for (row, &set) in canonical.iter().enumerate() {
            let orbit_size = tables.board.orbit_size(set);
            let of_row = byte_histogram(Chunk::as_bytes(tier.row(row)));
            add_counts(&mut counts, &of_row.map(|count| orbit_size * count));
        }
        SolvedTier { key, tier, counts }
    };
    key_and_exchanged(key).zip(solved).map(counted).collect()
}

fn add_counts(sums: &mut [u64; 256], counts: &[u64; 256]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// Number of times that each byte occurs; [`NO_SUCCESSOR`] may be counted too seldom.
///
/// `bytes` are whole chunks.
fn byte_histogram(bytes: &[u8]) -> [u64; 256] {
    // Four histograms, so that equal neighbours do not wait for one counter.
    let mut counts = [[0_u64; 256]; 4];
    for eight in bytes.as_chunks::<8>().0 {
        if *eight != [NO_SUCCESSOR; 8] {
            for (at, &byte) in eight.iter().enumerate() {
                counts[at % 4][usize::from(byte)] += 1;
            }
        }
    }
    let mut sums = [0; 256];
    for counts in &counts {
        add_counts(&mut sums, counts);
    }
    sums
}

/// Turns counts into a solution; the start is the first tracked position, if `has_start`.
///
/// # Errors
/// [`Error::TooLong`] if a win takes more than [`MAX_PLIES`] plies.
fn solution_of_counts(
    counts: &ValueCounts,
    has_start: bool,
    positions: u64,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    // Index: remoteness - 1, as the pass of a solve in planes.
    let mut found = vec![0; usize::from(MAX_PLIES) + 1];
    for byte in 0..=255 {
        if let Some(plies) = value_of_byte(byte).and_then(Value::remoteness) {
            let count = counts.by_byte[usize::from(byte)];
            if count > 0 && plies > MAX_PLIES {
                return Err(Error::TooLong(MAX_PLIES));
            }
            if count > 0 {
                found[usize::from(plies) - 1] = count;
            }
        }
    }
    let last = found.iter().rposition(|&count| count > 0);
    found.truncate(last.map_or(0, |last| last + 1));
    let tracked = counts.tracked.values.iter();
    let mut values: Vec<Option<Value>> = tracked.copied().collect();
    let start = if has_start { values.remove(0) } else { None };
    let start = start.and_then(Value::remoteness);
    Ok((solution_of_passes(positions, &found, start)?, values))
}
