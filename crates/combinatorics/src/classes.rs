use alloc::vec::Vec;

/// Classes of numbers under a symmetry, numbered densely: a bit for each number, set for the one that
/// stands for its class, and a count for every 512 bits (a bit and an eighth a number in all).
///
/// ```
/// // Numbers of four bits up to reversal: ten classes.
/// let reversed = |n: u64| n.reverse_bits() >> 60;
/// let classes = hindsight_combinatorics::Classes::new(16, |n| n <= reversed(n));
/// assert_eq!(classes.len(), 10);
/// assert_eq!(classes.unrank(classes.rank(0b0011).unwrap()), 0b0011);
/// assert_eq!(classes.rank(0b1100), None);
/// ```
///
/// # Source
/// G. Jacobson, "Space-efficient static trees and graphs" (1989): a bit vector with rank.
#[derive(Clone, Debug)]
pub struct SymmetryClasses {
    bits: Vec<u64>,
    /// Bits set before each block.
    before: Vec<u64>,
    len: u64,
}

/// Words in a block.
const BLOCK: usize = 8;

impl SymmetryClasses {
    /// Classes of the numbers below `n`, given which of them stand for theirs.
    #[must_use]
    #[inline]
    pub fn new(n: u64, mut stands: impl FnMut(u64) -> bool) -> Self {
        let word = |i: u64| {
            let numbers = 64 * i..n.min(64 * (i + 1));
            numbers.fold(0, |word, n| word | u64::from(stands(n)) << (n % 64))
        };
        let bits: Vec<u64> = (0..n.div_ceil(64)).map(word).collect();
        let mut len = 0;
        let before = bits.chunks(BLOCK).map(|block| {
            let before = len;
            len += block
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum::<u64>();
            before
        });
        let before = before.collect();
        Self { bits, before, len }
    }

    /// How many classes there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Bytes of the bits and the counts.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        8 * (self.bits.len() + self.before.len()) as u64
    }

    /// Whether there is no class.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The class that a number stands for; `None` if another does, or there is no such number. At most
    /// eight words are read.
    #[must_use]
    #[inline]
    pub fn rank(&self, n: u64) -> Option<u64> {
        let i = usize::try_from(n / 64).ok()?;
        let word = *self.bits.get(i)?;
        if word >> (n % 64) & 1 == 0 {
            return None;
        }
        let block = i / BLOCK;
        let earlier = self.bits[block * BLOCK..i].iter();
        let earlier: u64 = earlier.map(|word| u64::from(word.count_ones())).sum();
        let below = word & ((1 << (n % 64)) - 1);
        Some(self.before[block] + earlier + u64::from(below.count_ones()))
    }

    /// The number that stands for a class. A binary search over blocks.
    ///
    /// # Panics
    /// When there is no such class.
    #[must_use]
    #[inline]
    pub fn unrank(&self, class: u64) -> u64 {
        assert!(class < self.len, "class {class} of {}", self.len);
        let block = self.before.partition_point(|&before| before <= class) - 1;
        let mut rest = class - self.before[block];
        for (i, &word) in (block * BLOCK..).zip(&self.bits[block * BLOCK..]) {
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

/// The number whose digits, the last fastest, have these bases: a product of ranges. `None` beyond 64
/// bits, or when a digit is too large.
///
/// ```
/// assert_eq!(hindsight_combinatorics::rank_product(&[(1, 2), (4, 5), (0, 3)]), Some(27));
/// ```
#[must_use]
#[inline]
pub fn rank_mixed_radix(digits: &[(u64, u64)]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |number, &(digit, base)| {
        let number = number.checked_mul(base)?.checked_add(digit)?;
        (digit < base).then_some(number)
    })
}

/// The digits of a number for these bases, in their order; what is left above the first is dropped. The
/// inverse of [`rank_product`].
///
/// # Panics
/// When a base is 0.
#[must_use]
#[inline]
pub fn unrank_mixed_radix<const N: usize>(number: u64, bases: [u64; N]) -> [u64; N] {
    let mut rest = number;
    let mut digits = bases;
    for digit in digits.iter_mut().rev() {
        (rest, *digit) = (rest / *digit, rest % *digit);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::{SymmetryClasses, rank_mixed_radix, unrank_mixed_radix};

    #[test]
    fn classes_are_dense_and_in_order() {
        // Up to rotation of 13 bits: necklaces, 632 of them (OEIS A000031).
        let rotated = |n: u64, by: u32| (n << by | n >> (13 - by)) & 0x1FFF;
        let stands = |n: u64| (1..13).all(|by| n <= rotated(n, by));
        let classes = SymmetryClasses::new(1 << 13, stands);
        assert_eq!(classes.len(), 632);
        let mut next = 0;
        for n in 0..1 << 13 {
            if stands(n) {
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

    #[test]
    fn products_are_numbers_with_mixed_bases() {
        let bases = [3, 1, 4, 5];
        for number in 0..60 {
            let digits = unrank_mixed_radix(number, bases);
            let pairs = [0, 1, 2, 3].map(|i| (digits[i], bases[i]));
            assert_eq!(rank_mixed_radix(&pairs), Some(number));
        }
        assert_eq!(rank_mixed_radix(&[(2, 2)]), None);
        let most = u64::MAX - 1;
        assert_eq!(rank_mixed_radix(&[(1, 2), (most, u64::MAX)]), None);
        assert_eq!(rank_mixed_radix(&[(0, 2), (most, u64::MAX)]), Some(most));
    }
}
