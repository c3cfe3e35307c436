use alloc::string::String;

use crate::square_name;

/// Square of a drawn board: its column from the left and its row from the bottom, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardCell {
    /// Column from the left.
    pub column: u8,
    /// Row from the bottom.
    pub row: u8,
}

impl BoardCell {
    /// Returns the name of the cell, such as `b3`.
    #[must_use]
    pub fn name(self) -> String {
        square_name(self.column, self.row)
    }

    /// Returns the cell of a name, in any ASCII case.
    ///
    /// ```
    /// use hindsight_core::BoardCell;
    ///
    /// let cell = BoardCell { column: 27, row: 11 };
    /// assert_eq!(BoardCell::named(&cell.name()), Some(cell));
    /// assert_eq!(BoardCell::named("b0"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (letters, digits) = name.split_at(letters);
        let is_plain = digits.starts_with(|digit: char| ('1'..='9').contains(&digit));
        let row = digits.parse::<u16>().ok().filter(|_| is_plain)? - 1;
        let number = |letter: u8| u16::from(letter.to_ascii_lowercase() - b'a');
        let column = match *letters.as_bytes() {
            [last] => number(last),
            [first, last] => 26 * (number(first) + 1) + number(last),
            _ => return None,
        };
        Some(Self { column: u8::try_from(column).ok()?, row: u8::try_from(row).ok()? })
    }
}
