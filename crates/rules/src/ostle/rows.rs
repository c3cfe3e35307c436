use alloc::vec::Vec;

use hindsight_core::combinatorics::{SubsetRankTable, Subsets};

use super::hole_classes::{HoleClass, HoleClasses};
use super::{OstleBoard, OstleSetup};

/// Rows of ranks: one for each hole and set of the mover's pieces, up to symmetry.
#[derive(Debug)]
pub(super) struct RowIndex {
    pub(super) holes: HoleClasses,
    pub(super) set_ranks: SubsetRankTable,
    /// Rows by the number of the mover's pieces.
    pub(super) rows: Vec<RankRows>,
}

/// Rows of one number of the mover's pieces.
///
/// Each set is the least of its images under the symmetries that fix the hole.
#[derive(Debug)]
pub(super) struct RankRows {
    pub(super) list: Vec<RankRow>,
    /// `row_of[class of the hole][rank of the set without the hole's square]`, or [`NO_ROW`].
    row_of: Vec<Vec<u32>>,
}

/// The mover's pieces and the hole of a row.
#[derive(Debug)]
pub(super) struct RankRow {
    pub(super) own: u32,
    /// Class of the hole.
    pub(super) class: u8,
    /// Symmetries that fix the pieces and the hole, without the identity.
    pub(super) group: Vec<u8>,
}

/// Stands for the row of a set that is not the least of its images.
pub(super) const NO_ROW: u32 = u32::MAX;

impl RowIndex {
    #[inline]
    pub(super) fn new(board: &OstleBoard, setup: &OstleSetup) -> Self {
        let holes = HoleClasses::new(board);
        let counts = 0..=u32::from(setup.pieces);
        Self {
            rows: counts.map(|own| RankRows::new(&holes, own)).collect(),
            set_ranks: SubsetRankTable::new(setup.pieces),
            holes,
        }
    }

    /// Number of the row of a set of the mover's pieces that is the least of its images.
    #[inline]
    pub(super) fn row_of(&self, class: u8, own: u32) -> u32 {
        let below = (1 << self.holes.classes[usize::from(class)].square) - 1;
        let set = self.set_ranks.rank(own & below | own >> 1 & !below);
        self.rows[own.count_ones() as usize].row_of[usize::from(class)][set as usize]
    }

    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        /// Bytes of the block of a group.
        const GROUP: usize = 16;
        let of_rows = |rows: &RankRows| {
            let groups = rows.list.iter().filter(|row| !row.group.is_empty()).count() * GROUP;
            let sets: usize = rows.row_of.iter().map(|sets| size_of_val(&**sets)).sum();
            (size_of_val(&*rows.list) + groups + sets) as u64
        };
        self.rows.iter().map(of_rows).sum()
    }

    /// Squares of a row on which the other pieces cannot stand.
    #[inline]
    pub(super) fn taken(&self, row: &RankRow) -> u32 {
        row.own | 1 << self.holes.classes[usize::from(row.class)].square
    }
}

impl RankRows {
    #[inline]
    fn new(holes: &HoleClasses, own: u32) -> Self {
        let mut rows = Self { list: Vec::new(), row_of: Vec::new() };
        for (class, hole) in (0..).zip(&holes.classes) {
            rows.add_hole(holes, own, class, hole);
        }
        rows
    }

    /// Adds the rows of one class of the hole.
    #[inline]
    fn add_hole(&mut self, holes: &HoleClasses, own: u32, class: u8, hole: &HoleClass) {
        let sets = Subsets::new(holes.squares - 1, own);
        let mut row_of = alloc::vec![NO_ROW; sets.len() as usize];
        for (rank, row) in row_of.iter_mut().enumerate() {
            let own = insert_squares(sets.unrank(rank as u64) as u32, 1 << hole.square);
            let images = || {
                let group = hole.group.iter().copied();
                group.map(|symmetry| (symmetry, holes.images.get(symmetry.into(), own)))
            };
            if images().any(|(_, image)| image < own) {
                continue;
            }
            *row = self.list.len() as u32;
            let fixing = images().filter(|&(_, image)| image == own);
            self.list.push(RankRow {
                own,
                class,
                group: fixing.map(|(symmetry, _)| symmetry).collect(),
            });
        }
        self.row_of.push(row_of);
    }
}

/// Renumbers a set on the squares that are not `taken`: each square moves down by one for each
/// taken square below it. The set contains no taken square.
#[inline]
pub(super) fn remove_squares(set: u32, taken: u32) -> u32 {
    let (mut set, mut rest) = (set, taken);
    while rest != 0 {
        // The highest square goes first, so that the lower ones keep their numbers.
        let top = 1_u32 << (31 - rest.leading_zeros());
        set = set & (top - 1) | set >> 1 & !(top - 1);
        rest ^= top;
    }
    set
}

/// Inverse of [`remove_squares`].
#[inline]
pub(super) fn insert_squares(set: u32, taken: u32) -> u32 {
    let (mut set, mut rest) = (set, taken);
    while rest != 0 {
        let low = rest & rest.wrapping_neg();
        set = set & (low - 1) | (set & !(low - 1)) << 1;
        rest ^= low;
    }
    set
}
