use alloc::vec::Vec;

use hindsight_core::ParseError;

/// A part of a text, with its offset in bytes from the start of the whole text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

impl<'a> Token<'a> {
    /// The whole of a text.
    pub(crate) fn whole(text: &'a str) -> Self {
        Self { at: 0, text }
    }

    /// The words of a text, separated by white space.
    pub(crate) fn words(text: &'a str) -> Vec<Self> {
        text.split_whitespace()
            .map(|word| Self {
                at: word.as_ptr() as usize - text.as_ptr() as usize,
                text: word,
            })
            .collect()
    }

    /// The parts between separators, each of one byte.
    pub(crate) fn split(self, separator: char) -> impl Iterator<Item = Self> {
        let mut at = self.at;
        self.text.split(separator).map(move |text| {
            let token = Self { at, text };
            at += text.len() + 1;
            token
        })
    }

    /// The parts before and after the first separator, which has one byte; `None` without one.
    pub(crate) fn split_once(self, separator: char) -> Option<[Self; 2]> {
        let (first, second) = self.text.split_once(separator)?;
        let token = |at, text| Self { at, text };
        let second_at = self.at + first.len() + 1;
        Some([token(self.at, first), token(second_at, second)])
    }

    /// An error that points at the beginning of the token.
    pub(crate) fn reject<T>(
        self,
        message: impl Into<alloc::string::String>,
    ) -> Result<T, ParseError> {
        Err(ParseError::new(self.at, message))
    }
}
