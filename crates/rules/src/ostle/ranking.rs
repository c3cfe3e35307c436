use alloc::boxed::Box;
use alloc::vec::Vec;

use hindsight_core::combinatorics::{Subsets, SymmetryClasses, subset_count};
use once_cell::race::OnceBox;

use super::row_lookup::{RowEntry, RowLookup};
use super::rows::{RankRow, RowIndex, insert_squares, remove_squares};
use super::{BasePosition, OstleBoard, OstleSetup};

/// Dense numbering of the positions up to the eight symmetries, from the mover's seat.
///
/// A symmetry takes the hole to the representative of its class of squares (six classes on 5x5). A
/// further one that fixes this square takes the mover's pieces to the least of their images. The
/// hole and this least set have a row of ranks, one for each set of the other pieces on the free
/// squares. In a row whose set is symmetric, only the least image of the other pieces has a rank.
#[derive(Debug)]
pub(super) struct OstleRanking {
    pub(super) index: RowIndex,
    tiers: Vec<OstleTier>,
    /// `tier_of[own][other]`: tier and half.
    tier_of: Vec<Vec<(u8, u8)>>,
    /// `near[hole]`: symmetries that move the hole's square by at most two steps, without the
    /// identity.
    pub(super) near: Vec<Vec<u8>>,
    /// Computed by [`OstleRanking::prepared`].
    lookup: OnceBox<RowLookup>,
}

/// Positions with the same greater and the same smaller number of pieces of a side.
///
/// The halves differ in the number of the mover's pieces.
#[derive(Debug)]
struct OstleTier {
    halves: Vec<OstleTierHalf>,
    len: u64,
}

/// Positions in which the mover has `own` pieces and the opponent `other`.
#[derive(Debug)]
struct OstleTierHalf {
    own: u32,
    other: u32,
    first_rank: u64,
    /// Numbers of ranks by class of the hole.
    len_by_hole: Vec<u64>,
    /// First rank of each row.
    row_starts: Vec<u64>,
    /// `sampled_rows[i]`: row of rank `first_rank + i * SAMPLE_DISTANCE`.
    sampled_rows: Vec<u32>,
    /// Sets of the opponent's pieces on the free squares: the columns of a row.
    columns: Subsets,
    /// `classes[row]`: columns that have a rank. Computed on demand, and only for rows whose set is
    /// symmetric.
    classes: Vec<OnceBox<SymmetryClasses>>,
}

/// Distance of the ranks whose rows are stored.
const SAMPLE_DISTANCE: u64 = 1 << 10;

/// The ranked image of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RankedImage {
    pub(super) tier: u64,
    pub(super) rank: u64,
    /// Symmetry that takes the position to the ranked image.
    pub(super) symmetry: usize,
    /// True if a symmetry other than the identity fixes the ranked image.
    pub(super) is_symmetric: bool,
}

impl OstleRanking {
    #[inline]
    pub(super) fn new(board: &OstleBoard, setup: &OstleSetup) -> Self {
        let near = |square: u8| {
            let image = |symmetry: &u8| board.map_square((*symmetry).into(), square);
            let all = 1..board.symmetries() as u8;
            all.filter(|symmetry| board.distance(square, image(symmetry)) <= 2).collect()
        };
        let mut ranking = Self {
            index: RowIndex::new(board, setup),
            tiers: Vec::new(),
            tier_of: Vec::new(),
            near: (0..board.squares()).map(near).collect(),
            lookup: OnceBox::new(),
        };
        ranking.add_tiers(setup);
        ranking
    }

    /// Adds the tiers, by the number of all pieces, then by the greater number of a side.
    #[inline]
    fn add_tiers(&mut self, setup: &OstleSetup) {
        let (least, most) = (u32::from(setup.lost_at) + 1, u32::from(setup.pieces));
        let mut counts: Vec<(u32, u32)> = (least..=most)
            .flat_map(|more| (least..=more).map(move |fewer| (more, fewer)))
            .collect();
        counts.sort_by_key(|&(more, fewer)| (more + fewer, more));
        self.tier_of = alloc::vec![alloc::vec![(0, 0); most as usize + 1]; most as usize + 1];
        for (more, fewer) in counts {
            let sides = [(more, fewer), (fewer, more)];
            let tier = self.tiers.len() as u8;
            let mut len = 0;
            let mut halves = Vec::new();
            for &(own, other) in &sides[..if more == fewer { 1 } else { 2 }] {
                let half = self.new_half(own, other, len);
                len += half.len_by_hole.iter().sum::<u64>();
                self.tier_of[own as usize][other as usize] = (tier, halves.len() as u8);
                halves.push(half);
            }
            self.tiers.push(OstleTier { halves, len });
        }
    }

    #[inline]
    fn new_half(&self, own: u32, other: u32, first_rank: u64) -> OstleTierHalf {
        let rows = &self.index.rows[own as usize].list;
        let mut half = OstleTierHalf {
            own,
            other,
            first_rank,
            len_by_hole: alloc::vec![0; self.index.holes.classes.len()],
            row_starts: Vec::with_capacity(rows.len()),
            sampled_rows: Vec::new(),
            columns: Subsets::new(self.index.holes.squares - 1 - own, other),
            classes: rows.iter().map(|_| OnceBox::new()).collect(),
        };
        let mut end = first_rank;
        for (number, row) in (0..).zip(rows) {
            let len = self.row_len(row, other);
            half.row_starts.push(end);
            half.len_by_hole[usize::from(row.class)] += len;
            end += len;
            while first_rank + (half.sampled_rows.len() as u64) * SAMPLE_DISTANCE < end {
                half.sampled_rows.push(number);
            }
        }
        half
    }

    /// Number of ranks of a row: sets of `other` opposing pieces, up to the symmetries of the row.
    ///
    /// Burnside's lemma: the mean, over the symmetries, of the number of sets that each one fixes.
    #[inline]
    fn row_len(&self, row: &RankRow, other: u32) -> u64 {
        let taken = self.index.taken(row);
        let free: Vec<u32> = (0..self.index.holes.squares)
            .map(|square| 1 << square)
            .filter(|square| taken & square == 0)
            .collect();
        let fixed = |symmetry: u8| {
            // sets[k]: number of sets of k squares that are unions of cycles.
            let mut sets = alloc::vec![0_u64; other as usize + 1];
            sets[0] = 1;
            for &square in &free {
                let (mut cycle_len, mut least, mut image) = (1, square, square);
                loop {
                    image = self.index.holes.images.get(symmetry.into(), image);
                    if image == square {
                        break;
                    }
                    least = least.min(image);
                    cycle_len += 1;
                }
                if least == square {
                    for k in (cycle_len..sets.len()).rev() {
                        sets[k] += sets[k - cycle_len];
                    }
                }
            }
            sets[other as usize]
        };
        let all = subset_count(free.len() as u32, other);
        let sum: u64 = row.group.iter().map(|&symmetry| fixed(symmetry)).sum();
        (all + sum) / (row.group.len() as u64 + 1)
    }

    #[inline]
    pub(super) fn tiers(&self) -> usize {
        self.tiers.len()
    }

    #[inline]
    pub(super) fn tier_len(&self, tier: u64) -> u64 {
        self.tiers[tier as usize].len
    }

    /// Numbers of pieces of the sides in a tier, the greater first.
    #[inline]
    pub(super) fn counts(&self, tier: u64) -> (u32, u32) {
        let half = &self.tiers[tier as usize].halves[0];
        (half.own, half.other)
    }

    /// The tier in which the mover has `own` pieces and the opponent `other`. Neither may have
    /// lost.
    #[inline]
    pub(super) fn tier(&self, own: u32, other: u32) -> u64 {
        self.tier_of[own as usize][other as usize].0.into()
    }

    /// Numbers of positions up to symmetry with these numbers of pieces, by representative of the
    /// hole's class.
    #[inline]
    pub(super) fn counts_by_hole(&self, own: u32, other: u32) -> Vec<(u8, u64)> {
        let half = self.half_of(own as usize, other as usize);
        let squares = self.index.holes.classes.iter().map(|hole| hole.square);
        squares.zip(half.len_by_hole.iter().copied()).collect()
    }

    /// Computes the table that makes [`OstleRanking::find`] fast, in 0.1 s for the official game.
    #[inline]
    pub(super) fn prepared(&self) -> &Self {
        self.lookup.get_or_init(|| Box::new(RowLookup::new(&self.index)));
        self
    }

    /// Bytes of the rows, without what [`OstleRanking::prepared`] computes.
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        let halves = self.tiers.iter().flat_map(|tier| &tier.halves);
        let of_half = |half: &OstleTierHalf| {
            size_of_val(&*half.row_starts)
                + size_of_val(&*half.classes)
                + size_of_val(&*half.sampled_rows)
        };
        let halves: usize = halves.map(of_half).sum();
        halves as u64 + self.index.bytes()
    }

    #[inline]
    fn half_of(&self, own: usize, other: usize) -> &OstleTierHalf {
        let (tier, half) = self.tier_of[own][other];
        &self.tiers[usize::from(tier)].halves[usize::from(half)]
    }

    /// The ranked image of a position in which neither side has lost.
    #[inline]
    pub(super) fn find(&self, own: u32, other: u32, hole: u8) -> RankedImage {
        match self.row_entry(own, hole) {
            Some((count, entry)) => self.find_in_row(count, entry, other),
            None => self.find_by_images(own, other, hole),
        }
    }

    /// Number of the mover's pieces and their row entry.
    ///
    /// `None` before [`OstleRanking::prepared`], if the table has no entry, or if several
    /// symmetries lead to the row.
    #[inline]
    pub(super) fn row_entry(&self, own: u32, hole: u8) -> Option<(usize, &RowEntry)> {
        let (set, count) = self.index.set_ranks.rank_and_count(own);
        let entry = self.lookup.get()?.get(count, hole, set)?;
        Some((count, entry))
    }

    /// The ranked image of a position whose mover has `count` pieces and this row entry.
    #[inline]
    pub(super) fn find_in_row(&self, count: usize, entry: &RowEntry, other: u32) -> RankedImage {
        let set_ranks = &self.index.set_ranks;
        let (column, others) = set_ranks.rank_and_count(entry.renumber(other));
        RankedImage {
            tier: self.tier_of[count][others].0.into(),
            rank: self.half_of(count, others).row_starts[entry.row as usize] + column,
            symmetry: entry.symmetry.into(),
            is_symmetric: false,
        }
    }

    /// As [`OstleRanking::find`], by comparing all images.
    #[inline]
    fn find_by_images(&self, own: u32, other: u32, hole: u8) -> RankedImage {
        let holes = &self.index.holes;
        let (class, first) = holes.class_of[usize::from(hole)];
        let image = |symmetry: u8, set| holes.images.get(symmetry.into(), set);
        let (first_own, first_other) = (image(first, own), image(first, other));
        let (mut own, mut other, mut symmetry) = (first_own, first_other, first);
        for &then in &holes.classes[usize::from(class)].group {
            let images = (image(then, first_own), image(then, first_other));
            if images < (own, other) {
                (own, other) = images;
                symmetry = holes.composed[usize::from(first)][usize::from(then)];
            }
        }
        let count = own.count_ones() as usize;
        let number = self.index.row_of(class, own) as usize;
        let row = &self.index.rows[count].list[number];
        let half = self.half_of(count, other.count_ones() as usize);
        let taken = self.index.taken(row);
        let mut column = self.index.set_ranks.rank(remove_squares(other, taken));
        let mut is_symmetric = false;
        if !row.group.is_empty() {
            let classes = self.classes(half, number);
            column = classes.rank(column).expect("the least of the images has a rank");
            is_symmetric = row.group.iter().any(|&symmetry| image(symmetry, other) == other);
        }
        RankedImage {
            tier: self.tier(half.own, half.other),
            rank: half.row_starts[number] + column,
            symmetry: symmetry.into(),
            is_symmetric,
        }
    }

    /// The columns of a symmetric row that have a rank.
    #[inline]
    fn classes<'a>(&self, half: &'a OstleTierHalf, number: usize) -> &'a SymmetryClasses {
        half.classes[number].get_or_init(|| {
            let row = &self.index.rows[half.own as usize].list[number];
            let taken = self.index.taken(row);
            let is_least = |column: u64| {
                let other = insert_squares(half.columns.unrank(column) as u32, taken);
                let images = row
                    .group
                    .iter()
                    .map(|&symmetry| self.index.holes.images.get(symmetry.into(), other));
                images.min().is_none_or(|image| image >= other)
            };
            Box::new(SymmetryClasses::new(half.columns.len(), is_least))
        })
    }

    /// The position of a rank, Black to move. It is its own ranked image.
    #[inline]
    pub(super) fn unrank(&self, tier: u64, rank: u64) -> BasePosition {
        let mut halves = self.tiers[tier as usize].halves.iter();
        let half = halves.rfind(|half| half.first_rank <= rank);
        let half = half.expect("a rank of the tier");
        let sample = (rank - half.first_rank) / SAMPLE_DISTANCE;
        let mut number = half.sampled_rows[sample as usize] as usize;
        while half.row_starts.get(number + 1).is_some_and(|&start| start <= rank) {
            number += 1;
        }
        let row = &self.index.rows[half.own as usize].list[number];
        let mut column = rank - half.row_starts[number];
        if !row.group.is_empty() {
            column = self.classes(half, number).unrank(column);
        }
        let other = half.columns.unrank(column) as u32;
        BasePosition {
            own: row.own,
            other: insert_squares(other, self.index.taken(row)),
            hole: self.index.holes.classes[usize::from(row.class)].square,
            white: false,
        }
    }

    /// Returns true if a symmetry other than the identity fixes `base`, which must be a ranked
    /// image.
    #[inline]
    pub(super) fn is_symmetric(&self, base: BasePosition) -> bool {
        let holes = &self.index.holes;
        let (class, _) = holes.class_of[usize::from(base.hole)];
        let fixes = |&symmetry: &u8| {
            let image = |set| holes.images.get(symmetry.into(), set);
            image(base.own) == base.own && image(base.other) == base.other
        };
        holes.classes[usize::from(class)].group.iter().any(fixes)
    }
}

#[cfg(test)]
mod tests {
    use super::OstleRanking;
    use crate::ostle::{OstleBoard, OstleSetup};

    #[test]
    fn row_lookup_agrees_with_all_images() {
        for (size, pieces) in [(3, 3), (4, 3), (5, 2)] {
            let board = OstleBoard::new(size);
            let ranking = OstleRanking::new(&board, &OstleSetup::new(size, pieces, 0));
            let prepared = OstleRanking::new(&board, &OstleSetup::new(size, pieces, 0));
            prepared.prepared();
            for tier in 0..ranking.tiers() as u64 {
                let len = ranking.tier_len(tier);
                for rank in (0..len).step_by((len / 2000).max(1) as usize) {
                    let base = ranking.unrank(tier, rank);
                    for symmetry in 0..board.symmetries() {
                        let image = board.map_base(symmetry, base);
                        let found = prepared.find(image.own, image.other, image.hole);
                        assert_eq!((found.tier, found.rank), (tier, rank));
                        let by_images = ranking.find(image.own, image.other, image.hole);
                        assert_eq!(found, by_images);
                        let ranked = board.map_base(found.symmetry, image);
                        assert_eq!(ranked, base);
                    }
                }
            }
        }
    }
}
