//! A solve where no piece can go back: every position a byte, tier by tier.
//!
//! Followers that leave a row of the board, say, never return to it. So positions are cut into tiers by the heights
//! of both sides' followers (`ways.rs`), and only lower tiers and those with fewer followers have to be there when one is
//! solved. All positions of a tier are drawn at first; then each becomes what its successors make of it, again and again, until nothing
//! changes any more. That is exact: after k rounds at the least a value is that of the game in which
//! who is not through after k more moves in the tier has drawn, so wins and losses get nearer until they are right.
//! Tiers that nothing leads to any more are forgotten: what is left is how many positions have each value.

mod look;
mod order;
mod step;
mod tier;
mod watch;
mod ways;

use hindsight_core::{Placement, TwoSided, Value};
use rayon::prelude::*;

use super::cpu::Chunk;
use super::run::outcome;
use super::shape::Frame;
use super::threads::PerThread;
use super::{Instructions, Plan};
use crate::limits::Watch;
use crate::tiered::Outcome;
use crate::{Error, Limits, Monitor, Progress};
use look::Scratch;
pub(super) use order::Order;
use order::Orders;
use step::{Pair, Settle};
use tier::{DRAW, Key, MOST_PLIES, NONE, OVER, Tier, Tiers};
use watch::Watched;
use ways::{Sets, Ways};

/// Of all squares those of equal height may be such a part.
const PART: usize = 3;

/// With more contexts planes of bits are faster (`docs/decisions/0011-onward.md`).
const LANES: usize = 4;

/// Of all positions those that are in memory at the same time are more than such a part.
const AT_ONCE: u64 = 32;

/// Bytes a thread between two looks at the monitor, some seconds.
const BYTES_A_REPORT: u64 = 1 << 26;

/// What a solve where no piece can go back takes, known before it starts.
pub struct OnwardPlan {
    plan: Plan,
    tiers: Tiers,
    layers: Vec<Layer>,
    peak: u64,
}

/// Pairs of tiers that do not lead to each other.
struct Layer {
    /// And the bytes of both tiers, the most first.
    pairs: Vec<(Key, u64)>,
    /// What is not needed after it.
    last: Vec<Key>,
}

/// How to solve where no piece can go back.
pub struct OnwardTerms<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
}

impl Plan {
    /// The same by tiers of bytes, if that is faster, and if they fit in so much memory.
    ///
    /// # Errors
    /// The plan itself if not.
    pub fn onward(self, memory: u64) -> Result<OnwardPlan, Box<Self>> {
        let is_small = PART * Ways::new(&self.frame).widest(&self.frame) <= self.frame.squares;
        let pays = is_small && self.frame.lanes <= LANES;
        if !pays || self.positions() / AT_ONCE > memory {
            return Err(self.into());
        }
        let onward = OnwardPlan::new(self);
        if onward.peak > memory {
            return Err(onward.plan.into());
        }
        Ok(onward)
    }
}

impl OnwardPlan {
    /// Counts bytes and lists what moves do. Where pieces can go back, tiers are few and large.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let frame = &plan.frame;
        let ways = Ways::new(frame);
        let followers = 0..=plan.most_followers();
        let sets = followers.map(|n| Sets::new(frame, &ways, n)).collect();
        let tiers = Tiers::new(sets);
        let mut layers = layers(&plan, &tiers, &ways);
        let peak = count_bytes(frame, &tiers, &mut layers);
        Self {
            plan,
            tiers,
            layers,
            peak,
        }
    }

    /// Bytes of memory at the peak.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Positions from the mover's view, none of them over.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.plan.positions()
    }
}

/// Counts the bytes of all tiers, and those at the peak.
fn count_bytes(frame: &Frame, tiers: &Tiers, layers: &mut [Layer]) -> u64 {
    let size = |key| tier::size(frame, tiers.classes(key));
    let (mut there, mut peak, mut largest) = (0, 0, 0);
    for Layer { pairs, last } in layers {
        let each = pairs.par_iter_mut();
        each.for_each(|(key, bytes)| *bytes = both(*key).map(size).sum());
        pairs.sort_by_key(|&(_, bytes)| std::cmp::Reverse(bytes));
        largest = largest.max(pairs.first().map_or(0, |&(_, bytes)| bytes));
        there += pairs.iter().map(|(_, bytes)| bytes).sum::<u64>();
        peak = peak.max(there);
        there -= last.par_iter().map(|&key| size(key)).sum::<u64>();
    }
    // What threads keep of moves that lead outside; what has changed, a byte a block, and moves.
    let threads = rayon::current_num_threads() as u64;
    peak + peak / 64 + threads * largest
}

/// A tier, and the one it leads to, if that is another.
fn both(key: Key) -> impl Iterator<Item = Key> {
    let other = [key[1], key[0]];
    [key, other].into_iter().take(1 + usize::from(key != other))
}

/// All tiers, from those that lead to no others.
fn layers(plan: &Plan, tiers: &Tiers, ways: &Ways) -> Vec<Layer> {
    let most = plan.most_followers();
    let height = |key: Key| {
        tiers
            .classes(key)
            .iter()
            .map(|class| class.height)
            .sum::<u32>()
    };
    let classes = |followers: u32| {
        let classes = tiers.sets[followers as usize].classes.len() as u32;
        (0..classes).map(move |class| (followers, class))
    };
    let mut layers = Vec::new();
    let mut kept: Vec<Key> = Vec::new();
    for total in 0..=2 * most {
        let problems = plan.problems.iter().map(|problem| problem.followers);
        let problems = problems.filter(|[i, j]| i + j == total && i <= j);
        let mut pairs: Vec<(u32, Key)> = Vec::new();
        let mut keeps = Vec::new();
        for [i, j] in problems {
            for one in classes(i) {
                for other in classes(j) {
                    let key = [one, other];
                    if i < j || one <= other {
                        pairs.push((height(key), key));
                    }
                }
            }
        }
        pairs.sort_unstable();
        let begin = layers.len();
        for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
            layers.push((
                pairs[0].0,
                Layer {
                    pairs: pairs.iter().map(|&(_, key)| (key, 0)).collect(),
                    last: Vec::new(),
                },
            ));
        }
        let end = layers.len();
        // Captures lead to those whose mover has one follower fewer than a side may have, and not to others.
        for at in begin..end {
            let low = layers[at].0;
            let mut forgotten = Vec::new();
            for &(pair, _) in &layers[at].1.pairs {
                for key in both(pair) {
                    if key[0].0 < most {
                        keeps.push(key);
                    } else {
                        forgotten.push(key);
                    }
                }
            }
            let after = (at..end - 1).find(|&after| layers[after + 1].0 > low + ways.drop);
            layers[after.unwrap_or(end - 1)].1.last.extend(forgotten);
        }
        if let Some((_, layer)) = layers.last_mut().filter(|_| begin < end) {
            layer.last.append(&mut kept);
        }
        kept = keeps;
    }
    layers.into_iter().map(|(_, layer)| layer).collect()
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
) -> Result<(Outcome, Vec<Option<Value>>), Error> {
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
    let mut clock = Watch::new(terms.limits, terms.monitor);
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

/// The value of a byte.
fn value_of(byte: u8) -> Option<Value> {
    match byte {
        OVER | DRAW | NONE => None,
        ..DRAW => Some(Value::Loss(2 * u16::from(byte))),
        _ => Some(Value::Win(2 * (254 - u16::from(byte)) + 1)),
    }
}

fn finish(
    counted: &Counted,
    has_start: bool,
    positions: u64,
) -> Result<(Outcome, Vec<Option<Value>>), Error> {
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
