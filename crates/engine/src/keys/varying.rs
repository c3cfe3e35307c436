//! Bits of positions that are not the same in all of them.

use hindsight_core::{MOST_WORDS, Packed};

use super::limbs::{MOST_LIMBS, bits_from, set_bits};

/// Key of a position in as many words as any has.
pub(super) type WideKey = [u64; MOST_LIMBS];

/// Bits that positions have in common, and those that make up their keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct VaryingBits {
    /// A position; its bits are those of all where they do not vary.
    common: [u32; MOST_WORDS],
    /// Bits that vary.
    varying: [u32; MOST_WORDS],
    /// Runs of these, from the lowest bit of the last word on.
    runs: Vec<BitRun>,
    /// Bits of a key.
    len: u32,
}

/// Consecutive bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BitRun {
    word: u8,
    shift: u8,
    len: u8,
}

impl VaryingBits {
    /// Returns the bits of some positions, of which `common` is one and `varying` has the bits in
    /// which others differ from it.
    pub(super) fn new(common: [u32; MOST_WORDS], varying: [u32; MOST_WORDS]) -> Self {
        let mut runs = Vec::new();
        for word in (0..MOST_WORDS).rev() {
            let mut rest = varying[word];
            while rest != 0 {
                let shift = rest.trailing_zeros();
                let len = (rest >> shift).trailing_ones();
                runs.push(BitRun { word: word as u8, shift: shift as u8, len: len as u8 });
                rest &= !(u32::MAX >> (32 - len) << shift);
            }
        }
        let len = varying.iter().map(|bits| bits.count_ones()).sum();
        let common = std::array::from_fn(|i| common[i] & !varying[i]);
        Self { common, varying, runs, len }
    }

    /// Returns the bits of all positions; `None` if there are none.
    pub(super) fn of(mut positions: impl Iterator<Item = Packed>) -> Option<Self> {
        let first = *positions.next()?.as_words();
        let mut varying = [0; MOST_WORDS];
        for position in positions {
            for (i, word) in position.as_words().iter().enumerate() {
                varying[i] |= word ^ first[i];
            }
        }
        Some(Self::new(first, varying))
    }

    /// Returns the bits of the positions of two sets.
    pub(super) fn union(&self, other: &Self) -> Self {
        let differs = |i| self.common[i] ^ other.common[i];
        let either = |i| self.varying[i] | other.varying[i] | differs(i);
        Self::new(self.common, std::array::from_fn(either))
    }

    /// Returns the bits that all positions have, and those that vary.
    pub(super) fn words(&self) -> ([u32; MOST_WORDS], [u32; MOST_WORDS]) {
        (self.common, self.varying)
    }

    /// Returns the number of bits of a key.
    pub(super) fn key_bits(&self) -> u32 {
        self.len
    }

    /// Returns the number of bytes of a key.
    pub(super) fn key_bytes(&self) -> usize {
        self.len.div_ceil(8) as usize
    }

    /// Returns the key of a position; `None` if it has not the bits that all have.
    #[inline]
    pub(super) fn key(&self, position: &Packed) -> Option<WideKey> {
        let words = position.as_words();
        let differs = (0..MOST_WORDS)
            .fold(0, |differs, i| differs | ((words[i] ^ self.common[i]) & !self.varying[i]));
        if differs != 0 {
            return None;
        }
        let (mut key, mut at) = ([0; MOST_LIMBS], 0);
        for run in &self.runs {
            let bits = words[usize::from(run.word)] >> run.shift & (u32::MAX >> (32 - run.len));
            set_bits(&mut key, at, bits.into(), run.len.into());
            at += u32::from(run.len);
        }
        Some(key)
    }

    /// Returns the position of a key.
    #[inline]
    pub(super) fn position(&self, key: &WideKey) -> Packed {
        let (mut words, mut at) = (self.common, 0);
        for run in &self.runs {
            let bits = bits_from(key, at, run.len.into()) as u32;
            words[usize::from(run.word)] |= bits << run.shift;
            at += u32::from(run.len);
        }
        Packed::new(words)
    }
}

#[cfg(test)]
mod tests {
    use hindsight_core::{MOST_WORDS, Packed};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::VaryingBits;

    proptest! {
        #[test]
        fn keys_have_the_order_of_positions(
            words in vec(any::<[u32; MOST_WORDS]>(), 1..20),
            mask: [u32; MOST_WORDS],
            common: [u32; MOST_WORDS],
        ) {
            let position = |words: &[u32; MOST_WORDS]| {
                Packed::new::<MOST_WORDS>(std::array::from_fn(|i| {
                    words[i] & mask[i] | common[i] & !mask[i]
                }))
            };
            let positions: Vec<Packed> = words.iter().map(position).collect();
            let bits = VaryingBits::of(positions.iter().copied()).expect("one at least");
            prop_assert!(bits.key_bits() <= 32 * MOST_WORDS as u32);
            let key = |position: &Packed| bits.key(position).expect("a key");
            for one in &positions {
                prop_assert_eq!(bits.position(&key(one)), *one);
                for other in &positions {
                    let order = super::super::limbs::compare(&key(one), &key(other));
                    prop_assert_eq!(order, one.cmp(other));
                }
            }
            let (common, varying) = bits.words();
            prop_assert_eq!(VaryingBits::new(common, varying), bits);
        }
    }
}
