use rayon::prelude::*;

use crate::acyclic::heights::{HeightClasses, PieceHeights};
use crate::acyclic::tier::{ByteTiers, TierKey, tier_bytes};
use crate::space::board_tables::BoardTables;
use crate::space::plan::BitplanePlan;

/// Of all squares those of equal height may be such a part.
const EQUAL_HEIGHT_PART: usize = 3;

/// With more contexts planes of bits are faster (`docs/decisions/0011-onward.md`).
const MAX_LANES: usize = 4;

/// Of all positions those that are in memory at the same time are more than such a part.
const RESIDENT_PART: u64 = 32;

/// What a solve where no piece can go back takes, known before it starts.
pub struct AcyclicPlan {
    pub(crate) plan: BitplanePlan,
    pub(crate) tiers: ByteTiers,
    pub(crate) layers: Vec<TierLayer>,
    pub(crate) peak: u64,
}

/// Pairs of tiers that do not lead to each other.
pub(crate) struct TierLayer {
    /// And the bytes of both tiers, the most first.
    pub(crate) pairs: Vec<(TierKey, u64)>,
    /// What is not needed after it.
    pub(crate) last_used: Vec<TierKey>,
}

impl BitplanePlan {
    /// The same by tiers of bytes, if that is faster, and if they fit in so much memory.
    ///
    /// # Errors
    /// The plan itself if not.
    pub fn acyclic(self, memory: u64) -> Result<AcyclicPlan, Box<Self>> {
        let is_small = EQUAL_HEIGHT_PART * PieceHeights::new(&self.tables).widest(&self.tables)
            <= self.tables.squares;
        let pays = is_small && self.tables.lanes <= MAX_LANES;
        if !pays || self.positions() / RESIDENT_PART > memory {
            return Err(self.into());
        }
        let onward = AcyclicPlan::new(self);
        if onward.peak > memory {
            return Err(onward.plan.into());
        }
        Ok(onward)
    }
}

impl AcyclicPlan {
    /// Counts bytes and lists what moves do. Where pieces can go back, tiers are few and large.
    #[must_use]
    pub fn new(plan: BitplanePlan) -> Self {
        let tables = &plan.tables;
        let ways = PieceHeights::new(tables);
        let followers = 0..=plan.most_followers();
        let sets = followers
            .map(|n| HeightClasses::new(tables, &ways, n))
            .collect();
        let tiers = ByteTiers::new(sets);
        let mut layers = tier_layers(&plan, &tiers, &ways);
        let peak = count_bytes(tables, &tiers, &mut layers);
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
fn count_bytes(tables: &BoardTables, tiers: &ByteTiers, layers: &mut [TierLayer]) -> u64 {
    let size = |key| tier_bytes(tables, tiers.classes(key));
    let (mut there, mut peak, mut largest) = (0, 0, 0);
    for TierLayer {
        pairs,
        last_used: last,
    } in layers
    {
        let each = pairs.par_iter_mut();
        each.for_each(|(key, bytes)| *bytes = key_and_exchanged(*key).map(size).sum());
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
pub(crate) fn key_and_exchanged(key: TierKey) -> impl Iterator<Item = TierKey> {
    let other = [key[1], key[0]];
    [key, other].into_iter().take(1 + usize::from(key != other))
}

/// All tiers, from those that lead to no others.
pub(crate) fn tier_layers(
    plan: &BitplanePlan,
    tiers: &ByteTiers,
    ways: &PieceHeights,
) -> Vec<TierLayer> {
    let most = plan.most_followers();
    let height = |key: TierKey| {
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
    let mut kept: Vec<TierKey> = Vec::new();
    for total in 0..=2 * most {
        let subproblems = plan
            .subproblems
            .iter()
            .map(|subproblem| subproblem.followers);
        let subproblems = subproblems.filter(|[i, j]| i + j == total && i <= j);
        let mut pairs: Vec<(u32, TierKey)> = Vec::new();
        let mut keeps = Vec::new();
        for [i, j] in subproblems {
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
                TierLayer {
                    pairs: pairs.iter().map(|&(_, key)| (key, 0)).collect(),
                    last_used: Vec::new(),
                },
            ));
        }
        let end = layers.len();
        // Captures lead to those whose mover has one follower fewer than a side may have, and not to others.
        for at in begin..end {
            let low = layers[at].0;
            let mut forgotten = Vec::new();
            for &(pair, _) in &layers[at].1.pairs {
                for key in key_and_exchanged(pair) {
                    if key[0].0 < most {
                        keeps.push(key);
                    } else {
                        forgotten.push(key);
                    }
                }
            }
            let after = (at..end - 1).find(|&after| layers[after + 1].0 > low + ways.max_drop);
            layers[after.unwrap_or(end - 1)]
                .1
                .last_used
                .extend(forgotten);
        }
        if let Some((_, layer)) = layers.last_mut().filter(|_| begin < end) {
            layer.last_used.append(&mut kept);
        }
        kept = keeps;
    }
    layers.into_iter().map(|(_, layer)| layer).collect()
}
