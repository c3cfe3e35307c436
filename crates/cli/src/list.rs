//! The commands `games` and `cards`: lists of what the program knows.

use std::path::Path;

use anyhow::{Result, anyhow};
use hindsight_answers::report::{TextTable, unbroken};
use hindsight_answers::{CardSet, ListedCard, listed_games};
use hindsight_rules::GAMES;
use hindsight_rules::onitama::{BASE, Card, Deck, SENSEIS_PATH};

use crate::args::CardsArgs;
use crate::context::Context;
use crate::output::{columns, fitted, print_json, print_text};

/// Prints the list of games.
pub(crate) fn games(context: &Context) -> Result<()> {
    if context.json {
        return print_json(&listed_games());
    }
    let mut text = String::new();
    for game in GAMES {
        text.push_str(&format!("{}\n  {}\n", game.form, game.about));
        let mut options = TextTable::new("lll");
        for &(key, about) in game.options {
            options.push(["  ", key, about]);
        }
        text.push_str(&format!("{}  try: hindsight solve {}\n\n", fitted(&options), game.example));
    }
    text.push_str(
        "Options come last, each after a colon: onitama:5x5:boar:students=2:first=blue\n\
         A game of yours is a program: cmd:\"PROGRAM ARGUMENTS\" (docs/own-game.md)\n",
    );
    print_text(&text)
}

/// A card with its name and the set that it comes from.
struct NamedCard {
    name: String,
    card: Card,
    set: CardSet,
}

/// Prints the cards named, or else the user's own cards of a deck, or else all cards.
pub(crate) fn cards(args: &CardsArgs, context: &Context) -> Result<()> {
    let deck = match &args.deck {
        None => Deck::default(),
        Some(file) => read_deck(file)?,
    };
    let mut listed: Vec<NamedCard> = Vec::new();
    for text in &args.cards {
        let lower = text.to_ascii_lowercase();
        let card =
            deck.parse_card(&lower).map_err(|error| anyhow!("'{text}': {}", error.message))?;
        let text = lower.split('@').next().unwrap_or_default();
        let name = card.name().unwrap_or(text).to_string();
        let set = CardSet::of(&name);
        listed.push(NamedCard { name, card, set });
    }
    if listed.is_empty() {
        let own = deck.own_cards().map(|(name, card)| NamedCard {
            name: name.to_string(),
            card: card.clone(),
            set: CardSet::Own,
        });
        listed.extend(own);
    }
    if listed.is_empty() {
        for (set, constants) in [(CardSet::Base, BASE), (CardSet::Senseis, SENSEIS_PATH)] {
            for (name, _, _) in constants {
                listed.push(NamedCard {
                    name: name.to_string(),
                    card: deck.card(name).map_err(|message| anyhow!(message))?,
                    set,
                });
            }
        }
    }
    if context.json {
        let row = |named: &NamedCard| ListedCard::new(&named.name, &named.card, named.set);
        return print_json(&listed.iter().map(row).collect::<Vec<_>>());
    }
    print_text(&drawings(&listed))
}

pub(crate) fn read_deck(file: &Path) -> Result<Deck> {
    let name = file.display().to_string();
    let text = hindsight_games::read_deck(&name).map_err(|message| anyhow!(message))?;
    Deck::from_toml(&text).map_err(|error| anyhow!("deck '{name}', {}", error.message))
}

/// Characters between cards that are drawn side by side, at least.
const CARD_GAP: usize = 4;

/// Draws cards side by side, as many in a row as fit, as their holder sees them.
fn drawings(listed: &[NamedCard]) -> String {
    let mut text = String::new();
    for cards in listed.chunk_by(|a, b| a.set == b.set) {
        text.push_str(match cards[0].set {
            CardSet::Base => "Base game\n\n",
            CardSet::Senseis => "Sensei's Path\n\n",
            CardSet::Own => "",
        });
        let width = cards.iter().map(|listed| listed.width()).max().unwrap_or(0);
        // The last card of a row has no gap behind it.
        let in_row = (columns() - INDENT.len() + CARD_GAP) / (width + CARD_GAP);
        for row in cards.chunks(in_row.max(1)) {
            push_row(&mut text, row, width + CARD_GAP);
        }
    }
    text.push_str(
        "O the piece, # where it may go, far side at the top; \
         in brackets who begins when it is set aside\n",
    );
    text
}

/// Indent of the drawings of cards.
const INDENT: &str = "  ";

/// Adds a row of cards, each `width` characters wide.
fn push_row(text: &mut String, row: &[NamedCard], width: usize) {
    let titles = row.iter().map(NamedCard::title).collect();
    let diagrams = row.iter().map(|listed| listed.card.diagram());
    let diagrams: Vec<[String; 5]> = diagrams.collect();
    let lines = (0..5).map(|line| diagrams.iter().map(|drawn| drawn[line].clone()).collect());
    for cells in [titles].into_iter().chain(lines) {
        let cells: Vec<String> = cells;
        let cells = cells.iter().map(|cell| format!("{cell:<width$}"));
        let line = format!("{INDENT}{}", cells.collect::<String>());
        text.push_str(&unbroken(line.trim_end()));
        text.push('\n');
    }
    text.push('\n');
}

impl NamedCard {
    fn title(&self) -> String {
        format!("{} ({})", self.name, self.card.stamp.name())
    }

    /// Returns the characters of the title and the drawing of the card.
    fn width(&self) -> usize {
        self.title().chars().count().max("# # # # #".len())
    }
}
