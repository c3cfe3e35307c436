//! Stands in for deck files in a build without the feature `decks`.

use hindsight_core::ParseError;

use super::super::Deck;

impl Deck {
    /// Rejects every file.
    ///
    /// # Errors
    /// Always.
    pub fn from_toml(_: &str) -> Result<Self, ParseError> {
        let message = "this program was built without deck files; \
                       `cargo build --release --features decks` builds it with them";
        Err(ParseError::new(0, message))
    }
}
