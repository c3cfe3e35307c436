use hindsight_core::combinatorics::SetBits;

use super::{BasePosition, OstleMove};

/// A square board without pieces: its steps and its eight symmetries.
///
/// Symmetries are numbered as in Algorithm 2 of H. Takizawa (2023), 0 being the identity:
///
/// - Bit 0 exchanges left and right.
/// - Bit 1 exchanges up and down.
/// - Bit 2 exchanges files and ranks, after the other two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OstleBoard {
    size: u8,
    /// `edges[direction]`: squares from which a step leaves the board.
    edges: [u32; 4],
    /// `diagonals[d]`: squares with `file - rank = d`.
    diagonals: [u32; 5],
    /// `next[direction][square]`: the square one step further, or [`OFF`].
    next: [[u8; 32]; 4],
}

/// Stands for a square off the board.
pub(super) const OFF: u8 = 31;

const UP: usize = 0;
const DOWN: usize = 1;
const LEFT: usize = 2;
const RIGHT: usize = 3;

#[inline]
pub(super) fn opposite(direction: u8) -> u8 {
    direction ^ 1
}

/// Squares of a set, ascending.
#[inline]
pub(super) fn squares(set: u32) -> SetBits<u64> {
    SetBits(set.into())
}

impl OstleBoard {
    /// Creates a board of `size` x `size` squares.
    ///
    /// # Panics
    /// If `size` is not 3, 4 or 5.
    #[must_use]
    #[inline]
    pub fn new(size: u8) -> Self {
        assert!((3..=5).contains(&size), "a board is 3x3, 4x4 or 5x5");
        let squares_where = |contains: &dyn Fn(u8, u8) -> bool| -> u32 {
            let all = 0..size * size;
            all.filter(|square| contains(square / size, square % size))
                .map(|square| 1 << square)
                .sum()
        };
        let mut edges = [0; 4];
        edges[UP] = squares_where(&|_, rank| rank + 1 == size);
        edges[DOWN] = squares_where(&|_, rank| rank == 0);
        edges[LEFT] = squares_where(&|file, _| file == 0);
        edges[RIGHT] = squares_where(&|file, _| file + 1 == size);
        let mut board = Self {
            size,
            edges,
            diagonals: [0, 1, 2, 3, 4].map(|by| squares_where(&|file, rank| file == rank + by)),
            next: [[OFF; 32]; 4],
        };
        for direction in 0..4 {
            for square in 0..size * size {
                let further = board.step(square, direction).unwrap_or(OFF);
                board.next[usize::from(direction)][usize::from(square)] = further;
            }
        }
        board
    }

    /// Squares in a row and in a file.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Number of squares.
    #[must_use]
    #[inline]
    pub fn squares(&self) -> u8 {
        self.size * self.size
    }

    /// Squares that are not at the edge.
    #[inline]
    pub(super) fn inside(&self) -> u32 {
        let edges = self.edges.iter().fold(0, |all, edge| all | edge);
        ((1 << self.squares()) - 1) & !edges
    }

    /// The square one step further; `None` off the board.
    #[inline]
    #[must_use]
    pub fn step(&self, square: u8, direction: u8) -> Option<u8> {
        match self.shifted(1 << square, direction) {
            0 => None,
            mask => Some(mask.trailing_zeros() as u8),
        }
    }

    /// The square one step further, or [`OFF`].
    #[inline]
    pub(super) fn next(&self, square: u8, direction: u8) -> u8 {
        self.next[usize::from(direction & 3)][usize::from(square & 31)]
    }

    /// Last piece of the line that begins on a square, and the square beyond it or [`OFF`].
    #[inline]
    pub(super) fn line_end(&self, pieces: u32, square: u8, direction: u8) -> (u8, u8) {
        let mut last = square;
        loop {
            let next = self.next(last, direction);
            if pieces >> next & 1 == 0 {
                return (last, next);
            }
            last = next;
        }
    }

    /// Number of steps from one square to another.
    #[inline]
    pub(super) fn distance(&self, a: u8, b: u8) -> u8 {
        (a / self.size).abs_diff(b / self.size) + (a % self.size).abs_diff(b % self.size)
    }

    /// A set of squares shifted one step; squares that leave the board are dropped.
    #[inline]
    #[must_use]
    pub fn shifted(&self, mask: u32, direction: u8) -> u32 {
        let direction = usize::from(direction);
        let staying = mask & !self.edges[direction];
        match direction {
            UP => staying << 1,
            DOWN => staying >> 1,
            LEFT => staying >> self.size,
            _ => staying << self.size,
        }
    }

    /// Number of symmetries: 8.
    #[must_use]
    #[inline]
    pub fn symmetries(&self) -> usize {
        8
    }

    /// The inverse of a symmetry.
    #[must_use]
    #[inline]
    pub fn inverse(symmetry: usize) -> usize {
        match symmetry {
            5 => 6,
            6 => 5,
            own => own,
        }
    }

    /// The image of a set of squares.
    #[inline]
    #[must_use]
    pub fn map_squares(&self, symmetry: usize, mask: u32) -> u32 {
        let mut mask = mask;
        if symmetry & 1 != 0 {
            mask = self.reversed(mask, self.edges[LEFT], self.size);
        }
        if symmetry & 2 != 0 {
            mask = self.reversed(mask, self.edges[DOWN], 1);
        }
        if symmetry & 4 != 0 {
            mask = self.transposed(mask);
        }
        mask
    }

    /// The image of a square.
    #[inline]
    #[must_use]
    pub fn map_square(&self, symmetry: usize, square: u8) -> u8 {
        let last = self.size - 1;
        let (mut file, mut rank) = (square / self.size, square % self.size);
        if symmetry & 1 != 0 {
            file = last - file;
        }
        if symmetry & 2 != 0 {
            rank = last - rank;
        }
        if symmetry & 4 != 0 {
            (file, rank) = (rank, file);
        }
        file * self.size + rank
    }

    /// The image of a move.
    #[inline]
    #[must_use]
    pub fn map_move(&self, symmetry: usize, mv: OstleMove) -> OstleMove {
        let mut direction = mv.direction();
        let along_files = direction < 2;
        if symmetry & (if along_files { 2 } else { 1 }) != 0 {
            direction = opposite(direction);
        }
        if symmetry & 4 != 0 {
            // Up and right change places, down and left too.
            direction = 3 - direction;
        }
        OstleMove::new(self.map_square(symmetry, mv.square()), direction)
    }

    /// The image of pieces and hole. The side to move stays the same.
    #[inline]
    #[must_use]
    pub fn map_base(&self, symmetry: usize, base: BasePosition) -> BasePosition {
        BasePosition {
            own: self.map_squares(symmetry, base.own),
            other: self.map_squares(symmetry, base.other),
            hole: self.map_square(symmetry, base.hole),
            white: base.white,
        }
    }

    /// A set with its files or ranks in reverse order. `line` is the first file or rank, `step` the
    /// shift to the next.
    #[inline]
    fn reversed(&self, mask: u32, line: u32, step: u8) -> u32 {
        let last = self.size - 1;
        (0..self.size)
            .fold(0, |image, i| image | (mask >> (i * step) & line) << ((last - i) * step))
    }

    /// A set with files and ranks exchanged: each diagonal changes places with its mirror image.
    #[inline]
    fn transposed(&self, mask: u32) -> u32 {
        (1..self.size).fold(mask & self.diagonals[0], |image, i| {
            let diagonal = self.diagonals[usize::from(i)];
            let across = i * (self.size - 1);
            image | (mask & diagonal) >> across | mask << across & diagonal
        })
    }
}
