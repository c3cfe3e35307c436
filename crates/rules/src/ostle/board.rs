use super::{BasePosition, OstleMove};

/// A square board without pieces: its steps and its eight symmetries.
///
/// Symmetries are numbered as in Algorithm 2 of H. Takizawa (2023): bit 0 exchanges left and right, bit
/// 1 up and down, and bit 2 then files and ranks. So 0 changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OstleBoard {
    size: u8,
    /// The squares from which a step up, down, left or right leaves the board.
    edges: [u32; 4],
    /// The squares whose file is 0, 1, .. further than their rank.
    diagonals: [u32; 5],
    /// By direction and square the square one step further, or [`OFF`].
    next: [[u8; 32]; 4],
}

/// No square: what lies beyond the edge.
pub(super) const OFF: u8 = 31;

const UP: usize = 0;
const DOWN: usize = 1;
const LEFT: usize = 2;
const RIGHT: usize = 3;

/// The direction back.
#[inline]
pub(super) fn opposite(direction: u8) -> u8 {
    direction ^ 1
}

/// The squares of a set, ascending.
#[inline]
pub(super) fn squares(mut mask: u32) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let square = mask.trailing_zeros() as u8;
        mask &= mask.checked_sub(1)?;
        Some(square)
    })
}

impl OstleBoard {
    /// A board of 3 to 5 squares in a row.
    ///
    /// # Panics
    /// On any other size.
    #[must_use]
    #[inline]
    pub fn new(size: u8) -> Self {
        assert!((3..=5).contains(&size), "a board is 3x3, 4x4 or 5x5");
        let squares = |which: &dyn Fn(u8, u8) -> bool| -> u32 {
            let all = 0..size * size;
            all.filter(|square| which(square / size, square % size))
                .map(|square| 1 << square)
                .sum()
        };
        let mut edges = [0; 4];
        edges[UP] = squares(&|_, rank| rank + 1 == size);
        edges[DOWN] = squares(&|_, rank| rank == 0);
        edges[LEFT] = squares(&|file, _| file == 0);
        edges[RIGHT] = squares(&|file, _| file + 1 == size);
        let mut board = Self {
            size,
            edges,
            diagonals: [0, 1, 2, 3, 4].map(|by| squares(&|file, rank| file == rank + by)),
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

    /// How many squares there are.
    #[must_use]
    #[inline]
    pub fn squares(&self) -> u8 {
        self.size * self.size
    }

    /// The squares that are not at the edge.
    #[inline]
    pub(super) fn inside(&self) -> u32 {
        let edges = self.edges.iter().fold(0, |all, edge| all | edge);
        ((1 << self.squares()) - 1) & !edges
    }

    /// The square one step further, if the board does not end before it.
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

    /// The last piece of the row that begins on a square, and the square behind it or [`OFF`].
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

    /// How many steps lead from one square to another.
    #[inline]
    pub(super) fn distance(&self, a: u8, b: u8) -> u8 {
        (a / self.size).abs_diff(b / self.size) + (a % self.size).abs_diff(b % self.size)
    }

    /// A set of squares one step further, without those that leave the board.
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

    /// How many symmetries there are: 8.
    #[must_use]
    #[inline]
    pub fn symmetries(&self) -> usize {
        8
    }

    /// The symmetry that takes another back.
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
            // Up and right change places, down and left do.
            direction = 3 - direction;
        }
        OstleMove::new(self.map_square(symmetry, mv.square()), direction)
    }

    /// The image of pieces and hole; the side to move is the same.
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

    /// The lines of a set in reverse order; `line` is the first, `step` the way to the next.
    #[inline]
    fn reversed(&self, mask: u32, line: u32, step: u8) -> u32 {
        let last = self.size - 1;
        (0..self.size).fold(0, |image, i| {
            image | (mask >> (i * step) & line) << ((last - i) * step)
        })
    }

    /// Files and ranks exchanged: every diagonal changes places with the one across.
    #[inline]
    fn transposed(&self, mask: u32) -> u32 {
        (1..self.size).fold(mask & self.diagonals[0], |image, i| {
            let diagonal = self.diagonals[usize::from(i)];
            let across = i * (self.size - 1);
            image | (mask & diagonal) >> across | mask << across & diagonal
        })
    }
}
