//! Decks: a text is an error or a deck file; the inline texts of its cards are read back, with and
//! without their names.
#![no_main]

use hindsight_rules::onitama::{Card, Deck, OnitamaPlayer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(deck) = Deck::from_toml(text) else {
        return;
    };
    for (name, card) in deck.own_cards() {
        assert_eq!(deck.card(name).as_ref(), Ok(card));
        let read_back = Card::parse_inline(&card.inline(), OnitamaPlayer::Red);
        assert_eq!(read_back.as_ref(), Ok(card));
        let named = Deck::default().parse_card(&card.definition());
        assert_eq!(named.as_ref().map(Card::label), Ok(card.label()));
    }
});
