use alloc::format;
use alloc::string::String;

/// A game of Ostle: the board, the pieces and the reading of rule 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OstleSetup {
    /// Squares in a row and in a file, 3 to 5.
    pub size: u8,
    /// Pieces of each player at the start, 1 to `size`.
    pub pieces: u8,
    /// Number of pieces with which a player has lost; less than `pieces`.
    pub lost_at: u8,
    /// Reading of rule 8.
    pub rule8: Rule8,
}

/// Reading of rule 8, which forbids at most one move after each ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule8 {
    /// The move that brings back exactly the position before the ply: the rule as written.
    #[default]
    Exact,
    /// The first move that brings back an image of the position before the ply under the eight
    /// symmetries: Algorithm 6 of H. Takizawa, "Strongly solved Ostle" (2023). The tables of the
    /// paper are of this game.
    Paper,
}

impl OstleSetup {
    /// The official game: 5x5 squares, five pieces each, lost with three.
    pub const OFFICIAL: Self = Self::new(5, 5, 3);

    /// Creates a game with rule 8 as written.
    #[must_use]
    pub const fn new(size: u8, pieces: u8, lost_at: u8) -> Self {
        Self { size, pieces, lost_at, rule8: Rule8::Exact }
    }

    /// Checks that the board and the pieces are possible.
    ///
    /// # Errors
    /// A sentence that names the fault and what would be right.
    pub fn check(&self) -> Result<(), String> {
        let Self { size, pieces, lost_at, .. } = *self;
        check_board(size.into(), size.into())?;
        if !(1..=size).contains(&pieces) {
            return Err(format!("a player has 1 to {size} pieces on {size}x{size}, not {pieces}"));
        }
        if lost_at >= pieces {
            return Err(format!(
                "a player with {pieces} pieces has lost with 0 to {} left, not {lost_at}",
                pieces - 1
            ));
        }
        Ok(())
    }

    /// The normal form of the spec, without the official size and without the rule as written.
    #[must_use]
    pub fn spec(&self) -> String {
        let Self { size, pieces, lost_at, rule8 } = *self;
        let board = if (Self { rule8, ..Self::OFFICIAL }) == *self {
            String::new()
        } else {
            format!(":{size}x{size}:{pieces}:{lost_at}")
        };
        let rule = match rule8 {
            Rule8::Exact => "",
            Rule8::Paper => ":rule8=paper",
        };
        format!("ostle{board}{rule}")
    }
}

/// Checks the size of a board before it is narrowed to bytes.
pub(crate) fn check_board(width: u64, height: u64) -> Result<(), String> {
    if width == height && (3..=5).contains(&width) {
        return Ok(());
    }
    Err(format!("a board of {width}x{height} is not possible: it is square, 3x3, 4x4 or 5x5"))
}
