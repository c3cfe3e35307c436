use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::{ParseError, Random, TextToken};

use super::Setup;
use crate::grammar::option_value;
use crate::onitama::spec::parse_deck;
use crate::onitama::{BASE, Deck, split_cards};

/// Replaces the random parts of a spec of Onitama by random choices. Returns `None` if there are
/// none.
///
/// Each card named `random` becomes a card not yet in the spec, of the 16 of the base game or, with
/// `deck=FILE`, of the deck. A single `random` stands for all cards. The player who begins is drawn
/// too, unless the spec has `first`.
///
/// # Errors
/// If the deck file cannot be read or has a fault, or there are too few cards to draw from. Other
/// faults of the spec are left to [`by_name`](super::by_name).
pub fn deal<R: Random>(
    spec: &str,
    setup: &Setup<'_>,
    random: &mut R,
) -> Result<Option<String>, ParseError> {
    let tokens: Vec<_> = TextToken::trimmed(spec).split(':').collect();
    let [name, size, cards, options @ ..] = tokens.as_slice() else {
        return Ok(None);
    };
    let text = cards.text.to_ascii_lowercase();
    let mut names: Vec<&str> = split_cards(&text)
        .into_iter()
        .map(|card| card.text)
        .collect();
    if !name.text.eq_ignore_ascii_case("onitama") || !names.contains(&"random") {
        return Ok(None);
    }
    if names.len() == 1 {
        let hand = option_value(options, "hand").and_then(|hand| hand.text.parse::<usize>().ok());
        names = alloc::vec!["random"; 2 * hand.unwrap_or(2).min(64) + 1];
    }
    let deck = match option_value(options, "deck") {
        Some(file) => parse_deck(file, setup.read_file)?,
        None => Deck::default(),
    };
    let mut pool: Vec<&str> = deck.own_cards().map(|card| card.0).collect();
    if pool.is_empty() {
        pool = BASE.iter().map(|card| card.0).collect();
    }
    // Cards that differ only in their stamps are the same card.
    let is_named = |card: &str| {
        names
            .iter()
            .any(|name| name.split('@').next() == Some(card))
    };
    pool.retain(|card| !is_named(card));
    for name in &mut names {
        if *name == "random" {
            if pool.is_empty() {
                return cards.reject("there are not so many different cards to draw from");
            }
            *name = pool.swap_remove(random.below(pool.len() as u32) as usize);
        }
    }
    let mut dealt = format!("{}:{}:{}", name.text, size.text, names.join(","));
    for option in options {
        dealt.push_str(&format!(":{}", option.text));
    }
    if option_value(options, "first").is_none() {
        dealt.push_str([":first=red", ":first=blue"][random.below(2) as usize]);
    }
    Ok(Some(dealt))
}
