//! Positions that are not known yet, and sets that become one.

use std::ops::Range;

use hindsight_core::{MOST_WORDS, Packed};
use rayon::prelude::*;

use super::key_index::limbs_of;
use super::key_set::{KeySet, KeySetWriter};
use super::limbs::{MOST_LIMBS, compare, resized};
use super::varying::VaryingBits;

/// Positions that a thread compares with known ones together.
const COMPARED_TOGETHER: usize = 1 << 13;
/// Pages that a thread merges together.
const MERGED_PAGES: usize = 8;
/// Such ranges between two questions whether to go on, for each thread.
const RANGES_A_POLL: usize = 4;

/// Positions in the order in which they were met, with duplicates.
///
/// Cost: 8 bytes a position of two words, 16 of four, 40 of more.
pub struct PositionList {
    /// All bits of a position.
    bits: VaryingBits,
    limbs: Vec<u64>,
}

impl PositionList {
    /// Creates a list of positions of a number of words.
    #[must_use]
    pub fn new(words: usize) -> Self {
        let all = std::array::from_fn(|i| if i < words { u32::MAX } else { 0 });
        Self { bits: VaryingBits::new([0; MOST_WORDS], all), limbs: Vec::new() }
    }

    fn width(&self) -> usize {
        limbs_of(self.bits.key_bits())
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.limbs.len() / self.width()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Returns the bytes that a position takes.
    #[must_use]
    pub fn position_bytes(&self) -> u64 {
        8 * self.width() as u64
    }

    /// Appends positions.
    pub fn push(&mut self, positions: &[Packed]) {
        let width = self.width();
        for position in positions {
            let key = self.bits.key(position).expect("all bits may vary");
            self.limbs.extend_from_slice(&key[..width]);
        }
    }

    /// Returns the positions that no known set has.
    #[must_use]
    pub fn into_new(self, known: &[KeySet]) -> Option<KeySet> {
        match self.width() {
            1 => self.into_new_narrow::<1>(known),
            2 => self.into_new_narrow::<2>(known),
            _ => self.into_new_narrow::<MOST_LIMBS>(known),
        }
    }

    fn into_new_narrow<const N: usize>(mut self, known: &[KeySet]) -> Option<KeySet> {
        let all = self.limbs.as_chunks_mut::<N>().0;
        all.par_sort_unstable_by(compare);
        let len = dedup(all);
        let all = &all[..len];
        let missing = |keys: &[[u64; N]]| {
            let mut positions: Vec<Packed> =
                keys.iter().map(|key| self.bits.position(&resized(key))).collect();
            known.iter().for_each(|set| set.retain_missing(&mut positions));
            positions
        };
        let chunks: Vec<Vec<Packed>> = all.par_chunks(COMPARED_TOGETHER).map(missing).collect();
        let bits = VaryingBits::of(chunks.iter().flatten().copied())?;
        match limbs_of(bits.key_bits()) {
            1 => encode::<1>(bits, &chunks),
            2 => encode::<2>(bits, &chunks),
            _ => encode::<MOST_LIMBS>(bits, &chunks),
        }
    }
}

/// Moves the first of equal items to the front, and returns their number.
fn dedup<T: Copy + PartialEq>(items: &mut [T]) -> usize {
    let mut len = 0;
    for i in 0..items.len() {
        if len == 0 || items[i] != items[len - 1] {
            items[len] = items[i];
            len += 1;
        }
    }
    len
}

fn encode<const N: usize>(bits: VaryingBits, chunks: &[Vec<Packed>]) -> Option<KeySet> {
    let keys: Vec<[u64; N]> = chunks
        .par_iter()
        .flat_map_iter(|chunk| chunk.iter().map(|position| narrow_key(&bits, position)))
        .collect();
    let mut writer = KeySetWriter::new(bits);
    writer.push(&keys);
    writer.finish()
}

fn narrow_key<const N: usize>(bits: &VaryingBits, position: &Packed) -> [u64; N] {
    resized(&bits.key(position).expect("the position is one of these"))
}

impl KeySet {
    /// Returns the union of some sets, of which there is one at least; `None` if `poll` has
    /// returned false.
    ///
    /// Memory: that of the result, and some megabytes a thread.
    #[must_use]
    pub fn merged(sets: &[&Self], poll: &mut dyn FnMut() -> bool) -> Option<Self> {
        let bits = sets.iter().map(|set| set.bits().clone());
        let bits = bits.reduce(|one, other| one.union(&other)).expect("a set");
        match limbs_of(bits.key_bits()) {
            1 => merge::<1>(bits, sets, poll),
            2 => merge::<2>(bits, sets, poll),
            _ => merge::<MOST_LIMBS>(bits, sets, poll),
        }
    }
}

fn merge<const N: usize>(
    bits: VaryingBits,
    sets: &[&KeySet],
    poll: &mut dyn FnMut() -> bool,
) -> Option<KeySet> {
    // Each range begins with a bound, and the first one with all that is before it. It has few
    // pages of all sets together, whatever their keys are.
    let mut firsts: Vec<Packed> = sets.iter().flat_map(|set| set.firsts()).collect();
    firsts.par_sort_unstable();
    let bounds: Vec<Packed> = firsts.into_iter().step_by(MERGED_PAGES).skip(1).collect();
    let begins = |set: &KeySet| {
        let inner = bounds.par_iter().map(|bound| set.rank_of_bound(bound));
        let mut begins = vec![0];
        begins.par_extend(inner);
        begins.push(set.len());
        begins
    };
    let begins: Vec<Vec<u64>> = sets.iter().map(|set| begins(set)).collect();
    let keys_of = |range: usize| {
        let mut keys: Vec<[u64; N]> = Vec::new();
        for (set, begins) in sets.iter().zip(&begins) {
            let ranks: Range<u64> = begins[range]..begins[range + 1];
            set.each(ranks, &mut |_, position| {
                keys.push(narrow_key(&bits, &position));
                true
            });
        }
        // A stable sort merges what is sorted already.
        keys.sort_by(compare);
        keys.dedup();
        keys
    };
    let mut writer = KeySetWriter::new(bits.clone());
    let together = RANGES_A_POLL * rayon::current_num_threads();
    for begin in (0..=bounds.len()).step_by(together) {
        if !poll() {
            return None;
        }
        let ranges = begin..(begin + together).min(bounds.len() + 1);
        let keys: Vec<Vec<[u64; N]>> = ranges.into_par_iter().map(keys_of).collect();
        writer.push(&keys.concat());
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hindsight_core::{MOST_WORDS, Packed};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{KeySet, PositionList};

    fn new_of(positions: &[Packed], words: usize, known: &[KeySet]) -> Option<KeySet> {
        let mut list = PositionList::new(words);
        list.push(positions);
        assert_eq!(list.len(), positions.len());
        list.into_new(known)
    }

    /// Checks that the sets of some positions, without what is known, are merged to all of them.
    fn check(parts: &[Vec<Packed>], words: usize) {
        let (mut sets, mut all): (Vec<KeySet>, BTreeSet<Packed>) = Default::default();
        for part in parts {
            let expected: Vec<Packed> = BTreeSet::from_iter(part.iter().copied())
                .into_iter()
                .filter(|position| !all.contains(position))
                .collect();
            let set = new_of(part, words, &sets);
            let found = set.as_ref().map_or(Vec::new(), |set| set.positions(0..set.len()));
            assert_eq!(found, expected);
            all.extend(expected);
            sets.extend(set);
        }
        if sets.is_empty() {
            return;
        }
        let whole = KeySet::merged(&sets.iter().collect::<Vec<_>>(), &mut || true);
        let whole = whole.expect("it goes on");
        assert_eq!(whole.positions(0..whole.len()), all.iter().copied().collect::<Vec<_>>());
        assert!((0..whole.page_count()).all(|page| whole.check_keys(page).is_ok()));
        let from_all = new_of(&all.iter().copied().collect::<Vec<_>>(), words, &[]);
        assert_eq!(from_all.as_ref(), Some(&whole));
        let twice = KeySet::merged(&[&whole, &sets[0]], &mut || true);
        assert_eq!(twice.as_ref(), Some(&whole));
        assert!(KeySet::merged(&[&whole], &mut || false).is_none());
    }

    #[test]
    fn many_positions_are_merged_over_pages() {
        let position = |n: u32| Packed::new([n % 7, n.wrapping_mul(2_654_435_761)]);
        let part = |first: u32, step: usize, len: usize| {
            (first..).step_by(step).take(len).map(position).collect::<Vec<_>>()
        };
        check(&[part(0, 3, 300_000), part(1, 2, 200_000), part(5, 1, 90_000)], 2);
    }

    proptest! {
        #[test]
        fn sets_are_those_of_a_tree(
            parts in vec(vec((0_u32..40, any::<[u32; MOST_WORDS]>()), 0..300), 1..5),
            mask: [u32; MOST_WORDS],
            words in 1_usize..=MOST_WORDS,
        ) {
            let position = |(n, word): &(u32, [u32; MOST_WORDS])| {
                let few = |i: usize| if i == 0 { *n } else { word[i] & mask[i] & 1 };
                let words_of = |i: usize| if i < words { few(i) } else { 0 };
                Packed::new::<MOST_WORDS>(std::array::from_fn(words_of))
            };
            let parts = parts.iter().map(|part| part.iter().map(position).collect());
            check(&parts.collect::<Vec<Vec<Packed>>>(), words);
        }
    }
}
