//! Keys of a block: differences of ascending numbers.
//!
//! A difference less 1 is a quotient by 2^r in unary, then its r low bits (R. F. Rice, 1971). 16
//! ones stand for a larger quotient: the number of its bits follows, then they.

use super::bits::{BitReader, BitWriter, PEEKED};
use super::limbs::{add, bit_length, bits_from, compare, difference, set_bits};

/// Quotients from this one on are written as a whole number.
const ESCAPE: u32 = 16;
/// Bits of the length of such a number.
const LENGTH_BITS: u32 = 9;
/// Low bits of a difference, at most.
const MOST_LOW_BITS: u32 = u8::MAX as u32;

/// Writes the keys of a block after the first, which ascend.
pub(super) fn encode_block<const N: usize>(keys: &[[u64; N]]) -> Vec<u8> {
    let one = number_one::<N>();
    let steps = keys.windows(2).map(|pair| difference(&difference(&pair[1], &pair[0]), &one));
    let steps: Vec<[u64; N]> = steps.collect();
    let low = best_low_bits(&steps);
    let mut out = BitWriter::default();
    out.put(low.into(), 8);
    for step in &steps {
        match quotient(step, low) {
            Some(quotient) => {
                out.put((1 << quotient) - 1, quotient + 1);
                put_bits(&mut out, step, low);
            }
            None => {
                out.put((1 << ESCAPE) - 1, ESCAPE);
                let len = bit_length(step);
                out.put(len.into(), LENGTH_BITS);
                put_bits(&mut out, step, len);
            }
        }
    }
    out.finish()
}

fn number_one<const N: usize>() -> [u64; N] {
    std::array::from_fn(|i| u64::from(i == 0))
}

fn put_bits<const N: usize>(out: &mut BitWriter, number: &[u64; N], len: u32) {
    let mut first = 0;
    while first < len {
        let part = (len - first).min(PEEKED - 7);
        out.put(bits_from(number, first, part), part);
        first += part;
    }
}

/// Returns the quotient by 2^`low`, if it is less than [`ESCAPE`].
fn quotient<const N: usize>(step: &[u64; N], low: u32) -> Option<u32> {
    let quotient = bits_from(step, low, 4) as u32;
    (bit_length(step) <= low + 4 && quotient < ESCAPE).then_some(quotient)
}

/// Returns the number of low bits with which steps take the fewest bits, near that of their median.
fn best_low_bits<const N: usize>(steps: &[[u64; N]]) -> u32 {
    let mut lengths: Vec<u32> = steps.iter().map(bit_length).collect();
    lengths.sort_unstable();
    let Some(&median) = lengths.get(lengths.len() / 2) else { return 0 };
    let cost = |low: u32| -> u32 {
        let bits = steps.iter().map(|step| match quotient(step, low) {
            Some(quotient) => quotient + 1 + low,
            None => ESCAPE + LENGTH_BITS + bit_length(step),
        });
        bits.sum()
    };
    let candidates = median.saturating_sub(4)..=(median + 2).min(MOST_LOW_BITS);
    candidates.min_by_key(|&low| cost(low)).unwrap_or(0)
}

/// Reads the keys of a block one after the other.
pub(super) struct BlockKeys<'a, const N: usize> {
    bits: BitReader<'a>,
    low: u32,
    key: [u64; N],
}

impl<'a, const N: usize> BlockKeys<'a, N> {
    /// Begins with the first key.
    pub(super) fn new(bytes: &'a [u8], first: [u64; N]) -> Self {
        let mut bits = BitReader::new(bytes);
        let low = bits.take(8) as u32;
        Self { bits, low, key: first }
    }

    /// Returns the key that was read last.
    #[inline]
    pub(super) fn key(&self) -> &[u64; N] {
        &self.key
    }

    /// Reads the next key.
    #[inline]
    pub(super) fn read(&mut self) {
        let word = self.bits.peek();
        let quotient = word.trailing_ones();
        let mut step = [0; N];
        if N == 1 && quotient < ESCAPE && quotient + 1 + self.low <= PEEKED {
            let low = word >> (quotient + 1) & ((1 << self.low) - 1);
            step[0] = u64::from(quotient) << self.low | low;
            self.bits.skip(quotient + 1 + self.low);
        } else {
            step = self.wide_step(quotient);
        }
        add(&mut self.key, &number_one());
        add(&mut self.key, &step);
    }

    #[cold]
    fn wide_step(&mut self, quotient: u32) -> [u64; N] {
        let (quotient, len) = if quotient < ESCAPE {
            self.bits.skip(quotient + 1);
            (quotient, self.low)
        } else {
            self.bits.skip(ESCAPE);
            (0, self.bits.take(LENGTH_BITS) as u32)
        };
        let mut step = [0; N];
        let mut first = 0;
        while first < len {
            let part = (len - first).min(PEEKED - 7);
            set_bits(&mut step, first, self.bits.take(part), part);
            first += part;
        }
        set_bits(&mut step, len, quotient.into(), 4);
        step
    }

    /// Returns the number of the key within the block, which has `len` keys.
    #[inline]
    pub(super) fn find(mut self, key: &[u64; N], len: u32) -> Option<u32> {
        for number in 0..len {
            if number > 0 {
                self.read();
            }
            match compare(&self.key, key) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Some(number),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }

    /// Returns true if the block ends after the key that was read last.
    pub(super) fn is_at_end(&self) -> bool {
        self.bits.is_at_end()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{BlockKeys, encode_block};
    use crate::keys::limbs::compare;

    fn agree<const N: usize>(mut keys: Vec<[u64; N]>) {
        keys.sort_unstable_by(compare);
        keys.dedup();
        if keys.is_empty() {
            return;
        }
        let bytes = encode_block(&keys);
        let mut read = BlockKeys::new(&bytes, keys[0]);
        for key in &keys[1..] {
            read.read();
            assert_eq!(read.key(), key);
        }
        assert!(read.is_at_end());
        let len = keys.len() as u32;
        for (number, key) in (0..).zip(&keys) {
            assert_eq!(BlockKeys::new(&bytes, keys[0]).find(key, len), Some(number));
            let mut other = *key;
            other[0] ^= 1;
            let is_key = keys.contains(&other);
            assert_eq!(BlockKeys::new(&bytes, keys[0]).find(&other, len).is_some(), is_key);
        }
    }

    proptest! {
        #[test]
        fn narrow_keys_are_read_again(keys in vec(any::<u64>(), 1..256), shift in 0_u32..64) {
            agree(keys.into_iter().map(|key| [key >> shift]).collect());
        }

        #[test]
        fn wide_keys_are_read_again(keys in vec(any::<[u64; 5]>(), 1..256), shift in 0_u32..64) {
            agree(keys.clone());
            agree(keys.iter().map(|&[a, b, ..]| [a >> shift, b >> 60]).collect());
            agree(keys.iter().map(|&[a, ..]| [a & 3, 0, 0, 0, a >> shift]).collect());
        }

        #[test]
        fn any_bytes_are_some_keys(bytes in vec(any::<u8>(), 0..64), first: [u64; 2]) {
            let mut read = BlockKeys::new(&bytes, first);
            for _ in 0..255 {
                read.read();
            }
            let mut narrow = BlockKeys::new(&bytes, [first[0]]);
            for _ in 0..255 {
                narrow.read();
            }
        }
    }
}
