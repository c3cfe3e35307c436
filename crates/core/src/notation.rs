use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::Game;

/// Text for positions and moves: unlocks the command line, golden files and exports.
///
/// Laws, checked by `testkit`: `parse(format(p)) == p`, and `parse_move` finds every move by its text.
pub trait Notation: Game {
    /// The game in one word, in its normal form.
    fn spec(&self) -> String;

    /// The names of the two players; the first is player 0.
    fn player_names(&self) -> [&'static str; 2];

    /// Whose turn it is: 0 or 1.
    fn player_to_move(&self, position: Self::Position) -> usize;

    /// A position in one line.
    fn format(&self, position: Self::Position) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// When the text is malformed, or is a position that this game cannot have.
    fn parse(&self, text: &str) -> Result<Self::Position, ParseError>;

    /// A move in one word.
    fn format_move(&self, position: Self::Position, mv: Self::Move) -> String;

    /// The position as a small drawing of several lines, without a final line break.
    fn diagram(&self, position: Self::Position) -> String;

    /// In what way the game was won, where there are several, in a word such as `stone`.
    fn win_condition(&self, _finished: Self::Position) -> Option<&'static str> {
        None
    }

    /// Reads a move that is legal in `position`. Upper and lower case are the same.
    ///
    /// # Errors
    /// When no legal move has this text; the message lists those there are.
    fn parse_move(&self, position: Self::Position, text: &str) -> Result<Self::Move, ParseError> {
        parse_move_by_text(self, position, text)
    }
}

/// [`Notation::parse_move`], by the texts of all legal moves.
///
/// # Errors
/// When no legal move has this text; the message lists those there are.
pub fn parse_move_by_text<G: Notation + ?Sized>(
    game: &G,
    position: G::Position,
    text: &str,
) -> Result<G::Move, ParseError> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let texts: Vec<String> = moves
        .iter()
        .map(|&mv| game.format_move(position, mv))
        .collect();
    match texts
        .iter()
        .position(|t| t.eq_ignore_ascii_case(text.trim()))
    {
        Some(i) => Ok(moves[i]),
        None => Err(ParseError::new(
            0,
            format!(
                "'{}' is no legal move here; legal are: {}",
                text.trim(),
                texts.join(" ")
            ),
        )),
    }
}

/// What was wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Byte at which the fault was found; the first is 0.
    pub offset: usize,
    /// What was wrong and what would be right, without a final full stop.
    pub message: String,
}

impl ParseError {
    /// An error at byte `at`.
    pub fn new(at: usize, message: impl Into<String>) -> Self {
        Self {
            offset: at,
            message: message.into(),
        }
    }

    /// The same error in a longer text that begins `by` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.offset += by;
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.offset + 1)
    }
}

impl core::error::Error for ParseError {}
