//! Parts of specs that several games share.

use alloc::format;
use alloc::string::String;

use hindsight_core::{ParseError, SpecOption, TextToken};

/// Returns the name of the game of a spec.
pub(crate) fn game_name(spec: TextToken<'_>) -> &str {
    spec.text.split(':').next().unwrap_or_default()
}

/// Returns the first value of option `key`; `None` without one.
pub(crate) fn option_value<'a>(options: &[TextToken<'a>], key: &str) -> Option<TextToken<'a>> {
    let options = options.iter().copied().map(SpecOption::new);
    let mut values = options.filter(|option| option.key == key);
    values.find_map(|option| option.value().ok())
}

/// Reads `WIDTHxHEIGHT`. Invariant: `check` accepts only sizes of at most 255 in each direction.
pub(crate) fn parse_size(
    size: TextToken<'_>,
    check: fn(u64, u64) -> Result<(), String>,
) -> Result<(u8, u8), ParseError> {
    let number = |text: &str| {
        text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten()
    };
    let sides = size.text.split_once(['x', 'X']);
    let Some((Some(width), Some(height))) = sides.map(|(w, h)| (number(w), number(h))) else {
        return size.reject(format!("'{}' is no size: it is WIDTHxHEIGHT, such as 3x3", size.text));
    };
    check(width, height).map_err(|message| ParseError::new(size.at, message))?;
    Ok((width as u8, height as u8))
}
