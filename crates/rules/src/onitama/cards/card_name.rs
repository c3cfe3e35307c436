//! Names of cards.

use alloc::format;
use alloc::string::String;

const MAX_LETTERS: usize = 32;

/// Returns a name of a card in lower case.
///
/// # Errors
/// A sentence, if the name is malformed, too long, or `random`.
pub(super) fn checked_name(name: &str) -> Result<String, String> {
    let letters = name.chars().count();
    if letters > MAX_LETTERS {
        return Err(format!(
            "a name of {letters} letters is too long for a card: at most {MAX_LETTERS}"
        ));
    }
    let name = name.to_ascii_lowercase();
    let are_allowed = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if are_allowed && begins && name != "random" {
        Ok(name)
    } else {
        Err(format!(
            "'{name}' is no name for a card: a letter from a to z, then such letters, digits and \
             '-', and not random"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::checked_name;

    #[test]
    fn names_are_words_that_break_no_notation() {
        for name in ["wolf", "Sea-Snake-2", "w", "wolf-", &"w".repeat(32)] {
            assert_eq!(checked_name(name), Ok(name.to_ascii_lowercase()));
        }
        let faults = [
            "",
            " ",
            "12",
            "2wolf",
            "-wolf",
            "a:b",
            "a,b",
            "a=b",
            "a@b",
            "a b",
            "a/b",
            "a(b",
            "a_b",
            "w\u{f6}lf",
            "wolf\n",
            "random",
            "RANDOM",
        ];
        for name in faults {
            let message = checked_name(name).unwrap_err();
            assert!(message.contains("is no name for a card"), "{name}: {message}");
        }
        let message = checked_name(&"w".repeat(100_000)).unwrap_err();
        assert_eq!(message, "a name of 100000 letters is too long for a card: at most 32");
    }
}
