//! Numbers of some bits in 31 bytes.

/// Most bits.
pub(super) const MOST_BITS: usize = 8 * MOST_BYTES;
/// Bytes of a position after the first one.
const MOST_BYTES: usize = 31;

/// Numbers of some bits, one after the other.
#[derive(Default)]
pub(super) struct Bits {
    words: [u64; 4],
    /// Bits written or read.
    at: usize,
}

impl Bits {
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let mut all = [0; 32];
        all[..bytes.len()].copy_from_slice(bytes);
        let words = all.as_chunks().0;
        Self { words: std::array::from_fn(|i| u64::from_le_bytes(words[i])), at: 0 }
    }

    /// Writes the bytes so far.
    pub(super) fn write(&self, bytes: &mut [u8]) {
        for (to, byte) in
            bytes.iter_mut().zip(self.words.iter().flat_map(|word| word.to_le_bytes()))
        {
            *to = byte;
        }
    }

    /// Appends the lowest bits of a number, whose others are 0.
    #[inline]
    pub(super) fn put(&mut self, number: u128, bits: u8) {
        let (low, high) = (bits.min(64), bits.saturating_sub(64));
        self.put_word(number as u64, low);
        if high > 0 {
            self.put_word((number >> 64) as u64, high);
        }
    }

    #[inline]
    fn put_word(&mut self, number: u64, bits: u8) {
        if bits == 0 {
            return;
        }
        let (word, offset) = (self.at / 64, self.at % 64);
        self.words[word] |= number << offset;
        if offset + usize::from(bits) > 64 {
            self.words[word + 1] |= number >> (64 - offset);
        }
        self.at += usize::from(bits);
    }

    /// Reads the next number.
    #[inline]
    pub(super) fn take(&mut self, bits: u8) -> u128 {
        let (low, high) = (bits.min(64), bits.saturating_sub(64));
        let low = self.take_word(low).into();
        if high == 0 { low } else { low | u128::from(self.take_word(high)) << 64 }
    }

    #[inline]
    fn take_word(&mut self, bits: u8) -> u64 {
        if bits == 0 {
            return 0;
        }
        let (word, offset) = (self.at / 64, self.at % 64);
        let mut number = self.words[word] >> offset;
        if offset + usize::from(bits) > 64 {
            number |= self.words[word + 1] << (64 - offset);
        }
        self.at += usize::from(bits);
        number & u64::MAX >> (64 - bits)
    }
}
