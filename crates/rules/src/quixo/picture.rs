//! Pictures of Quixo.

use alloc::vec;

use hindsight_core::{Drawing, DrawnSetup, PieceKind, PieceShape, PlacedText, SetupKinds};

use super::Quixo;

const CROSS: PieceKind = PieceKind::of(0, PieceShape::Cross);
const RING: PieceKind = PieceKind::of(1, PieceShape::Ring);

impl DrawnSetup for Quixo {
    fn kinds(&self) -> SetupKinds {
        SetupKinds {
            pieces: vec![CROSS, RING],
            has_turn: true,
            ..SetupKinds::default()
        }
    }
    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = PlacedText::default();
        text.push_rows(drawing, &[(CROSS, 'X'), (RING, 'O')]);
        text.push_turn(drawing, ["x", "o"]);
        text
    }
}
