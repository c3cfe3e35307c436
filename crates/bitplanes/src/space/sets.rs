//! Sets of squares as words of 32 bits.

/// Squares of a set, ascending.
#[inline(always)]
pub(crate) fn squares(set: u32) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let square = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (square < 32).then_some(square as usize)
    })
}

/// `SUBSETS_BELOW[k][n] = binomial(n, k + 1)`: sets of `k + 1` squares below square `n`.
static SUBSETS_BELOW: [[u32; 32]; 32] = {
    let mut below = [[0; 32]; 32];
    let mut n = 1;
    while n < 32 {
        below[0][n] = n as u32;
        let mut k = 1;
        while k < n {
            below[k][n] = below[k][n - 1] + below[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    below
};

/// Rank of a set among the sets of equal size, in colexicographic order.
///
/// As [`hindsight_core::combinatorics::rank_subset`], with a table of 4 KiB instead of one for 64
/// squares.
#[inline(always)]
pub(crate) fn set_rank(set: u32) -> usize {
    let (mut rank, mut rest, mut smaller) = (0, set, 0);
    while rest != 0 {
        rank += SUBSETS_BELOW[smaller & 31][rest.trailing_zeros() as usize & 31];
        rest &= rest - 1;
        smaller += 1;
    }
    rank as usize
}

/// Number of squares of a set below each square.
#[inline(always)]
pub(crate) fn count_below_each(set: u32) -> [u8; 32] {
    let mut counts = [0; 32];
    for (square, count) in counts.iter_mut().enumerate() {
        *count = (set & ((1 << square) - 1)).count_ones() as u8;
    }
    counts
}

/// Number of squares of a set below `square`.
#[inline(always)]
pub(crate) fn count_below(set: u32, square: usize) -> usize {
    (set & ((1_u32 << square) - 1)).count_ones() as usize
}
