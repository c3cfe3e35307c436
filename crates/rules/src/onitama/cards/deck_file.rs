//! Deck files: cards in TOML.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::marker::PhantomData;

use hindsight_core::ParseError;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::super::{Card, Deck, OnitamaPlayer};
use super::card_name::checked_name;
use super::deck::built_in;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeckFile {
    card: Vec<TomlTable<CardEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardEntry {
    name: Spanned<String>,
    stamp: Option<Spanned<String>>,
    offsets: Vec<Spanned<CardOffset>>,
}

/// Table of keys. Derived `Deserialize` would also accept a list of values.
struct TomlTable<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TomlTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = TomlTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TomlTable<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(TomlTable)
    }
}

/// Offset `[right, forward]`. Derived `Deserialize` would cut a longer list to two numbers.
struct CardOffset(i64, i64);

impl<'de> Deserialize<'de> for CardOffset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(OffsetVisitor)
    }
}

struct OffsetVisitor;

impl<'de> Visitor<'de> for OffsetVisitor {
    type Value = CardOffset;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two whole numbers, right and forward")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CardOffset, A::Error> {
        let mut numbers = [0; 2];
        for (i, number) in numbers.iter_mut().enumerate() {
            let next = list.next_element()?;
            *number = next.ok_or_else(|| A::Error::invalid_length(i, &self))?;
        }
        let mut length = numbers.len();
        while list.next_element::<IgnoredAny>()?.is_some() {
            length += 1;
        }
        let [right, forward] = numbers;
        if length == numbers.len() {
            Ok(CardOffset(right, forward))
        } else {
            Err(A::Error::invalid_length(length, &self))
        }
    }
}

impl Deck {
    /// Reads a deck file: TOML with one `[[card]]` for each card.
    ///
    /// A card has a `name`, `offsets` such as `[[-1, 0], [0, 1]]`, and an optional `stamp`, `"red"`
    /// (the default) or `"blue"`.
    ///
    /// # Errors
    /// If the text has another form or an offset is outside the card. Also if a name is malformed,
    /// too long, `random`, used twice, or the name of a different built-in card. The message begins
    /// with line and column.
    pub fn from_toml(text: &str) -> Result<Self, ParseError> {
        // Some editors begin a text with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file: DeckFile = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().replace("i64", "a whole number");
            let form = "a deck is a list of [[card]] with name, offsets and stamp";
            with_line_and_column(text, ParseError::new(at, format!("{message}; {form}")))
        })?;
        let mut deck = Self::default();
        for TomlTable(entry) in file.card {
            deck.add_entry(entry).map_err(|error| with_line_and_column(text, error))?;
        }
        Ok(deck)
    }

    fn add_entry(&mut self, entry: CardEntry) -> Result<(), ParseError> {
        let at = entry.name.span().start;
        let at_name = |message| ParseError::new(at, message);
        let name = checked_name(entry.name.get_ref()).map_err(at_name)?;
        let stamp = match &entry.stamp {
            None => OnitamaPlayer::Red,
            Some(stamp) => OnitamaPlayer::from_name(stamp.get_ref()).ok_or_else(|| {
                let other = stamp.get_ref();
                let message = format!("the stamp is \"red\" or \"blue\", not \"{other}\"");
                ParseError::new(stamp.span().start, message)
            })?,
        };
        let mut card = Card::new(Vec::new(), stamp).map_err(at_name)?;
        for offset in &entry.offsets {
            let &CardOffset(right, forward) = offset.get_ref();
            card = card
                .with_offset(right, forward)
                .map_err(|message| ParseError::new(offset.span().start, message))?;
        }
        if self.own_card(&name).is_some() {
            return Err(at_name(format!("the card '{name}' stands in the deck twice")));
        }
        let card = card.named(&name).map_err(at_name)?;
        if built_in(&name).is_some_and(|other| other.stamp != card.stamp) {
            return Err(at_name(format!(
                "'{name}' is a built-in card with another stamp; choose another name"
            )));
        }
        self.add(&card);
        Ok(())
    }
}

/// The error with line and column before its message; both count from 1, columns in characters.
fn with_line_and_column(text: &str, error: ParseError) -> ParseError {
    let before = text.get(..error.offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    let message = error.message.trim_end_matches('.');
    ParseError::new(error.offset, format!("line {line}, column {column}: {message}"))
}
