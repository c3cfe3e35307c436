//! Texts of positions and moves of foreign rules.

use std::collections::HashSet;

use hindsight_core::{
    BoardCell, Drawing, DrawnMove, DrawnPiece, Game, Notation, Packed, PackedMove, ParseError,
    diagram_of_rows, shown,
};

use crate::description::Description;
use crate::fault::RulesFault;
use crate::game::ForeignGame;
use crate::hexadecimal::{bytes_of, hexadecimal};

/// Most bytes of the text of a position or a move.
const MOST_TEXT: usize = 4096;

impl ForeignGame {
    /// Text of a position for people, whatever the rules do.
    pub(crate) fn text_of(&self, position: &[u8]) -> String {
        let text = self.description().abilities.texts.then(|| self.rules.format(position));
        let text = text.and_then(Result::ok).filter(|text| is_line(text));
        text.unwrap_or_else(|| hexadecimal(position))
    }

    /// Names of the moves of a position, each one word and different.
    fn names(&self, position: Packed) -> Result<Vec<String>, RulesFault> {
        let count = self.known(position).moves as usize;
        let bytes = &self.unpack(&position)[..self.bytes];
        let fault = |text: String| Err(RulesFault::new(text).at(|| self.text_of(bytes)));
        let names = self.rules.move_names(bytes)?;
        if names.len() != count {
            return fault(format!("{} names for {count} moves", names.len()));
        }
        let mut seen = HashSet::new();
        for name in &names {
            if !is_line(name) || name.contains(char::is_whitespace) {
                return fault(format!(
                    "the name of a move is one word of at most 4,096 bytes, not '{}'",
                    shown(name)
                ));
            }
            if !seen.insert(name.to_lowercase()) {
                return fault(format!("two moves are called '{}', in whatever case", shown(name)));
            }
        }
        Ok(names)
    }

    /// Splits a text into that of the foreign position and the player whose name ends it, 0 if none
    /// does.
    fn split_player<'a>(&self, text: &'a str) -> (&'a str, u8) {
        let text = text.trim();
        let split = text.rsplit_once(char::is_whitespace).filter(|_| self.shows_player);
        let named = split.and_then(|(own, last)| {
            let last = last.to_lowercase();
            let player = self.players.iter().position(|name| name.to_lowercase() == last)?;
            Some((own.trim_end(), player as u8))
        });
        named.unwrap_or((text, 0))
    }

    /// Reads the digits of a position.
    fn parse_digits(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        let mut bytes = Vec::new();
        let read = bytes_of(text.as_bytes(), &mut bytes);
        let is_whole = read.is_some() && bytes.len() == self.bytes;
        is_whole.then_some(bytes).ok_or_else(|| {
            let (text, digits) = (shown(text), 2 * self.bytes);
            let message = format!("'{text}' is no position: it has {digits} hexadecimal digits");
            ParseError::new(0, message)
        })
    }
}

/// Returns the move of one piece, or its coming, that leads from some pieces to others. Pieces
/// that are taken leave the board.
fn change_of_pieces(before: &[DrawnPiece], after: &[DrawnPiece]) -> Option<DrawnMove> {
    let is_among = |pieces: &[DrawnPiece], piece: &DrawnPiece| pieces.contains(piece);
    let gone: Vec<&DrawnPiece> = before.iter().filter(|piece| !is_among(after, piece)).collect();
    let mut come = after.iter().filter(|piece| !is_among(before, piece));
    let (Some(new), None) = (come.next(), come.next()) else {
        return None;
    };
    let mut movers = gone.iter().filter(|piece| piece.kind() == new.kind());
    let from = match (movers.next(), movers.next()) {
        (mover, None) => mover.map(|mover| mover.cell),
        _ => return None,
    };
    let removed = gone.iter().map(|piece| piece.cell).filter(|cell| Some(*cell) != from);
    let removed: Vec<BoardCell> = removed.collect();
    // Pieces that leave the board while another comes are turned, or more than one move.
    let is_plain = from.is_some() || removed.is_empty();
    is_plain.then(|| DrawnMove { from, to: Some(new.cell), removed, ..DrawnMove::default() })
}

/// Returns true for a text that can stand in one line.
fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= MOST_TEXT && !text.contains(char::is_control)
}

impl Notation for ForeignGame {
    fn spec(&self) -> String {
        self.description().spec.clone()
    }

    fn rules_spec(&self) -> String {
        let Description { name, version, object, .. } = self.description();
        format!("{name} {version} {object}")
    }

    fn table_spec(&self) -> String {
        let Description { name, version, encoding, .. } = self.description();
        let plus = if encoding.is_empty() { "" } else { "+" };
        format!("rules{plus}{encoding}:{name} {version}")
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.players
    }

    fn format(&self, position: Packed) -> String {
        let bytes = &self.unpack(&position)[..self.bytes];
        let text = if self.description().abilities.texts {
            let text = self.told(self.rules.format(bytes));
            if !is_line(&text) {
                let fault = format!(
                    "the text of a position is one line of at most 4,096 bytes, not '{}'",
                    shown(&text)
                );
                self.told(Err(RulesFault::new(fault).at(|| hexadecimal(bytes))))
            } else {
                text
            }
        } else {
            hexadecimal(bytes)
        };
        if self.shows_player {
            format!("{text} {}", self.players[self.player_to_move(position)].to_lowercase())
        } else {
            text
        }
    }

    fn parse(&self, text: &str) -> Result<Packed, ParseError> {
        let (own, player) = self.split_player(text);
        if !is_line(own) {
            return Err(ParseError::new(0, "a position is needed, in one line"));
        }
        let bytes = if self.description().abilities.texts {
            self.told(self.rules.parse(own)).map_err(|message| ParseError::new(0, message))?
        } else {
            self.parse_digits(own)?
        };
        if bytes.len() != self.bytes {
            let (bytes, right) = (bytes.len(), self.bytes);
            let fault = format!("the position of '{}' has {bytes} bytes, not {right}", shown(own));
            self.told(Err(RulesFault::new(fault)))
        }
        Ok(self.pack(&bytes, player))
    }

    /// Rows of a board if the text has any, else the text.
    fn diagram(&self, position: Packed) -> String {
        let text = self.format(position);
        let has_rows = text.split_whitespace().next().is_some_and(|board| board.contains('/'));
        if has_rows { diagram_of_rows(&text) } else { text }
    }

    /// Signs of a board if the text has rows, else the text as a note.
    fn drawing(&self, position: Packed) -> Drawing {
        let text = self.format(position);
        let board = text.split_whitespace().next().unwrap_or_default();
        if board.contains('/') {
            return Drawing::of_signs(board, self.players);
        }
        Drawing { note: text, ..Drawing::empty(0, 0, self.players) }
    }

    /// Change between the boards before and after the move, if one piece moves or is put there.
    fn drawn_move(&self, position: Packed, mv: PackedMove) -> Option<DrawnMove> {
        let [before, after] = [position, self.play(position, mv)].map(|at| self.drawing(at));
        change_of_pieces(&before.pieces, &after.pieces)
    }

    fn format_move(&self, position: Packed, mv: PackedMove) -> String {
        if !self.description().abilities.names {
            return (mv.0 + 1).to_string();
        }
        let known = self.known(position);
        let names = known.names.get_or_init(|| self.told(self.names(position)));
        names[mv.0 as usize].clone()
    }
}
