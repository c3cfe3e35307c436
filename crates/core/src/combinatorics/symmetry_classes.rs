use alloc::vec::Vec;

/// Dense numbering of the classes of the numbers `0..n` under a symmetry.
///
/// Each class has one representative. Memory: one bit per number, set for representatives, and a
/// count of 64 bits per 512 numbers; together 1 1/8 bits per number.
///
/// # Examples
/// ```
/// use hindsight_core::combinatorics::SymmetryClasses;
///
/// // Numbers of four bits up to reversal: ten classes.
/// let reversed = |n: u64| n.reverse_bits() >> 60;
/// let classes = SymmetryClasses::new(16, |n| n <= reversed(n));
/// assert_eq!(classes.len(), 10);
/// assert_eq!(classes.unrank(classes.rank(0b0011).unwrap()), 0b0011);
/// assert_eq!(classes.rank(0b1100), None);
/// ```
///
/// # Source
/// G. Jacobson, "Space-efficient static trees and graphs" (1989): a bit vector with rank.
#[derive(Clone, Debug)]
pub struct SymmetryClasses {
    /// Bit `n % 64` of word `n / 64` is set if `n` represents its class.
    bits: Vec<u64>,
    /// Number of bits set before each block.
    before: Vec<u64>,
    len: u64,
}

/// Words of 64 bits per block.
const BLOCK_WORDS: usize = 8;

impl SymmetryClasses {
    /// Returns the classes of the numbers `0..n`.
    ///
    /// The closure must return true for exactly one number of each class, its representative. It is
    /// called once for each number, in ascending order.
    #[must_use]
    #[inline]
    pub fn new(n: u64, mut is_representative: impl FnMut(u64) -> bool) -> Self {
        let word = |i: u64| {
            let numbers = 64 * i..n.min(64 * (i + 1));
            numbers.fold(0, |word, n| word | u64::from(is_representative(n)) << (n % 64))
        };
        let bits: Vec<u64> = (0..n.div_ceil(64)).map(word).collect();
        let mut len = 0;
        let before = bits.chunks(BLOCK_WORDS).map(|block| {
            let before = len;
            len += block.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            before
        });
        let before = before.collect();
        Self { bits, before, len }
    }

    /// Returns the number of classes.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the memory of bits and counts in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        8 * (self.bits.len() + self.before.len()) as u64
    }

    /// Returns true if there is no class.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the class that number `n` represents; `None` if `n` is no representative or out of
    /// range.
    ///
    /// Cost: reads of at most eight words and one count.
    #[must_use]
    #[inline]
    pub fn rank(&self, n: u64) -> Option<u64> {
        let i = usize::try_from(n / 64).ok()?;
        let word = *self.bits.get(i)?;
        if word >> (n % 64) & 1 == 0 {
            return None;
        }
        let block = i / BLOCK_WORDS;
        let earlier = self.bits[block * BLOCK_WORDS..i].iter();
        let earlier: u64 = earlier.map(|word| u64::from(word.count_ones())).sum();
        let below = word & ((1 << (n % 64)) - 1);
        Some(self.before[block] + earlier + u64::from(below.count_ones()))
    }

    /// Returns the representative of a class.
    ///
    /// Cost: a binary search over the blocks of 512 numbers.
    ///
    /// # Panics
    /// If `class` is not below [`SymmetryClasses::len`].
    #[must_use]
    #[inline]
    pub fn unrank(&self, class: u64) -> u64 {
        assert!(class < self.len, "class {class} of {}", self.len);
        let block = self.before.partition_point(|&before| before <= class) - 1;
        let mut rest = class - self.before[block];
        for (i, &word) in (block * BLOCK_WORDS..).zip(&self.bits[block * BLOCK_WORDS..]) {
            let ones = u64::from(word.count_ones());
            if rest < ones {
                let mut word = word;
                for _ in 0..rest {
                    word &= word - 1;
                }
                return 64 * i as u64 + u64::from(word.trailing_zeros());
            }
            rest -= ones;
        }
        unreachable!("the counts are those of the bits")
    }
}

#[cfg(test)]
mod tests {
    use super::SymmetryClasses;

    #[test]
    fn classes_are_dense_and_in_order() {
        // Strings of 13 bits up to rotation: 632 necklaces (OEIS A000031).
        let rotated = |n: u64, by: u32| (n << by | n >> (13 - by)) & 0x1FFF;
        let is_representative = |n: u64| (1..13).all(|by| n <= rotated(n, by));
        let classes = SymmetryClasses::new(1 << 13, is_representative);
        assert_eq!(classes.len(), 632);
        let mut next = 0;
        for n in 0..1 << 13 {
            if is_representative(n) {
                assert_eq!(classes.rank(n), Some(next));
                assert_eq!(classes.unrank(next), n);
                next += 1;
            } else {
                assert_eq!(classes.rank(n), None);
            }
        }
        assert_eq!(classes.rank(1 << 13), None);
        assert!(SymmetryClasses::new(0, |_| true).is_empty());
    }
}
