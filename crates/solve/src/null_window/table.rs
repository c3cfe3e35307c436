//! Transposition table: bounds of positions, found by their whole keys.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use hindsight_engine::{Error, memory};

use super::score::Score;

/// Entries that are looked through together.
const BUCKET_ENTRIES: usize = 4;
const BUCKET_BYTES: u64 = (BUCKET_ENTRIES * size_of::<AtomicU64>()) as u64;
/// Bits of the number of a move, and of the work.
const FIELD_BITS: u32 = 4;
/// Number of a move that is not kept.
pub(super) const NO_MOVE: u32 = (1 << FIELD_BITS) - 1;
/// Odd number whose binary digits are irregular: 2^64 divided by the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Knowledge of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KnownBounds {
    pub(super) lower: Score,
    pub(super) upper: Score,
    /// Number of the move that decided the last search, or [`NO_MOVE`]. In a mirror image, which
    /// has the same entry, another move may have this number: a worse order of moves, never another
    /// score.
    pub(super) best: u32,
}

/// Widths of the fields of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EntryForm {
    key_bits: u32,
    max_score: Score,
    /// Bits of a bound.
    score_bits: u32,
}

impl EntryForm {
    pub(super) fn new(key_bits: u32, max_score: Score) -> Self {
        // The stored bounds are 1 to `2 * max_score + 1`.
        let greatest = 2 * max_score.unsigned_abs() + 1;
        Self { key_bits, max_score, score_bits: u32::BITS - greatest.leading_zeros() }
    }

    /// Bits of an entry beside the remainder of the key.
    fn field_bits(self) -> u32 {
        2 * self.score_bits + 2 * FIELD_BITS
    }

    /// Bytes of the smallest table in which the rest of a key fits.
    pub(super) fn min_bytes(self) -> u64 {
        let least = (self.key_bits + self.field_bits()).saturating_sub(u64::BITS);
        BUCKET_BYTES << least
    }

    /// Bytes of the largest table in some bytes.
    pub(super) fn fitting_bytes(self, bytes: u64) -> u64 {
        let buckets = (bytes / BUCKET_BYTES).max(1).ilog2().min(self.key_bits);
        (BUCKET_BYTES << buckets).max(self.min_bytes())
    }
}

/// Table that any number of threads share.
///
/// A key is mixed by a bijection. Its upper bits choose the bucket, and the entry has all others.
/// So an entry is that of one position, and two positions are never taken for each other. An entry
/// is read and written at once.
pub(super) struct BoundsTable {
    entries: Box<[AtomicU64]>,
    form: EntryForm,
    /// Bits of a mixed key that the entry holds.
    remainder_bits: u32,
}

impl BoundsTable {
    /// Creates an empty table of [`EntryForm::fitting_bytes`] of `bytes`. `report` is called while
    /// its memory is laid out.
    pub(super) fn new(
        form: EntryForm,
        bytes: u64,
        report: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let buckets = form.fitting_bytes(bytes) / BUCKET_BYTES;
        let entries: Vec<AtomicU64> =
            memory::lay_out(buckets * BUCKET_ENTRIES as u64, &mut |_| report())?;
        Ok(Self {
            entries: entries.into_boxed_slice(),
            form,
            remainder_bits: form.key_bits - buckets.ilog2(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the bucket of a key, and the rest of the mixed key.
    #[inline]
    fn place(&self, key: u64) -> (&[AtomicU64], u64) {
        let mask = u64::MAX >> (u64::BITS - self.form.key_bits);
        let half = self.form.key_bits.div_ceil(2);
        // Each step can be undone: a shift by half of the bits, and a multiplication by an odd
        // number.
        let mut mixed = key ^ key >> half;
        mixed = mixed.wrapping_mul(MULTIPLIER) & mask;
        mixed ^= mixed >> half;
        mixed = mixed.wrapping_mul(MULTIPLIER) & mask;
        let bucket = mixed.unbounded_shr(self.remainder_bits) as usize;
        let remainder = mixed & !u64::MAX.unbounded_shl(self.remainder_bits);
        let first = bucket * BUCKET_ENTRIES;
        (&self.entries[first..first + BUCKET_ENTRIES], remainder)
    }

    /// Reads the buckets of some keys, all at the same time, so that they are in a cache soon.
    #[inline]
    pub(super) fn touch(&self, keys: impl Iterator<Item = u64>) {
        let first = |key| self.place(key).0[0].load(Ordering::Relaxed);
        black_box(keys.fold(0, |all, key| all ^ first(key)));
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<KnownBounds> {
        let (bucket, remainder) = self.place(key);
        let fields = self.form.field_bits();
        for entry in bucket {
            let word = entry.load(Ordering::Relaxed);
            if word.unbounded_shr(fields) == remainder && word != 0 {
                return Some(self.unpacked(word));
            }
        }
        None
    }

    /// Keeps the bounds of a position, whose search looked at `work` positions. Of a full bucket
    /// the entry with the least work goes.
    #[inline]
    pub(super) fn put(&self, key: u64, bounds: KnownBounds, work: u64) {
        let (bucket, remainder) = self.place(key);
        let fields = self.form.field_bits();
        let (mut chosen, mut least) = (&bucket[0], u64::MAX);
        for entry in bucket {
            let word = entry.load(Ordering::Relaxed);
            if word == 0 || word.unbounded_shr(fields) == remainder {
                chosen = entry;
                break;
            }
            if work_of(word) < least {
                (chosen, least) = (entry, work_of(word));
            }
        }
        let word = remainder.unbounded_shl(fields) | self.packed(bounds, work);
        chosen.store(word, Ordering::Relaxed);
    }

    /// Fields of an entry, lowest first: rounded work, move, and each bound plus
    /// `max_score + 1`. So no entry is 0, the mark of an empty one.
    #[inline]
    fn packed(&self, bounds: KnownBounds, work: u64) -> u64 {
        let stored = |score: Score| (score + self.form.max_score + 1) as u64;
        let scores = stored(bounds.upper) << self.form.score_bits | stored(bounds.lower);
        let fields = scores << FIELD_BITS | u64::from(bounds.best.min(NO_MOVE));
        fields << FIELD_BITS | rounded_work(work)
    }

    #[inline]
    fn unpacked(&self, word: u64) -> KnownBounds {
        let scores = word >> (2 * FIELD_BITS);
        let score = |bits: u64| {
            let stored = bits & !(u64::MAX << self.form.score_bits);
            stored as Score - self.form.max_score - 1
        };
        KnownBounds {
            lower: score(scores),
            upper: score(scores >> self.form.score_bits),
            best: (word >> FIELD_BITS) as u32 & NO_MOVE,
        }
    }
}

#[inline]
fn work_of(word: u64) -> u64 {
    word & !(u64::MAX << FIELD_BITS)
}

/// Half of the number of binary digits, at most 15.
#[inline]
fn rounded_work(work: u64) -> u64 {
    let digits = u64::from(u64::BITS - work.leading_zeros());
    (digits / 2).min((1 << FIELD_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::{BoundsTable, EntryForm, KnownBounds};

    #[test]
    fn no_key_is_taken_for_another() {
        for (key_bits, bytes) in [(10, 1 << 20), (12, 1), (16, 1 << 12), (10, 1)] {
            let table = BoundsTable::new(EntryForm::new(key_bits, 7), bytes, &mut || Ok(()));
            let table = table.expect("room");
            let bounds = |key: u64| KnownBounds {
                lower: (key % 8) as i32 - 7,
                upper: (key / 8 % 8) as i32,
                best: (key % 16) as u32,
            };
            for key in 0..1 << key_bits {
                table.put(key, bounds(key), key);
                assert_eq!(table.get(key), Some(bounds(key)));
            }
            let found = (0..1 << key_bits).filter(|&key| match table.get(key) {
                Some(found) => {
                    assert_eq!(found, bounds(key));
                    true
                }
                None => false,
            });
            // Buckets of a table that is too small keep what they can.
            assert!(found.count() * 8 >= table.len().min(1 << key_bits) * 7);
        }
    }

    #[test]
    fn a_wide_key_needs_a_table_of_some_size() {
        let form = EntryForm::new(64, 28);
        assert_eq!(form.min_bytes(), 32 << 20);
        let table = BoundsTable::new(form, 1, &mut || Ok(())).expect("room");
        let bounds = KnownBounds { lower: -28, upper: 28, best: 3 };
        for key in [0, u64::MAX, 1 << 63, 12_345_678_901_234_567] {
            assert_eq!(table.get(key), None);
            table.put(key, bounds, 1);
            assert_eq!(table.get(key), Some(bounds));
        }
    }
}
