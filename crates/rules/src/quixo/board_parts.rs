//! A square board in two parts that its symmetries keep apart.

use alloc::vec::Vec;
use core::array::from_fn;
use core::iter::successors;

use hindsight_core::Grid;

/// Symmetries of a square.
pub(super) const SYMMETRIES: u8 = 8;
/// Squares of the low half of a board, which one lookup splits.
const LOW_SQUARES: u32 = 13;

/// The squares of a board: the anchor, whose marks choose a symmetry, and the rest.
#[derive(Clone, Debug)]
pub(super) struct BoardParts {
    pub(super) anchor: BoardPart,
    pub(super) rest: BoardPart,
    /// The sets in the parts of each set of the low squares and of the others.
    splits: [Vec<PartSets>; 2],
}

/// Squares of a set in either part. Bit `s` is square `s` of the part.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct PartSets {
    pub(super) anchor: u16,
    pub(super) rest: u16,
}

/// Squares that the symmetries map to each other.
#[derive(Clone, Debug)]
pub(super) struct BoardPart {
    pub(super) squares: u32,
    /// Squares on the board of each set of the part.
    board_sets: Vec<u32>,
    /// `[symmetry][set]` is the sum of `3^s` over the squares `s` of the set's image.
    ternary: [Vec<u32>; SYMMETRIES as usize],
}

impl BoardParts {
    /// Splits a board of `size` x `size`, 3 to 5. The anchor has at most 13 squares, but is large:
    /// few of the ways to mark it are equal to one of their images.
    pub(super) fn new(size: u8) -> Self {
        let grid = Grid::new(size, size);
        let is_anchor = |square: u8| {
            let from_rim = |i: u8| i.min(size - 1 - i);
            let [row, column] = [square / size, square % size].map(from_rim);
            match size {
                3 => true,
                4 => row.min(column) == 0,
                _ => row == column || row.min(column) > 0,
            }
        };
        let (anchor, rest) = (0..grid.squares()).partition::<Vec<u8>, _>(|&s| is_anchor(s));
        let squares = u32::from(grid.squares());
        let low = squares.min(LOW_SQUARES);
        let split =
            |set: u32| PartSets { anchor: part_set(&anchor, set), rest: part_set(&rest, set) };
        Self {
            splits: [
                (0..1 << low).map(split).collect(),
                (0..1 << (squares - low)).map(|set| split(set << low)).collect(),
            ],
            anchor: BoardPart::new(grid, &anchor),
            rest: BoardPart::new(grid, &rest),
        }
    }

    /// Splits a set of squares of the board.
    #[inline]
    pub(super) fn split(&self, set: u32) -> PartSets {
        let low = self.splits[0][(set & ((1 << LOW_SQUARES) - 1)) as usize];
        let high = self.splits[1][(set >> LOW_SQUARES) as usize];
        PartSets { anchor: low.anchor | high.anchor, rest: low.rest | high.rest }
    }
}

impl BoardPart {
    fn new(grid: Grid, squares: &[u8]) -> Self {
        let on_board = |set: u32| {
            let of_part = (0..).zip(squares).filter(|(s, _)| set >> s & 1 != 0);
            of_part.fold(0_u32, |all, (_, &square)| all | 1 << square)
        };
        let board_sets: Vec<u32> = (0..1 << squares.len()).map(on_board).collect();
        let ternary = from_fn(|symmetry| {
            let image = |&set: &u32| grid.image(set.into(), symmetry as u8) as u32;
            let images = board_sets.iter().map(image);
            images.map(|set| ternary(part_set(squares, set))).collect()
        });
        Self { squares: squares.len() as u32, board_sets, ternary }
    }

    /// Squares of the board of a set of this part.
    #[inline]
    pub(super) fn on_board(&self, set: u16) -> u32 {
        self.board_sets[usize::from(set)]
    }

    /// Number of ways to mark the part.
    pub(super) fn ways(&self) -> usize {
        3_usize.pow(self.squares)
    }

    /// Every way to mark the part, as `[own, other]` marks.
    pub(super) fn every_way(&self) -> impl Iterator<Item = [u16; 2]> {
        let all = (self.board_sets.len() - 1) as u16;
        (0..=all).flat_map(move |own| subsets(all & !own).map(move |other| [own, other]))
    }

    /// Index of the image of a way to mark the part, below [`BoardPart::ways`].
    #[inline]
    pub(super) fn index(&self, symmetry: u8, [own, other]: [u16; 2]) -> usize {
        let ternary = &self.ternary[usize::from(symmetry)];
        (ternary[usize::from(own)] + 2 * ternary[usize::from(other)]) as usize
    }
}

/// The squares of a part that are in a set of the board.
fn part_set(part: &[u8], set: u32) -> u16 {
    let of_part = part.iter().map(|square| (set >> square & 1) as u16);
    (0..).zip(of_part).fold(0, |all, (s, bit)| all | bit << s)
}

/// Every subset of a set, ascending.
fn subsets(set: u16) -> impl Iterator<Item = u16> {
    let next = move |&subset: &u16| Some(subset.wrapping_sub(set) & set).filter(|&next| next != 0);
    successors(Some(0), next)
}

fn ternary(set: u16) -> u32 {
    (0..16).filter(|s| set >> s & 1 != 0).map(|s| 3_u32.pow(s)).sum()
}
