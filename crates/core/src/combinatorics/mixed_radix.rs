/// Returns the number with the given `(digit, base)` pairs, the last digit fastest.
///
/// The numbers are dense: `0..product of the bases`. Returns `None` if the number exceeds `u64`, or
/// a digit is not below its base.
///
/// # Examples
/// ```
/// use hindsight_core::combinatorics::rank_mixed_radix;
///
/// // (1 * 5 + 4) * 3 + 0
/// assert_eq!(rank_mixed_radix(&[(1, 2), (4, 5), (0, 3)]), Some(27));
/// ```
#[must_use]
#[inline]
pub fn rank_mixed_radix(digits: &[(u64, u64)]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |number, &(digit, base)| {
        let number = number.checked_mul(base)?.checked_add(digit)?;
        (digit < base).then_some(number)
    })
}

/// Returns the digits of a number in the given bases; inverse of [`rank_mixed_radix`].
///
/// A number that is too large for the bases is reduced modulo their product.
///
/// # Panics
/// If a base is 0.
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
    use super::{rank_mixed_radix, unrank_mixed_radix};

    #[test]
    fn rank_is_the_inverse_of_unrank() {
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
