//! Binary logarithms in integers, so every machine finds the same models.

use std::sync::LazyLock;

/// Bits of a number that its logarithm depends on, apart from the number's length.
const MANTISSA_BITS: u32 = 12;

/// Logarithms of `2^12 + i`, less 12, in 1/256.
static MANTISSAS: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mantissas = 1 << MANTISSA_BITS..2 << MANTISSA_BITS;
    mantissas.map(|n| (exact(n, 8) - 256 * u64::from(MANTISSA_BITS)) as u16).collect()
});

/// Binary logarithm of `n`, in 1/256; `log2(0) = 0`.
#[inline]
pub(super) fn log2(n: u64) -> u64 {
    let n = n.max(1);
    let whole = n.ilog2();
    let mantissa = if whole > MANTISSA_BITS {
        n >> (whole - MANTISSA_BITS)
    } else {
        n << (MANTISSA_BITS - whole)
    };
    let index = mantissa as usize & ((1 << MANTISSA_BITS) - 1);
    256 * u64::from(whole) + u64::from(MANTISSAS[index])
}

/// `n * (f(n) - f(n - 1))` with `f(n) = n * log2(n)`, in 1/256; `jackknife_term(0) = 0`.
///
/// The entropy of `n` symbols, symbol `i` of which was seen `n_i` times, has the jackknife estimate
/// `(jackknife_term(n) - sum of jackknife_term(n_i)) / n` bits. Counts that are plugged into the
/// definition of entropy give less than the truth, the more so the fewer symbols were seen.
#[inline]
pub(super) fn jackknife_term(n: u64) -> u64 {
    match JACKKNIFE_TERMS.get(n as usize) {
        Some(&term) => term,
        // The next term of the series is below 1 / (6 * n).
        None => n * log2(n) + ((n * 94_548) >> 8) - 185,
    }
}

/// Jackknife terms of small numbers.
static JACKKNIFE_TERMS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let weighted = |n: u64| n * exact(n.max(1), 24);
    let terms = (1..64).map(|n| (n * (weighted(n) - weighted(n - 1))) >> 16);
    std::iter::once(0).chain(terms).collect()
});

/// Binary logarithm of a small number by repeated squaring, with `digits` binary digits after the
/// point.
fn exact(n: u64, digits: u32) -> u64 {
    let whole = u64::from(n.ilog2());
    let mut mantissa = (u128::from(n) << 63) >> whole;
    let mut bits = whole;
    for _ in 0..digits {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = (mantissa >> 64) as u64;
        mantissa >>= bit;
        bits = bits << 1 | bit;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::{jackknife_term, log2};

    #[test]
    fn logarithms_are_close_to_the_real_ones() {
        for n in (1..100_000).chain([1 << 40, (1 << 50) + 12_345]) {
            let real = 256.0 * (n as f64).log2();
            let found = log2(n) as f64;
            assert!(found <= real && real < found + 1.2, "{n}: {found} {real}");
        }
    }

    #[test]
    fn jackknife_terms_are_close_to_the_real_ones() {
        let weighted = |n: f64| if n > 0.0 { n * n.log2() } else { 0.0 };
        for n in (0..5000_u32).chain([1 << 20]) {
            let number = f64::from(n);
            let real = 256.0 * number * (weighted(number) - weighted(number - 1.0));
            let error = (jackknife_term(n.into()) as f64 - real).abs();
            assert!(error <= 2.0 + 1.3 * f64::from(n), "{n}: {error}");
        }
    }
}
