//! Order of the pairs of squares under the symmetries of a game.

use hindsight_core::PawnPairSymmetry;

/// Permutation from the pairs of a table to the pairs of its symmetric image.
pub(super) struct PairOrder {
    /// Index of each pair in the image's table; empty for the identity.
    pair_indices: Vec<u16>,
    /// An earlier symmetry whose permutation is this one read backwards.
    pub(super) reverse_of: Option<usize>,
}

#[inline]
pub(super) fn pair_orders(symmetries: &[PawnPairSymmetry]) -> Vec<PairOrder> {
    let mut orders: Vec<PairOrder> = Vec::new();
    let mut permutations: Vec<Vec<u16>> = Vec::new();
    for symmetry in symmetries {
        let squares = symmetry.squares.len();
        let pair = |i: usize| {
            let [other, own] = [i / squares, i % squares].map(|s| usize::from(symmetry.squares[s]));
            (other * squares + own) as u16
        };
        let pair_indices: Vec<u16> = (0..squares * squares).map(pair).collect();
        let is_identity = (0..).zip(&pair_indices).all(|(i, &index)| i == index);
        orders.push(PairOrder {
            pair_indices: if is_identity { Vec::new() } else { pair_indices.clone() },
            reverse_of: permutations.iter().position(|other| is_reverse(&pair_indices, other)),
        });
        permutations.push(pair_indices);
    }
    orders
}

/// True if `pair_indices` is `other` read backwards.
#[inline]
fn is_reverse(pair_indices: &[u16], other: &[u16]) -> bool {
    let last = pair_indices.len() - 1;
    let mut pairs = pair_indices.iter().zip(other);
    pairs.all(|(&one, &other)| usize::from(one) + usize::from(other) == last)
}

impl PairOrder {
    /// True if every pair is its own image.
    #[inline]
    pub(super) fn is_identity(&self) -> bool {
        self.pair_indices.is_empty()
    }

    /// Writes the image of a `table`. The order must not be the identity.
    #[inline]
    pub(super) fn write_image(&self, table: &[u8], image: &mut Vec<u8>) {
        image.clear();
        let indices = self.pair_indices.iter();
        image.extend(indices.map(|&index| table[usize::from(index)]));
    }

    /// Replaces each code of `least` by the code of its pair in the image's `table`, if that is
    /// less.
    #[inline]
    pub(super) fn lower(&self, least: &mut [u8], table: &[u8]) {
        if self.is_identity() {
            return lower_codes(least, table);
        }
        for (least, &index) in least.iter_mut().zip(&self.pair_indices) {
            *least = table[usize::from(index)].min(*least);
        }
    }
}

/// Replaces each code of `least` by the one of `codes`, if that is less.
#[inline]
pub(super) fn lower_codes<'a>(least: &mut [u8], codes: impl IntoIterator<Item = &'a u8>) {
    for (least, &code) in least.iter_mut().zip(codes) {
        *least = code.min(*least);
    }
}
