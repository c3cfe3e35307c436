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
        bail!("the name of a deck is text without a colon, not '{}'", file.display());
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
        key.eq_ignore_ascii_case("hand").then_some(value)?.parse().ok()
    });
    2 * hand.unwrap_or(2) + 1
}
