//! Streams of bits, the lowest bit of a byte first.

/// Most bits of one [`BitReader::peek`].
pub(super) const PEEKED: u32 = 57;

/// Writes bits.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are no whole byte yet.
    rest: u64,
    rest_len: u32,
}

impl BitWriter {
    /// Appends the `len` low bits of a number, 57 at most; the others must be 0.
    pub(super) fn put(&mut self, bits: u64, len: u32) {
        self.rest |= bits << self.rest_len;
        self.rest_len += len;
        while self.rest_len >= 8 {
            self.bytes.push(self.rest as u8);
            self.rest >>= 8;
            self.rest_len -= 8;
        }
    }

    /// Ends with zeros up to a whole byte.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.rest_len > 0 {
            self.bytes.push(self.rest as u8);
        }
        self.bytes
    }
}

/// Reads bits; after the end there are zeros.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits read so far.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns at least [`PEEKED`] of the next bits, the first one lowest.
    #[inline]
    pub(super) fn peek(&self) -> u64 {
        let begin = self.at / 8;
        let word = match self.bytes.get(begin..begin + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().expect("eight bytes")),
            None => {
                let mut word = [0; 8];
                let rest = self.bytes.get(begin..).unwrap_or_default();
                word[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(word)
            }
        };
        word >> (self.at % 8)
    }

    #[inline]
    pub(super) fn skip(&mut self, len: u32) {
        self.at += len as usize;
    }

    /// Returns the next bits, [`PEEKED`] at most.
    #[inline]
    pub(super) fn take(&mut self, len: u32) -> u64 {
        let bits = self.peek() & ((1 << len) - 1);
        self.skip(len);
        bits
    }

    /// Returns true if the stream ends here but for less than a byte of zeros.
    pub(super) fn is_at_end(&self) -> bool {
        self.at.div_ceil(8) == self.bytes.len() && self.peek() == 0
    }
}
