//! Numbers of some words of 64 bits, the lowest word first.

use std::cmp::Ordering;

/// Words of the widest key, with a code below it.
pub(super) const MOST_LIMBS: usize = 5;

/// Compares two numbers.
#[inline]
pub(super) fn compare<const N: usize>(a: &[u64; N], b: &[u64; N]) -> Ordering {
    for i in (0..N).rev() {
        match a[i].cmp(&b[i]) {
            Ordering::Equal => {}
            order => return order,
        }
    }
    Ordering::Equal
}

/// Returns `a - b`, which must not be negative.
#[inline]
pub(super) fn difference<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (mut result, mut borrow) = ([0; N], false);
    for i in 0..N {
        let (part, first) = a[i].overflowing_sub(b[i]);
        let (part, second) = part.overflowing_sub(borrow.into());
        (result[i], borrow) = (part, first || second);
    }
    result
}

/// Adds a number to another; an overflow is lost.
#[inline]
pub(super) fn add<const N: usize>(to: &mut [u64; N], number: &[u64; N]) {
    let mut carry = false;
    for i in 0..N {
        let (part, first) = to[i].overflowing_add(number[i]);
        let (part, second) = part.overflowing_add(carry.into());
        (to[i], carry) = (part, first || second);
    }
}

/// Returns the number of bits up to the highest one that is set.
#[inline]
pub(super) fn bit_length<const N: usize>(number: &[u64; N]) -> u32 {
    for i in (0..N).rev() {
        if number[i] != 0 {
            return 64 * (i as u32 + 1) - number[i].leading_zeros();
        }
    }
    0
}

/// Returns `len` bits of a number from a bit on, 64 at most.
#[inline]
pub(super) fn bits_from<const N: usize>(number: &[u64; N], first: u32, len: u32) -> u64 {
    if len == 0 {
        return 0;
    }
    let (word, shift) = ((first / 64) as usize, first % 64);
    let low = number.get(word).copied().unwrap_or(0) >> shift;
    let high = match shift {
        0 => 0,
        _ => number.get(word + 1).copied().unwrap_or(0) << (64 - shift),
    };
    (low | high) & (u64::MAX >> (64 - len))
}

/// Sets `len` bits of a number from a bit on, which are 0 before; those past its end are lost.
#[inline]
pub(super) fn set_bits<const N: usize>(number: &mut [u64; N], first: u32, bits: u64, len: u32) {
    let (word, shift) = ((first / 64) as usize, first % 64);
    if let Some(low) = number.get_mut(word) {
        *low |= bits << shift;
    }
    if shift > 0
        && len > 64 - shift
        && let Some(high) = number.get_mut(word + 1)
    {
        *high |= bits >> (64 - shift);
    }
}

/// Returns the number in another number of words; high ones are cut or 0.
#[inline]
pub(super) fn resized<const N: usize, const M: usize>(number: &[u64; N]) -> [u64; M] {
    let mut result = [0; M];
    let kept = N.min(M);
    result[..kept].copy_from_slice(&number[..kept]);
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{add, bit_length, bits_from, compare, difference, resized, set_bits};

    proptest! {
        #[test]
        fn arithmetic_is_that_of_128_bits(a: u128, b: u128, first in 0_u32..128, len in 0_u32..65) {
            let limbs = |n: u128| [n as u64, (n >> 64) as u64];
            let (low, high) = (a.min(b), a.max(b));
            prop_assert_eq!(difference(&limbs(high), &limbs(low)), limbs(high - low));
            let mut sum = limbs(a);
            add(&mut sum, &limbs(b));
            prop_assert_eq!(sum, limbs(a.wrapping_add(b)));
            prop_assert_eq!(compare(&limbs(a), &limbs(b)), a.cmp(&b));
            prop_assert_eq!(bit_length(&limbs(a)), 128 - a.leading_zeros());
            let mask = if len == 0 { 0 } else { u64::MAX >> (64 - len) };
            let bits = (a >> first) as u64 & mask;
            prop_assert_eq!(bits_from(&limbs(a), first, len), bits);
            let mut set = [0; 2];
            set_bits(&mut set, first, bits, len);
            prop_assert_eq!(set, limbs(u128::from(bits) << first));
            prop_assert_eq!(resized::<2, 5>(&limbs(a)), [a as u64, (a >> 64) as u64, 0, 0, 0]);
        }
    }
}
