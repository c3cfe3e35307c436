use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Size of a board of Onitama. As text: `3x4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BoardSize {
    /// Squares in a row.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl BoardSize {
    /// Creates a size from the squares in a row and the rows.
    #[must_use]
    pub const fn new(width: u8, height: u8) -> Self {
        Self { width, height }
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for BoardSize {
    type Err = String;

    /// Reads a size such as `3x4`: at least 1 x 2, at most 32 squares.
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x');
        let size = sides.and_then(|(width, height)| {
            Some(Self { width: width.parse().ok()?, height: height.parse().ok()? })
        });
        let squares = |size: &Self| u32::from(size.width) * u32::from(size.height);
        let fits = |size: &Self| size.width >= 1 && size.height >= 2 && squares(size) <= 32;
        size.filter(fits).ok_or_else(|| {
            format!(
                "'{text}' is no board of this study: width x height, such as 3x4, \
                 at least 1x2, at most 32 squares"
            )
        })
    }
}

impl TryFrom<String> for BoardSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<BoardSize> for String {
    fn from(size: BoardSize) -> Self {
        size.to_string()
    }
}
