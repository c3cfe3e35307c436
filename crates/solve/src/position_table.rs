//! Positions numbered in the order in which they are met.

use std::hash::{Hash, Hasher};

use crate::bounded_growth::make_room;

/// No number: an empty place of the table.
pub(crate) const NONE: u32 = u32::MAX;

/// A multiply-and-fold hash: two multiplications for a position of eight bytes. Not for hostile keys.
#[derive(Clone, Copy, Default)]
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product =
            u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03_u128;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for Mixer {
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
    let mut mixer = Mixer::default();
    position.hash(&mut mixer);
    mixer.finish()
}

/// Places of a small table.
const SMALL: usize = 1 << 21;

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
    entries: Vec<Slot<P>>,
    /// The highest bits of a hash from here on are its place.
    shift: u32,
}

impl<P: Copy + Eq + Hash> PositionTable<P> {
    /// The numbering of one position, which gets number 0.
    #[inline]
    pub(crate) fn new(first: P) -> Self {
        const LENGTH: usize = 1 << 10;
        let entries = vec![
            Slot {
                position: first,
                number: NONE
            };
            LENGTH
        ];
        let mut numbering = Self {
            positions: Vec::new(),
            entries,
            shift: 64 - LENGTH.ilog2(),
        };
        numbering.number(first, hash_of(&first));
        numbering
    }

    #[inline]
    pub(crate) fn positions(&self) -> &[P] {
        &self.positions
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }

    /// Whether so many positions are more than the table should hold.
    #[inline]
    fn is_full(&self, positions: usize) -> bool {
        positions > self.entries.len() / 16 * 11
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.entries.len() - 1)
    }

    /// Brings the place where the search for a hash begins into the cache. Done for many hashes before
    /// the first search, it lets their cache misses overlap.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u32 {
        self.entries[self.place(hash)].number
    }

    /// The number of a position, or else its place in the table.
    #[inline]
    fn search(&self, position: &P, hash: u64) -> Result<u32, usize> {
        let mut place = self.place(hash);
        loop {
            let entry = &self.entries[place];
            if entry.number == NONE {
                return Err(place);
            }
            if entry.position == *position {
                return Ok(entry.number);
            }
            place = self.after(place);
        }
    }

    /// The number of a position, if it has one.
    #[inline]
    pub(crate) fn find(&self, position: &P) -> Option<u32> {
        self.search(position, hash_of(position)).ok()
    }

    /// The number of a position, which gets the next one if it is new.
    #[inline]
    pub(crate) fn number(&mut self, position: P, hash: u64) -> u32 {
        match self.search(&position, hash) {
            Ok(number) => number,
            Err(place) => {
                let number = self.positions.len() as u32;
                self.entries[place] = Slot { position, number };
                self.positions.push(position);
                if self.is_full(self.positions.len()) {
                    self.grow(self.times() * self.entries.len());
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
    pub(crate) fn make_room(&mut self, more: usize, left: u64) -> Result<(), u64> {
        if self.has_room(more) {
            return Ok(());
        }
        self.make_more_room(more, left)
    }

    /// True if so many positions more need no more memory.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let of_list = self.positions.capacity() - self.positions.len();
        of_list >= more && !self.is_full(self.positions.len() + more)
    }

    #[cold]
    fn make_more_room(&mut self, more: usize, left: u64) -> Result<(), u64> {
        let bytes = |length: usize| length as u64 * size_of::<Slot<P>>() as u64;
        let mut grown = 0;
        while self.is_full(self.positions.len() + more) {
            let length = self.entries.len();
            let larger = match self.times() {
                times if bytes(times * length) <= left => times * length,
                _ => 2 * length,
            };
            if bytes(larger) > left {
                return Err(bytes(larger));
            }
            self.grow(larger);
            grown += bytes(self.entries.len()) - bytes(length);
        }
        make_room(&mut self.positions, more, left.saturating_sub(grown))
    }

    /// By how much the table grows.
    #[inline]
    fn times(&self) -> usize {
        if self.entries.len() < SMALL { 4 } else { 2 }
    }

    /// Makes the table larger. Places keep their order, so that the old table is read and the new one written
    /// from front to back.
    #[cold]
    fn grow(&mut self, length: usize) {
        let empty = Slot {
            number: NONE,
            ..self.entries[0]
        };
        let old = std::mem::replace(&mut self.entries, vec![empty; length]);
        self.shift = 64 - length.ilog2();
        for entry in old.into_iter().filter(|entry| entry.number != NONE) {
            let mut place = self.place(hash_of(&entry.position));
            while self.entries[place].number != NONE {
                place = self.after(place);
            }
            self.entries[place] = entry;
        }
    }

    /// Bytes of the list and of the table.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        let positions = self.positions.capacity() * size_of::<P>();
        (positions + self.entries.len() * size_of::<Slot<P>>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{PositionTable, hash_of};

    #[test]
    fn numbers_are_dense_and_stable_through_growth() {
        let key = |i: u64| (i.wrapping_mul(0x2545_F491_4F6C_DD1D), i as u8);
        let mut numbering = PositionTable::new(key(0));
        for round in 0..2 {
            for i in 0..50_000_u64 {
                assert_eq!(
                    numbering.number(key(i), hash_of(&key(i))),
                    i as u32,
                    "round {round}"
                );
            }
        }
        assert_eq!(numbering.positions().len(), 50_000);
        assert!((0..50_000).all(|i| numbering.find(&key(i)) == Some(i as u32)));
        assert_eq!(numbering.find(&key(50_000)), None);
    }

    #[test]
    fn it_does_not_grow_beyond_what_is_left() {
        let mut numbering = PositionTable::new(0_u64);
        let limit = 1 << 20;
        let full = (1..).find_map(|i| {
            let left = limit - numbering.bytes();
            let needed = numbering.make_room(1, left).err();
            if needed.is_none() {
                numbering.number(i, hash_of(&i));
                assert!(numbering.bytes() <= limit);
            }
            needed.map(|needed| (i, needed))
        });
        let (positions, needed) = full.expect("a limit");
        assert!(positions > limit / 60, "{positions}");
        assert!(numbering.bytes() + needed > limit);
    }
}
