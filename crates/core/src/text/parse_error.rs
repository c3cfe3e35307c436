use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::without_middle;

/// Most characters of a message.
const MESSAGE: usize = 1000;

/// Fault in a text, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Offset of the fault in bytes, from 0.
    pub offset: usize,
    /// Length in bytes of what is wrong, from 1.
    pub length: usize,
    /// Description of the fault and of what is expected, without a final full stop.
    pub message: String,
}

impl ParseError {
    /// Returns an error at byte `offset`, one byte long. A message of over 1000 characters quotes a
    /// long text: it loses its middle.
    pub fn new(offset: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        let cut = match without_middle(&message, MESSAGE) {
            Cow::Borrowed(_) => None,
            Cow::Owned(cut) => Some(cut),
        };
        Self { offset, length: 1, message: cut.unwrap_or(message) }
    }

    /// Returns the number, from 1, of the character at the fault in `text`, which was read.
    #[must_use]
    pub fn character(&self, text: &str) -> usize {
        let before = text.get(..self.offset);
        before.map_or(self.offset, |before| before.chars().count()) + 1
    }

    /// Returns the same error, `length` bytes long, at least one.
    #[must_use]
    pub fn spanning(self, length: usize) -> Self {
        let length = length.max(1);
        Self { length, ..self }
    }

    /// Returns the same error in a longer text that begins `by` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.offset += by;
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset + 1)
    }
}

impl core::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_short() {
        let long = "x".repeat(100_000);
        let fault = ParseError::new(0, alloc::format!("'{long}' is no card: cards have names"));
        assert_eq!(fault.message.len(), MESSAGE);
        assert!(fault.message.ends_with("is no card: cards have names"));
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let fault = ParseError::new("é/ü".len(), "too long");
        assert_eq!(fault.character("é/üx"), 4);
        assert_eq!(fault.character("é"), 6);
    }
}
