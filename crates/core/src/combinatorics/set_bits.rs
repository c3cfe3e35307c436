/// Iterator over the numbers of the bits of a set, ascending.
///
/// ```
/// use hindsight_core::combinatorics::SetBits;
///
/// assert!(SetBits(0b1010_0001_u64).eq([0, 5, 7]));
/// assert!(SetBits(1_u128 << 127 | 1).eq([0, 127]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetBits<W>(pub W);

impl Iterator for SetBits<u64> {
    type Item = u8;

    #[expect(clippy::cast_possible_truncation, reason = "a bit has a number below 64")]
    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl Iterator for SetBits<u128> {
    type Item = u8;

    #[expect(clippy::cast_possible_truncation, reason = "a bit has a number below 128")]
    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
