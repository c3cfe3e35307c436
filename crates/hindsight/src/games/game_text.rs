//! Played games as people write them: numbers of moves, comments, results, tags.

use hindsight_core::ParseError;

use crate::error::GamesError;

/// A game as text: what the text says before its moves, and the moves.
///
/// ```
/// use hindsight_games::{GameText, game};
///
/// let text = GameText::read("[Game \"four:7x6\"]\n1. d1 {the middle} d2 2. c 3 1/2-1/2")?;
/// let game = game(text.game.as_deref().expect("a tag"))?;
/// let played = game.read_moves(&game.start(), &text.moves, 100)?;
/// assert_eq!(played.moves.len(), 4);
/// assert_eq!(played.result.as_deref(), Some("1/2-1/2"));
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameText {
    /// Spec of the game, by a tag `Game` or `Variant`; `None` if the text names none.
    pub game: Option<String>,
    /// Offset of the spec in the text, in bytes.
    pub game_at: usize,
    /// First position, by a tag `Position`, `FEN` or `SFEN`, or as in USI; `None` for the start.
    pub start: Option<String>,
    /// Offset of the first position in the text, in bytes.
    pub start_at: usize,
    /// Names of the players, by the tags `White` and `Black`. White begins.
    pub players: [Option<String>; 2],
    /// Moves, for [`AnyGame::read_moves`](crate::AnyGame::read_moves): the end of the text.
    pub moves: String,
}

impl GameText {
    /// Reads a game as people write it.
    ///
    /// # Errors
    /// [`Error::GameText`](crate::Error::GameText): the text is a record.
    pub fn read(text: &str) -> Result<Self, GamesError> {
        if Self::is_record(text) {
            let message = "this is a record of games: give the moves of one";
            return Err(GamesError::GameText(ParseError::new(0, message)));
        }
        let (mut read, mut player_at) = (Self::default(), 0);
        let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
        while let Some(tag) = TextTag::read(rest) {
            rest = tag.rest.trim_start();
            let (place, at) = match &*tag.name.to_ascii_lowercase() {
                "game" => (&mut read.game, &mut read.game_at),
                "variant" if read.game.is_none() => (&mut read.game, &mut read.game_at),
                "position" | "fen" | "sfen" => (&mut read.start, &mut read.start_at),
                "white" => (&mut read.players[0], &mut player_at),
                "black" => (&mut read.players[1], &mut player_at),
                _ => continue,
            };
            (*place, *at) = (Some(tag.value), text.len() - tag.from_value.len());
        }
        read.moves = read.take_usi(rest, text.len()).to_string();
        Ok(read)
    }

    /// Returns true if a text is no game as people write it, but lines of records: it begins with
    /// an object of JSON, or a list of them, and its first key.
    #[must_use]
    pub fn is_record(text: &str) -> bool {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
        let text = text.strip_prefix('[').unwrap_or(text).trim_start();
        let key = text.strip_prefix('{').and_then(|text| text.trim_start().strip_prefix('"'));
        let is_key = |key: &str| key.bytes().all(|c| c.is_ascii_lowercase() || c == b'_');
        key.and_then(|text| text.split_once('"'))
            .is_some_and(|(key, rest)| is_key(key) && rest.trim_start().starts_with(':'))
    }

    /// Takes the position from a text as in USI, `position startpos moves ..` or
    /// `position sfen .. moves ..`, at the end of one of `length` bytes; returns its rest.
    fn take_usi<'a>(&mut self, text: &'a str, length: usize) -> &'a str {
        let word = |text: &'a str, word: &str| {
            let rest = text.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
        };
        let position = word(text, "position").unwrap_or(text);
        let (from, start, moves) = if let Some(rest) = word(position, "startpos") {
            (position, "startpos", word(rest, "moves").unwrap_or(rest))
        } else if let Some(rest) = word(position, "sfen") {
            let (start, moves) = rest.split_once("moves").unwrap_or((rest, ""));
            (rest, start, moves)
        } else {
            return text;
        };
        self.start = Some(start.split_whitespace().collect::<Vec<_>>().join(" "));
        self.start_at = length - from.len();
        moves
    }
}

/// Tag of a game, such as `[White "Ada"]`.
struct TextTag<'a> {
    name: &'a str,
    value: String,
    /// Text from the value on.
    from_value: &'a str,
    /// Text behind the tag.
    rest: &'a str,
}

impl<'a> TextTag<'a> {
    /// Reads the tag at the begin of a text; `None` if there is none.
    fn read(text: &'a str) -> Option<Self> {
        let (name, from_value) = text.strip_prefix('[')?.split_once('"')?;
        let name = name.trim();
        let is_name = !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric());
        let mut value = String::new();
        let mut chars = from_value.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => value.push(chars.next()?),
                // Players are shown, and a control character could drive a terminal.
                c if c.is_control() => value.push(char::REPLACEMENT_CHARACTER),
                c => value.push(c),
            }
        }
        let rest = chars.as_str().trim_start().strip_prefix(']')?;
        is_name.then_some(Self { name, value, from_value, rest })
    }
}
