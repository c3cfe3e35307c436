//! Transposition table of a search.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hindsight_core::{MOST_WORDS, Packed};
use hindsight_engine::memory;

use crate::position_table::hash_of;

/// Number of a goal that cannot be reached: greater than all others.
pub(super) const IMPOSSIBLE: u32 = u32::MAX;
/// Plies of a win of which no bound is known.
pub(super) const ANY_PLIES: u16 = u16::MAX;
const BUCKET_SLOTS: usize = 4;
/// Buckets of a new table.
const FIRST_BUCKETS: usize = 1 << 10;

/// Proof and disproof number of a position, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    /// Least number of positions to look at to prove that the side to move reaches its goal.
    pub(super) proof: u32,
    /// Least number of positions to look at to prove that it does not.
    pub(super) disproof: u32,
}

impl ProofNumbers {
    pub(super) const UNKNOWN: Self = Self { proof: 1, disproof: 1 };

    /// Numbers of a decided position.
    pub(super) const fn known(gets_it: bool) -> Self {
        if gets_it {
            Self { proof: 0, disproof: IMPOSSIBLE }
        } else {
            Self { proof: IMPOSSIBLE, disproof: 0 }
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
    /// Most plies to a proved win of the attacker, or of the defender. Where the attacker does not
    /// win, [`ANY_PLIES`] may also be a draw.
    pub(super) plies: u16,
}

/// A position in a search for the wins of one side, with its hash.
#[derive(Clone, Copy)]
pub(super) struct TableKey {
    pub(super) hash: u64,
    pub(super) position: Packed,
    /// True if the attacker is to move.
    pub(super) attacks: bool,
}

impl PartialEq for TableKey {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.attacks == other.attacks && self.position == other.position
    }
}

/// Knowledge of a position in a slot.
#[derive(Clone, Copy)]
struct SlotEntry {
    numbers: ProofNumbers,
    /// Rounded number of positions searched below; 0 in an empty slot.
    work: u16,
    /// See [`TableEntry::plies`].
    plies: u16,
    /// 0 for a result on all paths, else the table's generation, 1 to 255, when it was found.
    generation: u8,
    attacks: bool,
}

impl SlotEntry {
    const EMPTY: Self = Self {
        numbers: ProofNumbers::UNKNOWN,
        work: 0,
        plies: ANY_PLIES,
        generation: 0,
        attacks: false,
    };

    /// True if the entry holds on all paths, or was found in `generation`.
    fn is_valid(&self, generation: u8) -> bool {
        self.generation == 0 || self.generation == generation
    }
}

/// A slot of the table, for positions of `W` words.
#[derive(Clone, Copy)]
struct TableSlot<const W: usize> {
    words: [u32; W],
    entry: SlotEntry,
}

impl<const W: usize> TableSlot<W> {
    fn is_of(&self, words: &[u32; W], attacks: bool) -> bool {
        self.entry.work > 0 && self.entry.attacks == attacks && self.words == *words
    }
}

/// Rounds work to 16 bits, monotonically: `exponent << 10 | digits | 1`, where `digits` are the ten
/// binary digits after the leading one. Never 0, the mark of an empty slot.
fn rounded_work(work: u64) -> u16 {
    let work = u128::from(work.max(1));
    let bits = work.ilog2();
    (bits << 10) as u16 | ((work << 10 >> bits) & 1023) as u16 | 1
}

/// Buckets that are made or copied between two looks at the stop flag: a megabyte or two.
const BUCKETS_PER_CHECK: usize = 1 << 13;

/// Slots that are looked through together.
///
/// A lookup needs the lock only if a tag says that the position may be there.
#[repr(align(64))]
struct Bucket<const W: usize> {
    /// Tags of the slots, 16 bits each; 0 for an empty slot.
    tags: AtomicU64,
    slots: Mutex<[TableSlot<W>; BUCKET_SLOTS]>,
}

const TAG_BITS: usize = 16;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;

/// Tag of a hash, never 0. Uses the low bits, which do not choose the bucket.
fn tag(hash: u64) -> u64 {
    hash & TAG_MASK | 1
}

impl<const W: usize> Bucket<W> {
    fn new() -> Self {
        let empty = TableSlot { words: [0; W], entry: SlotEntry::EMPTY };
        Self { tags: AtomicU64::new(0), slots: Mutex::new([empty; BUCKET_SLOTS]) }
    }

    fn lock(&self) -> MutexGuard<'_, [TableSlot<W>; BUCKET_SLOTS]> {
        lock(&self.slots)
    }

    /// True if a slot may hold a position with this hash.
    fn may_hold(&self, hash: u64) -> bool {
        let (tags, tag) = (self.tags.load(Ordering::Relaxed), tag(hash));
        (0..BUCKET_SLOTS).any(|slot| tags >> (slot * TAG_BITS) & TAG_MASK == tag)
    }

    /// Sets the tag of a slot. The caller holds the lock.
    fn set_tag(&self, slot: usize, hash: u64) {
        let shift = slot * TAG_BITS;
        let others = self.tags.load(Ordering::Relaxed) & !(TAG_MASK << shift);
        self.tags.store(others | tag(hash) << shift, Ordering::Relaxed);
    }
}

/// Buckets of a table of one size, whatever the words of a position.
trait EntryBuckets: Send + Sync {
    fn len(&self) -> usize;

    /// True if more than half of the slots are in use.
    fn is_half_full(&self) -> bool;

    fn get(&self, key: &TableKey) -> Option<SlotEntry>;

    /// Stores an entry, unless its position is decided on all paths, or is decided and the entry is
    /// not.
    fn insert(&self, key: &TableKey, entry: SlotEntry, generation: u8);

    fn remove(&self, key: &TableKey);

    /// Removes all entries that hold on one path only.
    fn remove_path_dependent(&self);

    /// Fetches the bucket of a hash into the cache.
    fn prefetch(&self, hash: u64);

    /// Copies all entries into `len` buckets. Returns nothing if the search is stopped meanwhile.
    fn resized(
        &self,
        len: usize,
        generation: u8,
        stop: &AtomicBool,
    ) -> Option<Arc<dyn EntryBuckets>>;
}

/// Buckets for positions of `W` words.
struct Buckets<const W: usize> {
    buckets: Vec<Bucket<W>>,
    /// Slots in use.
    used: AtomicUsize,
}

impl<const W: usize> Buckets<W> {
    fn new(len: usize) -> Self {
        let buckets = (0..len).map(|_| Bucket::new());
        Self { buckets: buckets.collect(), used: AtomicUsize::new(0) }
    }

    /// As [`Buckets::new`], but for a search that is stopped meanwhile: tables of gigabytes take
    /// seconds.
    fn laid_out(len: usize, stop: &AtomicBool) -> Option<Self> {
        let mut buckets = Vec::with_capacity(len);
        while buckets.len() < len {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let portion = (len - buckets.len()).min(BUCKETS_PER_CHECK);
            buckets.extend((0..portion).map(|_| Bucket::new()));
        }
        Some(Self { buckets, used: AtomicUsize::new(0) })
    }

    fn of_hash(&self, hash: u64) -> &Bucket<W> {
        let index = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    fn insert_slot(&self, hash: u64, mut new: TableSlot<W>, generation: u8) {
        let bucket = self.of_hash(hash);
        let mut slots = bucket.lock();
        let (words, attacks) = (new.words, new.entry.attacks);
        let same = slots.iter_mut().find(|slot| slot.is_of(&words, attacks));
        if let Some(TableSlot { entry: same, .. }) = same {
            let is_decided = same.numbers.is_known() && same.is_valid(generation);
            if is_decided && (same.generation == 0 || !new.entry.numbers.is_known()) {
                return;
            }
            new.entry.work = new.entry.work.max(same.work);
            *same = new.entry;
            return;
        }
        let by_work = slots.iter_mut().enumerate();
        if let Some((index, least)) = by_work.min_by_key(|(_, slot)| slot.entry.work) {
            if least.entry.work == 0 {
                self.used.fetch_add(1, Ordering::Relaxed);
            }
            *least = new;
            bucket.set_tag(index, hash);
        }
    }
}

impl<const W: usize> EntryBuckets for Buckets<W> {
    fn len(&self) -> usize {
        self.buckets.len()
    }

    fn is_half_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.buckets.len() * BUCKET_SLOTS / 2
    }

    fn get(&self, key: &TableKey) -> Option<SlotEntry> {
        let bucket = self.of_hash(key.hash);
        if !bucket.may_hold(key.hash) {
            return None;
        }
        let words = key.position.words();
        let slots = bucket.lock();
        let found = slots.iter().find(|slot| slot.is_of(&words, key.attacks))?;
        Some(found.entry)
    }

    fn insert(&self, key: &TableKey, entry: SlotEntry, generation: u8) {
        self.insert_slot(key.hash, TableSlot { words: key.position.words(), entry }, generation);
    }

    fn remove(&self, key: &TableKey) {
        let words = key.position.words();
        let mut slots = self.of_hash(key.hash).lock();
        let mut slots = slots.iter_mut();
        if let Some(slot) = slots.find(|slot| slot.is_of(&words, key.attacks)) {
            slot.entry.work = 0;
            self.used.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn remove_path_dependent(&self) {
        for bucket in &self.buckets {
            let mut slots = bucket.lock();
            let old = slots.iter_mut().filter(|slot| slot.entry.generation != 0);
            old.for_each(|slot| slot.entry.work = 0);
        }
    }

    fn prefetch(&self, hash: u64) {
        std::hint::black_box(self.of_hash(hash).tags.load(Ordering::Relaxed));
    }

    fn resized(
        &self,
        len: usize,
        generation: u8,
        stop: &AtomicBool,
    ) -> Option<Arc<dyn EntryBuckets>> {
        let larger = Self::laid_out(len, stop)?;
        for buckets in self.buckets.chunks(BUCKETS_PER_CHECK) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for bucket in buckets {
                let slots = *bucket.lock();
                for slot in slots.into_iter().filter(|slot| slot.entry.work > 0) {
                    larger.insert_slot(hash_of(&Packed::new(slot.words), W), slot, generation);
                }
            }
        }
        Some(Arc::new(larger))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Positions with their numbers, for one search on any number of threads. The table grows up to its
/// limit. Then entries with little work are replaced.
pub(super) struct SharedTable {
    /// Words of a slot.
    words: usize,
    bucket_bytes: u64,
    current: Mutex<Arc<dyn EntryBuckets>>,
    /// Number of the current buckets, which grows with them.
    len: AtomicUsize,
    generation: AtomicU8,
    /// The most buckets allowed; old and new ones together while the table grows.
    max_buckets: usize,
}

impl SharedTable {
    /// Creates a table for positions of some words, that takes at most `bytes`, also while it
    /// grows.
    pub(super) fn new(bytes: u64, words: usize) -> Self {
        match words {
            0..=2 => Self::with_slots::<2>(bytes),
            3 => Self::with_slots::<3>(bytes),
            4..=6 => Self::with_slots::<6>(bytes),
            _ => Self::with_slots::<MOST_WORDS>(bytes),
        }
    }

    fn with_slots<const W: usize>(bytes: u64) -> Self {
        let bucket_bytes = size_of::<Bucket<W>>() as u64;
        let most = usize::try_from(bytes / bucket_bytes);
        let most = most.unwrap_or(usize::MAX).max(1);
        let first = FIRST_BUCKETS.min(most);
        Self {
            words: W,
            bucket_bytes,
            current: Mutex::new(Arc::new(Buckets::<W>::new(first))),
            len: AtomicUsize::new(first),
            generation: AtomicU8::new(1),
            max_buckets: most,
        }
    }

    /// Returns the access of one thread, whose search `stop` ends.
    pub(super) fn access<'t>(&'t self, stop: &'t AtomicBool) -> TranspositionTable<'t> {
        TranspositionTable { shared: self, buckets: Arc::clone(&lock(&self.current)), stop }
    }

    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Makes more buckets, unless another thread does, there is no room, or the search is stopped.
    fn grow(&self, full: &Arc<dyn EntryBuckets>, stop: &AtomicBool) {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let len = full.len();
        let Ok(mut current) = self.current.try_lock() else {
            return;
        };
        if !Arc::ptr_eq(&current, full) {
            return;
        }
        // If a second doubling would not fit, the table takes all buckets that are allowed.
        let larger = if 6 * len > self.max_buckets { self.max_buckets - len } else { 2 * len };
        if memory::ask(larger as u64 * self.bucket_bytes).is_err() {
            return;
        }
        if let Some(resized) = full.resized(larger, self.generation(), stop) {
            *current = resized;
            self.len.store(larger, Ordering::Release);
        }
    }
}

/// Access of one thread to a [`SharedTable`].
///
/// A thread that has not called [`TranspositionTable::refresh`] since the table grew goes on with
/// the buckets of before. Entries stored there are lost.
pub(super) struct TranspositionTable<'t> {
    shared: &'t SharedTable,
    buckets: Arc<dyn EntryBuckets>,
    stop: &'t AtomicBool,
}

impl TranspositionTable<'_> {
    pub(super) fn key(&self, position: Packed, attacks: bool) -> TableKey {
        TableKey { hash: hash_of(&position, self.shared.words), position, attacks }
    }

    /// Takes the current buckets.
    pub(super) fn refresh(&mut self) {
        if self.shared.len.load(Ordering::Acquire) != self.buckets.len() {
            self.buckets = Arc::clone(&lock(&self.shared.current));
        }
    }

    /// Forgets all results that were proved on one path only.
    pub(super) fn forget_path_dependent(&self) {
        let next = self.shared.generation() % u8::MAX + 1;
        self.shared.generation.store(next, Ordering::Relaxed);
        if next == 1 {
            // Generations start again, so entries of the last round are removed: their generation
            // would look current.
            self.buckets.remove_path_dependent();
        }
    }

    /// Forgets the result of a position.
    pub(super) fn forget(&self, key: TableKey) {
        self.buckets.remove(&key);
    }

    /// Fetches the bucket of a hash into the cache.
    pub(super) fn prefetch(&self, hash: u64) {
        self.buckets.prefetch(hash);
    }

    pub(super) fn get(&self, key: TableKey) -> Option<TableEntry> {
        let found = self.buckets.get(&key)?;
        let is_valid = found.is_valid(self.shared.generation());
        is_valid.then_some(TableEntry {
            numbers: found.numbers,
            path_dependent: found.generation != 0,
            plies: found.plies,
        })
    }

    /// Stores the result of a position with the work spent below it.
    pub(super) fn put(&mut self, key: TableKey, entry: TableEntry, work: u64) {
        if self.buckets.is_half_full() && 3 * self.buckets.len() <= self.shared.max_buckets {
            self.shared.grow(&self.buckets, self.stop);
            self.refresh();
        }
        let generation = self.shared.generation();
        let entry = SlotEntry {
            numbers: entry.numbers,
            work: rounded_work(work),
            plies: entry.plies,
            generation: if entry.path_dependent { generation } else { 0 },
            attacks: key.attacks,
        };
        self.buckets.insert(&key, entry, generation);
    }
}

#[cfg(test)]
mod tests;
