use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::{ParseError, TextToken, nearest_name};

use super::super::{Card, OnitamaPlayer};
use super::card_name::checked_name;

/// A card as a constant: name, stamp, offsets (right, forward).
type CardConstant = (&'static str, OnitamaPlayer, &'static [(i8, i8)]);

/// The 16 cards of the base game. Source: `golden/onitama_cards.csv`.
///
/// Offsets stand in the order of the retrograde thesis's program, whose numbers of visited states
/// depend on the order.
pub const BASE: [CardConstant; 16] = [
    ("boar", OnitamaPlayer::Red, &[(-1, 0), (0, 1), (1, 0)]),
    ("cobra", OnitamaPlayer::Red, &[(-1, 0), (1, 1), (1, -1)]),
    ("crab", OnitamaPlayer::Blue, &[(-2, 0), (0, 1), (2, 0)]),
    ("crane", OnitamaPlayer::Blue, &[(-1, -1), (0, 1), (1, -1)]),
    ("dragon", OnitamaPlayer::Red, &[(-2, 1), (-1, -1), (1, -1), (2, 1)]),
    ("eel", OnitamaPlayer::Blue, &[(-1, 1), (-1, -1), (1, 0)]),
    ("elephant", OnitamaPlayer::Red, &[(-1, 1), (-1, 0), (1, 1), (1, 0)]),
    ("frog", OnitamaPlayer::Red, &[(-2, 0), (-1, 1), (1, -1)]),
    ("goose", OnitamaPlayer::Blue, &[(-1, 1), (-1, 0), (1, 0), (1, -1)]),
    ("horse", OnitamaPlayer::Red, &[(-1, 0), (0, 1), (0, -1)]),
    ("mantis", OnitamaPlayer::Red, &[(-1, 1), (0, -1), (1, 1)]),
    ("monkey", OnitamaPlayer::Blue, &[(-1, 1), (-1, -1), (1, 1), (1, -1)]),
    ("ox", OnitamaPlayer::Blue, &[(0, 1), (0, -1), (1, 0)]),
    ("rabbit", OnitamaPlayer::Blue, &[(-1, -1), (1, 1), (2, 0)]),
    ("rooster", OnitamaPlayer::Red, &[(-1, 0), (-1, -1), (1, 0), (1, 1)]),
    ("tiger", OnitamaPlayer::Blue, &[(0, 2), (0, -1)]),
];

/// The 16 cards of the expansion Sensei's Path. Source: `golden/onitama_senseis_path.csv`.
pub const SENSEIS_PATH: [CardConstant; 16] = [
    ("bear", OnitamaPlayer::Blue, &[(-1, 1), (0, 1), (1, -1)]),
    ("dog", OnitamaPlayer::Blue, &[(-1, 1), (-1, 0), (-1, -1)]),
    ("fox", OnitamaPlayer::Red, &[(1, 1), (1, 0), (1, -1)]),
    ("giraffe", OnitamaPlayer::Blue, &[(-2, 1), (0, -1), (2, 1)]),
    ("iguana", OnitamaPlayer::Red, &[(-2, 1), (0, 1), (1, -1)]),
    ("kirin", OnitamaPlayer::Red, &[(-1, 2), (0, -2), (1, 2)]),
    ("mouse", OnitamaPlayer::Blue, &[(-1, -1), (0, 1), (1, 0)]),
    ("otter", OnitamaPlayer::Red, &[(-1, 1), (1, -1), (2, 0)]),
    ("panda", OnitamaPlayer::Red, &[(-1, -1), (0, 1), (1, 1)]),
    ("phoenix", OnitamaPlayer::Blue, &[(-2, 0), (-1, 1), (1, 1), (2, 0)]),
    ("rat", OnitamaPlayer::Red, &[(-1, 0), (0, 1), (1, -1)]),
    ("sable", OnitamaPlayer::Blue, &[(-2, 0), (-1, -1), (1, 1)]),
    ("sea-snake", OnitamaPlayer::Blue, &[(-1, -1), (0, 1), (2, 0)]),
    ("tanuki", OnitamaPlayer::Blue, &[(-1, -1), (0, 1), (2, 1)]),
    ("turtle", OnitamaPlayer::Red, &[(-2, 0), (-1, -1), (1, -1), (2, 0)]),
    ("viper", OnitamaPlayer::Red, &[(-2, 0), (0, 1), (1, -1)]),
];

/// The built-in card of a name in lower case.
pub(in crate::onitama) fn built_in(name: &str) -> Option<Card> {
    let constant = BASE.iter().chain(&SENSEIS_PATH).find(|(other, _, _)| *other == name);
    constant.map(|&(_, stamp, offsets)| {
        Card::new(offsets.to_vec(), stamp).expect("the built-in cards are cards")
    })
}

/// Named cards: the 32 built-in cards, and the cards of a deck file or of a game.
#[derive(Clone, Debug, Default)]
pub struct Deck {
    /// Invariant: each card has a name, and no two have the same.
    own: Vec<Card>,
}

impl Deck {
    /// Makes a deck of the named ones of some cards.
    pub(in crate::onitama) fn of_named<'c>(cards: impl Iterator<Item = &'c Card>) -> Self {
        let mut deck = Self::default();
        cards.for_each(|card| deck.add(card));
        deck
    }

    /// Adds a card that has a name, unless the deck has a card of this name.
    pub(in crate::onitama) fn add(&mut self, card: &Card) {
        if card.name().is_some_and(|name| self.own_card(name).is_none()) {
            self.own.push(card.clone());
        }
    }

    /// Cards of the deck file, in its order.
    pub fn own_cards(&self) -> impl Iterator<Item = (&str, &Card)> {
        self.own.iter().filter_map(|card| card.name().map(|name| (name, card)))
    }

    /// The card of the deck file with a name in lower case.
    pub(in crate::onitama) fn own_card(&self, name: &str) -> Option<&Card> {
        self.own.iter().find(|card| card.name() == Some(name))
    }

    /// The name that the deck file has for the offsets of a card, the first if there are several.
    pub(in crate::onitama) fn name_of(&self, card: &Card) -> Option<&str> {
        self.own.iter().find(|own| *own == card)?.name()
    }

    /// The card of a name in lower case.
    ///
    /// # Errors
    /// If there is no such card. The message suggests a name that is like it.
    pub fn card(&self, name: &str) -> Result<Card, String> {
        if let Some(card) = self.own_card(name) {
            return Ok(card.clone());
        }
        let named = |card: Card| card.named(name).ok();
        built_in(name).and_then(named).ok_or_else(|| {
            if name.is_empty() {
                return String::from("a card without a name; cards have a comma between them");
            }
            let names = self.own_cards().map(|(name, _)| name);
            let names = names.chain(BASE.iter().chain(&SENSEIS_PATH).map(|(name, _, _)| *name));
            let hint = nearest_name(name, names)
                .map_or(String::new(), |nearest| format!("; did you mean '{nearest}'?"));
            format!("there is no card '{name}'{hint} (`hindsight cards` lists them)")
        })
    }

    /// Reads a card in lower case, by name, inline or both, with or without a stamp: `boar`,
    /// `(-1,0)(0,1)@blue`, `wolf=(-1,0)(0,1)`.
    ///
    /// # Errors
    /// If the text is no card, or gives offsets to a name that has others. The message suggests the
    /// nearest name for an unknown one.
    pub fn parse_card(&self, text: &str) -> Result<Card, ParseError> {
        let (body, stamp) = match text.split_once('@') {
            None => (text, None),
            Some((body, stamp)) => {
                let player = OnitamaPlayer::from_name(stamp).ok_or_else(|| {
                    ParseError::new(
                        body.len() + 1,
                        format!("the stamp of a card is red or blue, not '{stamp}'"),
                    )
                })?;
                (body, Some(player))
            }
        };
        let mut card = match body.split_once('=') {
            Some((name, offsets)) => self.parse_definition(name, offsets)?,
            None if body.starts_with('(') => Card::parse_inline(body, OnitamaPlayer::Red)?,
            None => self.card(body).map_err(|message| ParseError::new(0, message))?,
        };
        card.stamp = stamp.unwrap_or(card.stamp);
        Ok(card)
    }

    /// Reads the offsets of a card with a name. A name that is known keeps its stamp.
    fn parse_definition(&self, name: &str, offsets: &str) -> Result<Card, ParseError> {
        let at_name = |message| ParseError::new(0, message);
        let name = checked_name(name).map_err(at_name)?;
        let known = self.own_card(&name).cloned().or_else(|| built_in(&name));
        let stamp = known.as_ref().map_or(OnitamaPlayer::Red, |card| card.stamp);
        let card = Card::parse_inline(offsets, stamp)
            .map_err(|error| error.shifted(name.len() + 1))?
            .named(&name)
            .map_err(at_name)?;
        match known.filter(|known| *known != card) {
            None => Ok(card),
            Some(known) => Err(at_name(format!(
                "'{name}' is the card {} already; choose another name for {}",
                known.inline(),
                card.inline()
            ))),
        }
    }
}

/// Splits a list of cards at the commas outside parentheses.
pub(crate) fn split_cards(text: &str) -> Vec<TextToken<'_>> {
    let mut cards = Vec::new();
    let card = |range: Range<usize>| TextToken { at: range.start, text: &text[range] };
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                cards.push(card(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    cards.push(card(start..text.len()));
    cards
}

#[cfg(test)]
mod tests {
    use super::{BASE, Deck, SENSEIS_PATH, split_cards};
    use crate::onitama::{Card, OnitamaPlayer};
    use alloc::string::ToString;
    use alloc::vec;

    #[test]
    fn built_in_cards_have_different_names_and_offsets() {
        let all: vec::Vec<_> = BASE.iter().chain(&SENSEIS_PATH).collect();
        for (i, one) in all.iter().enumerate() {
            for other in &all[..i] {
                assert_ne!(one.0, other.0);
                let card = |c: &super::CardConstant| Card::new(c.2.to_vec(), c.1).unwrap();
                assert_ne!(card(one), card(other), "{} {}", one.0, other.0);
            }
        }
    }

    #[test]
    fn a_deck_file_names_cards() {
        let text = "[[card]]\nname = \"Wolf\"\nstamp = \"blue\"\noffsets = [[0, 2], [-1, 0]]\n\
                    [[card]]\nname = \"stone\"\noffsets = []\n";
        let deck = Deck::from_toml(text).unwrap();
        let wolf = deck.card("wolf").unwrap();
        assert_eq!((wolf.inline().as_str(), wolf.stamp), ("(-1,0)(0,2)", OnitamaPlayer::Blue));
        assert_eq!(deck.card("stone").unwrap().inline(), "()");
        assert!(deck.card("wolv").unwrap_err().contains("'wolf'"));
        assert!(deck.card("tigre").unwrap_err().contains("'tiger'"));
    }

    #[test]
    fn faults_of_a_deck_file_have_line_and_column() {
        let cases = [
            ("[[card]]\nname = \"wolf\"\n", "line 1, column 1"),
            ("[[card]]\nname = 3\noffsets = []", "line 2, column 8"),
            ("[[card]]\nname = \"wolf\"\noffsets = [[3, 0]]", "outside [-2..2]"),
            ("[[card]]\nname = \"boar\"\noffsets = [[1, 0]]", "built-in"),
            ("[[card]]\nname = \"\"\noffsets = []", "no name"),
            (
                "[[card]]\nname = \"a\"\noffsets = []\n[[card]]\nname = \"a\"\noffsets = []",
                "line 5, column 8",
            ),
            ("[[card]]\nname = \"a\"\nstamp = \"green\"\noffsets = []", "\"green\""),
            ("[[card]]\nname = \"a\"\noffsets = []\ncolour = 1", "colour"),
            ("\n\n  =", "line 3, column 3"),
            (
                "[[card]]\nname = \"a\"\noffsets = [[0, 1], [0, 1, 2]]",
                "line 3, column 20: invalid length 3, expected two whole numbers, right and \
                 forward",
            ),
            (
                "[[card]]\nname = \"a\"\noffsets = [[0]]",
                "line 3, column 12: invalid length 1, expected two whole numbers",
            ),
            (
                "[[card]]\nname = \"a\"\noffsets = [[0, 1.0]]",
                "line 3, column 16: invalid type: floating point `1.0`, expected a whole number",
            ),
            (
                "[[card]]\nname = \"a\"\noffsets = [1, 0]",
                "line 3, column 12: invalid type: integer `1`, expected two whole numbers",
            ),
            (
                "[[card]]\nname = \"a\"\noffsets = []\noffsets = []",
                "line 4, column 1: duplicate key",
            ),
            (
                "card = [[\"a\", \"red\", []]]",
                "line 1, column 9: invalid type: sequence, expected a table",
            ),
            (
                "[[card]]\nname = \"a\"\noffsets = []\n[card.more]\n",
                "line 4, column 7: unknown field `more`",
            ),
            ("[[cards]]\n", "line 1, column 3: unknown field `cards`"),
            ("\u{feff}[[card]]\nname = 3\noffsets = []", "line 2, column 8"),
            ("\u{feff}card = 3\n", "line 1, column 8"),
        ];
        for (text, expected) in cases {
            let message = Deck::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text:?}: {message}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_other_line_ends_change_nothing() {
        let text = "[[card]]\nname = \"wolf\"\noffsets = [\n  [0, 2],\n]\n";
        let windows = "\u{feff}".to_string() + &text.replace('\n', "\r\n");
        for text in [text, &windows] {
            let deck = Deck::from_toml(text).unwrap();
            assert_eq!(deck.card("wolf").unwrap().inline(), "(0,2)");
        }
        let fault = Deck::from_toml(&windows.replace("2]", "9]")).unwrap_err();
        assert!(fault.message.starts_with("line 4, column 3"), "{fault}");
    }

    #[test]
    fn cards_are_named_inline() {
        let mut deck = Deck::default();
        let wolf = deck.parse_card("wolf=(0,2)(-1,0)@blue").unwrap();
        assert_eq!(wolf.label(), "wolf");
        deck.add(&wolf);
        for text in ["wolf", "wolf=(-1,0)(0,2)"] {
            let card = deck.parse_card(text).unwrap();
            assert_eq!((&card, card.stamp), (&wolf, OnitamaPlayer::Blue), "{text}");
        }
        let red = deck.parse_card("wolf@red").unwrap();
        assert_eq!(red.stamp, OnitamaPlayer::Red);
        let crab = deck.parse_card("crab=(-2,0)(0,1)(2,0)").unwrap();
        assert_eq!((crab.stamp, crab.own_name()), (OnitamaPlayer::Blue, None));
        for (text, at, expected) in [
            ("=(0,1)", 0, "'' is no name"),
            ("7=(0,1)", 0, "'7' is no name"),
            ("my wolf=(0,1)", 0, "'my wolf' is no name"),
            ("a/b=(0,1)", 0, "'a/b' is no name"),
            ("a@b=(0,1)", 2, "red or blue, not 'b=(0,1)'"),
            ("random=(0,1)", 0, "'random' is no name"),
            ("boar=(0,1)", 0, "other offsets, (-1,0)(0,1)(1,0)"),
            ("wolf=(0,1)", 0, "'wolf' is the card (-1,0)(0,2) already"),
            ("fox2=", 5, "such as (-1,0)(0,1)"),
            ("fox2=boar", 5, "such as (-1,0)(0,1)"),
            ("fox2=fox3=(0,1)", 5, "such as (-1,0)(0,1)"),
            ("fox2=(0,1)(0,3)", 10, "outside [-2..2]"),
            ("fox2=(0,1)(0,1)", 10, "twice"),
        ] {
            let error = deck.parse_card(text).unwrap_err();
            assert!(error.message.contains(expected), "{text}: {error}");
            assert_eq!(error.offset, at, "{text}: {error}");
        }
    }

    #[test]
    fn commas_inside_a_card_do_not_split() {
        let cards = split_cards("boar,(1,0)(0,1)@red,()");
        let cards: vec::Vec<_> = cards.iter().map(|card| (card.at, card.text)).collect();
        assert_eq!(cards, [(0, "boar"), (5, "(1,0)(0,1)@red"), (20, "()")]);
    }
}
