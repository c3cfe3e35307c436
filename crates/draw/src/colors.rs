//! Colours of the players and of the board. The colours of two players differ in lightness.

use crate::picture::Paint;
use hindsight_core::DrawnSeat;

/// Squares of the board, its lines, and what is drawn on it.
pub(crate) const SQUARE: &str = "#f6efe0";
pub(crate) const LINE: &str = "#b7a98a";
pub(crate) const WOOD: &str = "#7a4b22";
pub(crate) const INK: &str = "#222222";
/// Squares of the last move, with a frame of its own.
pub(crate) const LAST: &str = "#ffe39a";
pub(crate) const LAST_FRAME: &str = "#a86f00";

/// Fill and outline of a player's pieces.
#[derive(Clone, Copy)]
pub(crate) struct PlayerColors {
    pub(crate) fill: &'static str,
    pub(crate) outline: &'static str,
    /// Colour of signs on the fill.
    pub(crate) on_fill: &'static str,
}

impl PlayerColors {
    /// Colours of pieces that nobody owns.
    pub(crate) const NOBODY: Self = Self { fill: "#dddddd", outline: INK, on_fill: INK };

    pub(crate) fn of(seat: &DrawnSeat) -> Self {
        let (fill, outline) = match (seat.name.as_str(), seat.is_dark) {
            ("Red", true) => ("#b03226", "#5a120b"),
            ("Black", true) => ("#2e2e2e", "#000000"),
            (_, true) => ("#3b5563", "#16262e"),
            ("Blue", false) => ("#d9e7fa", "#1d3f72"),
            ("White", false) => ("#ffffff", "#333333"),
            (_, false) => ("#fbe7bd", "#6b4a12"),
        };
        Self { fill, outline, on_fill: if seat.is_dark { "#ffffff" } else { outline } }
    }

    pub(crate) fn paint(self) -> Paint {
        Paint::new(self.fill, self.outline, 2.2)
    }
}
