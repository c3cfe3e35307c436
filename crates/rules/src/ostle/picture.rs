use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use hindsight_core::{
    BoardCell, Drawing, DrawnMark, DrawnMove, DrawnPiece, DrawnSetup, MarkKind, Notation,
    PieceKind, PieceShape, PlacedText, SetupKinds,
};

use super::{BasePosition, Ostle, OstleMove, OstlePosition};

/// Letters of the directions, by their numbers.
pub(super) const DIRECTIONS: &[u8; 4] = b"UDLR";

/// Steps of the directions, by their numbers: columns to the right and rows up.
const STEPS: [(i8, i8); 4] = [(0, 1), (0, -1), (-1, 0), (1, 0)];

/// Pieces with their signs in texts.
const PIECES: [(PieceKind, char); 2] =
    [(PieceKind::of(0, PieceShape::Block), 'B'), (PieceKind::of(1, PieceShape::Block), 'W')];

impl Ostle {
    /// Place of a square in a picture.
    pub(super) fn cell(&self, square: u8) -> BoardCell {
        let size = self.setup().size;
        BoardCell { column: square / size, row: square % size }
    }

    /// Square of the piece or of the hole, then the direction.
    pub(super) fn move_name(&self, mv: OstleMove) -> String {
        let direction = DIRECTIONS[usize::from(mv.direction())];
        format!("{}{}", self.cell(mv.square()).name(), char::from(direction))
    }

    pub(super) fn picture(&self, position: OstlePosition) -> Drawing {
        let size = self.setup().size;
        let mut drawing = Drawing::empty(size, size, self.player_names());
        for square in 0..size * size {
            let cell = self.cell(square);
            let player = match Self::letter(position.base, square) {
                'O' => {
                    let kind = MarkKind::Hole;
                    drawing.marks.push(DrawnMark { cell, kind });
                    continue;
                }
                'B' => 0,
                'W' => 1,
                _ => continue,
            };
            drawing.pieces.push(DrawnPiece {
                cell,
                player: Some(player),
                shape: PieceShape::Block,
            });
        }
        for (player, seat) in drawing.seats.iter_mut().enumerate() {
            (seat.is_at_top, seat.is_dark) = (player == 1, player == 0);
        }
        if let Some(mv) = position.forbidden {
            drawing.note = format!("forbidden: {}", self.move_name(mv));
        }
        drawing
    }

    pub(super) fn picture_of_move(&self, base: BasePosition, mv: OstleMove) -> DrawnMove {
        let (rules, from) = (self.unrestricted(), mv.square());
        let next = |square: &u8| rules.board().step(*square, mv.direction());
        let to = next(&from);
        let mut drawn = DrawnMove {
            from: Some(self.cell(from)),
            to: to.map(|to| self.cell(to)),
            ..DrawnMove::default()
        };
        if from == base.hole {
            return drawn;
        }
        if to.is_none() {
            drawn.leaves = Some(STEPS[usize::from(mv.direction())]);
        }
        let line = rules.pushed_line(base.pieces(), base.hole, mv);
        let squares = core::iter::successors(Some(from), next);
        let squares = squares.take(line.pieces.count_ones() as usize);
        let cells: Vec<BoardCell> = squares.map(|square| self.cell(square)).collect();
        if line.falls {
            drawn.removed.extend(cells.last());
        }
        drawn.pushed.extend(&cells[1..]);
        drawn
    }
}

impl DrawnSetup for Ostle {
    fn kinds(&self) -> SetupKinds {
        SetupKinds {
            pieces: PIECES.map(|(kind, _)| kind).into(),
            marks: vec![MarkKind::Hole],
            has_turn: true,
            ..SetupKinds::default()
        }
    }

    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = PlacedText::default();
        text.push_rows(drawing, &PIECES);
        text.push_turn(drawing, ["black", "white"]);
        text.push(" -", None);
        text
    }
}
