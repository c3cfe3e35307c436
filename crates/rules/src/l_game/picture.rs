//! Pictures of the L-game.

use hindsight_core::{
    Drawing, DrawnSetup, Notation, PieceKind, PieceShape, PlacedText, SetupKinds,
};

use super::{LGame, LGamePosition};
use crate::crosses_and_rings::TURNS;

/// Squares of pieces, with their signs in texts.
const SQUARES: [(PieceKind, char); 3] = [
    (PieceKind::of(0, PieceShape::Block), 'X'),
    (PieceKind::of(1, PieceShape::Block), 'O'),
    (PieceKind { player: None, shape: PieceShape::Pawn }, 'N'),
];

impl LGame {
    pub(super) fn picture(self, position: LGamePosition) -> Drawing {
        let mut drawing = Drawing::of_signs(&position.board(), self.player_names());
        for piece in &mut drawing.pieces {
            piece.shape = match piece.player {
                Some(_) => PieceShape::Block,
                None => PieceShape::Pawn,
            };
        }
        drawing
    }
}

impl DrawnSetup for LGame {
    fn kinds(&self) -> SetupKinds {
        SetupKinds {
            pieces: SQUARES.map(|(kind, _)| kind).into(),
            has_turn: true,
            ..SetupKinds::default()
        }
    }

    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = PlacedText::default();
        text.push_rows(drawing, &SQUARES);
        text.push_turn(drawing, TURNS);
        text
    }
}
