//! Lines and pushes of a board of cubes, on sets of squares.

use alloc::vec::Vec;

/// Lines and pushes of a board.
#[derive(Clone, Debug)]
pub(super) struct Cubes {
    size: u8,
    /// Rows, columns and both diagonals.
    lines: Vec<u32>,
    /// Every way to take a cube of the rim and to push it in, by the squares of the cubes.
    pub(super) pushes: Vec<Push>,
    /// First square of each row, and first square of each column.
    starts: [u32; 2],
    /// [`LINE`] and [`NEAR_LINE`] of each set, on boards of at most 16 squares.
    known: Vec<u8>,
}

/// Flag of a set with all squares of a line.
const LINE: u8 = 1;
/// Flag of a set that lacks at most one square of some line.
const NEAR_LINE: u8 = 2;

/// A cube is taken from a square of the rim and pushed in at the end of its row or column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// Square from which the cube is taken.
    pub(super) from: u32,
    /// Square at the end where it comes in.
    pub(super) to: u32,
    /// Squares from `from` to `to`.
    segment: u32,
    /// Numbers between neighbouring squares of the segment.
    step: u32,
    /// True if the squares from `from` to `to` have ascending numbers.
    ascends: bool,
}

impl Push {
    fn new(from: u8, to: u8, step: u8) -> Self {
        let (low, high) = (from.min(to), from.max(to));
        let squares = (low..=high).step_by(step.into());
        Self {
            from: 1 << from,
            to: 1 << to,
            segment: squares.fold(0, |set, square| set | 1 << square),
            step: step.into(),
            ascends: from < to,
        }
    }

    /// Squares of a set of cubes after the push, without the cube that is pushed.
    #[inline]
    pub(super) fn shifted(&self, set: u32) -> u32 {
        let moving = set & self.segment & !self.from;
        let moved = if self.ascends { moving >> self.step } else { moving << self.step };
        set & !self.segment | moved
    }

    /// Squares of a set of cubes before the push, without the cube that was pushed.
    #[inline]
    pub(super) fn shifted_back(&self, set: u32) -> u32 {
        let moving = set & self.segment & !self.to;
        let moved = if self.ascends { moving << self.step } else { moving >> self.step };
        set & !self.segment | moved
    }

    /// Squares of the cube before and after the push.
    pub(super) fn squares(&self) -> [u8; 2] {
        [self.from, self.to].map(|bit| bit.trailing_zeros() as u8)
    }
}

impl Cubes {
    pub(super) fn new(size: u8) -> Self {
        let line = |first: u8, step: u8| (0..size).fold(0, |set, i| set | 1 << (first + i * step));
        let rows = (0..size).map(|row| line(row * size, 1));
        let columns = (0..size).map(|column| line(column, size));
        let diagonals = [line(0, size + 1), line(size - 1, size - 1)];
        let mut cubes = Self {
            size,
            lines: rows.chain(columns).chain(diagonals).collect(),
            pushes: pushes(size),
            starts: [line(0, size), line(0, 1)],
            known: Vec::new(),
        };
        if size <= 4 {
            let flags = |set| {
                let line = if cubes.finds_line(set) { LINE } else { 0 };
                let near = if cubes.finds_near_line(set) { NEAR_LINE } else { 0 };
                line | near
            };
            cubes.known = (0..1 << (size * size)).map(flags).collect();
        }
        cubes
    }

    pub(super) fn size(&self) -> u8 {
        self.size
    }

    /// True if a set has all squares of a line.
    #[inline]
    pub(super) fn has_line(&self, set: u32) -> bool {
        match self.known.get(set as usize) {
            Some(flags) => flags & LINE != 0,
            None => self.finds_line(set),
        }
    }

    /// True if a set lacks at most one square of some line. A push gives no line to a set that
    /// lacks more, and has taken none from it.
    #[inline]
    pub(super) fn is_near_line(&self, set: u32) -> bool {
        match self.known.get(set as usize) {
            Some(flags) => flags & NEAR_LINE != 0,
            None => self.finds_near_line(set),
        }
    }

    fn finds_line(&self, set: u32) -> bool {
        let size = u32::from(self.size);
        let (mut row, mut column) = (set, set);
        for i in 1..size {
            row &= set >> i;
            column &= set >> (i * size);
        }
        let [first, second] = self.diagonals();
        row & self.starts[0] | column & self.starts[1] != 0
            || set & first == first
            || set & second == second
    }

    #[inline]
    fn diagonals(&self) -> [u32; 2] {
        let last = self.lines.len() - 1;
        [self.lines[last - 1], self.lines[last]]
    }

    fn finds_near_line(&self, set: u32) -> bool {
        self.lines.iter().any(|line| {
            let missing = line & !set;
            missing & missing.wrapping_sub(1) == 0
        })
    }
}

/// Lists the pushes of a board in the order of the squares from which cubes are taken.
fn pushes(size: u8) -> Vec<Push> {
    let last = size - 1;
    let mut pushes = Vec::new();
    for from in 0..size * size {
        let [row, column] = [from / size, from % size];
        let is_rim = [row, column].iter().any(|&place| place == 0 || place == last);
        let row_ends = [row * size, row * size + last].map(|to| [to, 1]);
        let column_ends = [column, last * size + column].map(|to| [to, size]);
        let ends = row_ends.into_iter().chain(column_ends);
        let ends = ends.filter(|&[to, _]| is_rim && to != from);
        pushes.extend(ends.map(|[to, step]| Push::new(from, to, step)));
    }
    pushes
}
