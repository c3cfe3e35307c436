use alloc::borrow::Cow;
use alloc::format;

/// Most characters of a text from outside that a message quotes.
const QUOTED: usize = 200;

/// Returns a text from outside as a message quotes it: a long one without its middle.
///
/// ```
/// use hindsight_core::shown;
///
/// assert_eq!(shown("tic-tac-toe"), "tic-tac-toe");
/// let long = shown(&"x".repeat(1_000_000)).into_owned();
/// assert_eq!(long.chars().count(), 200);
/// assert!(long.starts_with("xx") && long.contains(" .. ") && long.ends_with("xx"));
/// ```
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    without_middle(text, QUOTED)
}

/// Returns a text of at most `most` characters: the begin and the end of a longer one, with dots
/// between them.
///
/// ```
/// use hindsight_core::without_middle;
///
/// assert_eq!(without_middle("ab", 9), "ab");
/// assert_eq!(without_middle("abcdefghijkl", 9), "abc .. kl");
/// ```
#[must_use]
pub fn without_middle(text: &str, most: usize) -> Cow<'_, str> {
    const DOTS: &str = " .. ";
    // A text of few bytes has few characters.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let kept = most.saturating_sub(DOTS.len());
    let begin = text.char_indices().nth(kept.div_ceil(2));
    let end = match kept / 2 {
        0 => None,
        many => text.char_indices().rev().nth(many - 1),
    };
    let begin = begin.map_or(text.len(), |(at, _)| at);
    let end = end.map_or(text.len(), |(at, _)| at);
    Cow::Owned(format!("{}{DOTS}{}", &text[..begin], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_kept_whole() {
        let long = "é".repeat(201);
        assert_eq!(shown(&long).chars().count(), QUOTED);
        assert_eq!(shown(&long[2..]), long[2..]);
        assert_eq!(without_middle("éàü", 0), " .. ");
    }
}
