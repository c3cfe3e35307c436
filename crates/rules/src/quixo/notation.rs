//! Texts of positions and moves of Quixo.

use alloc::{format, string::String};

use hindsight_core::{Drawing, DrawnSetup, Game, Notation, ParseError};

use super::{Quixo, QuixoMove, QuixoPosition};
use crate::registered::TextToken;

impl Quixo {
    /// Board in rows from the top.
    pub(super) fn board(&self, position: QuixoPosition) -> String {
        let QuixoPosition { player, own, other } = position;
        let [x, o] = match player {
            0 => [own, other],
            _ => [other, own],
        };
        self.grid().format(&[('X', x.into()), ('O', o.into())])
    }
}

impl Notation for Quixo {
    fn spec(&self) -> String {
        format!("quixo:{0}x{0}", self.size())
    }
    fn player_names(&self) -> [&'static str; 2] {
        ["X", "O"]
    }
    fn format(&self, position: QuixoPosition) -> String {
        let turn = ["x", "o"][usize::from(position.player)];
        format!("{} {turn}", self.board(position))
    }
    fn parse(&self, text: &str) -> Result<QuixoPosition, ParseError> {
        let [board, turn] = TextToken::words(text)[..] else {
            let message = "a position is its rows and x or o, who moves";
            let start = self.format(self.start());
            return Err(ParseError::new(0, format!("{message}: {start}")));
        };
        let player = match turn.text.to_ascii_lowercase().as_str() {
            "x" => 0,
            "o" => 1,
            other => return turn.reject(format!("it is the turn of x or o, not '{other}'")),
        };
        let sets = self.grid().parse(board.text, ['X', 'O']);
        let [x, o] = sets
            .map_err(|fault| fault.shifted(board.at))?
            .map(|set| set as u32);
        let [own, other] = match player {
            0 => [x, o],
            _ => [o, x],
        };
        Ok(QuixoPosition { player, own, other })
    }
    fn format_move(&self, _: QuixoPosition, mv: QuixoMove) -> String {
        let squares = self.cubes.pushes[usize::from(mv.0)].squares();
        squares
            .map(|square| self.grid().square_name(square))
            .concat()
    }
    fn drawing(&self, position: QuixoPosition) -> Drawing {
        Drawing::of_signs(&self.board(position), self.player_names())
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }
}
