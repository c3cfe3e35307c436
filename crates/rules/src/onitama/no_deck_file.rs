//! In the place of files of cards, in a program that is built without them.

use hindsight_core::ParseError;

use super::Deck;

impl Deck {
    /// Refuses every file.
    ///
    /// # Errors
    /// Always.
    pub fn from_toml(_: &str) -> Result<Self, ParseError> {
        let message = "this program was built without deck files; its feature 'decks' adds them";
        Err(ParseError::new(0, message))
    }
}
