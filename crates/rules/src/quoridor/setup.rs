use alloc::format;
use alloc::string::{String, ToString};

/// Everything that makes one game of Quoridor: the board, the fences and the variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuoridorSetup {
    /// Squares in a row, 2 to 9.
    pub width: u8,
    /// Rows, 2 to 9.
    pub height: u8,
    /// Fences of the first and of the second player, up to 20 each.
    pub stock: [u8; 2],
    /// Whether the edge of the board behind a pawn allows no jump sideways; a fence always does.
    pub edge_open: bool,
    /// Whether the pawns start on files symmetric to the centre point, where the width is even.
    pub start_point: bool,
}

/// The most fences of a player.
pub(crate) const MOST_FENCES: u8 = 20;

impl QuoridorSetup {
    /// A game with equal stocks and no variants.
    #[must_use]
    pub fn new(width: u8, height: u8, fences_each: u8) -> Self {
        Self {
            width,
            height,
            stock: [fences_each; 2],
            edge_open: false,
            start_point: false,
        }
    }

    /// Checks that the board and the stocks are possible.
    ///
    /// # Errors
    /// A sentence that says what was wrong and what would be right.
    pub fn check(&self) -> Result<(), String> {
        check_board(self.width.into(), self.height.into())?;
        match self.stock.iter().find(|&&fences| fences > MOST_FENCES) {
            None => Ok(()),
            Some(fences) => Err(format!(
                "a player has 0 to {MOST_FENCES} fences, not {fences}"
            )),
        }
    }

    /// The spec in its normal form: one number for equal stocks, options only where they change
    /// something.
    #[must_use]
    pub fn spec(&self) -> String {
        let [first, second] = self.stock;
        let fences = if first == second {
            first.to_string()
        } else {
            format!("{first},{second}")
        };
        let edge = if self.edge_open { ":edge=open" } else { "" };
        let start = if self.start_point && self.width.is_multiple_of(2) {
            ":start=point"
        } else {
            ""
        };
        format!(
            "quoridor:{}x{}:{fences}{edge}{start}",
            self.width, self.height
        )
    }
}

/// Checks the size of a board before it is cut down to bytes.
pub(crate) fn check_board(width: u64, height: u64) -> Result<(), String> {
    if (2..=9).contains(&width) && (2..=9).contains(&height) {
        return Ok(());
    }
    Err(format!(
        "a board of {width}x{height} is not possible: it is 2 to 9 wide and 2 to 9 high"
    ))
}
