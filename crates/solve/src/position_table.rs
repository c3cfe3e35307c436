//! Positions numbered in the order in which they are met.

use std::hash::{Hash, Hasher};

use crate::bounded_growth::reserve_within;

/// No number: an empty place of the table.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

/// A multiply-and-fold hash: two multiplications for a position of eight bytes. Not for hostile keys.
#[derive(Clone, Copy, Default)]
struct PositionHasher(u64);

impl PositionHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product =
            u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03_u128;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for PositionHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9FB2_1C65_1E98_DF25)
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.mix(n.into());
    }
    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.mix(n.into());
    }
    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.mix(n.into());
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }
}

#[inline]
pub(crate) fn hash_of<P: Hash>(position: &P) -> u64 {
    let mut mixer = PositionHasher::default();
    position.hash(&mut mixer);
    mixer.finish()
}

/// Places of a small table.
const SMALL_TABLE: usize = 1 << 21;

/// A place of the table: a position with its number, or [`NONE`] and any position.
#[derive(Clone, Copy)]
struct Slot<P> {
    position: P,
    number: u32,
}

/// Different positions, each with its number.
///
/// A list of the positions, and an open table that holds them once more beside their numbers, so that a
/// search costs one cache miss and not two. The table is at most 11/16 full, and half as full when it has
/// just grown (a quarter while it is small): 17 to 35 bytes a position of eight bytes.
pub(crate) struct PositionTable<P> {
    positions: Vec<P>,
    slots: Vec<Slot<P>>,
    /// The highest bits of a hash from here on are its place.
    shift: u32,
}

impl<P: Copy + Eq + Hash> PositionTable<P> {
    /// The numbering of one position, which gets number 0.
    #[inline]
    pub(crate) fn new(first: P) -> Self {
        const LENGTH: usize = 1 << 10;
        let slots = vec![
            Slot {
                position: first,
                number: NO_NUMBER
            };
            LENGTH
        ];
        let mut table = Self {
            positions: Vec::new(),
            slots,
            shift: 64 - LENGTH.ilog2(),
        };
        table.get_or_insert(first, hash_of(&first));
        table
    }

    #[inline]
    pub(crate) fn positions(&self) -> &[P] {
        &self.positions
    }

    #[inline]
    fn home_slot(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }

    /// Whether so many positions are more than the table should hold.
    #[inline]
    fn is_full(&self, positions: usize) -> bool {
        positions > self.slots.len() / 16 * 11
    }

    #[inline]
    fn next_slot(&self, index: usize) -> usize {
        (index + 1) & (self.slots.len() - 1)
    }

    /// Brings the place where the search for a hash begins into the cache. Done for many hashes before
    /// the first search, it lets their cache misses overlap.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) -> u32 {
        self.slots[self.home_slot(hash)].number
    }

    /// The number of a position, or else its place in the table.
    #[inline]
    fn lookup(&self, position: &P, hash: u64) -> Result<u32, usize> {
        let mut index = self.home_slot(hash);
        loop {
            let slot = &self.slots[index];
            if slot.number == NO_NUMBER {
                return Err(index);
            }
            if slot.position == *position {
                return Ok(slot.number);
            }
            index = self.next_slot(index);
        }
    }

    /// The number of a position, if it has one.
    #[inline]
    pub(crate) fn find(&self, position: &P) -> Option<u32> {
        self.lookup(position, hash_of(position)).ok()
    }

    /// The number of a position, which gets the next one if it is new.
    #[inline]
    pub(crate) fn get_or_insert(&mut self, position: P, hash: u64) -> u32 {
        match self.lookup(&position, hash) {
            Ok(number) => number,
            Err(index) => {
                let number = self.positions.len() as u32;
                self.slots[index] = Slot { position, number };
                self.positions.push(position);
                if self.is_full(self.positions.len()) {
                    self.grow(self.growth_factor() * self.slots.len());
                }
                number
            }
        }
    }

    /// Makes room for so many positions more, where so many bytes are left.
    ///
    /// # Errors
    /// The bytes needed, if they are more than are left.
    #[inline]
    pub(crate) fn reserve_within(&mut self, more: usize, left: u64) -> Result<(), u64> {
        if self.has_room(more) {
            return Ok(());
        }
        self.grow_within(more, left)
    }

    /// True if so many positions more need no more memory.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let of_list = self.positions.capacity() - self.positions.len();
        of_list >= more && !self.is_full(self.positions.len() + more)
    }

    #[cold]
    fn grow_within(&mut self, more: usize, left: u64) -> Result<(), u64> {
        let bytes = |length: usize| length as u64 * size_of::<Slot<P>>() as u64;
        let mut grown = 0;
        while self.is_full(self.positions.len() + more) {
            let length = self.slots.len();
            let larger = match self.growth_factor() {
                times if bytes(times * length) <= left => times * length,
                _ => 2 * length,
            };
            if bytes(larger) > left {
                return Err(bytes(larger));
            }
            self.grow(larger);
            grown += bytes(self.slots.len()) - bytes(length);
        }
        reserve_within(&mut self.positions, more, left.saturating_sub(grown))
    }

    /// By how much the table grows.
    #[inline]
    fn growth_factor(&self) -> usize {
        if self.slots.len() < SMALL_TABLE { 4 } else { 2 }
    }

    /// Makes the table larger. Places keep their order, so that the old table is read and the new one written
    /// from front to back.
    #[cold]
    fn grow(&mut self, length: usize) {
        let empty = Slot {
            number: NO_NUMBER,
            ..self.slots[0]
        };
        let old = std::mem::replace(&mut self.slots, vec![empty; length]);
        self.shift = 64 - length.ilog2();
        for slot in old.into_iter().filter(|slot| slot.number != NO_NUMBER) {
            let mut index = self.home_slot(hash_of(&slot.position));
            while self.slots[index].number != NO_NUMBER {
                index = self.next_slot(index);
            }
            self.slots[index] = slot;
        }
    }

    /// Bytes of the list and of the table.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        let positions = self.positions.capacity() * size_of::<P>();
        (positions + self.slots.len() * size_of::<Slot<P>>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{PositionTable, hash_of};

    #[test]
    fn numbers_are_dense_and_stable_through_growth() {
        let key = |i: u64| (i.wrapping_mul(0x2545_F491_4F6C_DD1D), i as u8);
        let mut table = PositionTable::new(key(0));
        for round in 0..2 {
            for i in 0..50_000_u64 {
                assert_eq!(
                    table.get_or_insert(key(i), hash_of(&key(i))),
                    i as u32,
                    "round {round}"
                );
            }
        }
        assert_eq!(table.positions().len(), 50_000);
        assert!((0..50_000).all(|i| table.find(&key(i)) == Some(i as u32)));
        assert_eq!(table.find(&key(50_000)), None);
    }

    #[test]
    fn it_does_not_grow_beyond_what_is_left() {
        let mut table = PositionTable::new(0_u64);
        let limit = 1 << 20;
        let full = (1..).find_map(|i| {
            let left = limit - table.bytes();
            let needed = table.reserve_within(1, left).err();
            if needed.is_none() {
                table.get_or_insert(i, hash_of(&i));
                assert!(table.bytes() <= limit);
            }
            needed.map(|needed| (i, needed))
        });
        let (positions, needed) = full.expect("a limit");
        assert!(positions > limit / 60, "{positions}");
        assert!(table.bytes() + needed > limit);
    }
}
