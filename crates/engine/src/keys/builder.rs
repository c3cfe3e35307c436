//! Sorts positions into a [`KeySet`].

use hindsight_core::{MOST_WORDS, Packed};
use rayon::prelude::*;

use super::key_set::{KeySet, KeySetWriter};
use super::limbs::{MOST_LIMBS, bits_from, compare, resized, set_bits};
use super::varying::VaryingBits;

/// Bits of a code below its key while both are sorted.
const CODE_BITS: u32 = u8::BITS;
/// Positions that a thread looks at together.
const CHUNK: usize = 1 << 14;

/// Positions, each with the code of its value, by number.
pub struct CodedPositions<'a> {
    /// Number of positions, at least 1.
    pub len: usize,
    /// Returns a position and its code. All positions are different.
    pub get: &'a (dyn Fn(usize) -> (Packed, u8) + Sync),
}

/// Returns the keys of all positions, and their codes in the order of the keys.
///
/// Memory: 8 bytes a position if its key has 56 bits at most, else 16 or 40; then the codes, one
/// byte each, and the keys.
#[must_use]
pub fn sorted(positions: &CodedPositions<'_>) -> (KeySet, Vec<u8>) {
    let bits = varying_bits(positions);
    match bits.key_bits() + CODE_BITS {
        ..=64 => sorted_narrow::<1>(bits, positions),
        65..=128 => sorted_narrow::<2>(bits, positions),
        _ => sorted_narrow::<MOST_LIMBS>(bits, positions),
    }
}

/// Returns the bytes of memory that a position takes while it is sorted. `words` is the number of
/// its words.
#[must_use]
pub fn sorting_bytes(words: usize) -> u64 {
    let limbs = match 32 * words as u32 + CODE_BITS {
        ..=64 => 1,
        65..=128 => 2,
        _ => MOST_LIMBS,
    };
    8 * limbs as u64 + 1
}

fn varying_bits(positions: &CodedPositions<'_>) -> VaryingBits {
    let first = *(positions.get)(0).0.as_words();
    let differing = |begin: usize| {
        let mut varying = [0; MOST_WORDS];
        for number in begin..positions.len.min(begin + CHUNK) {
            for (i, word) in (positions.get)(number).0.as_words().iter().enumerate() {
                varying[i] |= word ^ first[i];
            }
        }
        varying
    };
    let chunks = (0..positions.len.div_ceil(CHUNK)).into_par_iter();
    let either = |a: [u32; MOST_WORDS], b: [u32; MOST_WORDS]| std::array::from_fn(|i| a[i] | b[i]);
    let varying = chunks.map(|chunk| differing(chunk * CHUNK)).reduce(|| [0; MOST_WORDS], either);
    VaryingBits::new(first, varying)
}

fn of_sorted<const N: usize>(bits: VaryingBits, keys: &[[u64; N]]) -> KeySet {
    let mut writer = KeySetWriter::new(bits);
    writer.push(keys);
    writer.finish().expect("a position at least")
}

fn sorted_narrow<const N: usize>(
    bits: VaryingBits,
    positions: &CodedPositions<'_>,
) -> (KeySet, Vec<u8>) {
    let item = |number: usize| {
        let (position, code) = (positions.get)(number);
        let key = bits.key(&position).expect("the position is one of these");
        let mut item = [code.into(); N];
        item[1..].fill(0);
        for limb in 0..MOST_LIMBS as u32 {
            let part = bits_from(&key, 64 * limb, 64);
            set_bits(&mut item, CODE_BITS + 64 * limb, part, 64);
        }
        item
    };
    let mut items: Vec<[u64; N]> =
        (0..positions.len).into_par_iter().with_min_len(CHUNK).map(item).collect();
    items.par_sort_unstable_by(compare);
    let codes = items.par_iter().map(|item| item[0] as u8).collect();
    items.par_iter_mut().for_each(|item| {
        let shifted: [u64; N] =
            std::array::from_fn(|i| bits_from(item, CODE_BITS + 64 * i as u32, 64));
        *item = shifted;
    });
    let keys = if N == 1 || bits.key_bits() > 64 {
        of_sorted(bits, &items)
    } else {
        let narrow: Vec<[u64; 1]> = items.iter().map(resized).collect();
        of_sorted(bits, &narrow)
    };
    (keys, codes)
}

#[cfg(test)]
mod tests {
    use hindsight_core::{MOST_WORDS, Packed};
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    use super::{CodedPositions, sorted};
    use crate::keys::key_set::KeySet;
    use crate::keys::page::PAGE_KEYS;

    fn check(all: &[(Packed, u8)], others: &[Packed]) {
        let mut shuffled = all.to_vec();
        shuffled.reverse();
        let get = |number: usize| shuffled[number];
        let (keys, codes) = sorted(&CodedPositions { len: all.len(), get: &get });
        let again = KeySet::read(&keys.top(), keys.pages().to_vec()).expect("its own bytes");
        let sections = keys.sections();
        assert_eq!(
            (sections.top, sections.pages),
            (keys.top().len() as u64, keys.pages().len() as u64)
        );
        for keys in [&keys, &again] {
            assert_eq!(keys.len(), all.len() as u64);
            assert!((0..keys.page_count()).all(|page| keys.check_keys(page).is_ok()));
            let mut visited = Vec::new();
            keys.each(0..u64::MAX, &mut |rank, position| {
                visited.push((position, codes[rank as usize]));
                true
            });
            assert_eq!(visited, all);
            for (rank, (position, _)) in (0..).zip(all) {
                assert_eq!(keys.find(position), Some(rank));
                assert_eq!(keys.get(rank), Some(*position));
            }
            assert_eq!(keys.get(keys.len()), None);
            let positions: Vec<Packed> =
                all.iter().rev().map(|(position, _)| *position).chain(others.to_vec()).collect();
            let one_by_one: Vec<_> = positions.iter().map(|position| keys.find(position)).collect();
            assert_eq!(keys.find_all(&positions), one_by_one);
            for other in others {
                let rank = all.binary_search_by_key(other, |&(position, _)| position).ok();
                assert_eq!(keys.find(other), rank.map(|rank| rank as u64));
            }
        }
    }

    #[test]
    fn many_narrow_keys_are_found_over_pages() {
        let count = 2 * PAGE_KEYS + 700;
        let position =
            |n: u64| Packed::new([(n * n / 7) as u32, (n * 2_654_435_761) as u32 & 0xF0]);
        let mut all: Vec<(Packed, u8)> =
            (0..count).map(|n| (position(n + 9 * n), n as u8)).collect();
        all.sort_unstable();
        all.dedup_by_key(|&mut (position, _)| position);
        let others: Vec<Packed> = (0..1000).map(|n| position(n * 3 + 1)).collect();
        check(&all, &others);
    }

    #[test]
    fn one_position_is_a_set() {
        let only = Packed::new([7, 8, 9]);
        check(&[(only, 3)], &[only, Packed::new([7, 8, 8]), Packed::new([0; MOST_WORDS])]);
    }

    proptest! {
        #[test]
        fn sets_of_positions_are_kept(
            all in btree_map(any::<[u32; MOST_WORDS]>(), any::<u8>(), 1..600),
            masks in any::<[u32; MOST_WORDS]>(),
            words in 0_usize..=MOST_WORDS,
        ) {
            let position = |words_of: &[u32; MOST_WORDS]| {
                Packed::new::<MOST_WORDS>(std::array::from_fn(|i| {
                    if i < words { words_of[i] & masks[i] } else { 0 }
                }))
            };
            let mut positions: Vec<(Packed, u8)> =
                all.iter().map(|(words, &code)| (position(words), code)).collect();
            positions.sort_unstable();
            positions.dedup_by_key(|&mut (position, _)| position);
            let others = all.keys().map(|words| position(&words.map(|word| word ^ 1)));
            check(&positions, &others.collect::<Vec<Packed>>());
        }

        #[test]
        fn damage_is_found_and_never_panics(at: prop::sample::Index, bit in 0_u8..8) {
            let get = |n: usize| (Packed::new([n as u32 * 11, (n * n) as u32]), 0);
            let (keys, _) = sorted(&CodedPositions { len: 700, get: &get });
            let mut top = keys.top();
            let byte = at.index(top.len());
            top[byte] ^= 1 << bit;
            prop_assert!(KeySet::read(&top, keys.pages().to_vec()).is_err());
            let mut pages = keys.pages().to_vec();
            let byte = at.index(pages.len());
            pages[byte] ^= 1 << bit;
            prop_assert!(KeySet::read(&keys.top(), pages).is_err());
            prop_assert!(KeySet::read(&keys.top(), keys.pages()[..byte].to_vec()).is_err());
        }
    }
}
