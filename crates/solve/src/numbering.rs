//! Positions numbered in the order in which they are met.

use std::hash::{Hash, Hasher};

/// No number.
pub(crate) const NONE: u32 = u32::MAX;

/// A multiply-and-fold hash: two multiplications for a position of eight bytes. Not for hostile keys.
#[derive(Clone, Copy, Default)]
struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03_u128;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9FB2_1C65_1E98_DF25)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.mix(n.into());
    }
    fn write_u16(&mut self, n: u16) {
        self.mix(n.into());
    }
    fn write_u32(&mut self, n: u32) {
        self.mix(n.into());
    }
    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }
}

pub(crate) fn hash_of<P: Hash>(position: &P) -> u64 {
    let mut mixer = Mixer::default();
    position.hash(&mut mixer);
    mixer.finish()
}

/// Finds the numbers of different positions, which are kept in a list beside it.
///
/// An open table of 32-bit entries, at most five eighths full: 6.4 to 12.8 bytes a position. An entry
/// is a number in as few bits as the table's length needs, and as many bits of the hash as then have
/// room, so that hardly any position but the right one is ever compared.
pub(crate) struct Table {
    /// `2^number_bits` of them.
    entries: Vec<u32>,
    number_bits: u32,
}

/// An empty entry: the largest number that fits is never reached at five eighths full.
const EMPTY: u32 = u32::MAX;

impl Table {
    fn with_bits(number_bits: u32) -> Self {
        Self { entries: vec![EMPTY; 1 << number_bits], number_bits }
    }

    /// Whether so many positions are more than the table should hold.
    fn is_full(&self, positions: usize) -> bool {
        positions > self.entries.len() / 8 * 5
    }

    /// A table of all these positions.
    pub(crate) fn of<P: Hash>(positions: &[P]) -> Self {
        let number_bits = (positions.len() / 5 * 8 + 16).ilog2() + 1;
        let mut table = Self::with_bits(number_bits);
        table.fill(positions);
        table
    }

    fn fill<P: Hash>(&mut self, positions: &[P]) {
        // In portions, so that the cache misses of a portion overlap.
        const PORTION: usize = 64;
        let mut hashes = [0; PORTION];
        for first in (0..positions.len()).step_by(PORTION) {
            let portion = &positions[first..positions.len().min(first + PORTION)];
            for (hash, position) in hashes.iter_mut().zip(portion) {
                *hash = hash_of(position);
            }
            for (number, &hash) in (first as u32..).zip(&hashes[..portion.len()]) {
                let mut place = self.place(hash);
                while self.entries[place] != EMPTY {
                    place = self.after(place);
                }
                self.entries[place] = self.entry(hash, number);
            }
        }
    }

    /// Where the search for a hash begins: its highest bits.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> (64 - self.number_bits)) as usize
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.entries.len() - 1)
    }

    /// The bits of an entry that hold the number.
    #[inline]
    fn number_mask(&self) -> u32 {
        (self.entries.len() - 1) as u32
    }

    /// The low bits of the hash, which have no part in its place, above the number.
    #[inline]
    fn entry(&self, hash: u64, number: u32) -> u32 {
        (hash as u32) & !self.number_mask() | number
    }

    /// What stands where the search for a hash begins.
    #[inline]
    pub(crate) fn first_entry(&self, hash: u64) -> u32 {
        self.entries[self.place(hash)]
    }

    /// The number in an entry if it is that of the position, else [`NONE`].
    #[inline]
    pub(crate) fn matching<P: Eq>(&self, entry: u32, positions: &[P], position: &P, hash: u64) -> u32 {
        let number = entry & self.number_mask();
        let same = self.entry(hash, number) == entry && positions.get(number as usize) == Some(position);
        if same { number } else { NONE }
    }

    /// The number of a position, or else its place in the table.
    #[inline]
    fn search<P: Eq>(&self, positions: &[P], position: &P, hash: u64) -> Result<u32, usize> {
        let mask = self.number_mask();
        let mut place = self.place(hash);
        loop {
            let entry = self.entries[place];
            if entry == EMPTY {
                return Err(place);
            }
            let number = entry & mask;
            if self.entry(hash, number) == entry && positions[number as usize] == *position {
                return Ok(number);
            }
            place = self.after(place);
        }
    }

    /// The number of a position, or [`NONE`].
    pub(crate) fn find<P: Eq>(&self, positions: &[P], position: &P, hash: u64) -> u32 {
        self.search(positions, position, hash).unwrap_or(NONE)
    }

    fn bytes(&self) -> u64 {
        self.entries.len() as u64 * 4
    }
}

/// Different positions, each with its number.
pub(crate) struct Numbering<P> {
    pub(crate) positions: Vec<P>,
    pub(crate) table: Table,
}

impl<P: Copy + Eq + Hash> Numbering<P> {
    pub(crate) fn new() -> Self {
        Self { positions: Vec::new(), table: Table::with_bits(10) }
    }

    /// The number of a position, which gets the next one if it is new.
    pub(crate) fn number(&mut self, position: P, hash: u64) -> u32 {
        match self.table.search(&self.positions, &position, hash) {
            Ok(number) => number,
            Err(place) => {
                let number = self.positions.len() as u32;
                self.table.entries[place] = self.table.entry(hash, number);
                self.positions.push(position);
                if self.table.is_full(self.positions.len()) {
                    self.grow();
                }
                number
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.table.entries = Vec::new();
        self.table = Table::with_bits(self.table.number_bits + 1);
        self.table.fill(&self.positions);
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.positions.len() * size_of::<P>()) as u64 + self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{NONE, Numbering, Table, hash_of};

    #[test]
    fn numbers_are_dense_and_stable_through_growth() {
        let mut numbering = Numbering::new();
        let key = |i: u64| (i.wrapping_mul(0x2545_F491_4F6C_DD1D), i as u8);
        for round in 0..2 {
            for i in 0..50_000_u64 {
                assert_eq!(numbering.number(key(i), hash_of(&key(i))), i as u32, "round {round}");
            }
        }
        assert_eq!(numbering.positions.len(), 50_000);
        let table = Table::of(&numbering.positions);
        let find = |i| table.find(&numbering.positions, &key(i), hash_of(&key(i)));
        assert!((0..50_000).all(|i| find(i) == i as u32));
        assert_eq!(find(50_000), NONE);
    }
}
