//! Texts and pictures of games between X and O.

use alloc::format;
use alloc::string::String;
use alloc::vec;

use hindsight_core::{Drawing, ParseError, PieceKind, PieceShape, PlacedText, SetupKinds};

use hindsight_core::TextToken;

/// Names of the players.
pub(crate) const X_AND_O: [&str; 2] = ["X", "O"];
/// Names of the players in the texts of positions.
pub(crate) const TURNS: [&str; 2] = ["x", "o"];

const CROSS: PieceKind = PieceKind::of(0, PieceShape::Cross);
const RING: PieceKind = PieceKind::of(1, PieceShape::Ring);

/// Text of a board, and the player to move: 0 for X and 1 for O.
pub(crate) struct BoardAndTurn<'a> {
    pub(crate) board: TextToken<'a>,
    pub(crate) player: u8,
}

impl<'a> BoardAndTurn<'a> {
    /// Splits the text of a position; `start` is that of the start, an example.
    pub(crate) fn parse(text: &'a str, start: impl FnOnce() -> String) -> Result<Self, ParseError> {
        let [board, turn] = TextToken::words(text)[..] else {
            let message = "a position is its rows and x or o, who moves";
            return Err(ParseError::new(0, format!("{message}: {}", start())));
        };
        let player = turn.turn(TURNS)?;
        Ok(Self { board, player })
    }
}

/// Exchanges what belongs to X and O with what belongs to the player to move and the opponent.
pub(crate) fn by_turn<T>(player: u8, [first, second]: [T; 2]) -> [T; 2] {
    match player {
        0 => [first, second],
        _ => [second, first],
    }
}

/// Crosses and rings, which can be put on a board.
pub(crate) fn setup_kinds() -> SetupKinds {
    SetupKinds { pieces: vec![CROSS, RING], ..SetupKinds::default() }
}

/// Text of a board with the signs of crosses and rings.
pub(crate) fn text_of(drawing: &Drawing, [cross, ring]: [char; 2]) -> PlacedText {
    let mut text = PlacedText::default();
    text.push_rows(drawing, &[(CROSS, cross), (RING, ring)]);
    text
}
