use alloc::vec::Vec;

use hindsight_combinatorics::Subsets;

use super::ranking::OstleRanking;

/// A square that stands for its class.
#[derive(Debug)]
pub(super) struct HoleClass {
    pub(super) square: u8,
    /// The symmetries, without the one that changes nothing, that leave it where it is.
    pub(super) group: Vec<u8>,
}

/// The sets of a number of the mover's pieces that are the least of their images, for each hole.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) list: Vec<Row>,
    /// By class of the hole and rank of the set: which row it has, or [`NONE`].
    pub(super) row_of: Vec<Vec<u32>>,
}

/// The mover's pieces and the hole.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) own: u32,
    /// The class of the hole.
    pub(super) class: u8,
    /// The symmetries, without the one that changes nothing, that leave them where they are.
    pub(super) group: Vec<u8>,
}

pub(super) const NONE: u32 = u32::MAX;

impl Rows {
    #[inline]
    pub(super) fn new(ranks: &OstleRanking, own: u32) -> Self {
        let mut rows = Self {
            list: Vec::new(),
            row_of: Vec::new(),
        };
        for (class, hole) in (0..).zip(&ranks.holes) {
            rows.add(ranks, own, (class, hole));
        }
        rows
    }

    #[inline]
    fn add(&mut self, ranks: &OstleRanking, own: u32, (class, hole): (u8, &HoleClass)) {
        let sets = Subsets::new(ranks.squares - 1, own);
        let mut row_of = alloc::vec![NONE; sets.len() as usize];
        for (rank, row) in row_of.iter_mut().enumerate() {
            let own = insert_squares(sets.unrank(rank as u64) as u32, 1 << hole.square);
            let images = || {
                let group = hole.group.iter().copied();
                group.map(|symmetry| (symmetry, ranks.images.of(symmetry.into(), own)))
            };
            if images().any(|(_, image)| image < own) {
                continue;
            }
            *row = self.list.len() as u32;
            let same = images().filter(|&(_, image)| image == own);
            self.list.push(Row {
                own,
                class,
                group: same.map(|(symmetry, _)| symmetry).collect(),
            });
        }
        self.row_of.push(row_of);
    }
}

/// A set without the given squares of the board, which it does not have: squares after them move up.
#[inline]
pub(super) fn remove_squares(set: u32, taken: u32) -> u32 {
    let (mut set, mut rest) = (set, taken);
    while rest != 0 {
        // The highest first, so that the others stay where they are.
        let top = 1_u32 << (31 - rest.leading_zeros());
        set = set & (top - 1) | set >> 1 & !(top - 1);
        rest ^= top;
    }
    set
}

/// The inverse of [`without`].
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
