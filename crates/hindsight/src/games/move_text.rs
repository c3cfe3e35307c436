//! Moves of a played game as text.

use hindsight_core::{ParseError, shown};

use super::game::AnyGame;
use crate::error::GamesError;
use crate::positions::any_value::{AnyMove, Position};

/// Results that may end a text of moves; the first player is the one who begins the game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Most signs of a word.
const MOST_SIGNS: usize = 1000;

/// Moves that were read from a text.
#[derive(Clone, Debug)]
pub struct ReadMoves {
    /// Moves in order.
    pub moves: Vec<AnyMove>,
    /// Positions, one more than moves.
    pub positions: Vec<Position>,
    /// Result at the end of the text: `1-0`, `0-1`, `1/2-1/2` or `*`. `1-0` is a win of the player
    /// who begins the game.
    pub result: Option<String>,
}

impl AnyGame {
    /// Reads the moves of a played game, at most `most`. White space or commas are between them.
    ///
    /// The notation of the game has precedence, so each text of [`AnyGame::format_move`] is read.
    /// Otherwise these are left out: numbers such as `1.`, comments in braces or from a semicolon
    /// to the end of the line, variations in parentheses, signs of judgement such as `!?` and `$1`,
    /// and a hyphen or an x between squares. The part of a move behind its colon may be a word of
    /// its own. Moves of one digit may stand together.
    ///
    /// # Errors
    /// [`Error::PlayedMove`](crate::Error::PlayedMove) names the move that is none,
    /// [`Error::GameText`](crate::Error::GameText) another fault. Both have the offset.
    ///
    /// ```
    /// let game = hindsight_games::game("onitama:5x5:tiger,crab,monkey,crane,dragon")?;
    /// let text = "1. c1-c2 crane {?} c5c4:crab (1... a5a4) 2. b1-d2 DRAGON *";
    /// let played = game.read_moves(&game.start(), text, 100)?;
    /// assert_eq!(played.moves.len(), 3);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn read_moves(
        &self,
        start: &Position,
        text: &str,
        most: usize,
    ) -> Result<ReadMoves, GamesError> {
        let read = ReadMoves { moves: Vec::new(), positions: vec![*start], result: None };
        let mut reader = MoveReader { game: self, text, at: 0, most, read };
        while reader.skip_separators() {
            if !reader.take_move()? && !reader.take_other()? {
                return Err(reader.bad_move());
            }
        }
        Ok(reader.read)
    }
}

/// A text whose moves are being read.
struct MoveReader<'a> {
    game: &'a AnyGame,
    text: &'a str,
    /// Offset of what is not read yet.
    at: usize,
    most: usize,
    read: ReadMoves,
}

impl<'a> MoveReader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn position(&self) -> &Position {
        &self.read.positions[self.read.positions.len() - 1]
    }

    /// Skips what is between moves; returns false at the end of the text.
    fn skip_separators(&mut self) -> bool {
        let rest = self.rest().trim_start_matches(is_separator);
        self.at = self.text.len() - rest.len();
        !rest.is_empty()
    }

    /// Takes a move, or several of one digit; returns false if there is none.
    fn take_move(&mut self) -> Result<bool, GamesError> {
        let rest = self.rest();
        // A game may have moves with a comma or a brace in them.
        let words = [spaced_word(rest), word(rest), bare_word(rest)];
        for word in words {
            let Some(mv) = self.named(word).filter(|_| !word.is_empty()) else {
                continue;
            };
            // A word that is only the part before a colon may have the part behind it next.
            let is_whole = self.text_of(&mv)?.eq_ignore_ascii_case(word);
            match self.joined(word).filter(|_| !is_whole) {
                Some(joined) => self.play(joined)?,
                None => self.play(ReadMove { mv, length: word.len() })?,
            }
            return Ok(true);
        }
        let [.., bare] = words;
        if let Some(joined) = self.joined(bare) {
            self.play(joined)?;
            return Ok(true);
        }
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        if digits < 2 || digits < bare.len() || self.named(&bare[..1]).is_none() {
            return Ok(false);
        }
        for _ in 0..digits {
            let mv = self.named(&self.rest()[..1]).ok_or_else(|| self.bad_move_of(1))?;
            self.play(ReadMove { mv, length: 1 })?;
        }
        Ok(true)
    }

    /// Takes what is no move; returns false if there is nothing of the kind.
    fn take_other(&mut self) -> Result<bool, GamesError> {
        let rest = self.rest();
        let spaced = spaced_word(rest);
        if let Some(result) = RESULTS.into_iter().find(|&result| word(rest) == result) {
            self.at += result.len();
            self.read.result = Some(result.to_string());
            while self.skip_separators() {
                if !self.skip_comment()? {
                    let word = shown(spaced_word(self.rest()));
                    let message = format!(
                        "'{word}' stands behind the result {result}: one game is read at a time"
                    );
                    return Err(self.fault(message));
                }
            }
            return Ok(true);
        }
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = number.trim_start_matches(['.', '\u{2026}']);
        let is_mark = spaced.starts_with('$') || spaced.bytes().all(|c| matches!(c, b'!' | b'?'));
        let skipped = if behind.len() < number.len() {
            rest.len() - behind.len()
        } else if is_mark {
            spaced.len()
        } else {
            return self.skip_comment();
        };
        self.at += skipped;
        Ok(true)
    }

    /// Skips a comment or a variation; returns false if there is none.
    fn skip_comment(&mut self) -> Result<bool, GamesError> {
        let rest = self.rest();
        let length = match rest.as_bytes()[0] {
            b';' => rest.find('\n').unwrap_or(rest.len()),
            b'{' => {
                let end = rest.find('}');
                let unclosed = || self.fault("a comment begins with { and has no }".to_string());
                end.ok_or_else(unclosed)? + 1
            }
            b'(' => {
                let unclosed = || self.fault("a variation begins with ( and has no )".to_string());
                variation_length(rest).ok_or_else(unclosed)?
            }
            _ => return Ok(false),
        };
        self.at += length;
        Ok(true)
    }

    /// Returns the legal move of a word, which may have a sign of judgement behind it and a hyphen
    /// or an x between squares.
    fn named(&self, word: &str) -> Option<AnyMove> {
        let parse = |text: &str| self.game.parse_move(self.position(), text).ok();
        parse(word).or_else(|| {
            let plain = plain_move(word);
            if plain == word { None } else { parse(&plain) }
        })
    }

    /// Returns the move of a word and the next one, which stands behind its colon.
    fn joined(&self, word: &str) -> Option<ReadMove> {
        let behind = self.rest()[word.len()..].trim_start();
        let next = bare_word(behind);
        let length = self.rest().len() - behind.len() + next.len();
        let plain = plain_move(next);
        if word.contains(':') || plain.is_empty() {
            return None;
        }
        let mv = self.named(&format!("{word}:{plain}"))?;
        Some(ReadMove { mv, length })
    }

    fn text_of(&self, mv: &AnyMove) -> Result<String, GamesError> {
        self.game.format_move(self.position(), mv)
    }

    fn play(&mut self, ReadMove { mv, length }: ReadMove) -> Result<(), GamesError> {
        if self.read.moves.len() == self.most {
            return Err(self.fault(format!("a game has at most {} moves here", self.most)));
        }
        let next = self.game.play(self.position(), &mv)?;
        self.read.moves.push(mv);
        self.read.positions.push(next);
        self.at += length;
        Ok(())
    }

    fn fault(&self, message: String) -> GamesError {
        GamesError::GameText(ParseError::new(self.at, message))
    }

    /// Returns the error of a word that is no move; with the next one if that may be a card.
    fn bad_move(&self) -> GamesError {
        let rest = self.rest();
        let length = bare_word(rest).len();
        let behind = rest[length..].trim_start();
        let next = bare_word(behind);
        let is_name = !next.is_empty() && next.bytes().all(|c| c.is_ascii_alphabetic());
        let legal = self.game.moves(self.position()).unwrap_or_default();
        let has_colon = |mv| self.text_of(mv).is_ok_and(|text| text.contains(':'));
        if is_name && legal.first().is_some_and(has_colon) {
            return self.bad_move_of(rest.len() - behind.len() + next.len());
        }
        self.bad_move_of(length)
    }

    /// Returns the error of as many bytes that are no move.
    fn bad_move_of(&self, length: usize) -> GamesError {
        let words: Vec<&str> = self.rest()[..length].split_whitespace().collect();
        let word = words.join(" ");
        let fault = match self.game.parse_move(self.position(), &word) {
            Err(GamesError::MoveText(fault)) => fault,
            Err(error) => return error,
            Ok(_) => ParseError::new(0, format!("'{}' is no move", shown(&word))),
        };
        let player = match self.game.player_to_move(self.position()) {
            Ok(player) => self.game.player_names()[player],
            Err(error) => return error,
        };
        let number = self.read.moves.len() + 1;
        let fault = fault.spanning(length).shifted(self.at);
        GamesError::PlayedMove { number, player, fault }
    }
}

/// A move, and the length of its text in bytes.
struct ReadMove {
    mv: AnyMove,
    length: usize,
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Returns the text before the first sign that ends a word, at most [`MOST_SIGNS`] of them.
fn until(text: &str, mut is_end: impl FnMut(char) -> bool) -> &str {
    let mut signs = text.char_indices().enumerate();
    let end = signs.find(|&(count, (_, sign))| count == MOST_SIGNS || is_end(sign));
    &text[..end.map_or(text.len(), |(_, (at, _))| at)]
}

/// Returns the text before the first white space.
fn spaced_word(text: &str) -> &str {
    until(text, char::is_whitespace)
}

/// Returns the text before the first white space, or comma outside of brackets.
fn word(text: &str) -> &str {
    let mut depth = 0;
    until(text, |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c.is_whitespace() || (c == ',' && depth <= 0)
    })
}

/// Returns the same word without a comment behind it.
fn bare_word(text: &str) -> &str {
    let word = word(text);
    match word.find(['{', ';']) {
        Some(end) if end > 0 => &word[..end],
        _ => word,
    }
}

/// Returns a move without signs of judgement behind it, and without a hyphen or an x between a
/// digit and a letter.
fn plain_move(word: &str) -> String {
    let word = word.trim_end_matches(['!', '?', '+', '#']);
    let bytes = word.as_bytes();
    let is_between = |&at: &usize| {
        let sides = (bytes.get(at.wrapping_sub(1)), bytes.get(at + 1));
        matches!(bytes[at], b'-' | b'x' | b'X')
            && matches!(sides, (Some(before), Some(behind))
                if before.is_ascii_digit() && behind.is_ascii_alphabetic())
    };
    match (0..bytes.len()).find(is_between) {
        Some(at) => format!("{}{}", &word[..at], &word[at + 1..]),
        None => word.to_string(),
    }
}

/// Returns the length of the variation at the begin of a text, with those inside of it.
fn variation_length(text: &str) -> Option<usize> {
    let (mut depth, mut is_comment) = (0, false);
    for (at, c) in text.bytes().enumerate() {
        match c {
            b'}' => is_comment = false,
            _ if is_comment => {}
            b'{' => is_comment = true,
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
