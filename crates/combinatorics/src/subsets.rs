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

/// The number of `k`-subsets of `n` squares, `n` at most 64.
///
/// # Panics
/// When `n` or `k` exceeds 64.
#[inline]
#[must_use]
pub fn subset_count(n: u32, k: u32) -> u64 {
    PASCAL[k as usize][n as usize]
}

/// The rank of a set of squares among all sets of as many squares.
///
/// Bit `s` of `set` is square `s`. Ranks are dense, in colexicographic order (that of the sets as
/// numbers), and do not depend on the size of the board. One table look-up a square.
///
/// ```
/// assert_eq!(hindsight_combinatorics::rank_subset(0b1_1100), 9); // the last of the 10 sets of three of five squares
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

/// The set of `k` squares of a rank: the inverse of [`rank_subset`]. A binary search a square.
///
/// # Panics
/// When there are not so many sets of `k` of 64 squares.
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

/// A set as seen by someone who counts only the squares of `mask`: square number `i` of `mask` becomes
/// square `i`. Squares outside `mask` must not be in the set. What PEXT does, one step a square of `set`.
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

/// The inverse of [`compress`]: square `i` becomes square number `i` of `mask`. What PDEP does, one step
/// a square up to the last of `set`.
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

/// All sets of `k` of `n` squares, numbered as by [`rank_subset`]; a list of them where it is short,
/// so that unranking is one look-up.
#[derive(Clone, Debug)]
pub struct Subsets {
    n: u32,
    k: u32,
    list: Vec<u64>,
}

impl Subsets {
    /// Longer lists would not stay in the cache.
    const LONGEST_LIST: u64 = 1 << 17;

    /// The sets of `k` of `n` squares, `n` at most 64. Lists up to 131,072 sets.
    #[must_use]
    #[inline]
    pub fn new(n: u32, k: u32) -> Self {
        let len = subset_count(n, k);
        let listed = if len <= Self::LONGEST_LIST { len } else { 0 };
        let list = (0..listed).map(|rank| unrank_subset(rank, k)).collect();
        Self { n, k, list }
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        subset_count(self.n, self.k)
    }

    /// Whether there is none, when `k` exceeds `n`.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The set of a rank below [`Subsets::len`].
    ///
    /// # Panics
    /// For a greater rank.
    #[inline]
    #[must_use]
    pub fn unrank(&self, rank: u64) -> u64 {
        match usize::try_from(rank)
            .ok()
            .and_then(|rank| self.list.get(rank))
        {
            Some(&set) => set,
            None => unrank_subset(rank, self.k),
        }
    }
}

/// Ways to put pieces of several kinds on a board, at most one on a square: the sets of squares of each
/// kind, ranked as a mixed number, the last kind fastest. Each kind is counted on the squares that the
/// earlier ones leave free, so the numbering is dense.
#[derive(Clone, Debug)]
pub struct PieceArrangements {
    board: u64,
    kinds: Vec<Subsets>,
}

impl PieceArrangements {
    /// `counts[i]` pieces of kind `i` on a board of `squares`, at most 64. `None` if there are no such
    /// arrangements, or more than 64 bits can number.
    #[must_use]
    #[inline]
    pub fn new(squares: u32, counts: &[u32]) -> Option<Self> {
        let mut free = squares;
        let mut kinds = Vec::new();
        let mut len = 1_u64;
        for &count in counts {
            let sets = (count <= free).then(|| Subsets::new(free, count))?;
            len = len.checked_mul(sets.len())?;
            kinds.push(sets);
            free -= count;
        }
        let board = if squares == 64 {
            u64::MAX
        } else {
            (1 << squares) - 1
        };
        Some(Self { board, kinds })
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        self.kinds.iter().map(Subsets::len).product()
    }

    /// Never: [`Arrangements::new`] makes none that are empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The sets of one kind on the squares the earlier kinds leave free.
    #[must_use]
    #[inline]
    pub fn kind(&self, kind: usize) -> &Subsets {
        &self.kinds[kind]
    }

    /// The rank of disjoint sets, one a kind.
    ///
    /// # Panics
    /// When there are not as many sets as kinds.
    #[inline]
    #[must_use]
    pub fn rank(&self, sets: &[u64]) -> u64 {
        assert_eq!(sets.len(), self.kinds.len(), "one set for each kind");
        let mut free = self.board;
        let mut rank = 0;
        for (kind, &set) in self.kinds.iter().zip(sets) {
            rank = rank * kind.len() + rank_subset_within(set, free);
            free &= !set;
        }
        rank
    }

    /// The sets of a rank, appended kind by kind.
    #[inline]
    pub fn unrank(&self, rank: u64, sets: &mut Vec<u64>) {
        let mut place = self.len();
        let mut rest = rank;
        let mut free = self.board;
        for kind in &self.kinds {
            place /= kind.len();
            let set = expand(kind.unrank(rest / place), free);
            rest %= place;
            free &= !set;
            sets.push(set);
        }
    }
}

/// The rank of a set counted only on the squares of `mask`: `rank_subset(compress(set, mask))` in one
/// pass.
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
        PieceArrangements, Subsets, compress, expand, rank_subset, rank_subset_within,
        subset_count, unrank_subset,
    };
    use alloc::vec::Vec;

    #[test]
    fn every_subset_of_a_small_board_in_order() {
        for k in 0..=12 {
            let sets: Vec<u64> = (0..1_u64 << 12)
                .filter(|set| set.count_ones() == k)
                .collect();
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

    #[test]
    fn arrangements_are_dense() {
        let two_kinds = PieceArrangements::new(7, &[2, 3]).expect("210 arrangements");
        assert_eq!(two_kinds.len(), 210);
        for rank in 0..210 {
            let mut sets = Vec::new();
            two_kinds.unrank(rank, &mut sets);
            assert_eq!(
                (
                    sets[0].count_ones(),
                    sets[1].count_ones(),
                    sets[0] & sets[1]
                ),
                (2, 3, 0)
            );
            assert_eq!(two_kinds.rank(&sets), rank);
        }
        assert!(PieceArrangements::new(4, &[3, 2]).is_none(), "no room");
        assert!(
            PieceArrangements::new(64, &[20, 20, 20]).is_none(),
            "too many"
        );
    }
}
