//! Bounds (1) to (5) of the Onitama retrograde thesis (L. Elderbroek 2025, section 3), exactly, for
//! boards of `n` columns and `m` rows. `None` if a number does not fit into 128 bits, or if the
//! board is too small for the formula.

use hindsight_core::combinatorics::{binomial, multinomial};

/// Returns the upper bound of formula (1): the number of boards with one or two masters and up to
/// `n - 1` students a side, legal or not.
#[must_use]
pub fn upper(n: u64, m: u64) -> Option<u128> {
    let squares = n * m;
    let mut sum = 0_u128;
    for masters in 1..=2 {
        for red in 0..n {
            for blue in 0..n {
                // More pieces than squares: no such board.
                if let Some(empty) = squares.checked_sub(masters + red + blue) {
                    sum = sum
                        .checked_add(multinomial(&[masters, red, blue, empty])?.checked_mul(2)?)?;
                }
            }
        }
    }
    Some(sum)
}

/// Returns the bound of formula (2), first form: `4 * n * n` times the multinomial coefficient of
/// (1) for all `2 * n` pieces, which is the largest for `m >= 3`.
#[must_use]
pub(crate) fn upper_order(n: u64, m: u64) -> Option<u128> {
    let empty = (n * m).checked_sub(2 * n)?;
    multinomial(&[2, n - 1, n - 1, empty])?.checked_mul(u128::from(4 * n * n))
}

/// Returns the lower bound of formula (3): the number of boards that Theorem 1 shows to be
/// reachable with five boar cards, for `n, m >= 3`.
#[must_use]
pub fn lower(n: u64, m: u64) -> Option<u128> {
    let room = n * m.checked_sub(2)?;
    let mut sum = 0_u128;
    for master in 0..=1 {
        for students in 1..n {
            if let Some(empty) = room.checked_sub(master + students) {
                let places = multinomial(&[master, students, empty])?;
                sum = sum.checked_add(binomial(n - 2, students - 1)?.checked_mul(places)?)?;
            }
        }
    }
    Some(sum)
}

/// Returns the bound of formula (4), at most (3), as numerator and denominator.
#[must_use]
pub(crate) fn lower_product(n: u64, m: u64) -> Option<(u128, u128)> {
    let room = u128::from(n * m.checked_sub(2)?);
    let rest = binomial((n * (m - 1)).checked_sub(4)?, n.checked_sub(2)?)?;
    Some((room.checked_mul(room)?.checked_mul(rest)?, u128::from(n - 1)))
}

/// Returns the bound of formula (5), at most (4): `m - 2` to the power `n - 1`.
#[must_use]
pub(crate) fn lower_power(n: u64, m: u64) -> Option<u128> {
    u128::from(m.checked_sub(2)?).checked_pow(u32::try_from(n - 1).ok()?)
}

/// Returns the number of deals of five different cards: two hands of two, and one aside.
#[must_use]
pub(crate) fn card_distributions() -> Option<u128> {
    multinomial(&[2, 2, 1])
}

/// Returns the number of ways to draw five cards, with repetition, from all `2^25` sets of offsets.
#[must_use]
pub(crate) fn card_drawings() -> Option<u128> {
    binomial((1 << 25) + 4, 5)
}

#[cfg(test)]
mod tests {
    use super::{
        card_distributions, card_drawings, lower, lower_power, lower_product, upper, upper_order,
    };

    #[test]
    fn bounds_are_in_order() {
        for n in 3..=8 {
            for m in 3..=8 {
                let exact = lower(n, m).unwrap();
                let (numerator, denominator) = lower_product(n, m).unwrap();
                assert!(exact * denominator >= numerator, "(3) >= (4) at {n}x{m}");
                assert!(
                    numerator >= lower_power(n, m).unwrap() * denominator,
                    "(4) >= (5) at {n}x{m}"
                );
                let above = upper(n, m).unwrap();
                assert!(above >= exact, "(1) >= (3) at {n}x{m}");
                if m >= 4 {
                    assert!(upper_order(n, m).unwrap() >= above, "(2) >= (1) at {n}x{m}");
                }
            }
        }
    }

    #[test]
    fn cards_of_section_3_3() {
        assert_eq!(card_distributions(), Some(30));
        assert_eq!(card_drawings().unwrap() / 10_u128.pow(31), 35_446); // 3.545e35, rounded
    }

    #[test]
    fn every_board_up_to_64_squares_has_an_exact_bound() {
        for n in 1..=32 {
            for m in 2..=64 / n {
                assert!(upper(n, m).is_some(), "{n}x{m}");
            }
        }
    }
}
