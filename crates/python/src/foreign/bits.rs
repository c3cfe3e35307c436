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
    pub(super) fn put(&mut self, number: u128, bits: u8) {
        let mut left = usize::from(bits);
        let mut number = number;
        while left > 0 {
            let (word, offset) = (self.at / 64, self.at % 64);
            let part = left.min(64 - offset);
            self.words[word] |= (number as u64) << offset;
            number = if part < 128 { number >> part } else { 0 };
            self.at += part;
            left -= part;
        }
    }

    /// Reads the next number.
    pub(super) fn take(&mut self, bits: u8) -> u128 {
        let (mut number, mut done) = (0, 0);
        let bits = usize::from(bits);
        while done < bits {
            let (word, offset) = (self.at / 64, self.at % 64);
            let part = (bits - done).min(64 - offset);
            let mask = if part == 64 { u64::MAX } else { (1 << part) - 1 };
            number |= u128::from(self.words[word] >> offset & mask) << done;
            self.at += part;
            done += part;
        }
        number
    }
}
