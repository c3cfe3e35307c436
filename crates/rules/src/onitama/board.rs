use core::fmt::Debug;

use super::OnitamaPlayer;

/// Word that stores a set of squares, one bit a square. The smallest sufficient word keeps
/// positions small.
pub trait Bitboard: Copy + Eq + Debug + Send + Sync + 'static {
    /// Returns the set in the low bits of 64.
    fn widen(self) -> u64;
    /// Returns the low bits of a set; the higher bits must be 0.
    fn narrow(bits: u64) -> Self;
}

impl Bitboard for u16 {
    #[inline]
    fn widen(self) -> u64 {
        self.into()
    }
    #[inline]
    fn narrow(bits: u64) -> Self {
        bits as Self
    }
}

impl Bitboard for u32 {
    #[inline]
    fn widen(self) -> u64 {
        self.into()
    }
    #[inline]
    fn narrow(bits: u64) -> Self {
        bits as Self
    }
}

impl Bitboard for u64 {
    #[inline]
    fn widen(self) -> u64 {
        self
    }
    #[inline]
    fn narrow(bits: u64) -> Self {
        bits
    }
}

/// The empty board: its size, its arches and its symmetries. Bit `s` of a set is square `s`, row by
/// row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnitamaBoard {
    /// Squares in a row; n of the thesis.
    pub width: u8,
    /// Rows; m of the thesis.
    pub height: u8,
}

impl OnitamaBoard {
    /// Number of squares, at most 64.
    #[must_use]
    #[inline]
    pub fn squares(self) -> u8 {
        self.width * self.height
    }

    /// The square in a column from the left and a row from the top, both from 0; `None` off the
    /// board.
    #[must_use]
    #[inline]
    pub fn square(self, column: i32, row: i32) -> Option<u8> {
        let inside = (0..i32::from(self.width)).contains(&column)
            && (0..i32::from(self.height)).contains(&row);
        inside.then(|| {
            u8::try_from(row * i32::from(self.width) + column).expect("at most 64 squares")
        })
    }

    /// Column from the left and row from the top of a square, both from 0.
    #[must_use]
    #[inline]
    pub fn column_row(self, square: u8) -> (u8, u8) {
        (square % self.width, square / self.width)
    }

    /// The temple arch of a player (Definition 5 of the thesis): the middle of the player's home
    /// row. On even widths it is the right one of the two middle squares, seen from the player's
    /// seat.
    #[must_use]
    #[inline]
    pub fn arch(self, player: OnitamaPlayer) -> u8 {
        match player {
            OnitamaPlayer::Red => (self.width - 1) / 2,
            OnitamaPlayer::Blue => (self.height - 1) * self.width + self.width / 2,
        }
    }

    /// Square at an offset from `square`, seen from the seat of `player`; `None` off the board.
    #[must_use]
    #[inline]
    pub fn step(self, square: u8, player: OnitamaPlayer, right: i8, forward: i8) -> Option<u8> {
        let turned = match player {
            OnitamaPlayer::Red => -1,
            OnitamaPlayer::Blue => 1,
        };
        let (column, row) = self.column_row(square);
        self.square(
            i32::from(column) + turned * i32::from(right),
            i32::from(row) - turned * i32::from(forward),
        )
    }

    /// Start squares of a player's students: the `students` squares of the home row nearest the
    /// arch, fewer on a short row. Of two squares at the same distance, the left one comes first,
    /// seen from the player's seat.
    #[must_use]
    #[inline]
    pub fn students(self, player: OnitamaPlayer, students: u8) -> u64 {
        let arch = self.arch(player);
        let mut set = 0_u64;
        for distance in 1..i8::try_from(self.width).expect("a width of at most 64") {
            for right in [-distance, distance] {
                if let Some(square) = self.step(arch, player, right, 0)
                    && set.count_ones() < u32::from(students)
                {
                    set |= 1 << square;
                }
            }
        }
        set
    }

    /// A set of squares after a half turn of the board.
    #[must_use]
    #[inline]
    pub fn half_turn(self, set: u64) -> u64 {
        set.reverse_bits() >> (64 - u32::from(self.squares()))
    }

    /// The mirror image of a set of squares, left and right exchanged.
    #[must_use]
    #[inline]
    pub fn mirror(self, set: u64) -> u64 {
        let mut mirrored = set;
        let left_file = (0..self.height).map(|row| 1_u64 << (row * self.width)).sum::<u64>();
        for column in 0..self.width / 2 {
            let distance = self.width - 1 - 2 * column;
            let left = left_file << column;
            let right = left << distance;
            mirrored &= !(left | right);
            mirrored |= (set & left) << distance | (set & right) >> distance;
        }
        mirrored
    }
}

#[cfg(test)]
mod tests {
    use super::{OnitamaBoard, OnitamaPlayer};

    fn boards() -> impl Iterator<Item = OnitamaBoard> {
        (1..=32).flat_map(|width| {
            (2..=64_u8)
                .filter(move |&height| u32::from(height) * u32::from(width) <= 64)
                .map(move |height| OnitamaBoard { width, height })
        })
    }

    #[test]
    fn half_turn_exchanges_the_arches_and_the_students() {
        for board in boards() {
            let [red, blue] = [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|p| board.arch(p));
            assert_eq!(board.half_turn(1 << red), 1 << blue, "{board:?}");
            for students in 0..board.width {
                let [red, blue] =
                    [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|p| board.students(p, students));
                assert_eq!(board.half_turn(red), blue, "{board:?}");
                assert_eq!(red.count_ones(), u32::from(students));
            }
        }
    }

    #[test]
    fn arches_are_mirror_images_on_odd_widths_only() {
        for board in boards() {
            let arch = 1 << board.arch(OnitamaPlayer::Red);
            assert_eq!(board.mirror(arch) == arch, board.width % 2 == 1, "{board:?}");
            assert_eq!(
                board.mirror(board.mirror(0x1234_5678)),
                0x1234_5678 & board.mirror(u64::MAX)
            );
        }
    }

    #[test]
    fn red_sees_a_card_turned_by_half_a_turn() {
        let board = OnitamaBoard { width: 5, height: 5 };
        for square in 0..25 {
            for (right, forward) in [(1, 2), (-2, 0), (0, -1)] {
                let turned =
                    board.step(24 - square, OnitamaPlayer::Blue, right, forward).map(|s| 24 - s);
                assert_eq!(board.step(square, OnitamaPlayer::Red, right, forward), turned);
            }
        }
    }

    #[test]
    fn few_students_start_left_of_the_own_seat() {
        let board = OnitamaBoard { width: 5, height: 5 };
        assert_eq!(board.students(OnitamaPlayer::Blue, 1), 1 << 21); // b1
        assert_eq!(board.students(OnitamaPlayer::Red, 1), 1 << 3); // d5
        assert_eq!(board.students(OnitamaPlayer::Blue, 3), 1 << 21 | 1 << 23 | 1 << 20); // b1 d1 a1
    }
}
