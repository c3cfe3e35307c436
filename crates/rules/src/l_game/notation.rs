//! Texts of positions and moves of the L-game.

use alloc::{format, string::String};

use hindsight_core::{Drawing, DrawnSetup, Game, Notation, ParseError};

use super::pieces::{L_PIECES, l_piece};
use super::{GRID, LGame, LGameMove, LGamePosition};
use crate::registered::{Registered, TextToken};

impl LGamePosition {
    /// Squares of X, of O and of the neutral pieces.
    pub(super) fn sets(self) -> [u64; 3] {
        let [own, other] = [self.own, self.other].map(|n| L_PIECES[usize::from(n)].squares);
        let [x, o] = match self.player {
            0 => [own, other],
            _ => [other, own],
        };
        [x, o, self.neutral].map(u64::from)
    }

    /// Board in rows from the top.
    pub(super) fn board(self) -> String {
        let [x, o, neutral] = self.sets();
        GRID.format(&[('X', x), ('O', o), ('N', neutral)])
    }
}

impl Notation for LGame {
    fn spec(&self) -> String {
        Self::INFO.name.into()
    }
    fn player_names(&self) -> [&'static str; 2] {
        ["X", "O"]
    }
    fn format(&self, position: LGamePosition) -> String {
        let turn = ["x", "o"][usize::from(position.player)];
        format!("{} {turn}", position.board())
    }
    fn parse(&self, text: &str) -> Result<LGamePosition, ParseError> {
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
        let sets = GRID.parse(board.text, ['X', 'O', 'N']);
        let [x, o, neutral] = sets.map_err(|fault| fault.shifted(board.at))?;
        let piece = |name: char, set: u64| match l_piece(set as u16) {
            Some(piece) => Ok(piece),
            None => board.reject(format!(
                "the squares of {name} are no L: three in a line, and one beside an end of it"
            )),
        };
        let [x, o] = [piece('X', x)?, piece('O', o)?];
        if neutral.count_ones() != 2 {
            let count = neutral.count_ones();
            return board.reject(format!("there are two neutral squares N, not {count}"));
        }
        let [own, other] = match player {
            0 => [x, o],
            _ => [o, x],
        };
        Ok(LGamePosition {
            player,
            own,
            other,
            neutral: neutral as u16,
        })
    }
    fn format_move(&self, _: LGamePosition, mv: LGameMove) -> String {
        let piece = L_PIECES[usize::from(mv.to)];
        let squares = [piece.tip, piece.corner, piece.foot];
        let mut text: String = squares.map(|square| GRID.square_name(square)).concat();
        if let Some(step) = mv.neutral {
            let [from, to] = [step.from, step.to].map(|square| GRID.square_name(square));
            text += &format!(":{from}{to}");
        }
        text
    }
    fn drawing(&self, position: LGamePosition) -> Drawing {
        self.picture(position)
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }
}
