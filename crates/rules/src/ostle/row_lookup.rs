use alloc::vec::Vec;

use hindsight_core::combinatorics::{subset_count, unrank_subset};

use super::rows::{NO_ROW, RowIndex, remove_squares};

/// Table of the row of every hole and every set of the mover's pieces.
#[derive(Debug)]
pub(super) struct RowLookup {
    /// Entries by the number of pieces.
    by_count: Vec<RowEntries>,
}

/// Entries of one number of pieces.
#[derive(Debug)]
struct RowEntries {
    /// Number of sets of pieces.
    sets: u64,
    /// `entries[hole * sets + rank of the set]`; empty above [`RowLookup::MAX_ENTRIES`].
    entries: Vec<RowEntry>,
}

/// The row of the mover's pieces, and the map to it.
#[derive(Clone, Debug)]
pub(super) struct RowEntry {
    /// `free_number[square]`: number of the square's image among the free squares of the row.
    free_number: [u8; 25],
    /// Symmetry that takes the pieces to the row.
    pub(super) symmetry: u8,
    /// Number of the row, or [`NO_ROW`] if several symmetries lead to it.
    pub(super) row: u32,
}

impl RowEntry {
    /// The opponent's pieces as a set of numbers of free squares of the row.
    #[inline]
    pub(super) fn renumber(&self, other: u32) -> u32 {
        let (mut rest, mut out) = (other, 0);
        while rest != 0 {
            out |= 1 << (self.free_number[rest.trailing_zeros() as usize] & 31);
            rest &= rest - 1;
        }
        out
    }
}

impl RowLookup {
    /// Most entries for one number of pieces, at 32 bytes each: 64 MiB.
    const MAX_ENTRIES: u64 = 1 << 21;

    #[inline]
    pub(super) fn new(index: &RowIndex) -> Self {
        let squares = index.holes.squares;
        let entries = |own: usize| {
            let sets = subset_count(squares, own as u32);
            let holes =
                if sets * u64::from(squares) > Self::MAX_ENTRIES { 0..0 } else { 0..squares as u8 };
            let pairs = holes.flat_map(|hole| (0..sets).map(move |rank| (hole, rank)));
            let set = |rank| unrank_subset(rank, own as u32) as u32;
            let entries = pairs.map(|(hole, rank)| row_entry(index, set(rank), hole));
            RowEntries { sets, entries: entries.collect() }
        };
        Self { by_count: (0..index.rows.len()).map(entries).collect() }
    }

    /// Entry of a hole and of the set of `count` pieces with rank `set`. `None` without an entry,
    /// or if several symmetries lead to the row.
    #[inline]
    pub(super) fn get(&self, count: usize, hole: u8, set: u64) -> Option<&RowEntry> {
        let RowEntries { sets, entries } = &self.by_count[count];
        let entry = entries.get((u64::from(hole) * sets + set) as usize)?;
        (entry.row != NO_ROW).then_some(entry)
    }
}

#[inline]
fn row_entry(index: &RowIndex, own: u32, hole: u8) -> RowEntry {
    let mut entry = RowEntry { free_number: [0; 25], symmetry: 0, row: NO_ROW };
    if own >> hole & 1 == 1 {
        return entry;
    }
    let holes = &index.holes;
    let (class, first) = holes.class_of[usize::from(hole)];
    let representative = &holes.classes[usize::from(class)];
    let images = || {
        let group = representative.group.iter();
        let group = group.map(|&then| holes.composed[usize::from(first)][usize::from(then)]);
        group.chain([first]).map(|symmetry| (holes.images.get(symmetry.into(), own), symmetry))
    };
    let (least, symmetry) = images().min().expect("there is one");
    if images().filter(|&(image, _)| image == least).count() > 1 {
        return entry;
    }
    entry.symmetry = symmetry;
    entry.row = index.row_of(class, least);
    let taken = own | 1 << hole;
    let taken_in_row = least | 1 << representative.square;
    for square in (0..holes.squares).filter(|square| taken >> square & 1 == 0) {
        let image = holes.images.get(symmetry.into(), 1 << square);
        let number = remove_squares(image, taken_in_row).trailing_zeros();
        entry.free_number[square as usize] = number as u8;
    }
    entry
}
