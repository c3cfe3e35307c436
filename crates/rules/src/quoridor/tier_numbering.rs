use alloc::vec::Vec;

use super::board::Bits;
use super::position::Fences;

/// Numbers for the pairs of a set of fences and the fences in hand, with fewer fences on the board
/// after more: the tiers.
///
/// A set is a subset of `2 * anchors` fences, horizontal ones first, and has its colexicographic rank
/// among the subsets of its size, those included that overlap or cross (D. E. Knuth, TAOCP 4A, section
/// 7.2.1.3, Theorem L). 8 bytes for each fence and size: at most 21 KB.
#[derive(Clone, Debug)]
pub(super) struct TierNumbering {
    stock: [u8; 2],
    anchors: u8,
    /// The most fences on the board at once.
    most: u8,
    /// The first tier of each layer, then the end.
    bases: Vec<u64>,
    /// `choose[(k - 1) * 2 * anchors + c]`: the subsets of size `k` of `c` fences.
    choose: Vec<u64>,
}

/// The ways to have so many fences in hand.
#[derive(Clone, Copy)]
pub(super) struct HandSplits {
    in_hand: u8,
    /// The fewest in White's hand.
    least: u8,
    /// How many ways there are, White having one more in each.
    pub(super) count: u8,
}

impl HandSplits {
    /// The hands of a split below `count`.
    #[inline]
    pub(super) fn hands(self, split: u8) -> [u8; 2] {
        let first = self.least + split;
        [first, self.in_hand - first]
    }

    #[inline]
    pub(super) fn split(self, hands: [u8; 2]) -> u8 {
        hands[0] - self.least
    }
}

impl TierNumbering {
    /// `None` if the numbers do not fit 64 bits.
    #[inline]
    pub(super) fn new(stock: [u8; 2], anchors: u8) -> Option<Self> {
        let most = (stock[0] + stock[1]).min(anchors);
        let mut numbering = Self {
            stock,
            anchors,
            most,
            bases: Vec::from([0]),
            choose: Vec::new(),
        };
        let fences = 2 * u64::from(anchors);
        let choose = |c, k| u64::try_from(hindsight_combinatorics::binomial(c, k)?).ok();
        let mut end = 0_u64;
        for layer in 0..numbering.layers() {
            let placed = numbering.placed(layer);
            let sets = choose(fences, placed.into())?;
            end = end.checked_add(sets.checked_mul(numbering.splits(placed).count.into())?)?;
            numbering.bases.push(end);
        }
        for k in 1..=u64::from(most) {
            for c in 0..fences {
                numbering.choose.push(choose(c, k)?);
            }
        }
        Some(numbering)
    }

    #[inline]
    pub(super) fn layers(&self) -> u32 {
        u32::from(self.most) + 1
    }

    /// The fences on the board in a layer.
    #[inline]
    pub(super) fn placed(&self, layer: u32) -> u8 {
        self.most - layer as u8
    }

    #[inline]
    pub(super) fn splits(&self, placed: u8) -> HandSplits {
        let [first, second] = self.stock;
        let in_hand = first + second - placed;
        let least = in_hand.saturating_sub(second);
        HandSplits {
            in_hand,
            least,
            count: first.min(in_hand) + 1 - least,
        }
    }

    /// The fences as one set, horizontal ones first.
    #[inline]
    pub(super) fn set(&self, fences: Fences) -> u128 {
        u128::from(fences.vertical) << self.anchors | u128::from(fences.horizontal)
    }

    #[inline]
    pub(super) fn fences(&self, set: u128) -> Fences {
        Fences {
            vertical: (set >> self.anchors) as u64,
            horizontal: set as u64 & u64::MAX >> (64 - self.anchors),
        }
    }

    /// What the fence `c` adds to the rank of a set as its `k`-th from below, from 1.
    #[inline]
    pub(super) fn term(&self, c: u8, k: u8) -> u64 {
        self.choose[(usize::from(k) - 1) * 2 * usize::from(self.anchors) + usize::from(c)]
    }

    /// The tier of the split 0 of a set with this rank.
    #[inline]
    pub(super) fn first_tier(&self, placed: u8, rank: u64) -> u64 {
        self.bases[usize::from(self.most - placed)] + rank * u64::from(self.splits(placed).count)
    }

    /// The tier of a set with these hands. `O(fences)` table look-ups.
    #[inline]
    pub(super) fn tier(&self, fences: Fences, hands: [u8; 2]) -> u64 {
        let placed = fences.len() as u8;
        let fences = Bits(self.set(fences));
        let rank = fences.zip(1..).map(|(c, k)| self.term(c, k)).sum();
        self.first_tier(placed, rank) + u64::from(self.splits(placed).split(hands))
    }

    /// The set and the hands of a tier. `O(fences * log anchors)` table look-ups.
    #[inline]
    pub(super) fn contents(&self, tier: u64) -> (Fences, [u8; 2]) {
        let layer = self.bases.partition_point(|&base| base <= tier) - 1;
        let placed = self.placed(layer as u32);
        let splits = self.splits(placed);
        let number = tier - self.bases[layer];
        let mut rank = number / u64::from(splits.count);
        let mut set = 0;
        let row = 2 * usize::from(self.anchors);
        for k in (0..usize::from(placed)).rev() {
            let terms = &self.choose[k * row..(k + 1) * row];
            let c = terms.partition_point(|&term| term <= rank) - 1;
            rank -= terms[c];
            set |= 1 << c;
        }
        let split = number % u64::from(splits.count);
        (self.fences(set), splits.hands(split as u8))
    }
}
