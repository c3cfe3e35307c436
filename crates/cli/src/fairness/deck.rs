use std::path::Path;

use anyhow::{Result, bail};

use crate::list::read_deck;

/// Returns the spec with the cards of a deck: those that it names, or else all of them.
pub(super) fn spec_with_deck(spec: &str, file: &Path) -> Result<String> {
    let mut parts: Vec<String> = spec.trim().split(':').map(String::from).collect();
    if !parts[0].eq_ignore_ascii_case("onitama") {
        bail!("--deck is for Onitama, whose cards it has, not for '{spec}'");
    }
    if hindsight_rules::deck_file(spec).is_some() {
        bail!("'{spec}' names a deck already; leave out --deck");
    }
    let Some(name) = file.to_str().filter(|name| !name.contains(':')) else {
        bail!(
            "the name of a deck is text without a colon, not '{}'",
            file.display()
        );
    };
    let deck = read_deck(file)?;
    let names_cards = |part: &String| part.contains('(') || !part.contains('=');
    if parts.len() >= 2 && !parts.get(2).is_some_and(names_cards) {
        let names: Vec<&str> = deck.own_cards().map(|(name, _)| name).collect();
        let needed = dealt_cards(&parts);
        if names.len() != needed {
            let few = if names.len() < needed { "only " } else { "" };
            bail!(
                "'{name}' has {few}{} cards, and {needed} are dealt; name them in the spec, \
                 such as {}:NAME,NAME,..",
                names.len(),
                parts[..2].join(":")
            );
        }
        parts.insert(2, names.join(","));
    }
    parts.push(format!("deck={name}"));
    Ok(parts.join(":"))
}

/// Returns the number of cards that are dealt, by the option `hand` of a spec.
fn dealt_cards(parts: &[String]) -> usize {
    let hand = parts.iter().find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.eq_ignore_ascii_case("hand")
            .then_some(value)?
            .parse()
            .ok()
    });
    2 * hand.unwrap_or(2) + 1
}

#[cfg(test)]
mod tests {
    use super::spec_with_deck;
    use std::fs;

    #[test]
    fn a_deck_stands_for_its_cards() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("deck.toml");
        let text = "[cards]\na = [[0, 1]]\nb = [[1, 1]]\nc = [[2, 1]]\n";
        fs::write(&file, text).expect("a file");
        let name = file.display();
        let with_deck = |spec: &str| spec_with_deck(spec, &file).map_err(|error| error.to_string());
        for (spec, expected) in [
            ("onitama:3x4:hand=1", "onitama:3x4:a,b,c:hand=1"),
            ("Onitama:3x4:c,b,a:hand=1", "Onitama:3x4:c,b,a:hand=1"),
            ("onitama:3x4:d=(0,1),a", "onitama:3x4:d=(0,1),a"),
        ] {
            assert_eq!(with_deck(spec), Ok(format!("{expected}:deck={name}")));
        }
        for (spec, part) in [
            ("quoridor:5x5:1", "--deck is for Onitama"),
            ("onitama:3x4:a:deck=other.toml", "names a deck already"),
            ("onitama:3x4", "has only 3 cards, and 5 are dealt"),
        ] {
            let error = with_deck(spec).expect_err(spec);
            assert!(error.contains(part), "{error}");
        }
    }
}
