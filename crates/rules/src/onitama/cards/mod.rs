//! Cards, decks of them, and the cards in the hands.

pub(super) mod card;
pub(super) mod card_name;
pub(super) mod deck;
#[cfg_attr(not(feature = "decks"), path = "no_deck_file.rs")]
pub(super) mod deck_file;
pub(super) mod hands;
