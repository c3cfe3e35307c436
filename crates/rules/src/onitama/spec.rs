use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use hindsight_core::{PackedGame, ParseError, SpecOptions, Symmetry, TextToken};

use crate::game_entry::{GameEntry, Setup};
use crate::grammar::{game_name, option_value, parse_size};
use crate::onitama::{
    Card, Deck, Onitama, OnitamaPlayer, OnitamaSetup, ThesisMoveOrder, check_board, split_cards,
};

/// Onitama without a type for its bitboards, which is the smallest that has a bit for every square.
#[derive(Clone, Debug)]
pub(crate) struct AnyOnitama {
    setup: OnitamaSetup,
    symmetry: Symmetry,
}

impl AnyOnitama {
    pub(crate) const NAME: &str = "onitama";

    /// Entry in the list of games.
    pub(crate) const ENTRY: GameEntry = GameEntry {
        name: Self::NAME,
        form: "onitama:WIDTHxHEIGHT:CARDS",
        about: "masters, students and five move cards on a board of up to 64 squares",
        example: "onitama:3x4:boar",
        options: &[
            ("CARDS", "the card set aside, Red's two, Blue's two; or one card for five copies"),
            (
                "",
                "by name, or inline: (right,forward) as the holder sees it, @red or @blue for the \
                 stamp",
            ),
            ("", "own names: wolf=(0,2)(-1,0), or those of deck=FILE"),
            ("first=red|blue", "who begins, whatever the stamp of the card set aside says"),
            ("deck=FILE", "names also from a TOML file of cards"),
            ("stay=yes", "the offset (0,0) is a move; without it, it never is"),
            ("hand=3", "more cards in a hand, 1 to 6 (then 2 x hand + 1 cards)"),
            (
                "students=2",
                "at most 2 students a side, nearest the arch, left of the own seat first",
            ),
        ],
        rules: |spec, setup| Ok(Self::from_spec(spec, setup)?.rules()),
    };

    pub(crate) fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError> {
        Ok(Self { setup: parse_onitama(spec, setup.read_file)?, symmetry: setup.symmetry })
    }

    fn rules(self) -> PackedGame {
        let Self { setup, symmetry } = self;
        match setup.board().squares() {
            // With up to 16 squares, 64 bits number all positions.
            0..=16 => PackedGame::two_sided(Onitama::<u16>::new(setup, symmetry)),
            17..=32 => {
                let game = Onitama::<u32>::new(setup, symmetry);
                if game.ranks_fit() { PackedGame::two_sided(game) } else { PackedGame::new(game) }
            }
            _ => {
                let game = Onitama::<u64>::new(setup, symmetry);
                if game.ranks_fit() { PackedGame::ranked(game) } else { PackedGame::new(game) }
            }
        }
    }

    /// Returns the game in the move order of the retrograde thesis; it was read from `spec`.
    pub(crate) fn in_published_order(self, spec: TextToken<'_>) -> Result<PackedGame, ParseError> {
        let Self { setup, symmetry } = self;
        match (setup.board().squares(), setup.hand) {
            (0..=32, _) => {
                Ok(PackedGame::new(ThesisMoveOrder(Onitama::<u32>::new(setup, symmetry))))
            }
            (_, 0..=3) => {
                Ok(PackedGame::new(ThesisMoveOrder(Onitama::<u64>::new(setup, symmetry))))
            }
            _ => spec.reject(
                "the published order of moves is for boards of at most 32 squares, or hands of at \
                 most 3 cards",
            ),
        }
    }
}

impl FromStr for OnitamaSetup {
    type Err = ParseError;

    /// Reads a spec of Onitama. A deck file is refused; the normal form of a spec names none.
    fn from_str(spec: &str) -> Result<Self, ParseError> {
        let spec = TextToken::trimmed(spec);
        let name = game_name(spec);
        if name.eq_ignore_ascii_case("onitama") {
            let no_files =
                |_: &str| Err(String::from("a deck is not read here; name cards inline"));
            return parse_onitama(spec, &no_files);
        }
        spec.reject(format!(
            "a game of onitama is wanted here, such as onitama:3x4:boar, not '{name}'"
        ))
    }
}

/// Returns the name of the deck file in a spec; `None` without one. Opens no file.
///
/// ```
/// use hindsight_rules::deck_file;
///
/// assert_eq!(deck_file("onitama:5x5:wolf:deck=My.toml:first=red"), Some("My.toml"));
/// assert_eq!(deck_file("onitama:3x4:boar"), None);
/// assert_eq!(deck_file("onitama:3x4:deck=(0,1)"), None);
/// ```
#[must_use]
pub fn deck_file(spec: &str) -> Option<&str> {
    let tokens: Vec<_> = TextToken::trimmed(spec).split(':').collect();
    let is_onitama = tokens[0].text.eq_ignore_ascii_case("onitama");
    // Cards come before the options: a card may be named deck.
    let deck = option_value(tokens.get(3..)?, "deck").filter(|_| is_onitama)?;
    Some(deck.text)
}

/// Reads `onitama:WIDTHxHEIGHT:CARDS[:key=value]..`.
pub(crate) fn parse_onitama(
    spec: TextToken<'_>,
    read_file: &dyn Fn(&str) -> Result<String, String>,
) -> Result<OnitamaSetup, ParseError> {
    let tokens: Vec<_> = spec.split(':').collect();
    let [_, size, cards, options @ ..] = tokens.as_slice() else {
        return Err(ParseError::new(
            spec.end(),
            "onitama needs a size and cards: onitama:WIDTHxHEIGHT:CARDS, such as onitama:3x4:boar",
        ));
    };
    let (width, height) = parse_size(*size, check_board)?;
    let mut setup = OnitamaSetup::new(width, height, Vec::new());
    let mut deck = Deck::default();
    for option in SpecOptions::new(options.iter().copied()) {
        let option = option?;
        let value = option.value()?;
        match option.key.as_str() {
            "deck" => deck = parse_deck(value, read_file)?,
            "first" => match OnitamaPlayer::from_name(value.text) {
                Some(player) => setup.first = Some(player),
                None => return value.reject(format!("first is red or blue, not '{}'", value.text)),
            },
            "stay" => setup.stay = option.yes_or_no()?,
            "hand" => setup.hand = value.number("hand", 1..=6)?,
            "students" => setup.students = Some(value.number("students", 0..=63)?),
            key => {
                let keys = "deck, first, hand, stay, students";
                let message = format!("there is no option '{key}'; onitama has {keys}");
                return option.token.reject(message);
            }
        }
    }
    parse_cards(*cards, &deck, &mut setup)?;
    setup.check().map_err(|message| ParseError::new(cards.at, message))?;
    Ok(setup)
}

pub(crate) fn parse_deck(
    file: TextToken<'_>,
    read_file: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Deck, ParseError> {
    let text = read_file(file.text).map_err(|message| ParseError::new(file.at, message))?;
    Deck::from_toml(&text).map_err(|error| {
        ParseError::new(file.at, format!("deck '{}', {}", file.text, error.message))
    })
}

fn parse_cards(
    cards: TextToken<'_>,
    deck: &Deck,
    setup: &mut OnitamaSetup,
) -> Result<(), ParseError> {
    let lower = cards.text.to_ascii_lowercase();
    if lower == "random" {
        return cards.reject(
            "random deals are for playing; to solve, name the cards (see `hindsight cards`)",
        );
    }
    if lower.is_empty() {
        return cards.reject("no cards; name five, or one for five copies of it, such as boar");
    }
    let texts = split_cards(&lower);
    // Names that the spec explains count from the first card on.
    let mut deck = deck.clone();
    for text in texts.iter().filter(|card| card.text.contains('=')) {
        deck.add(&parse_card(*text, &deck, cards.at)?);
    }
    for text in texts {
        setup.cards.push(parse_card(text, &deck, cards.at)?);
    }
    name_cards(&mut setup.cards, &deck);
    if let [card] = setup.cards.as_slice() {
        setup.cards = core::iter::repeat_n(card.clone(), 2 * usize::from(setup.hand) + 1).collect();
    }
    Ok(())
}

/// Reads a card of a list that begins at `at` of the spec.
fn parse_card(card: TextToken<'_>, deck: &Deck, at: usize) -> Result<Card, ParseError> {
    let read = deck.parse_card(card.text);
    read.map_err(|error| error.shifted(at + card.at))
}

/// Gives cards without a name that of the first equal card with one, in the game or in the deck.
fn name_cards(cards: &mut [Card], deck: &Deck) {
    let in_game = Deck::of_named(cards.iter());
    for card in cards.iter_mut().filter(|card| card.name().is_none()) {
        let name = in_game.name_of(card).or_else(|| deck.name_of(card));
        let named = name.and_then(|name| card.clone().named(name).ok());
        *card = named.unwrap_or_else(|| card.clone());
    }
}
