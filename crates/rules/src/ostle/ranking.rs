use alloc::boxed::Box;
use alloc::vec::Vec;

use hindsight_combinatorics::{ByteRanks, Classes, Subsets, subsets};
use once_cell::race::OnceBox;

use super::images::SquareSetImages;
use super::row_lookup::{RowEntry, RowLookup};
use super::rows::{HoleClass, Row, Rows, insert_squares, remove_squares};
use super::{BasePosition, OstleBoard, OstleSetup};

/// A dense numbering of positions up to the eight symmetries, as seen by the side to move.
///
/// The hole goes to one of the squares of a triangle (six on 5x5), one for each class of squares. The
/// mover's pieces go to the least of their images under the symmetries that leave that hole where it
/// is; each such set has a row of ranks. A row has a rank for each set of the other's pieces on what is
/// free; where the mover's pieces are symmetric, only for the least of its images.
#[derive(Debug)]
pub(super) struct OstleRanking {
    pub(super) images: SquareSetImages,
    pub(super) squares: u32,
    /// The class of each square, and the symmetry that takes it to the class's own square.
    pub(super) class_of: Vec<(u8, u8)>,
    pub(super) holes: Vec<HoleClass>,
    /// By the number of the mover's pieces.
    pub(super) rows: Vec<Rows>,
    tiers: Vec<OstleTier>,
    /// `tier_of[own][other]`: tier and half.
    tier_of: Vec<Vec<(u8, u8)>>,
    /// One symmetry after another: `composed[first][then]`.
    pub(super) composed: [[u8; 8]; 8],
    pub(super) of_sets: ByteRanks,
    /// By square of the hole: the symmetries, without the one that changes nothing, that leave it within
    /// two steps.
    pub(super) near: Vec<Vec<u8>>,
    /// Made when ranks are first looked up in bulk.
    seats: OnceBox<RowLookup>,
}

/// The positions with two numbers of pieces, whoever has more: halves by the number of the mover.
#[derive(Debug)]
struct OstleTier {
    halves: Vec<OstleTierHalf>,
    len: u64,
}

/// The positions in which the mover has `own` pieces and the other `other`.
#[derive(Debug)]
struct OstleTierHalf {
    own: u32,
    other: u32,
    begin: u64,
    /// By class of the hole.
    lens: Vec<u64>,
    /// The first rank of each row.
    begins: Vec<u64>,
    /// The row of every [`STEP`]th rank.
    row_at: Vec<u32>,
    columns: Subsets,
    /// For each row which of the other's sets have a rank, if its own set is symmetric.
    classes: Vec<OnceBox<Classes>>,
}

/// Ranks between two whose rows are listed.
const STEP: u64 = 1 << 10;

/// Where a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RankedImage {
    pub(super) tier: u64,
    pub(super) rank: u64,
    /// The symmetry that takes the position to the ranked one.
    pub(super) symmetry: usize,
    /// Whether the ranked position is its own image under a symmetry.
    pub(super) symmetric: bool,
}

impl OstleRanking {
    #[inline]
    pub(super) fn new(board: &OstleBoard, setup: &OstleSetup) -> Self {
        let images = SquareSetImages::new(board);
        let squares = u32::from(board.squares());
        let mut class_of = Vec::new();
        let mut holes: Vec<HoleClass> = Vec::new();
        for square in 0..board.squares() {
            let to = |symmetry: usize| board.map_square(symmetry, square);
            let all = || 0..board.symmetries();
            let found = holes.iter().enumerate().find_map(|(class, hole)| {
                let symmetry = all().find(|&symmetry| to(symmetry) == hole.square)?;
                Some((class as u8, symmetry as u8))
            });
            class_of.push(found.unwrap_or_else(|| {
                let group = all().skip(1).filter(|&symmetry| to(symmetry) == square);
                holes.push(HoleClass {
                    square,
                    group: group.map(|symmetry| symmetry as u8).collect(),
                });
                (holes.len() as u8 - 1, 0)
            }));
        }
        // The images of two neighbours in a corner tell a symmetry.
        let both = |symmetry, [a, b]: [u32; 2]| [images.of(symmetry, a), images.of(symmetry, b)];
        let compose = |first: usize, then: usize| {
            let wanted = both(then, both(first, [1, 2]));
            let found = (0..board.symmetries()).find(|&symmetry| both(symmetry, [1, 2]) == wanted);
            found.expect("symmetries are a group") as u8
        };
        let composed =
            core::array::from_fn(|first| core::array::from_fn(|then| compose(first, then)));
        let near = |square: u8| {
            let image = |symmetry: &u8| board.map_square((*symmetry).into(), square);
            let all = 1..board.symmetries() as u8;
            all.filter(|symmetry| board.distance(square, image(symmetry)) <= 2)
                .collect()
        };
        let mut ranks = Self {
            near: (0..board.squares()).map(near).collect(),
            of_sets: ByteRanks::new(setup.pieces),
            composed,
            images,
            squares,
            class_of,
            holes,
            rows: Vec::new(),
            tiers: Vec::new(),
            tier_of: Vec::new(),
            seats: OnceBox::new(),
        };
        for own in 0..=u32::from(setup.pieces) {
            let rows = Rows::new(&ranks, own);
            ranks.rows.push(rows);
        }
        ranks.add_tiers(setup);
        ranks
    }

    /// Tiers by the number of all pieces, then by the greater number of a side.
    #[inline]
    fn add_tiers(&mut self, setup: &OstleSetup) {
        let (least, most) = (u32::from(setup.lost_at) + 1, u32::from(setup.pieces));
        let mut pairs: Vec<(u32, u32)> = (least..=most)
            .flat_map(|i| (least..=i).map(move |j| (i, j)))
            .collect();
        pairs.sort_by_key(|&(i, j)| (i + j, i));
        self.tier_of = alloc::vec![alloc::vec![(0, 0); most as usize + 1]; most as usize + 1];
        for (i, j) in pairs {
            let sides = [(i, j), (j, i)];
            let tier = self.tiers.len() as u8;
            let mut len = 0;
            let mut halves = Vec::new();
            for &(own, other) in &sides[..if i == j { 1 } else { 2 }] {
                let half = self.half(own, other, len);
                len += half.lens.iter().sum::<u64>();
                self.tier_of[own as usize][other as usize] = (tier, halves.len() as u8);
                halves.push(half);
            }
            self.tiers.push(OstleTier { halves, len });
        }
    }

    #[inline]
    fn half(&self, own: u32, other: u32, begin: u64) -> OstleTierHalf {
        let rows = &self.rows[own as usize].list;
        let mut half = OstleTierHalf {
            own,
            other,
            begin,
            lens: alloc::vec![0; self.holes.len()],
            begins: Vec::with_capacity(rows.len()),
            row_at: Vec::new(),
            columns: Subsets::new(self.squares - 1 - own, other),
            classes: rows.iter().map(|_| OnceBox::new()).collect(),
        };
        let mut end = begin;
        for (number, row) in (0..).zip(rows) {
            let len = self.row_len(row, other);
            half.begins.push(end);
            half.lens[usize::from(row.class)] += len;
            end += len;
            while begin + (half.row_at.len() as u64) * STEP < end {
                half.row_at.push(number);
            }
        }
        half
    }

    /// The number of sets of the other's pieces up to the symmetries of a row: the mean of how many each
    /// leaves as they are (Burnside's lemma).
    #[inline]
    fn row_len(&self, row: &Row, other: u32) -> u64 {
        let taken = self.taken(row);
        let free: Vec<u32> = (0..self.squares)
            .map(|square| 1 << square)
            .filter(|square| taken & square == 0)
            .collect();
        let fixed = |symmetry: u8| {
            // sets[k]: how many sets of k squares are unions of cycles.
            let mut sets = alloc::vec![0_u64; other as usize + 1];
            sets[0] = 1;
            for &square in &free {
                let (mut cycle, mut least, mut at) = (1, square, square);
                loop {
                    at = self.images.of(symmetry.into(), at);
                    if at == square {
                        break;
                    }
                    least = least.min(at);
                    cycle += 1;
                }
                if least == square {
                    for k in (cycle..sets.len()).rev() {
                        sets[k] += sets[k - cycle];
                    }
                }
            }
            sets[other as usize]
        };
        let all = subsets(free.len() as u32, other);
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

    /// The numbers of pieces in a tier, the greater first.
    #[inline]
    pub(super) fn counts(&self, tier: u64) -> (u32, u32) {
        let half = &self.tiers[tier as usize].halves[0];
        (half.own, half.other)
    }

    /// The tier with these numbers of pieces of the mover and the other. Neither may have lost.
    #[inline]
    pub(super) fn tier(&self, own: u32, other: u32) -> u64 {
        self.tier_of[own as usize][other as usize].0.into()
    }

    /// Positions up to symmetry in which the mover has `own` pieces, by the square that stands for the
    /// hole's class.
    #[inline]
    pub(super) fn counts_by_hole(&self, own: u32, other: u32) -> Vec<(u8, u64)> {
        let half = self.half_of(own as usize, other as usize);
        let squares = self.holes.iter().map(|hole| hole.square);
        squares.zip(half.lens.iter().copied()).collect()
    }

    /// Makes what [`Ranks::find`] is fast with: a tenth of a second for the official game.
    #[inline]
    pub(super) fn prepared(&self) -> &Self {
        self.seats.get_or_init(|| Box::new(RowLookup::new(self)));
        self
    }

    #[inline]
    fn half_of(&self, own: usize, other: usize) -> &OstleTierHalf {
        let (tier, half) = self.tier_of[own][other];
        &self.tiers[usize::from(tier)].halves[usize::from(half)]
    }

    /// The place of a position in which neither side has lost.
    #[inline]
    pub(super) fn find(&self, own: u32, other: u32, hole: u8) -> RankedImage {
        match self.seat(own, hole) {
            Some(seat) => self.find_at(seat, other),
            None => self.find_slowly(own, other, hole),
        }
    }

    /// Where the mover's pieces sit, with how many there are, if one symmetry alone leads there and seats
    /// are prepared.
    #[inline]
    pub(super) fn seat(&self, own: u32, hole: u8) -> Option<(usize, &RowEntry)> {
        let (set, count) = self.of_sets.rank_and_squares(own);
        let seat = self.seats.get()?.of(count, hole, set)?;
        Some((count, seat))
    }

    /// The place of a position whose mover sits there.
    #[inline]
    pub(super) fn find_at(&self, (count, seat): (usize, &RowEntry), other: u32) -> RankedImage {
        let (column, others) = self.of_sets.rank_and_squares(seat.counted(other));
        RankedImage {
            tier: self.tier_of[count][others].0.into(),
            rank: self.half_of(count, others).begins[seat.row as usize] + column,
            symmetry: seat.symmetry.into(),
            symmetric: false,
        }
    }

    /// As [`Ranks::find`], by looking at all images.
    #[inline]
    fn find_slowly(&self, own: u32, other: u32, hole: u8) -> RankedImage {
        let (class, first) = self.class_of[usize::from(hole)];
        let image = |symmetry: u8, set| self.images.of(symmetry.into(), set);
        let (first_own, first_other) = (image(first, own), image(first, other));
        let (mut own, mut other, mut found) = (first_own, first_other, first);
        for &more in &self.holes[usize::from(class)].group {
            let images = (image(more, first_own), image(more, first_other));
            if images < (own, other) {
                (own, other) = images;
                found = self.composed[usize::from(first)][usize::from(more)];
            }
        }
        let count = own.count_ones() as usize;
        let number = self.row_of(class, own) as usize;
        let row = &self.rows[count].list[number];
        let half = self.half_of(count, other.count_ones() as usize);
        let mut column = self.of_sets.rank(remove_squares(other, self.taken(row)));
        let mut symmetric = false;
        if !row.group.is_empty() {
            let classes = self.classes(half, number);
            column = classes
                .rank(column)
                .expect("the least of the images has a rank");
            symmetric = row
                .group
                .iter()
                .any(|&symmetry| image(symmetry, other) == other);
        }
        RankedImage {
            tier: self.tier(half.own, half.other),
            rank: half.begins[number] + column,
            symmetry: found.into(),
            symmetric,
        }
    }

    /// The row of the least of the images of the mover's pieces.
    #[inline]
    pub(super) fn row_of(&self, class: u8, own: u32) -> u32 {
        let below = (1 << self.holes[usize::from(class)].square) - 1;
        let set = self.of_sets.rank(own & below | own >> 1 & !below);
        self.rows[own.count_ones() as usize].row_of[usize::from(class)][set as usize]
    }

    /// The squares that the other's pieces cannot have.
    #[inline]
    fn taken(&self, row: &Row) -> u32 {
        row.own | 1 << self.holes[usize::from(row.class)].square
    }

    /// The sets of the other's pieces that have a rank in a symmetric row.
    #[inline]
    fn classes<'a>(&self, half: &'a OstleTierHalf, number: usize) -> &'a Classes {
        half.classes[number].get_or_init(|| {
            let row = &self.rows[half.own as usize].list[number];
            let least = |column: u64| {
                let other = insert_squares(half.columns.unrank(column) as u32, self.taken(row));
                let images = row
                    .group
                    .iter()
                    .map(|&symmetry| self.images.of(symmetry.into(), other));
                images.min().is_none_or(|image| image >= other)
            };
            Box::new(Classes::new(half.columns.len(), least))
        })
    }

    /// The ranked position of a rank, Black to move.
    #[inline]
    pub(super) fn unrank(&self, tier: u64, rank: u64) -> BasePosition {
        let mut halves = self.tiers[tier as usize].halves.iter();
        let half = halves.rfind(|half| half.begin <= rank);
        let half = half.expect("a rank of the tier");
        let mut number = half.row_at[((rank - half.begin) / STEP) as usize] as usize;
        while half
            .begins
            .get(number + 1)
            .is_some_and(|&begin| begin <= rank)
        {
            number += 1;
        }
        let row = &self.rows[half.own as usize].list[number];
        let mut column = rank - half.begins[number];
        if !row.group.is_empty() {
            column = self.classes(half, number).unrank(column);
        }
        BasePosition {
            own: row.own,
            other: insert_squares(half.columns.unrank(column) as u32, self.taken(row)),
            hole: self.holes[usize::from(row.class)].square,
            white: false,
        }
    }

    /// Whether a ranked position is its own image under a symmetry.
    #[inline]
    pub(super) fn is_symmetric(&self, base: BasePosition) -> bool {
        let (class, _) = self.class_of[usize::from(base.hole)];
        let same = |&symmetry: &u8| {
            let of = |set| self.images.of(symmetry.into(), set);
            of(base.own) == base.own && of(base.other) == base.other
        };
        self.holes[usize::from(class)].group.iter().any(same)
    }
}

#[cfg(test)]
mod tests {
    use super::OstleRanking;
    use crate::ostle::{OstleBoard, OstleSetup};

    #[test]
    fn seats_say_what_all_images_say() {
        for (size, pieces) in [(3, 3), (4, 3), (5, 2)] {
            let board = OstleBoard::new(size);
            let ranks = OstleRanking::new(&board, &OstleSetup::new(size, pieces, 0));
            let prepared = OstleRanking::new(&board, &OstleSetup::new(size, pieces, 0));
            prepared.prepared();
            for tier in 0..ranks.tiers() as u64 {
                let len = ranks.tier_len(tier);
                for rank in (0..len).step_by((len / 2000).max(1) as usize) {
                    let base = ranks.unrank(tier, rank);
                    for symmetry in 0..board.symmetries() {
                        let image = board.map_base(symmetry, base);
                        let found = prepared.find(image.own, image.other, image.hole);
                        assert_eq!((found.tier, found.rank), (tier, rank));
                        let slowly = ranks.find(image.own, image.other, image.hole);
                        assert_eq!(found, slowly);
                        let there = board.map_base(found.symmetry, image);
                        assert_eq!(there, base);
                    }
                }
            }
        }
    }
}
