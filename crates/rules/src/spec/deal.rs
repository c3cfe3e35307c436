use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::{ParseError, Random, TextToken};

use super::Setup;
use crate::grammar::option_value;
use crate::onitama::spec::parse_deck;
use crate::onitama::{BASE, Card, Deck, split_cards};

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
    let mut names: Vec<&str> = split_cards(&text).into_iter().map(|card| card.text).collect();
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
    let mut pool: Vec<(&str, Card)> =
        deck.own_cards().map(|(name, card)| (name, card.clone())).collect();
    if pool.is_empty() {
        let base = BASE.iter().map(|card| card.0);
        let named = |name| Some((name, deck.card(name).ok()?));
        pool = base.filter_map(named).collect();
    }
    // Cards with the same offsets are the same card. A fault in a card is left to `by_name`.
    let known = |name: &&str| deck.parse_card(name).ok();
    let taken: Vec<Card> = names.iter().filter_map(known).collect();
    pool.retain(|(_, card)| !taken.contains(card));
    let wanted = names.iter().filter(|name| **name == "random").count();
    let masks = pool.iter().map(|(_, card)| card.mask());
    let different = masks.collect::<BTreeSet<u32>>().len();
    if different < wanted {
        return cards.reject(format!(
            "there are not so many different cards to draw from: {wanted} are random, and \
             {different} can be drawn; name more of the cards, or a deck with more"
        ));
    }
    for name in names.iter_mut().filter(|name| **name == "random") {
        let (drawn, card) = pool.swap_remove(random.below(pool.len() as u32) as usize);
        pool.retain(|(_, other)| *other != card);
        *name = drawn;
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
