//! Steps of pieces and images of sets on the board of 3 x 4.
//!
//! Square `row * 3 + column`, rows from the top; bit `s` of a set is square `s`. A side moves up or
//! down: forward is towards row 0 or towards row 3.

/// Number of squares.
pub(super) const SQUARES: usize = 12;
/// Every square.
pub(super) const BOARD: u16 = 0o7777;
/// Number of sets of squares.
const SETS: usize = 1 << SQUARES;

/// Direction in which a side moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forward {
    /// Towards row 0, as the player to move sees the own pieces.
    Up,
    /// Towards row 3.
    Down,
}

impl Forward {
    /// The other direction.
    pub(super) const fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }

    /// Squares of the last row of a side.
    pub(super) const fn last_row(self) -> u16 {
        match self {
            Self::Up => 0o7,
            Self::Down => 0o7000,
        }
    }
}

/// Squares from which a step of one of the kinds of pieces leads to a square. Index:
/// `[forward][kind][square]`, with the kinds lion, giraffe, elephant, chick and hen.
pub(super) const SOURCES: [[[u16; SQUARES]; 5]; 2] = [
    [table(&LION, 1), table(&GIRAFFE, 1), table(&ELEPHANT, 1), table(&CHICK, 1), table(&HEN, 1)],
    [
        table(&LION, -1),
        table(&GIRAFFE, -1),
        table(&ELEPHANT, -1),
        table(&CHICK, -1),
        table(&HEN, -1),
    ],
];

/// Steps of the pieces of a side that moves up: rows down and columns to the right.
const LION: [[i8; 2]; 8] = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];
const GIRAFFE: [[i8; 2]; 4] = [[-1, 0], [0, -1], [0, 1], [1, 0]];
const ELEPHANT: [[i8; 2]; 4] = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const CHICK: [[i8; 2]; 1] = [[-1, 0]];
const HEN: [[i8; 2]; 6] = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0]];

/// Sources of each square by some steps; `sign` is -1 for a side that moves down.
const fn table(steps: &[[i8; 2]], sign: i8) -> [u16; SQUARES] {
    let mut sources = [0; SQUARES];
    let mut i = 0;
    while i < SQUARES * steps.len() {
        let (to, [down, right]) = (i / steps.len(), steps[i % steps.len()]);
        let row = (to / 3) as i8 - sign * down;
        let column = (to % 3) as i8 - right;
        if 0 <= row && row < 4 && 0 <= column && column < 3 {
            sources[to] |= 1 << (3 * row + column);
        }
        i += 1;
    }
    sources
}

/// Each set after a half turn of the board.
pub(super) static TURNED: [u16; SETS] = images(true, true);
/// Each set with left and right exchanged.
pub(super) static MIRRORED: [u16; SETS] = images(false, true);
/// Each set with top and bottom exchanged.
pub(super) static FLIPPED: [u16; SETS] = images(true, false);

const fn images(is_upside_down: bool, is_mirrored: bool) -> [u16; SETS] {
    let mut images = [0; SETS];
    let mut set = 1;
    while set < SETS {
        let square = set.trailing_zeros();
        let [row, column] = [square / 3, square % 3];
        let row = if is_upside_down { 3 - row } else { row };
        let column = if is_mirrored { 2 - column } else { column };
        images[set] = images[set & (set - 1)] | 1 << (3 * row + column);
        set += 1;
    }
    images
}

/// Number of squares of each set.
pub(super) static COUNTS: [u8; SETS] = {
    let mut counts = [0; SETS];
    let mut set = 1;
    while set < SETS {
        counts[set] = counts[set & (set - 1)] + 1;
        set += 1;
    }
    counts
};

/// Number of squares of a set.
#[inline]
pub(super) fn count(set: u16) -> u8 {
    COUNTS[usize::from(set)]
}

/// Image of a set in a table.
#[inline]
pub(super) fn image(set: u16, table: &[u16; SETS]) -> u16 {
    table[usize::from(set)]
}
