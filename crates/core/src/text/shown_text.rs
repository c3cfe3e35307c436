use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

/// Most characters of a text from outside that a message quotes.
const QUOTED: usize = 200;

/// Returns a text from outside as a message quotes it: a long one without its middle, and without
/// passwords of addresses.
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
    match without_passwords(text) {
        Cow::Borrowed(text) => without_middle(text, QUOTED),
        Cow::Owned(text) => Cow::Owned(without_middle(&text, QUOTED).into_owned()),
    }
}

/// Returns a text in which dots stand for the names and passwords of addresses.
///
/// ```
/// use hindsight_core::without_passwords;
///
/// let shown = without_passwords("cannot read 'http://me:secret@example.org/q.table'");
/// assert_eq!(shown, "cannot read 'http://..@example.org/q.table'");
/// assert_eq!(without_passwords("http://example.org/a@b"), "http://example.org/a@b");
/// ```
#[must_use]
pub fn without_passwords(text: &str) -> Cow<'_, str> {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("://") {
        let (before, address) = rest.split_at(at + "://".len());
        shown.push_str(before);
        rest = &address[user_length(address)..];
        if rest.len() < address.len() {
            shown.push_str("..");
        }
    }
    if shown.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(shown + rest) }
}

/// Returns the bytes of a name and a password at the begin of an address without its scheme.
fn user_length(address: &str) -> usize {
    let end = address.find(char::is_whitespace).unwrap_or(address.len());
    let address = &address[..end];
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    let server = &address[..end];
    if let Some(at) = server.rfind('@') {
        return at;
    }
    // A password with a slash in it, which should be %2F, ends the server's name too soon.
    let port = server.rsplit_once(':').map_or("", |(_, port)| port);
    if port.chars().all(|digit| digit.is_ascii_digit()) || server.ends_with(']') {
        0
    } else {
        address.rfind('@').unwrap_or(0)
    }
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

    #[test]
    fn passwords_are_left_out_wherever_an_address_stands() {
        let same = ["no address", "http://h:80/a@b http://[::1]:9/@ ://", "ftp://h/?user=a:b@c"];
        for text in same {
            assert_eq!(without_passwords(text), text);
        }
        for (text, expected) in [
            ("http://a@h", "http://..@h"),
            ("q=https://a:b@c@h:1/x?y, http://b:p'w@g", "q=https://..@h:1/x?y, http://..@g"),
            ("http://me:pass/word@h/q", "http://..@h/q"),
            ("socks5://é:à@h", "socks5://..@h"),
        ] {
            assert_eq!(without_passwords(text), expected);
            assert_eq!(shown(text), expected);
        }
    }
}
