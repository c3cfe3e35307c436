use alloc::vec::Vec;

use hindsight_combinatorics::{subsets, unrank_subset};

use super::ranking::OstleRanking;
use super::rows::{NONE, remove_squares};

/// For every hole and every set of the mover's pieces the row they have.
#[derive(Debug)]
pub(super) struct RowLookup {
    /// By number of pieces.
    lists: Vec<RowEntries>,
}

/// The seats of a number of pieces.
#[derive(Debug)]
struct RowEntries {
    sets: u64,
    /// At `hole * sets + rank of the set`; empty where there would be too many.
    seats: Vec<RowEntry>,
}

/// The row of some pieces of the mover, and how squares are counted there.
#[derive(Clone, Debug)]
pub(super) struct RowEntry {
    /// Which free square of the row each free square is.
    counted: [u8; 25],
    /// The symmetry that takes them there.
    pub(super) symmetry: u8,
    /// [`NONE`] where several symmetries do.
    pub(super) row: u32,
}

impl RowEntry {
    /// The other's pieces, counted on the free squares of the row.
    #[inline]
    pub(super) fn counted(&self, other: u32) -> u32 {
        let (mut rest, mut out) = (other, 0);
        while rest != 0 {
            out |= 1 << (self.counted[rest.trailing_zeros() as usize] & 31);
            rest &= rest - 1;
        }
        out
    }
}

impl RowLookup {
    /// Seats of a number of pieces, at most: 64 MiB.
    const MOST: u64 = 1 << 21;

    #[inline]
    pub(super) fn new(ranks: &OstleRanking) -> Self {
        let squares = ranks.squares;
        let list = |own: usize| {
            let sets = subsets(squares, own as u32);
            let holes = if sets * u64::from(squares) > Self::MOST {
                0..0
            } else {
                0..squares as u8
            };
            let pairs = holes.flat_map(|hole| (0..sets).map(move |set| (hole, set)));
            let set = |set| unrank_subset(set, own as u32) as u32;
            let seats = pairs.map(|(hole, rank)| seat(ranks, set(rank), hole));
            RowEntries {
                sets,
                seats: seats.collect(),
            }
        };
        Self {
            lists: (0..ranks.rows.len()).map(list).collect(),
        }
    }

    /// The seat of a set of so many pieces, if only one symmetry leads to its row.
    #[inline]
    pub(super) fn of(&self, count: usize, hole: u8, set: u64) -> Option<&RowEntry> {
        let RowEntries { sets, seats } = &self.lists[count];
        let seat = seats.get((u64::from(hole) * sets + set) as usize)?;
        (seat.row != NONE).then_some(seat)
    }
}

#[inline]
fn seat(ranks: &OstleRanking, own: u32, hole: u8) -> RowEntry {
    let mut seat = RowEntry {
        counted: [0; 25],
        symmetry: 0,
        row: NONE,
    };
    if own >> hole & 1 == 1 {
        return seat;
    }
    let (class, first) = ranks.class_of[usize::from(hole)];
    let at = &ranks.holes[usize::from(class)];
    let all = || {
        let more = at.group.iter();
        let more = more.map(|&more| ranks.composed[usize::from(first)][usize::from(more)]);
        more.chain([first])
            .map(|symmetry| (ranks.images.of(symmetry.into(), own), symmetry))
    };
    let (least, symmetry) = all().min().expect("there is one");
    if all().filter(|&(image, _)| image == least).count() > 1 {
        return seat;
    }
    seat.symmetry = symmetry;
    seat.row = ranks.row_of(class, least);
    let taken = own | 1 << hole;
    let taken_there = least | 1 << at.square;
    for square in (0..ranks.squares).filter(|square| taken >> square & 1 == 0) {
        let there = ranks.images.of(symmetry.into(), 1 << square);
        seat.counted[square as usize] = remove_squares(there, taken_there).trailing_zeros() as u8;
    }
    seat
}
