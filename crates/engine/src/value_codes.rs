//! Codes of a byte for the values of a histogram.

use hindsight_core::Value;

use crate::layer::Palette;
use crate::{Error, Histogram};

/// Codes of values, numbered in the order of a histogram.
pub struct ValueCodes {
    /// Value of each code.
    pub palette: Palette,
    /// Codes by place: of a draw 0, of a loss `1 + 2 * plies`, of a win `2 + 2 * plies`.
    codes: Vec<u8>,
}

impl ValueCodes {
    /// Numbers the values of a histogram.
    ///
    /// # Errors
    /// [`Error::TooLong`] if there are more than 255.
    pub fn new(histogram: &Histogram) -> Result<Self, Error> {
        let values = || histogram.rows().into_iter().map(|(value, _)| value);
        if values().count() > usize::from(u8::MAX) {
            return Err(Error::TooLong(values().filter_map(Value::remoteness).max().unwrap_or(0)));
        }
        let mut codes = vec![0; values().map(place).max().map_or(0, |last| last + 1)];
        (0..).zip(values()).for_each(|(code, value)| codes[place(value)] = code);
        Ok(Self { palette: values().map(Some).collect(), codes })
    }

    /// Returns the code of a value of the histogram.
    #[must_use]
    #[inline]
    pub fn of(&self, value: Value) -> u8 {
        self.codes[place(value)]
    }
}

#[inline]
fn place(value: Value) -> usize {
    match value {
        Value::Draw => 0,
        Value::Loss(plies) => 1 + 2 * usize::from(plies),
        Value::Win(plies) => 2 + 2 * usize::from(plies),
    }
}
