use alloc::vec::Vec;

use hindsight_core::{
    BoardCell, Drawing, DrawnMove, DrawnSetup, Notation, PieceKind, PieceShape, PlacedText,
    SetupKinds,
};

use super::{Dodgem, DodgemMove, DodgemPosition};

/// Step of a car of Right or of Up: columns to the right and rows up.
const STEPS: [(i8, i8); 2] = [(1, 0), (0, 1)];

/// Cars with their signs in texts.
const CARS: [(PieceKind, char); 2] = [
    (PieceKind::of(0, PieceShape::Arrow(1, 0)), 'R'),
    (PieceKind::of(1, PieceShape::Arrow(0, 1)), 'U'),
];

impl Dodgem {
    /// Place of a square as the player to move sees it.
    pub(super) fn cell(self, position: DodgemPosition, square: u8) -> BoardCell {
        match position.player {
            0 => self.grid().cell(square),
            _ => {
                let exchanged = self.exchanged(1 << square).trailing_zeros() as u8;
                self.grid().cell(exchanged)
            }
        }
    }

    pub(super) fn picture(self, position: DodgemPosition) -> Drawing {
        let [right, up] = self.cars(position);
        let board = self.grid().format(&[('R', right), ('U', up)]);
        let mut drawing = Drawing::of_signs(&board, self.player_names());
        for car in &mut drawing.pieces {
            let (right, up) = STEPS[usize::from(car.player != Some(0))];
            car.shape = PieceShape::Arrow(right, up);
        }
        drawing
    }

    pub(super) fn picture_of_move(self, position: DodgemPosition, mv: DodgemMove) -> DrawnMove {
        let from = self.cell(position, mv.from);
        let to = mv.to.map(|to| self.cell(position, to));
        let off = to.is_none();
        DrawnMove {
            from: Some(from),
            to,
            leaves: off.then_some(STEPS[usize::from(position.player)]),
            removed: off.then_some(from).into_iter().collect::<Vec<_>>(),
            ..DrawnMove::default()
        }
    }
}

impl DrawnSetup for Dodgem {
    fn kinds(&self) -> SetupKinds {
        SetupKinds {
            pieces: CARS.map(|(kind, _)| kind).into(),
            has_turn: true,
            ..SetupKinds::default()
        }
    }

    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = PlacedText::default();
        text.push_rows(drawing, &CARS);
        text.push_turn(drawing, ["right", "up"]);
        text
    }
}
