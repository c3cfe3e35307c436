use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;
use core::ops::RangeInclusive;
use core::str::FromStr;

use crate::{ParseError, shown};

/// A part of a text, with its offset in bytes from the start of the whole text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextToken<'a> {
    /// Offset in bytes.
    pub at: usize,
    /// The part.
    pub text: &'a str,
}

impl<'a> TextToken<'a> {
    /// The whole of a text, without white space around it.
    #[must_use]
    pub fn trimmed(text: &'a str) -> Self {
        Self { at: text.len() - text.trim_start().len(), text: text.trim() }
    }

    /// The words of a text, separated by white space.
    #[must_use]
    pub fn words(text: &'a str) -> Vec<Self> {
        text.split_whitespace()
            .map(|word| Self { at: word.as_ptr() as usize - text.as_ptr() as usize, text: word })
            .collect()
    }

    /// Offset of the first byte after the token.
    #[must_use]
    pub fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// The parts between separators, each of one byte.
    pub fn split(self, separator: char) -> impl Iterator<Item = Self> {
        let mut at = self.at;
        self.text.split(separator).map(move |text| {
            let token = Self { at, text };
            at += text.len() + 1;
            token
        })
    }

    /// The parts before and after the first separator, which has one byte; `None` without one.
    #[must_use]
    pub fn split_once(self, separator: char) -> Option<[Self; 2]> {
        let (first, second) = self.text.split_once(separator)?;
        let token = |at, text| Self { at, text };
        let second_at = self.at + first.len() + 1;
        Some([token(self.at, first), token(second_at, second)])
    }

    /// Reads the number that is called `name`.
    ///
    /// # Errors
    /// If the token is no number in `range`.
    pub fn number<T: FromStr + PartialOrd + Display>(
        self,
        name: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, ParseError> {
        match self.text.parse::<T>() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => self.reject(format!(
                "{name} is a number from {} to {}, not '{}'",
                range.start(),
                range.end(),
                self.text
            )),
        }
    }

    /// Reads whose turn it is, 0 or 1, by the names of the players in lower case.
    ///
    /// # Errors
    /// If the token is neither name, in lower or upper case.
    pub fn turn(self, names: [&str; 2]) -> Result<u8, ParseError> {
        let [first, second] = names.map(|name| name.eq_ignore_ascii_case(self.text));
        if first || second {
            return Ok(u8::from(second));
        }
        let [first, second] = names;
        self.reject(format!("it is the turn of {first} or {second}, not '{}'", self.text))
    }

    /// Returns an error that points at the token. A message that quotes a long token quotes its
    /// begin and its end.
    ///
    /// # Errors
    /// Always.
    pub fn reject<T>(self, message: impl Into<String>) -> Result<T, ParseError> {
        let mut message = message.into();
        if let Cow::Owned(short) = shown(self.text) {
            message = message.replace(self.text, &short);
            let lower = self.text.to_ascii_lowercase();
            message = message.replace(&lower, &short.to_ascii_lowercase());
        }
        Err(ParseError::new(self.at, message).spanning(self.text.len()))
    }
}
