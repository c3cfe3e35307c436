use rayon::prelude::*;

use crate::acyclic::heights::{Sets, Ways};
use crate::acyclic::tier::{Key, Tiers, size};
use crate::space::board_tables::Frame;
use crate::space::plan::Plan;

/// Of all squares those of equal height may be such a part.
const PART: usize = 3;

/// With more contexts planes of bits are faster (`docs/decisions/0011-onward.md`).
const LANES: usize = 4;

/// Of all positions those that are in memory at the same time are more than such a part.
const AT_ONCE: u64 = 32;

/// What a solve where no piece can go back takes, known before it starts.
pub struct OnwardPlan {
    pub(crate) plan: Plan,
    pub(crate) tiers: Tiers,
    pub(crate) layers: Vec<Layer>,
    pub(crate) peak: u64,
}

/// Pairs of tiers that do not lead to each other.
pub(crate) struct Layer {
    /// And the bytes of both tiers, the most first.
    pub(crate) pairs: Vec<(Key, u64)>,
    /// What is not needed after it.
    pub(crate) last: Vec<Key>,
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
    let size = |key| size(frame, tiers.classes(key));
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
pub(crate) fn both(key: Key) -> impl Iterator<Item = Key> {
    let other = [key[1], key[0]];
    [key, other].into_iter().take(1 + usize::from(key != other))
}

/// All tiers, from those that lead to no others.
pub(crate) fn layers(plan: &Plan, tiers: &Tiers, ways: &Ways) -> Vec<Layer> {
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
