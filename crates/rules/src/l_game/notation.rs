//! Texts of positions and moves of the L-game.

use alloc::{format, string::String};

use hindsight_core::{Drawing, DrawnSetup, Game, Notation, ParseError};

use super::pieces::{L_PIECES, l_piece};
use super::{GRID, LGame, LGameMove, LGamePosition};
use crate::crosses_and_rings::{BoardAndTurn, TURNS, X_AND_O, by_turn};

impl LGamePosition {
    /// Squares of X, of O and of the neutral pieces.
    pub(super) fn sets(self) -> [u64; 3] {
        let [own, other] = [self.own, self.other].map(|n| L_PIECES[usize::from(n)].squares);
        let [x, o] = by_turn(self.player, [own, other]);
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
        Self::ENTRY.name.into()
    }
    fn player_names(&self) -> [&'static str; 2] {
        X_AND_O
    }
    fn format(&self, position: LGamePosition) -> String {
        let turn = TURNS[usize::from(position.player)];
        format!("{} {turn}", position.board())
    }
    fn parse(&self, text: &str) -> Result<LGamePosition, ParseError> {
        let BoardAndTurn { board, player } =
            BoardAndTurn::parse(text, || self.format(self.start()))?;
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
        let [own, other] = by_turn(player, [x, o]);
        Ok(LGamePosition { player, own, other, neutral: neutral as u16 })
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
