//! Colours of a terminal: of middle lightness, so that they can be read on dark and on light.

use hindsight_core::DrawnSeat;

/// Colour of a character.
///
/// A colour is the parameters of the control sequence that selects it, of the 256 that terminals
/// have in common; empty for the colour of other text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ink(&'static str);

impl Ink {
    /// Text without a colour.
    pub(crate) const PLAIN: Self = Self("");
    /// The mark of the player to move.
    pub(crate) const STRONG: Self = Self("1");
    /// Lines of the board, and empty squares of cards.
    pub(crate) const FAINT: Self = Self("38;5;244");
    /// Fences.
    pub(crate) const WOOD: Self = Self("1;38;5;136");
    /// The last move.
    pub(crate) const LAST: Self = Self("1;38;5;28");

    /// Returns the colour of a player's pieces.
    pub(crate) fn of_seat(seat: &DrawnSeat) -> Self {
        Self(match (seat.name.as_str(), seat.is_dark) {
            ("Red", _) => "1;38;5;160",
            ("Blue", _) => "1;38;5;33",
            (_, true) => "1;38;5;130",
            (_, false) => "1;38;5;31",
        })
    }

    /// Returns the colour that a control sequence with these parameters selects.
    pub(crate) fn of_code(code: &'static str) -> Self {
        Self(code)
    }

    /// Returns the parameters of the control sequence; `None` for text without a colour.
    pub(crate) fn code(self) -> Option<&'static str> {
        Some(self.0).filter(|code| !code.is_empty())
    }
}
