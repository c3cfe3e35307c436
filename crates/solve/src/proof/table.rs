//! Transposition table of a search.

use std::hash::Hash;

use crate::position_table::hash_of;

/// Number of a goal that cannot be reached: greater than all others.
pub(super) const IMPOSSIBLE: u32 = u32::MAX;
/// Slots of a bucket.
const BUCKET_SLOTS: usize = 4;
/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 12;

/// Proof and disproof number of a position, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    /// Least number of positions to look at to prove that the side to move reaches its goal.
    pub(super) proof: u32,
    /// Least number of positions to look at to prove that it does not.
    pub(super) disproof: u32,
}

impl ProofNumbers {
    pub(super) const UNKNOWN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    /// Numbers of a decided position.
    pub(super) const fn known(gets_it: bool) -> Self {
        match gets_it {
            true => Self {
                proof: 0,
                disproof: IMPOSSIBLE,
            },
            false => Self {
                proof: IMPOSSIBLE,
                disproof: 0,
            },
        }
    }

    pub(super) fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// Result of a position as read from the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    pub(super) numbers: ProofNumbers,
    /// True if "no win" was proved on one search path only, and may be wrong on others.
    pub(super) path_dependent: bool,
}

/// A position in a search for the wins of one side, with its hash.
#[derive(Clone, Copy)]
pub(super) struct TableKey<P> {
    pub(super) hash: u64,
    pub(super) position: P,
    /// True if the attacker is to move.
    pub(super) attacks: bool,
}

impl<P: Hash> TableKey<P> {
    pub(super) fn of(position: P, attacks: bool) -> Self {
        Self {
            hash: hash_of(&position),
            position,
            attacks,
        }
    }
}

impl<P: Eq> PartialEq for TableKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.attacks == other.attacks && self.position == other.position
    }
}

/// A slot of the table.
#[derive(Clone, Copy)]
struct TableSlot<P> {
    position: P,
    numbers: ProofNumbers,
    /// Rounded number of positions searched below; 0 in an empty slot.
    work: u16,
    /// 0 for a result on all paths, else the table's generation, 1 to 255, when it was found.
    generation: u8,
    attacks: bool,
}

/// Rounds work to 16 bits, monotonically: `exponent << 10 | digits | 1`, where `digits` are the ten
/// binary digits after the leading one. Never 0, the mark of an empty slot.
fn rounded_work(work: u64) -> u16 {
    let work = u128::from(work.max(1));
    let bits = work.ilog2();
    (bits << 10) as u16 | ((work << 10 >> bits) & 1023) as u16 | 1
}

/// Positions with their numbers. The table grows up to its limit. Then entries with little work are
/// replaced.
pub(super) struct TranspositionTable<P> {
    slots: Vec<TableSlot<P>>,
    used: usize,
    generation: u8,
    /// The most slots allowed; old and new table together while the table grows.
    max_slots: usize,
    filler: P,
}

impl<P: Copy + Eq + Hash> TranspositionTable<P> {
    /// Creates a table that takes at most `bytes`, also while it grows. `any` fills empty slots.
    pub(super) fn new(bytes: u64, any: P) -> Self {
        let most = bytes / size_of::<TableSlot<P>>() as u64;
        let most = usize::try_from(most)
            .unwrap_or(usize::MAX)
            .max(BUCKET_SLOTS);
        let first = FIRST_SLOTS.min(most) / BUCKET_SLOTS * BUCKET_SLOTS;
        Self {
            slots: vec![Self::empty(any); first],
            used: 0,
            generation: 1,
            max_slots: most,
            filler: any,
        }
    }

    const fn empty(any: P) -> TableSlot<P> {
        TableSlot {
            position: any,
            numbers: ProofNumbers::UNKNOWN,
            work: 0,
            generation: 0,
            attacks: false,
        }
    }

    /// Forgets all results that were proved on one path only.
    pub(super) fn forget_path_dependent(&mut self) {
        self.generation = self.generation % u8::MAX + 1;
        if self.generation == 1 {
            // Generations start again, so entries of the last round are removed: their generation
            // would look current.
            let mut old = self.slots.iter_mut().filter(|entry| entry.generation != 0);
            old.by_ref().for_each(|entry| entry.work = 0);
        }
    }

    /// Forgets the result of a position.
    pub(super) fn forget(&mut self, key: TableKey<P>) {
        let places = self.bucket(key.hash);
        let mut entries = self.slots[places].iter_mut();
        if let Some(entry) = entries.find(|entry| entry.is_of(key.position, key.attacks)) {
            entry.work = 0;
            self.used -= 1;
        }
    }

    /// Indices of the bucket of a hash.
    fn bucket(&self, hash: u64) -> std::ops::Range<usize> {
        let buckets = (self.slots.len() / BUCKET_SLOTS) as u128;
        let from = ((u128::from(hash) * buckets) >> 64) as usize * BUCKET_SLOTS;
        from..from + BUCKET_SLOTS
    }

    /// Fetches the bucket of a hash into the cache.
    pub(super) fn prefetch(&self, hash: u64) {
        let places = &self.slots[self.bucket(hash)];
        std::hint::black_box(places[0].work ^ places[BUCKET_SLOTS - 1].work);
    }

    pub(super) fn get(&self, key: TableKey<P>) -> Option<TableEntry> {
        let mut entries = self.slots[self.bucket(key.hash)].iter();
        let found = entries.find(|entry| entry.is_of(key.position, key.attacks))?;
        let is_forgotten = found.generation != 0 && found.generation != self.generation;
        (!is_forgotten).then_some(TableEntry {
            numbers: found.numbers,
            path_dependent: found.generation != 0,
        })
    }

    /// Stores the result of a position with the work spent below it.
    pub(super) fn put(&mut self, key: TableKey<P>, entry: TableEntry, work: u64) {
        let places = self.slots.len();
        if self.used > places / 2 && 3 * places <= self.max_slots {
            self.grow();
        }
        let new = TableSlot {
            position: key.position,
            numbers: entry.numbers,
            work: rounded_work(work),
            generation: if entry.path_dependent {
                self.generation
            } else {
                0
            },
            attacks: key.attacks,
        };
        self.insert(key.hash, new);
    }

    fn insert(&mut self, hash: u64, mut new: TableSlot<P>) {
        let places = self.bucket(hash);
        let places = &mut self.slots[places];
        let (position, attacks) = (new.position, new.attacks);
        let same = places.iter_mut().find(|e| e.is_of(position, attacks));
        if let Some(same) = same {
            new.work = new.work.max(same.work);
            *same = new;
        } else if let Some(least) = places.iter_mut().min_by_key(|entry| entry.work) {
            self.used += usize::from(least.work == 0);
            *least = new;
        }
    }

    fn grow(&mut self) {
        let places = self.slots.len();
        // If a second doubling would not fit, the table takes all slots that are allowed.
        let places = match 6 * places > self.max_slots {
            true => (self.max_slots - places) / BUCKET_SLOTS * BUCKET_SLOTS,
            false => 2 * places,
        };
        let old = std::mem::replace(&mut self.slots, vec![Self::empty(self.filler); places]);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry.work > 0) {
            self.insert(hash_of(&entry.position), entry);
        }
    }
}

impl<P: Eq> TableSlot<P> {
    fn is_of(&self, position: P, attacks: bool) -> bool {
        self.work > 0 && self.attacks == attacks && self.position == position
    }
}

#[cfg(test)]
mod tests {
    use super::{ProofNumbers, TableEntry, TableKey, TranspositionTable, rounded_work};

    fn told(proof: u32) -> TableEntry {
        TableEntry {
            numbers: ProofNumbers { proof, disproof: 9 },
            path_dependent: false,
        }
    }

    #[test]
    fn what_took_work_stays_and_sides_are_told_apart() {
        let mut table = TranspositionTable::new(1 << 12, 0_u64);
        table.put(TableKey::of(1, true), told(7), 1000);
        table.put(TableKey::of(1, false), told(8), 1000);
        for easy in 2..10_000 {
            table.put(TableKey::of(easy, true), told(1), 1);
        }
        assert_eq!(table.get(TableKey::of(1, true)), Some(told(7)));
        assert_eq!(table.get(TableKey::of(1, false)), Some(told(8)));
        assert!(table.slots.len() * size_of_val(&table.slots[0]) <= 1 << 12);
    }

    #[test]
    fn growing_loses_little() {
        let mut table = TranspositionTable::new(1 << 30, 0_u64);
        let key = |n: u64| TableKey::of(n, n.is_multiple_of(2));
        for n in 0..100_000 {
            table.put(key(n), told(n as u32 + 1), 1);
        }
        let is_there = |&n: &u64| table.get(key(n)) == Some(told(n as u32 + 1));
        // A bucket may have filled up before the table grew.
        let kept = (0..100_000).filter(is_there).count();
        assert!(kept > 90_000, "{kept}");
        assert!(table.slots.len() >= 1 << 17);
    }

    #[test]
    fn what_is_true_on_a_line_is_forgotten_for_good() {
        let mut table = TranspositionTable::new(1 << 12, 0_u64);
        let on_a_line = TableEntry {
            path_dependent: true,
            ..told(3)
        };
        table.put(TableKey::of(1, true), on_a_line, 1);
        table.put(TableKey::of(2, true), told(4), 1);
        assert_eq!(table.get(TableKey::of(1, true)), Some(on_a_line));
        for _ in 0..600 {
            table.forget_path_dependent();
            assert_eq!(table.get(TableKey::of(1, true)), None);
            assert_eq!(table.get(TableKey::of(2, true)), Some(told(4)));
        }
    }

    #[test]
    fn rough_work_rises_with_work() {
        let mut last = 0;
        for bits in 0..63 {
            for work in [1 << bits, (1 << bits) * 3 / 2, (2 << bits) - 1] {
                assert!(rounded_work(work) >= last, "{work}");
                last = rounded_work(work);
            }
        }
        assert_eq!(rounded_work(0), rounded_work(1));
    }
}
