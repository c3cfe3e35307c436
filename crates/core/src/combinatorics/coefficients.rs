/// Returns the number of `k`-subsets of a set of `n`; 0 if `k > n`.
///
/// Returns `None` if the result exceeds `u128`. May also return `None` for a result above
/// `u128::MAX / n`, because intermediate products are larger. Cost: `min(k, n - k)` exact
/// multiplications and divisions.
///
/// # Examples
/// ```
/// assert_eq!(hindsight_core::combinatorics::binomial(5, 2), Some(10));
/// assert_eq!(hindsight_core::combinatorics::binomial(2, 5), Some(0));
/// assert_eq!(hindsight_core::combinatorics::binomial(200, 100), None);
/// ```
#[must_use]
#[inline]
pub fn binomial(n: u64, k: u64) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut result = 1_u128;
    for i in 0..k.min(n - k) {
        // Invariant: after this line `result` is binomial(n, i + 1), so the division is exact.
        result = result.checked_mul(u128::from(n - i))? / u128::from(i + 1);
    }
    Some(result)
}

/// Returns the number of ways to put different objects into boxes of the given sizes.
///
/// The number of objects is the sum of the sizes, which must fit `u64`. Returns `None` if the
/// result exceeds `u128`, or if [`binomial`] returns `None` for one of its factors.
///
/// # Examples
/// ```
/// assert_eq!(hindsight_core::combinatorics::multinomial(&[2, 2, 1]), Some(30));
/// ```
#[must_use]
#[inline]
pub fn multinomial(sizes: &[u64]) -> Option<u128> {
    let mut rest: u64 = sizes.iter().sum();
    let mut result = 1_u128;
    for &size in sizes {
        result = result.checked_mul(binomial(rest, size)?)?;
        rest -= size;
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::{binomial, multinomial};

    #[test]
    fn pascals_rule_on_every_board() {
        for n in 1..=64 {
            for k in 1..=64 {
                let above = binomial(n - 1, k - 1).unwrap() + binomial(n - 1, k).unwrap();
                assert_eq!(binomial(n, k), Some(above), "binomial({n}, {k})");
            }
        }
    }

    #[test]
    fn too_large_is_none() {
        assert_eq!(binomial(u64::MAX, 3), None);
        assert_eq!(multinomial(&[60, 60, 60]), None);
    }

    #[test]
    fn multinomial_ignores_the_order() {
        assert_eq!(multinomial(&[3, 2, 7]), multinomial(&[7, 3, 2]));
        assert_eq!(multinomial(&[3, 2, 7]), Some(7920));
        assert_eq!(multinomial(&[]), Some(1));
    }
}
