//! Binary logarithms in integers, so every machine finds the same models.

use std::sync::LazyLock;

/// Bits of a number that its logarithm depends on, apart from the number's length.
const MANTISSA_BITS: u32 = 12;

/// Logarithms of `2^12 + i`, less 12, in 1/256.
static MANTISSAS: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mantissas = 1 << MANTISSA_BITS..2 << MANTISSA_BITS;
    mantissas
        .map(|n| (exact(n) - 256 * u64::from(MANTISSA_BITS)) as u16)
        .collect()
});

/// Binary logarithm of `n`, in 1/256; `log2(0) = 0`.
#[inline]
pub(crate) fn log2(n: u64) -> u64 {
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

/// Binary logarithm of a small number, in 1/256, by repeated squaring.
fn exact(n: u64) -> u64 {
    let whole = u64::from(n.ilog2());
    let mut mantissa = (u128::from(n) << 63) >> whole;
    let mut bits = whole;
    for _ in 0..8 {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = (mantissa >> 64) as u64;
        mantissa >>= bit;
        bits = bits << 1 | bit;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::log2;

    #[test]
    fn logarithms_are_close_to_the_real_ones() {
        for n in (1..100_000).chain([1 << 40, (1 << 50) + 12_345]) {
            let real = 256.0 * (n as f64).log2();
            let found = log2(n) as f64;
            assert!(found <= real && real < found + 1.2, "{n}: {found} {real}");
        }
    }
}
