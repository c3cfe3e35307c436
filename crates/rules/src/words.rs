//! Parts of packed positions and moves.

/// Stands for `None` where bytes are below 255.
const NONE: u8 = u8::MAX;

/// Returns the upper and the lower half.
#[inline]
pub(crate) fn halves(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// Inverse of [`halves`].
#[inline]
pub(crate) fn whole([upper, lower]: [u32; 2]) -> u64 {
    u64::from(upper) << 32 | u64::from(lower)
}

/// Returns a number of at most eight bytes, the first one lowest.
#[inline]
pub(crate) fn pack_bytes<const N: usize>(bytes: [u8; N]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Inverse of [`pack_bytes`].
#[inline]
pub(crate) fn unpack_bytes<const N: usize>(number: u64) -> [u8; N] {
    core::array::from_fn(|i| (number >> (8 * i)) as u8)
}

/// Returns the byte, which is below 255, or 255 for `None`.
#[inline]
pub(crate) fn pack_option(byte: Option<u8>) -> u8 {
    byte.unwrap_or(NONE)
}

/// Inverse of [`pack_option`].
#[inline]
pub(crate) fn unpack_option(byte: u8) -> Option<u8> {
    (byte != NONE).then_some(byte)
}
