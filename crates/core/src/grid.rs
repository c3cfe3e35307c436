use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{BoardCell, ParseError, TextToken};

/// Rectangular board with at most 64 squares: names, texts, diagrams and symmetries.
///
/// Square `row * width + column`: rows count from the top and columns from the left, from 0. The
/// name of a square is the letter of its column and its row from the bottom: `a1` is at the bottom
/// left. Bit `s` of a set is square `s`.
///
/// # Examples
/// ```
/// use hindsight_core::Grid;
///
/// let grid = Grid::new(3, 2);
/// assert_eq!(grid.square_name(3), "a1");
/// assert_eq!(grid.format(&[('x', 0b001_010)]), ".x./x..");
/// assert_eq!(grid.parse(".x./x..", ['x']), Ok([0b001_010]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    width: u8,
    height: u8,
}

impl Grid {
    /// Returns a board of `width` columns and `height` rows.
    ///
    /// # Panics
    /// If it has no square, or more than 64.
    #[must_use]
    pub const fn new(width: u8, height: u8) -> Self {
        assert!(width > 0 && height > 0, "a board has squares");
        assert!(width as u16 * height as u16 <= 64, "at most 64 squares");
        Self { width, height }
    }

    /// Returns the number of squares.
    #[must_use]
    pub const fn squares(self) -> u8 {
        self.width * self.height
    }

    /// Returns the name of a square, such as `b3`.
    ///
    /// # Panics
    /// If the square is not on the board.
    #[must_use]
    pub fn square_name(self, square: u8) -> String {
        self.cell(square).name()
    }

    /// Returns the place of a square in a picture.
    ///
    /// # Panics
    /// If the square is not on the board.
    #[must_use]
    pub fn cell(self, square: u8) -> BoardCell {
        assert!(square < self.squares(), "a square of the board");
        BoardCell { column: square % self.width, row: self.height - 1 - square / self.width }
    }

    /// Writes the rows from the top, with `/` between them.
    ///
    /// `sets` holds the sign and the squares of each kind of piece; the first set with a square
    /// counts. An empty square is `.`.
    #[must_use]
    pub fn format(self, sets: &[(char, u64)]) -> String {
        let row = |row| (0..self.width).map(move |column| sign(sets, row * self.width + column));
        let rows: Vec<String> = (0..self.height).map(|r| row(r).collect()).collect();
        rows.join("/")
    }

    /// Reads the sets of the signs from a text as [`Grid::format`] writes it, in any ASCII case.
    ///
    /// # Errors
    /// If the number of rows, the length of a row or a sign is wrong.
    pub fn parse<const N: usize>(
        self,
        text: &str,
        signs: [char; N],
    ) -> Result<[u64; N], ParseError> {
        let text = TextToken::trimmed(text);
        let rows: Vec<_> = text.split('/').collect();
        if rows.len() != usize::from(self.height) {
            return text.reject(format!(
                "this board has {} rows, with / between them; '{}' has {}",
                self.height,
                text.text,
                rows.len()
            ));
        }
        let mut sets = [0; N];
        let mut square = 0;
        for row in rows {
            let squares = row.text.chars().count();
            if squares != usize::from(self.width) {
                return row.reject(format!(
                    "a row has {} squares; '{}' has {squares}",
                    self.width, row.text
                ));
            }
            for (byte, letter) in row.text.char_indices() {
                match signs.iter().position(|s| s.eq_ignore_ascii_case(&letter)) {
                    Some(kind) => sets[kind] |= 1 << square,
                    None if letter == '.' => {}
                    None => return Err(unknown_sign(row.at + byte, letter, &signs)),
                }
                square += 1;
            }
        }
        Ok(sets)
    }

    /// Draws the sign of each square, row by row, with the names of rows and columns.
    #[must_use]
    pub fn diagram_lines(self, sign: impl Fn(u8) -> char) -> Vec<String> {
        let squares = |row| (0..self.width).map(move |column| row * self.width + column);
        let rows: Vec<String> =
            (0..self.height).map(|row| squares(row).map(&sign).collect()).collect();
        diagram_lines(&rows)
    }

    /// Returns the number of symmetries: 8 of a square board, else 4.
    #[must_use]
    pub const fn symmetries(self) -> u8 {
        if self.width == self.height { 8 } else { 4 }
    }

    /// Returns the image of a set under a symmetry of the board; symmetry 0 is the identity.
    ///
    /// Symmetry `s` exchanges left and right if `s & 1`, then top and bottom if `s & 2`, then rows
    /// and columns if `s & 4`. Cost: two divisions for each square of the set.
    ///
    /// # Panics
    /// If the board has no such symmetry.
    #[must_use]
    #[inline]
    pub fn image(self, set: u64, symmetry: u8) -> u64 {
        assert!(symmetry < self.symmetries(), "a symmetry of the board");
        let [width, height] = [self.width, self.height].map(u32::from);
        let image = |square: u32| {
            let (mut row, mut column) = (square / width, square % width);
            if symmetry & 1 != 0 {
                column = width - 1 - column;
            }
            if symmetry & 2 != 0 {
                row = height - 1 - row;
            }
            match symmetry & 4 {
                0 => row * width + column,
                _ => column * width + row,
            }
        };
        let (mut rest, mut images) = (set, 0);
        while rest != 0 {
            images |= 1 << image(rest.trailing_zeros());
            rest &= rest - 1;
        }
        images
    }
}

/// Draws rows of signs from the top, with their numbers, and a last line with the columns' letters.
pub(crate) fn diagram_lines<S: AsRef<str>>(rows: &[S]) -> Vec<String> {
    let spaced = |signs: &mut dyn Iterator<Item = char>| -> String {
        signs.flat_map(|sign| [' ', sign]).collect()
    };
    let widest = rows.iter().map(|row| row.as_ref().chars().count()).max();
    let columns = spaced(&mut ('a'..='z').cycle().take(widest.unwrap_or(0)));
    let rows = rows.iter().enumerate().map(|(row, signs)| {
        let signs = spaced(&mut signs.as_ref().chars());
        format!("{:>2} {signs}", rows.len() - row)
    });
    rows.chain([format!("   {columns}")]).collect()
}

/// Returns the sign of the first set that holds the square; `.` if none does.
fn sign(sets: &[(char, u64)], square: u8) -> char {
    let found = sets.iter().find(|(_, set)| set >> square & 1 == 1);
    found.map_or('.', |&(sign, _)| sign)
}

fn unknown_sign(at: usize, letter: char, signs: &[char]) -> ParseError {
    let signs: Vec<String> = signs.iter().map(|&sign| sign.into()).collect();
    let message = format!("'{letter}' is no sign of this board: a square is {}", signs.join(", "));
    ParseError::new(at, format!("{message} or '.'"))
}

/// Returns the name of the square in a column from the left and a row from the bottom, both from 0.
///
/// The columns are `a` to `z`, then `aa`, `ab`, .. and the rows count from 1.
#[must_use]
pub fn square_name(column: u8, row: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    let mut name = String::new();
    if column >= 26 {
        name.push(letter(column / 26 - 1));
    }
    name.push(letter(column));
    format!("{name}{}", u16::from(row) + 1)
}

#[cfg(test)]
mod tests {
    use super::Grid;

    #[test]
    fn images_are_the_symmetries_of_the_board() {
        for grid in [Grid::new(4, 4), Grid::new(3, 5)] {
            let all = (1 << grid.squares()) - 1;
            // A row of two squares in a corner lies in no two equal places.
            let mut images: alloc::vec::Vec<u64> =
                (0..grid.symmetries()).map(|symmetry| grid.image(0b11, symmetry)).collect();
            assert_eq!(images[0], 0b11);
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), usize::from(grid.symmetries()));
            for symmetry in 0..grid.symmetries() {
                assert_eq!(grid.image(all, symmetry), all);
            }
        }
    }

    #[test]
    fn texts_are_read_back_and_faults_are_located() {
        let grid = Grid::new(3, 2);
        for sets in [[0, 0], [0b10_0101, 0b01_1010], [1 << 5, 1]] {
            let text = grid.format(&[('x', sets[0]), ('o', sets[1])]);
            assert_eq!(grid.parse(&text, ['x', 'o']), Ok(sets), "{text}");
            assert_eq!(grid.parse(&text.to_ascii_uppercase(), ['x', 'o']), Ok(sets));
        }
        let fault = |text| grid.parse(text, ['x', 'o']).expect_err("a fault");
        assert_eq!((fault("...").offset, fault(" ...").offset), (0, 1));
        assert_eq!(fault(".../..").offset, 4);
        assert_eq!(fault("..z/...").offset, 2);
        assert_eq!(
            fault("..z/...").message,
            "'z' is no sign of this board: a square is x, o or '.'"
        );
        assert_eq!(fault("é../....").offset, 0);
    }

    #[test]
    fn diagrams_name_rows_and_columns() {
        let sign = |square| if square == 5 { 'x' } else { '.' };
        let lines = Grid::new(3, 2).diagram_lines(sign);
        assert_eq!(lines, [" 2  . . .", " 1  . . x", "    a b c"]);
    }
}
