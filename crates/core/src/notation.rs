use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::grid::diagram_lines;
use crate::{Drawing, DrawnMove, DrawnSetup, Game, ParseError, shown};

/// Set of positions that a solve counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Positions that can be reached from the start.
    Reachable,
    /// Every position that has a rank, reachable or not.
    All,
}

/// Game with text for positions and moves.
///
/// The trait unlocks the command line, golden files and exports.
///
/// # Laws
/// `hindsight_testkit::check_notation` checks them in random games:
///
/// * `parse(format(p)) == p`.
/// * `parse_move(p, format_move(p, mv)) == mv`, so different moves have different texts.
/// * [`DrawnSetup::text_of`] is the inverse of [`Notation::drawing`].
/// * [`Notation::drawn_move`] leads from the picture before the move to the picture after it.
pub trait Notation: Game {
    /// Returns the game with its options in one word, in normal form, without spaces.
    fn spec(&self) -> String;

    /// Returns the spec without names that change no rule, in normal form.
    ///
    /// Games with the same have the same positions and moves, and tables number them alike. The
    /// default is [`Notation::spec`].
    fn rules_spec(&self) -> String {
        self.spec()
    }

    /// Returns the text by which tables and checkpoints name the game. The default is
    /// [`Notation::spec`].
    fn table_spec(&self) -> String {
        self.spec()
    }

    /// Returns the set of positions that a solve counts unless its caller names one.
    ///
    /// Depends on the options of the game alone. The default is [`Scope::Reachable`].
    fn default_scope(&self) -> Scope {
        Scope::Reachable
    }

    /// Returns the names of players 0 and 1.
    fn player_names(&self) -> [&'static str; 2];

    /// Writes a position in one line.
    fn format(&self, position: Self::Position) -> String;

    /// Reads a position as [`Notation::format`] writes it.
    ///
    /// # Errors
    /// If the text is malformed, or its position is impossible in this game.
    fn parse(&self, text: &str) -> Result<Self::Position, ParseError>;

    /// Writes a move in one word.
    fn format_move(&self, position: Self::Position, mv: Self::Move) -> String;

    /// Draws a position in several lines of text, without a final line break.
    ///
    /// The default draws the first word of [`Notation::format`], whose rows are separated by `/`.
    fn diagram(&self, position: Self::Position) -> String {
        diagram_of_rows(&self.format(position))
    }

    /// Returns the picture of a position as data.
    ///
    /// The default shows the signs of the first word of [`Notation::format`], whose rows are
    /// separated by `/`. The player to move is added by [`drawing_of`].
    fn drawing(&self, position: Self::Position) -> Drawing {
        let text = self.format(position);
        let board = text.split_whitespace().next().unwrap_or_default();
        Drawing::of_signs(board, self.player_names())
    }

    /// Returns a move as a change of the picture; `None`, the default, if there is only its text.
    ///
    /// `mv` must come from [`Game::moves`] of the same position.
    fn drawn_move(&self, _position: Self::Position, _mv: Self::Move) -> Option<DrawnMove> {
        None
    }

    /// Returns the way from pictures to positions; `None`, the default, if there are only texts.
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        None
    }

    /// Returns the name of the condition by which a finished game was won, such as `stone`.
    ///
    /// `None`, the default, if there is only one condition.
    fn win_condition(&self, _finished: Self::Position) -> Option<&'static str> {
        None
    }

    /// Reads a move that is legal in `position`, ignoring ASCII case and outer white space.
    ///
    /// # Errors
    /// If no legal move has this text; the message lists the legal moves.
    fn parse_move(&self, position: Self::Position, text: &str) -> Result<Self::Move, ParseError> {
        parse_move_by_text(self, position, text)
    }
}

/// Draws the first word of a text, a board whose rows are separated by `/`, in several lines.
#[must_use]
pub fn diagram_of_rows(text: &str) -> String {
    let board = text.split_whitespace().next().unwrap_or_default();
    diagram_lines(&board.split('/').collect::<Vec<_>>()).join("\n")
}

/// Returns the picture of a position with the player to move, if the game is not over.
pub fn drawing_of<G: Notation>(game: &G, position: G::Position) -> Drawing {
    let is_open = game.terminal(position).is_none();
    Drawing {
        player_to_move: is_open.then(|| game.player_to_move(position)),
        ..game.drawing(position)
    }
}

/// Computes [`Notation::parse_move`] by comparing with the texts of all legal moves, or with the
/// parts of them before a colon if only one fits.
///
/// # Errors
/// If no legal move has this text, or several have it before the colon; the message lists them.
pub fn parse_move_by_text<G: Notation + ?Sized>(
    game: &G,
    position: G::Position,
    text: &str,
) -> Result<G::Move, ParseError> {
    let text = text.trim();
    let quoted = shown(text);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let texts: Vec<String> = moves.iter().map(|&mv| game.format_move(position, mv)).collect();
    let is_named = |named: &&String| named.eq_ignore_ascii_case(text);
    let begins = |named: &&String| {
        let before_colon = named.split_once(':').map(|(before, _)| before);
        before_colon.is_some_and(|before| before.eq_ignore_ascii_case(text))
    };
    let mut fitting: Vec<&String> = texts.iter().filter(is_named).collect();
    if fitting.is_empty() {
        fitting = texts.iter().filter(begins).collect();
    }
    let message = match *fitting {
        [only] => {
            let number = texts.iter().position(|named| named == only);
            return Ok(moves[number.expect("the text is one of these")]);
        }
        [] if texts.is_empty() => format!("'{quoted}' is no move: the game is over"),
        [] => format!("'{quoted}' is no legal move here; legal are: {}", texts.join(" ")),
        ref several => {
            let several: Vec<&str> = several.iter().map(|named| named.as_str()).collect();
            format!("'{quoted}' fits several moves: {}", several.join(" "))
        }
    };
    // A list of moves may be long.
    Err(ParseError { offset: 0, length: 1, message })
}
