//! Hash table that numbers positions in the order of their insertion.

use std::hash::{Hash, Hasher};

use hindsight_run::memory;

use crate::bounded_growth::reserve_within;

/// Mark of an empty slot. Never the number of a position.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

/// Multiply-and-fold hash: two multiplications for a position of eight bytes. Not safe against
/// hostile keys.
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

/// Below this number of slots the table grows fourfold, from it on twofold.
const SMALL_TABLE: usize = 1 << 21;

/// A slot of the table: a position with its number. In an empty slot the number is [`NO_NUMBER`]
/// and the position has no meaning.
#[derive(Clone, Copy)]
struct Slot<P> {
    position: P,
    number: u32,
}

/// Different positions, numbered from 0 in the order of their insertion.
///
/// A position is kept twice: in a list by number, and in an open-addressing table beside its
/// number. So a lookup costs one cache miss, not two. The table is at most 11/16 full; just after
/// it has grown it is half as full (a quarter while it is small). Cost per position of eight bytes:
/// 8 bytes in the list and 17 to 35 in the table, if slots take 12 bytes (alignment at most four).
pub(crate) struct PositionTable<P> {
    positions: Vec<P>,
    slots: Vec<Slot<P>>,
    /// The home slot of a hash is `hash >> shift`.
    shift: u32,
}

impl<P: Copy + Eq + Hash> PositionTable<P> {
    /// Creates a table with one position, which has number 0.
    #[inline]
    pub(crate) fn new(first: P) -> Self {
        const LENGTH: usize = 1 << 10;
        let slots = vec![Slot { position: first, number: NO_NUMBER }; LENGTH];
        let mut table = Self { positions: Vec::new(), slots, shift: 64 - LENGTH.ilog2() };
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

    /// True if the table should not hold this number of positions.
    #[inline]
    fn is_full(&self, positions: usize) -> bool {
        positions > self.slots.len() / 16 * 11
    }

    #[inline]
    fn next_slot(&self, index: usize) -> usize {
        (index + 1) & (self.slots.len() - 1)
    }

    /// Loads the home slot of a hash into the cache. Calls for many hashes before the first lookup
    /// let their cache misses overlap.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) -> u32 {
        self.slots[self.home_slot(hash)].number
    }

    /// Returns the number of a position, or else the index of the slot it should get.
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

    /// Returns the number of a position, if it has one.
    #[inline]
    pub(crate) fn find(&self, position: &P) -> Option<u32> {
        self.lookup(position, hash_of(position)).ok()
    }

    /// Returns the number of a position. A new position gets the next number.
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

    /// Reserves room for `more` further positions, if `left` bytes allow it.
    ///
    /// # Errors
    /// The number of bytes needed, if it is more than `left`, or if the system refuses them.
    #[inline]
    pub(crate) fn reserve_within(&mut self, more: usize, left: u64) -> Result<(), u64> {
        if self.has_room(more) {
            return Ok(());
        }
        self.grow_within(more, left)
    }

    /// True if `more` further positions need no more memory.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let list_room = self.positions.capacity() - self.positions.len();
        list_room >= more && !self.is_full(self.positions.len() + more)
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
            memory::ask(bytes(larger)).map_err(|_| bytes(larger))?;
            self.grow(larger);
            grown += bytes(self.slots.len()) - bytes(length);
        }
        reserve_within(&mut self.positions, more, left.saturating_sub(grown))
    }

    /// Factor by which the table grows.
    #[inline]
    fn growth_factor(&self) -> usize {
        if self.slots.len() < SMALL_TABLE { 4 } else { 2 }
    }

    /// Grows the table to `length` slots. Home slots keep their order, so the old table is read and
    /// the new one written from front to back.
    #[cold]
    fn grow(&mut self, length: usize) {
        let empty = Slot { number: NO_NUMBER, ..self.slots[0] };
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
