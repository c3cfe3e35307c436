use hindsight_rules::onitama::{BASE, Card, Deck, SENSEIS_PATH};
use hindsight_rules::{GAMES, GameEntry};
use serde::Serialize;

/// A game that the program knows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ListedGame {
    /// First word of the game's specs.
    pub name: &'static str,
    /// Form of the game's specs.
    pub spec: &'static str,
    /// Short description.
    pub about: &'static str,
    /// A spec to try.
    pub example: &'static str,
}

/// Returns the games that the program knows.
#[must_use]
pub fn listed_games() -> Vec<ListedGame> {
    let listed = |game: &GameEntry| ListedGame {
        name: game.name,
        spec: game.form,
        about: game.about,
        example: game.example,
    };
    GAMES.iter().map(listed).collect()
}

/// A card of Onitama.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ListedCard {
    /// Name of the card.
    pub card: String,
    /// Side that begins when the card is set aside.
    pub stamp: &'static str,
    /// Steps to the right and forward, as the holder sees them.
    pub offsets: Vec<(i8, i8)>,
    /// Set that the card comes from: `base`, `senseis` or `own`.
    pub set: CardSet,
}

/// Set of cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum CardSet {
    /// The base game.
    Base,
    /// The extension Sensei's Path.
    Senseis,
    /// Cards of a user.
    Own,
}

impl CardSet {
    /// Returns the set that a card of a name is from.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let has = |set: [(&str, _, _); 16]| set.iter().any(|(other, _, _)| *other == name);
        match (has(BASE), has(SENSEIS_PATH)) {
            (true, _) => Self::Base,
            (_, true) => Self::Senseis,
            _ => Self::Own,
        }
    }
}

impl ListedCard {
    /// Returns a card of a set by its name.
    #[must_use]
    pub fn new(name: &str, card: &Card, set: CardSet) -> Self {
        Self {
            card: name.to_string(),
            stamp: card.stamp.name(),
            offsets: card.offsets().to_vec(),
            set,
        }
    }
}

/// Returns the cards that were printed, set by set.
///
/// # Panics
/// Never: the default deck has them all.
#[must_use]
pub fn all_cards() -> Vec<ListedCard> {
    let deck = Deck::default();
    let names = BASE.iter().chain(&SENSEIS_PATH).map(|(name, _, _)| *name);
    let listed = |name| {
        let card = deck.card(name).expect("a card of the default deck");
        ListedCard::new(name, &card, CardSet::of(name))
    };
    names.map(listed).collect()
}
