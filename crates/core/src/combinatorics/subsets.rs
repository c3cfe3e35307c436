use alloc::vec::Vec;

/// `PASCAL[k][n]` is the number of `k`-subsets of `n` squares.
static PASCAL: [[u64; 65]; 65] = pascal();

#[inline]
const fn pascal() -> [[u64; 65]; 65] {
    let mut table = [[0_u64; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns the number of `k`-subsets of `n` squares. One table look-up.
///
/// # Panics
/// If `n` or `k` exceeds 64.
#[inline]
#[must_use]
pub fn subset_count(n: u32, k: u32) -> u64 {
    PASCAL[k as usize][n as usize]
}

/// Returns the rank of a set of squares among all sets with the same number of squares.
///
/// Bit `s` of `set` is square `s`. Ranks are dense, from 0, in colexicographic order, which is the
/// order of the sets as numbers. A rank does not depend on the size of the board. Cost: one table
/// look-up per square of the set.
///
/// # Examples
/// ```
/// // The last of the ten sets of three of five squares.
/// assert_eq!(hindsight_core::combinatorics::rank_subset(0b1_1100), 9);
/// ```
///
/// # Source
/// D. E. Knuth, *The Art of Computer Programming* 4A, section 7.2.1.3, Theorem L.
#[inline]
#[must_use]
pub fn rank_subset(set: u64) -> u64 {
    let mut rank = 0;
    let mut rest = set;
    let mut k = 1;
    while rest != 0 {
        rank += PASCAL[k][rest.trailing_zeros() as usize];
        rest &= rest - 1;
        k += 1;
    }
    rank
}

/// Returns the set of `k` squares with a rank; inverse of [`rank_subset`].
///
/// Cost: one binary search in 65 numbers per square of the set.
///
/// # Panics
/// If `k` exceeds 64, or `rank` is not below `subset_count(64, k)`.
#[must_use]
#[inline]
pub fn unrank_subset(rank: u64, k: u32) -> u64 {
    assert!(rank < subset_count(64, k), "a rank of a set of {k} squares");
    let (mut set, mut rest) = (0, rank);
    for k in (1..=k as usize).rev() {
        let square = PASCAL[k].partition_point(|&count| count <= rest) - 1;
        rest -= PASCAL[k][square];
        set |= 1 << square;
    }
    set
}

/// Renumbers the squares of a set by `mask`: the `i`-th square of `mask`, from 0, becomes square
/// `i`.
///
/// `set` must be a subset of `mask`. Same result as the instruction PEXT. Cost: one step per square
/// of `set`.
#[inline]
#[must_use]
pub fn compress(set: u64, mask: u64) -> u64 {
    let mut out = 0;
    let mut rest = set;
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        out |= 1 << (mask & below).count_ones();
        rest &= rest - 1;
    }
    out
}

/// Turns square `i` of a set into the `i`-th square of `mask`; inverse of [`compress`].
///
/// Same result as the instruction PDEP. Cost: one step per square up to the last one of `set`.
#[inline]
#[must_use]
pub fn expand(set: u64, mask: u64) -> u64 {
    let (mut out, mut rest, mut set) = (0, mask, set);
    while set != 0 {
        let square = rest & rest.wrapping_neg();
        if set & 1 == 1 {
            out |= square;
        }
        rest ^= square;
        set >>= 1;
    }
    out
}

/// Sets of `k` of `n` squares, numbered as by [`rank_subset`].
///
/// Up to 131,072 sets are kept in a list, 8 bytes each. Then unranking is one look-up.
#[derive(Clone, Debug)]
pub struct Subsets {
    n: u32,
    k: u32,
    /// All sets in order of rank; empty if there are more than [`Subsets::LONGEST_LIST`].
    list: Vec<u64>,
}

impl Subsets {
    /// Length up to which the sets are listed. Longer lists would not stay in the cache.
    const LONGEST_LIST: u64 = 1 << 17;

    /// Returns the sets of `k` of `n` squares.
    ///
    /// # Panics
    /// If `n` or `k` exceeds 64.
    #[must_use]
    #[inline]
    pub fn new(n: u32, k: u32) -> Self {
        let len = subset_count(n, k);
        let listed = if len <= Self::LONGEST_LIST { len } else { 0 };
        let list = (0..listed).map(|rank| unrank_subset(rank, k)).collect();
        Self { n, k, list }
    }

    /// Returns the number of sets.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        subset_count(self.n, self.k)
    }

    /// Returns true if there is no set, that is, `k` exceeds `n`.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the set with a rank, which must be below [`Subsets::len`].
    ///
    /// # Panics
    /// If `rank` is not below `subset_count(64, k)`. A rank between [`Subsets::len`] and this bound
    /// gives a set with squares beyond `n`.
    #[inline]
    #[must_use]
    pub fn unrank(&self, rank: u64) -> u64 {
        match usize::try_from(rank).ok().and_then(|rank| self.list.get(rank)) {
            Some(&set) => set,
            None => unrank_subset(rank, self.k),
        }
    }
}

/// Returns the rank of a set among the subsets of `mask` with the same number of squares.
///
/// Equals `rank_subset(compress(set, mask))` in a single pass. `set` must be a subset of `mask`.
#[inline]
#[must_use]
pub fn rank_subset_within(set: u64, mask: u64) -> u64 {
    let mut rank = 0;
    let mut rest = set;
    let mut k = 1;
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        rank += PASCAL[k][(mask & below).count_ones() as usize];
        rest &= rest - 1;
        k += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::{
        Subsets, compress, expand, rank_subset, rank_subset_within, subset_count, unrank_subset,
    };
    use alloc::vec::Vec;

    #[test]
    fn every_subset_of_a_small_board_in_order() {
        for k in 0..=12 {
            let sets: Vec<u64> = (0..1_u64 << 12).filter(|set| set.count_ones() == k).collect();
            assert_eq!(sets.len() as u64, subset_count(12, k));
            let listed = Subsets::new(12, k);
            for (rank, &set) in (0..).zip(&sets) {
                assert_eq!(rank_subset(set), rank);
                assert_eq!(unrank_subset(rank, k), set);
                assert_eq!(listed.unrank(rank), set);
            }
        }
    }

    #[test]
    fn ends_of_the_largest_ranges() {
        for k in 1..=64 {
            let last = u64::MAX << (64 - k);
            assert_eq!(rank_subset(last), subset_count(64, k) - 1, "{k} of 64");
            assert_eq!(unrank_subset(subset_count(64, k) - 1, k), last, "{k} of 64");
            assert_eq!(unrank_subset(0, k), u64::MAX >> (64 - k), "{k} of 64");
        }
    }

    #[test]
    fn compress_and_expand_are_inverse() {
        let mask = 0b1011_0110_1101_u64;
        for small in 0..1 << mask.count_ones() {
            let set = expand(small, mask);
            assert_eq!(set & !mask, 0);
            assert_eq!(compress(set, mask), small);
            assert_eq!(rank_subset_within(set, mask), rank_subset(small));
        }
        assert_eq!(expand(u64::MAX, u64::MAX), u64::MAX);
    }
}
