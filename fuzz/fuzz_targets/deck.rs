//! A text is a deck file or an error; a card's inline text is that card.
#![no_main]

use hindsight_rules::onitama::{Card, Deck, OnitamaPlayer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(deck) = Deck::from_toml(text) else { return };
    for (name, card) in deck.own_cards() {
        assert_eq!(deck.card(name).as_ref(), Ok(card));
        assert_eq!(
            Card::parse_inline(&card.inline(), OnitamaPlayer::Red).as_ref(),
            Ok(card)
        );
    }
});
