use std::path::Path;

use anyhow::{Result, anyhow};
use hindsight_rules::GAMES;
use hindsight_rules::onitama::{BASE, Card, Deck, SENSEIS_PATH};
use serde::Serialize;

use crate::args::CardsArgs;
use crate::context::Context;
use crate::output::{align_columns, print, print_json};
use crate::spec;

#[derive(Serialize)]
struct GameRow {
    name: &'static str,
    spec: &'static str,
    about: &'static str,
    example: &'static str,
}

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
        let rows: Vec<Vec<String>> = game
            .options
            .iter()
            .map(|&(key, about)| vec![String::from("  "), key.to_string(), about.to_string()])
            .collect();
        text.push_str(&align_columns(&rows, "lll"));
        text.push_str(&format!("  try: hindsight solve {}\n\n", game.example));
    }
    text.push_str(
        "Options come last, each after a colon: onitama:5x5:boar:students=2:first=blue\n",
    );
    print(&text)
}

#[derive(Serialize)]
struct CardRow {
    card: String,
    stamp: &'static str,
    offsets: Vec<(i8, i8)>,
    set: &'static str,
}

/// A card with the name to show and the set it comes from.
type Shown = (String, Card, &'static str);

pub(crate) fn cards(args: &CardsArgs, context: &Context) -> Result<()> {
    let deck = match &args.deck {
        None => Deck::default(),
        Some(file) => read_deck(file)?,
    };
    let mut shown: Vec<Shown> = Vec::new();
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
        shown.push((name, card, set));
    }
    if shown.is_empty() {
        let own = deck
            .own_cards()
            .map(|(name, card)| (name.to_string(), card.clone(), "own"));
        shown.extend(own);
    }
    if shown.is_empty() {
        for (set, constants) in [("base", BASE), ("senseis", SENSEIS_PATH)] {
            for (name, _, _) in constants {
                shown.push((
                    name.to_string(),
                    deck.card(name).map_err(|message| anyhow!(message))?,
                    set,
                ));
            }
        }
    }
    if context.json {
        let row = |(name, card, set): &Shown| CardRow {
            card: name.clone(),
            stamp: card.stamp.name(),
            offsets: card.offsets().to_vec(),
            set,
        };
        return print_json(&shown.iter().map(row).collect::<Vec<_>>());
    }
    print(&drawings(&shown))
}

fn read_deck(file: &Path) -> Result<Deck> {
    let name = file.display().to_string();
    let text = spec::read_deck(&name).map_err(|message| anyhow!(message))?;
    Deck::from_toml(&text).map_err(|error| anyhow!("deck '{name}', {}", error.message))
}

/// Cards side by side, four in a row, as their holder sees them.
fn drawings(shown: &[Shown]) -> String {
    let mut text = String::new();
    let mut set = "";
    for row in shown
        .chunk_by(|a, b| a.2 == b.2)
        .flat_map(|cards| cards.chunks(4))
    {
        if row[0].2 != set {
            set = row[0].2;
            let title = match set {
                "base" => "Base game\n\n",
                "senseis" => "Sensei's Path\n\n",
                _ => "",
            };
            text.push_str(title);
        }
        let width = row
            .iter()
            .map(|(name, card, _)| name.len() + card.stamp.name().len() + 3)
            .max()
            .unwrap_or(0)
            .max(9)
            + 4;
        let pad = |cell: String| format!("{cell:<width$}");
        let title: String = row
            .iter()
            .map(|(name, card, _)| pad(format!("{name} ({})", card.stamp.name())))
            .collect();
        text.push_str(&format!("  {}\n", title.trim_end()));
        for line in 0..5 {
            let line: String = row
                .iter()
                .map(|(_, card, _)| pad(card.diagram()[line].clone()))
                .collect();
            text.push_str(&format!("  {}\n", line.trim_end()));
        }
        text.push('\n');
    }
    text.push_str(
        "O the piece, # where it may go, far side at the top; in brackets who begins when it is set aside\n",
    );
    text
}
