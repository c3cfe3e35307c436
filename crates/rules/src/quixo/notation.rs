//! Texts of positions and moves of Quixo.

use alloc::{format, string::String};

use hindsight_core::{Drawing, DrawnSetup, Game, Notation, ParseError};

use super::{Quixo, QuixoMove, QuixoPosition};
use crate::crosses_and_rings::{BoardAndTurn, TURNS, X_AND_O, by_turn};

impl Quixo {
    /// Board in rows from the top.
    pub(super) fn board(&self, position: QuixoPosition) -> String {
        let QuixoPosition { player, own, other } = position;
        let [x, o] = by_turn(player, [own, other]);
        self.grid().format(&[('X', x.into()), ('O', o.into())])
    }
}

impl Notation for Quixo {
    fn spec(&self) -> String {
        format!("quixo:{0}x{0}", self.size())
    }
    fn player_names(&self) -> [&'static str; 2] {
        X_AND_O
    }
    fn format(&self, position: QuixoPosition) -> String {
        let turn = TURNS[usize::from(position.player)];
        format!("{} {turn}", self.board(position))
    }
    fn parse(&self, text: &str) -> Result<QuixoPosition, ParseError> {
        let BoardAndTurn { board, player } =
            BoardAndTurn::parse(text, || self.format(self.start()))?;
        let sets = self.grid().parse(board.text, ['X', 'O']);
        let sets = sets.map_err(|fault| fault.shifted(board.at))?;
        let [own, other] = by_turn(player, sets.map(|set| set as u32));
        Ok(QuixoPosition { player, own, other })
    }
    fn format_move(&self, _: QuixoPosition, mv: QuixoMove) -> String {
        let squares = self.cubes.pushes[usize::from(mv.0)].squares();
        squares.map(|square| self.grid().square_name(square)).concat()
    }
    fn drawing(&self, position: QuixoPosition) -> Drawing {
        Drawing::of_signs(&self.board(position), self.player_names())
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }
}
