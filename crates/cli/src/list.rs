//! The commands `games` and `cards`: lists of what the program knows.

use std::path::Path;

use anyhow::{Result, anyhow};
use hindsight_report::{TextTable, unbroken};
use hindsight_rules::GAMES;
use hindsight_rules::onitama::{BASE, Card, Deck, SENSEIS_PATH};
use serde::Serialize;

use crate::args::CardsArgs;
use crate::context::Context;
use crate::output::{columns, fitted, print_json, print_text};

/// A game in the JSON of `games`.
#[derive(Serialize)]
struct GameRow {
    name: &'static str,
    spec: &'static str,
    about: &'static str,
    example: &'static str,
}

/// Prints the list of games.
pub(crate) fn games(context: &Context) -> Result<()> {
    if context.json {
        let row = |game: &hindsight_rules::GameInfo| GameRow {
            name: game.name,
            spec: game.form,
            about: game.about,
            example: game.example,
        };
        return print_json(&GAMES.iter().map(row).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for game in GAMES {
        text.push_str(&format!("{}\n  {}\n", game.form, game.about));
        let mut options = TextTable::new("lll");
        for &(key, about) in game.options {
            options.push(["  ", key, about]);
        }
        text.push_str(&format!(
            "{}  try: hindsight solve {}\n\n",
            fitted(&options),
            game.example
        ));
    }
    text.push_str(
        "Options come last, each after a colon: onitama:5x5:boar:students=2:first=blue\n",
    );
    print_text(&text)
}

/// A card in the JSON of `cards`.
#[derive(Serialize)]
struct CardRow {
    card: String,
    stamp: &'static str,
    offsets: Vec<(i8, i8)>,
    set: &'static str,
}

/// A card with its name and the set that it comes from: `base`, `senseis` or `own`.
struct ListedCard {
    name: String,
    card: Card,
    set: &'static str,
}

/// Prints the cards named, or else the user's own cards of a deck, or else all cards.
pub(crate) fn cards(args: &CardsArgs, context: &Context) -> Result<()> {
    let deck = match &args.deck {
        None => Deck::default(),
        Some(file) => read_deck(file)?,
    };
    let mut listed: Vec<ListedCard> = Vec::new();
    for text in &args.cards {
        let lower = text.to_ascii_lowercase();
        let card = deck
            .parse_card(&lower)
            .map_err(|error| anyhow!("'{text}': {}", error.message))?;
        let name = lower.split('@').next().unwrap_or_default().to_string();
        let is_one_of = |set: [(&str, _, _); 16]| set.iter().any(|(other, _, _)| *other == name);
        let set = match (is_one_of(BASE), is_one_of(SENSEIS_PATH)) {
            (true, _) => "base",
            (_, true) => "senseis",
            _ => "own",
        };
        listed.push(ListedCard { name, card, set });
    }
    if listed.is_empty() {
        let own = deck.own_cards().map(|(name, card)| ListedCard {
            name: name.to_string(),
            card: card.clone(),
            set: "own",
        });
        listed.extend(own);
    }
    if listed.is_empty() {
        for (set, constants) in [("base", BASE), ("senseis", SENSEIS_PATH)] {
            for (name, _, _) in constants {
                listed.push(ListedCard {
                    name: name.to_string(),
                    card: deck.card(name).map_err(|message| anyhow!(message))?,
                    set,
                });
            }
        }
    }
    if context.json {
        let row = |listed: &ListedCard| CardRow {
            card: listed.name.clone(),
            stamp: listed.card.stamp.name(),
            offsets: listed.card.offsets().to_vec(),
            set: listed.set,
        };
        return print_json(&listed.iter().map(row).collect::<Vec<_>>());
    }
    print_text(&drawings(&listed))
}

fn read_deck(file: &Path) -> Result<Deck> {
    let name = file.display().to_string();
    let text = hindsight_games::read_deck(&name).map_err(|message| anyhow!(message))?;
    Deck::from_toml(&text).map_err(|error| anyhow!("deck '{name}', {}", error.message))
}

/// Characters between cards that are drawn side by side, at least.
const CARD_GAP: usize = 4;

/// Draws cards side by side, as many in a row as fit, as their holder sees them.
fn drawings(listed: &[ListedCard]) -> String {
    let mut text = String::new();
    for cards in listed.chunk_by(|a, b| a.set == b.set) {
        text.push_str(match cards[0].set {
            "base" => "Base game\n\n",
            "senseis" => "Sensei's Path\n\n",
            _ => "",
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
fn push_row(text: &mut String, row: &[ListedCard], width: usize) {
    let titles = row.iter().map(ListedCard::title).collect();
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

impl ListedCard {
    fn title(&self) -> String {
        format!("{} ({})", self.name, self.card.stamp.name())
    }

    /// Returns the characters of the title and the drawing of the card.
    fn width(&self) -> usize {
        self.title().chars().count().max("# # # # #".len())
    }
}
