use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{ParseError, TextToken};

/// An option of a spec, such as `hand=3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecOption<'a> {
    /// The whole option.
    pub token: TextToken<'a>,
    /// The part before the first `=`, in lower case; the whole option without `=`.
    pub key: String,
    value: Option<TextToken<'a>>,
}

impl<'a> SpecOption<'a> {
    /// Splits an option into key and value.
    #[must_use]
    pub fn new(token: TextToken<'a>) -> Self {
        let parts = token.split_once('=');
        Self {
            token,
            key: parts.map_or(token, |[key, _]| key).text.to_ascii_lowercase(),
            value: parts.map(|[_, value]| value),
        }
    }

    /// The part after the first `=`.
    ///
    /// # Errors
    /// If the option has no `=`.
    pub fn value(&self) -> Result<TextToken<'a>, ParseError> {
        self.value.map_or_else(
            || {
                let text = self.token.text;
                let message = format!("'{text}' is no option: options are key=value");
                self.token.reject(message)
            },
            Ok,
        )
    }

    /// Reads a value that is `yes` or `no`.
    ///
    /// # Errors
    /// If the value is neither.
    pub fn yes_or_no(&self) -> Result<bool, ParseError> {
        let value = self.value()?;
        match value.text.to_ascii_lowercase().as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => value.reject(format!("{} is yes or no, not '{other}'", self.key)),
        }
    }
}

/// Reads the options of a spec, one after the other, so that its faults are met in their order.
///
/// Case of keys is ignored. An item is an error if its key was given before.
///
/// ```
/// use hindsight_core::{SpecOptions, TextToken};
///
/// let spec = TextToken::trimmed("hand=3:stay=yes:HAND=2");
/// let mut options = SpecOptions::new(spec.split(':'));
/// let hand = options.next().unwrap().unwrap();
/// assert_eq!(hand.value().unwrap().number("hand", 1..=6), Ok(3));
/// assert_eq!(options.next().unwrap().unwrap().yes_or_no(), Ok(true));
/// let error = options.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "the option hand is given twice (at byte 17)");
/// ```
#[derive(Clone, Debug)]
pub struct SpecOptions<'a> {
    tokens: alloc::vec::IntoIter<TextToken<'a>>,
    seen: Vec<String>,
}

impl<'a> SpecOptions<'a> {
    /// Options in this order.
    pub fn new(tokens: impl IntoIterator<Item = TextToken<'a>>) -> Self {
        Self { tokens: Vec::from_iter(tokens).into_iter(), seen: Vec::new() }
    }

    /// Returns true if an option `key=value` was read.
    #[must_use]
    pub fn has_seen(&self, key: &str) -> bool {
        self.seen.iter().any(|seen| seen == key)
    }
}

impl<'a> Iterator for SpecOptions<'a> {
    type Item = Result<SpecOption<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let option = SpecOption::new(self.tokens.next()?);
        if option.value.is_some() {
            if self.has_seen(&option.key) {
                let message = format!("the option {} is given twice", option.key);
                return Some(option.token.reject(message));
            }
            self.seen.push(option.key.clone());
        }
        Some(Ok(option))
    }
}
