//! Parts of specs that several games share.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::ParseError;

use crate::token::Token;

/// Splits a spec at its colons.
pub(super) fn spec_tokens(spec: &str) -> Vec<Token<'_>> {
    Token::whole(spec).split(':').collect()
}

/// Reads `WIDTHxHEIGHT`. Invariant: `check` accepts only sizes of at most 255 in each direction.
pub(super) fn parse_size(
    size: Token<'_>,
    check: fn(u64, u64) -> Result<(), String>,
) -> Result<(u8, u8), ParseError> {
    let number = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| text.parse::<u64>().ok())
            .flatten()
    };
    let sides = size.text.split_once(['x', 'X']);
    let Some((Some(width), Some(height))) = sides.map(|(w, h)| (number(w), number(h))) else {
        return size.reject(format!(
            "'{}' is no size: it is WIDTHxHEIGHT, such as 3x4",
            size.text
        ));
    };
    check(width, height).map_err(|message| ParseError::new(size.at, message))?;
    Ok((width as u8, height as u8))
}

/// Reads a number from `least` to `most`, the value of option `key`.
pub(super) fn parse_number(
    value: Token<'_>,
    key: &str,
    least: u8,
    most: u8,
) -> Result<u8, ParseError> {
    match value.text.parse::<u8>() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => value.reject(format!(
            "{key} is a number from {least} to {most}, not '{}'",
            value.text
        )),
    }
}
