use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;

use super::board::QuoridorBoard;
use super::position::Fences;

/// Numbers of tiers. A tier is a set of fences on the board with the numbers of fences in hand:
/// `tier = layer_start + rank of the set * splits + split`. Layers with more fences on the board
/// come first.
///
/// A set is a subset of `2 * anchors` fences, horizontal ones first. Its rank is the
/// colexicographic rank among all subsets of its size, including those with fences that overlap or
/// cross. Memory: 8 bytes for each fence and size, at most 15 KiB.
///
/// In a subgame, fixed fences are on the board in every tier. Only the others are numbered, and the
/// stocks are the hands of its first position.
///
/// Source: D. E. Knuth, TAOCP 4A, section 7.2.1.3, Theorem L.
#[derive(Clone, Debug)]
pub(super) struct TierNumbering {
    /// Fences on the board in every tier.
    fixed: Fences,
    /// Numbers of fences that each player can add to the fixed ones.
    stock: [u8; 2],
    /// Symmetries that keep the fixed fences and the stocks, the identity first. Indices into
    /// [`QuoridorBoard::symmetric_images`].
    symmetries: Vec<usize>,
    anchors: u8,
    /// Most fences that are not fixed on the board at once.
    max_placed: u8,
    /// First tier of each layer, then the number of all tiers.
    layer_starts: Vec<u64>,
    /// `choose[(k - 1) * 2 * anchors + c]`: number of subsets of size `k` of `c` fences.
    choose: Vec<u64>,
}

/// Divisions of `in_hand` fences between the two hands. Split `s` gives White `min_white + s`.
#[derive(Clone, Copy)]
pub(super) struct HandSplits {
    in_hand: u8,
    /// Fewest fences in White's hand.
    min_white: u8,
    pub(super) count: u8,
}

impl HandSplits {
    /// Fences in hand of a split below `count`.
    #[inline]
    pub(super) fn hands(self, split: u8) -> [u8; 2] {
        let first = self.min_white + split;
        [first, self.in_hand - first]
    }

    #[inline]
    pub(super) fn split_of(self, hands: [u8; 2]) -> u8 {
        hands[0] - self.min_white
    }
}

impl TierNumbering {
    /// The numbering of the tiers that follow some fixed fences; `None` if 64 bits cannot number
    /// them.
    #[inline]
    pub(super) fn new(board: &QuoridorBoard, fixed: Fences, stock: [u8; 2]) -> Option<Self> {
        let anchors = board.anchors();
        let placeable = board.placeable_fences(fixed);
        let room = (placeable.horizontal | placeable.vertical).count_ones() as u8;
        let most = (stock[0] + stock[1]).min(room);
        let images = board.symmetric_images(fixed, stock);
        let mut numbering = Self {
            fixed,
            stock,
            symmetries: (0..4).filter(|&i| images[i] == images[0]).collect(),
            anchors,
            max_placed: most,
            layer_starts: Vec::from([0]),
            choose: Vec::new(),
        };
        let fences = 2 * u64::from(anchors);
        let choose = |c, k| u64::try_from(hindsight_core::combinatorics::binomial(c, k)?).ok();
        let mut end = 0_u64;
        for layer in 0..numbering.layers() {
            let placed = numbering.placed(layer);
            let sets = choose(fences, placed.into())?;
            end = end.checked_add(sets.checked_mul(numbering.splits(placed).count.into())?)?;
            numbering.layer_starts.push(end);
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
        u32::from(self.max_placed) + 1
    }

    #[inline]
    pub(super) fn fixed(&self) -> Fences {
        self.fixed
    }

    #[inline]
    pub(super) fn stock(&self) -> [u8; 2] {
        self.stock
    }

    #[inline]
    pub(super) fn symmetries(&self) -> &[usize] {
        &self.symmetries
    }

    /// True if fences with these hands have a tier.
    #[inline]
    pub(super) fn contains(&self, fences: Fences, hands: [u8; 2]) -> bool {
        let added = fences.len().checked_sub(self.fixed.len());
        let in_hand = u32::from(hands[0] + hands[1]);
        let stock = u32::from(self.stock[0] + self.stock[1]);
        fences.with(self.fixed) == fences
            && hands[0] <= self.stock[0]
            && hands[1] <= self.stock[1]
            && added.is_some_and(|added| added + in_hand == stock)
    }

    /// Number of fences on the board in a layer, without the fixed ones.
    #[inline]
    pub(super) fn placed(&self, layer: u32) -> u8 {
        self.max_placed - layer as u8
    }

    #[inline]
    pub(super) fn splits(&self, placed: u8) -> HandSplits {
        let [first, second] = self.stock;
        let in_hand = first + second - placed;
        let least = in_hand.saturating_sub(second);
        HandSplits { in_hand, min_white: least, count: first.min(in_hand) + 1 - least }
    }

    /// The fences as one number: `vertical << anchors | horizontal`.
    #[inline]
    pub(super) fn fence_set(&self, fences: Fences) -> u128 {
        u128::from(fences.vertical) << self.anchors | u128::from(fences.horizontal)
    }

    #[inline]
    pub(super) fn fences_in(&self, set: u128) -> Fences {
        Fences {
            vertical: (set >> self.anchors) as u64,
            horizontal: set as u64 & u64::MAX >> (64 - self.anchors),
        }
    }

    /// Term of the rank of a set whose `k`-th fence, from below and from 1, is `c`.
    #[inline]
    pub(super) fn rank_term(&self, c: u8, k: u8) -> u64 {
        self.choose[(usize::from(k) - 1) * 2 * usize::from(self.anchors) + usize::from(c)]
    }

    /// Tier of split 0 of the set of `placed` fences with this rank.
    #[inline]
    pub(super) fn first_tier(&self, placed: u8, rank: u64) -> u64 {
        self.layer_starts[usize::from(self.max_placed - placed)]
            + rank * u64::from(self.splits(placed).count)
    }

    /// Tier of a set of fences with these hands. `O(fences)` table lookups.
    #[inline]
    pub(super) fn tier(&self, fences: Fences, hands: [u8; 2]) -> u64 {
        let placed = (fences.len() - self.fixed.len()) as u8;
        let added = SetBits(self.fence_set(fences) & !self.fence_set(self.fixed));
        let rank = added.zip(1..).map(|(c, k)| self.rank_term(c, k)).sum();
        self.first_tier(placed, rank) + u64::from(self.splits(placed).split_of(hands))
    }

    /// Inverse of [`TierNumbering::tier`]. `O(fences * log anchors)` table lookups.
    #[inline]
    pub(super) fn fences_and_hands(&self, tier: u64) -> (Fences, [u8; 2]) {
        let layer = self.layer_starts.partition_point(|&base| base <= tier) - 1;
        let placed = self.placed(layer as u32);
        let splits = self.splits(placed);
        let number = tier - self.layer_starts[layer];
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
        let fences = self.fences_in(set).with(self.fixed);
        (fences, splits.hands(split as u8))
    }
}
