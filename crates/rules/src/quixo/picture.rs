//! Pictures of Quixo.

use hindsight_core::{Drawing, DrawnSetup, PlacedText, SetupKinds};

use super::Quixo;
use crate::crosses_and_rings::{TURNS, setup_kinds, text_of};

impl DrawnSetup for Quixo {
    fn kinds(&self) -> SetupKinds {
        SetupKinds { has_turn: true, ..setup_kinds() }
    }
    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = text_of(drawing, ['X', 'O']);
        text.push_turn(drawing, TURNS);
        text
    }
}
