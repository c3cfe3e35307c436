/// Source of random bits for playouts.
///
/// Rules have no generator of their own. The caller of
/// [`Game::random_playout`](crate::Game::random_playout) brings one.
pub trait Random {
    /// Returns 64 random bits.
    fn bits(&mut self) -> u64;

    /// Sets all words to random bits: the next numbers of [`Random::bits`], in their order.
    ///
    /// Override it if many numbers at a time are faster than one after the other.
    fn fill(&mut self, words: &mut [u64]) {
        words.fill_with(|| self.bits());
    }

    /// Returns a number in `0..n`, `bits * n / 2^32` with 32 random bits; chances differ by at most
    /// 2^-32. `n` must not be 0.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        (((self.bits() & 0xFFFF_FFFF) * u64::from(n)) >> 32) as u32
    }
}
