/// Random bits for playouts. Rules bring no generator: whoever plays does.
pub trait Random {
    /// 64 random bits.
    fn bits(&mut self) -> u64;

    /// A number below `n`, each with the same chance to within `n` in 2^32.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        scale_bits((self.bits() & 0xFFFF_FFFF) as u32, n)
    }
}

/// A number below `n` from 32 random bits.
#[must_use]
#[inline]
pub fn scale_bits(bits: u32, n: u32) -> u32 {
    ((u64::from(bits) * u64::from(n)) >> 32) as u32
}
