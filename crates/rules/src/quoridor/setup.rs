use alloc::format;
use alloc::string::{String, ToString};

use super::QuoridorPlayer;
use super::position::{Fences, QuoridorPosition};

/// A game of Quoridor: the board, the fences and the variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuoridorSetup {
    /// Squares in a row, 2 to 9.
    pub width: u8,
    /// Rows, 2 to 9.
    pub height: u8,
    /// Fences of White and of Black, up to 20 each.
    pub stock: [u8; 2],
    /// True if a pawn with the edge behind it allows no jump sideways over it. A fence behind it
    /// always allows the jump.
    pub edge_open: bool,
    /// True if the pawns start on squares symmetric about the centre point; differs only on even
    /// widths.
    pub start_point: bool,
}

/// Most fences of a player.
pub(crate) const MAX_FENCES: u8 = 20;

impl QuoridorSetup {
    /// Creates a game with equal stocks and no variants.
    #[must_use]
    pub fn new(width: u8, height: u8, fences_each: u8) -> Self {
        Self { width, height, stock: [fences_each; 2], edge_open: false, start_point: false }
    }

    /// Checks that the board and the stocks are possible.
    ///
    /// # Errors
    /// A sentence that names the fault and what would be right.
    pub fn check(&self) -> Result<(), String> {
        check_board(self.width.into(), self.height.into())?;
        match self.stock.iter().find(|&&fences| fences > MAX_FENCES) {
            None => Ok(()),
            Some(fences) => Err(format!("a player has 0 to {MAX_FENCES} fences, not {fences}")),
        }
    }

    pub(super) fn start(&self) -> QuoridorPosition {
        let left_middle = (self.width - 1) / 2;
        let black_file = if self.start_point { self.width / 2 } else { left_middle };
        QuoridorPosition {
            fences: Fences::default(),
            pawns: [left_middle, (self.height - 1) * self.width + black_file],
            hands: self.stock,
            player: QuoridorPlayer::White,
        }
    }

    /// The normal form of the spec: one number for equal stocks, options only where they change
    /// something.
    #[must_use]
    pub fn spec(&self) -> String {
        let [first, second] = self.stock;
        let fences = if first == second { first.to_string() } else { format!("{first},{second}") };
        let edge = if self.edge_open { ":edge=open" } else { "" };
        let start =
            if self.start_point && self.width.is_multiple_of(2) { ":start=point" } else { "" };
        format!("quoridor:{}x{}:{fences}{edge}{start}", self.width, self.height)
    }
}

/// Checks the size of a board before it is narrowed to bytes.
pub(crate) fn check_board(width: u64, height: u64) -> Result<(), String> {
    if (2..=9).contains(&width) && (2..=9).contains(&height) {
        return Ok(());
    }
    Err(format!("a board of {width}x{height} is not possible: it is 2 to 9 wide and 2 to 9 high"))
}
