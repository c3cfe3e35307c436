//! Plan of an acyclic solve: its tiers in order, and the memory that it takes.

use rayon::prelude::*;

use crate::acyclic::heights::{HeightClasses, PieceHeights};
use crate::acyclic::tier::{ByteTiers, ClassKey, TierKey, tier_bytes};
use crate::space::board_tables::BoardTables;
use crate::space::plan::BitplanePlan;

/// Bytes are chosen only if `3 * widest <= squares`: at most a third of the squares share a height.
///
/// With more squares of a height, tiers are too few and too large.
const EQUAL_HEIGHT_SHARE: usize = 3;

/// Most contexts for which bytes are chosen; with more, planes of bits are faster.
///
/// Measured in `docs/decisions/0011-onward.md`: bytes win with 3 contexts, are equal with 5, lose
/// with 8.
const MAX_LANES: usize = 4;

/// Cheap test before a plan is made: `positions / 32` bytes must fit into the memory.
///
/// At least that share of the positions is in memory at once, a byte each.
const RESIDENT_SHARE: u64 = 32;

/// Plan of an acyclic solve, with its memory known before it starts.
pub struct AcyclicPlan {
    pub(crate) plan: BitplanePlan,
    pub(crate) tiers: ByteTiers,
    /// Layers in the order in which they are solved.
    pub(crate) layers: Vec<TierLayer>,
    /// Bytes of memory at the peak.
    pub(crate) peak: u64,
}

/// Pairs of tiers that are solved independently of each other.
pub(crate) struct TierLayer {
    /// Pairs, the largest first.
    pub(crate) pairs: Vec<SizedPair>,
    /// Tiers that no later layer reads.
    pub(crate) last_used: Vec<TierKey>,
}

/// A tier, and the one with the sides exchanged, if that is another.
pub(crate) struct SizedPair {
    pub(crate) key: TierKey,
    /// Bytes of both tiers.
    pub(crate) bytes: u64,
}

impl BitplanePlan {
    /// Turns the plan into an acyclic one, if that is faster and fits into `memory` bytes.
    ///
    /// Bytes are faster if at most a third of the squares share a height, and if there are at most
    /// four contexts.
    ///
    /// # Errors
    /// The plan itself, if it stays as it is.
    pub fn acyclic(self, memory: u64) -> Result<AcyclicPlan, Box<Self>> {
        let widest = PieceHeights::new(&self.tables).widest(&self.tables);
        let has_small_tiers = EQUAL_HEIGHT_SHARE * widest <= self.tables.squares;
        let is_faster = has_small_tiers && self.tables.lanes <= MAX_LANES;
        if !is_faster || self.positions() / RESIDENT_SHARE > memory {
            return Err(self.into());
        }
        let acyclic = AcyclicPlan::new(self);
        if acyclic.peak > memory {
            return Err(acyclic.plan.into());
        }
        Ok(acyclic)
    }
}

impl AcyclicPlan {
    /// Lists tiers and moves, and counts bytes.
    ///
    /// Right for every game; where pieces can go back, tiers are few and large.
    #[must_use]
    pub fn new(plan: BitplanePlan) -> Self {
        let tables = &plan.tables;
        let heights = PieceHeights::new(tables);
        let followers = 0..=plan.most_followers();
        let sets = followers.map(|n| HeightClasses::new(tables, &heights, n)).collect();
        let tiers = ByteTiers::new(sets);
        let mut layers = tier_layers(&plan, &tiers, &heights);
        let peak = size_layers(tables, &tiers, &mut layers);
        Self { plan, tiers, layers, peak }
    }

    /// Bytes of memory at the peak.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Number of positions, seen by their mover, finished games left out.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.plan.positions()
    }
}

/// Sets the bytes of all pairs, sorts them, and returns the bytes at the peak.
fn size_layers(tables: &BoardTables, tiers: &ByteTiers, layers: &mut [TierLayer]) -> u64 {
    let bytes_of = |key| tier_bytes(tables, tiers.classes(key));
    let (mut resident, mut peak, mut largest) = (0, 0, 0);
    for TierLayer { pairs, last_used } in layers {
        pairs
            .par_iter_mut()
            .for_each(|pair| pair.bytes = key_and_exchanged(pair.key).map(bytes_of).sum());
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.bytes));
        largest = largest.max(pairs.first().map_or(0, |pair| pair.bytes));
        resident += pairs.iter().map(|pair| pair.bytes).sum::<u64>();
        peak = peak.max(resident);
        resident -= last_used.par_iter().map(|&key| bytes_of(key)).sum::<u64>();
    }
    // Flags of pending blocks and lists of moves, 1/64 of the tiers; for each thread, the minima
    // over successors outside its pair.
    let threads = rayon::current_num_threads() as u64;
    peak + peak / 64 + threads * largest
}

/// A tier, and the one with the sides exchanged, if that is another.
pub(crate) fn key_and_exchanged(key: TierKey) -> impl Iterator<Item = TierKey> {
    let exchanged = [key[1], key[0]];
    [key, exchanged].into_iter().take(1 + usize::from(key != exchanged))
}

/// Pairs of tiers with the same sum of heights, while layers are made.
struct HeightLayer {
    /// Sum of the heights of all followers.
    height: u32,
    layer: TierLayer,
}

/// All layers, by the number of all followers, then by the sum of their heights.
///
/// Invariant: moves lead to the pair itself or to a layer before it.
pub(crate) fn tier_layers(
    plan: &BitplanePlan,
    tiers: &ByteTiers,
    heights: &PieceHeights,
) -> Vec<TierLayer> {
    let most = plan.most_followers();
    let height = |key: TierKey| tiers.classes(key).iter().map(|class| class.height).sum::<u32>();
    let classes = |followers: u32| {
        let classes = tiers.sets[followers as usize].classes.len() as u32;
        (0..classes).map(move |class| ClassKey { followers, class })
    };
    let mut layers: Vec<HeightLayer> = Vec::new();
    let mut after_captures: Vec<TierKey> = Vec::new();
    for total in 0..=2 * most {
        let subproblems = plan.subproblems.iter().map(|subproblem| subproblem.followers);
        let subproblems = subproblems.filter(|[i, j]| i + j == total && i <= j);
        let mut pairs: Vec<(u32, TierKey)> = Vec::new();
        let mut next_after_captures = Vec::new();
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
            let sized = |&(_, key): &(u32, TierKey)| SizedPair { key, bytes: 0 };
            layers.push(HeightLayer {
                height: pairs[0].0,
                layer: TierLayer {
                    pairs: pairs.iter().map(sized).collect(),
                    last_used: Vec::new(),
                },
            });
        }
        let end = layers.len();
        for at in begin..end {
            let low = layers[at].height;
            let mut never_after_captures = Vec::new();
            for pair in &layers[at].layer.pairs {
                for key in key_and_exchanged(pair.key) {
                    // After a capture the mover has fewer followers than a side may have.
                    if key[0].followers < most {
                        next_after_captures.push(key);
                    } else {
                        never_after_captures.push(key);
                    }
                }
            }
            // No move without a capture leads here from layers higher than this.
            let highest = low + heights.max_drop;
            let last = (at..end - 1).find(|&n| layers[n + 1].height > highest);
            layers[last.unwrap_or(end - 1)].layer.last_used.extend(never_after_captures);
        }
        if let Some(last) = layers.last_mut().filter(|_| begin < end) {
            last.layer.last_used.append(&mut after_captures);
        }
        after_captures = next_after_captures;
    }
    layers.into_iter().map(|layer| layer.layer).collect()
}
