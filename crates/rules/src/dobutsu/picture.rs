//! Pictures of dobutsu shogi.

use alloc::{format, string::String, vec::Vec};

use hindsight_core::{BoardCell, Drawing, DrawnMove, DrawnPiece, Grid, Notation, PieceShape};

use super::notation::sign_of;
use super::side::{CHICK, DobutsuSide, HAND_KINDS, LION};
use super::squares::Forward;
use super::{Dobutsu, DobutsuMove, DobutsuPosition};

pub(super) const GRID: Grid = Grid::new(3, 4);
/// Names of the kinds of pieces.
pub(super) const KIND_NAMES: [&str; 5] = ["lion", "giraffe", "elephant", "chick", "hen"];
/// Form of a piece: a sign in capitals for South, as in the texts of positions.
fn shape_of(kind: usize, player: usize) -> PieceShape {
    match kind {
        LION => PieceShape::Leader,
        _ => PieceShape::Sign(sign_of(kind, player)),
    }
}

/// Words for the pieces in hand.
pub(super) fn stock(side: &DobutsuSide) -> String {
    let words = HAND_KINDS.map(|kind| match *side.in_hand(kind) {
        0 => String::new(),
        1 => KIND_NAMES[kind].into(),
        count => format!("{count} {}s", KIND_NAMES[kind]),
    });
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(", ")
}

impl Dobutsu {
    /// Place of a square as the player to move sees it.
    pub(super) fn cell(&self, position: DobutsuPosition, square: u8) -> BoardCell {
        GRID.cell(match position.player {
            0 => square,
            _ => GRID.squares() - 1 - square,
        })
    }

    pub(super) fn picture(&self, position: DobutsuPosition) -> Drawing {
        let mut drawing = Drawing::empty(3, 4, self.player_names());
        for (player, side) in position.sides().iter().enumerate() {
            drawing.seats[player].stock = stock(side);
            for (kind, &set) in side.board.iter().enumerate() {
                let squares = (0..GRID.squares()).filter(|square| set >> square & 1 == 1);
                drawing.pieces.extend(squares.map(|square| DrawnPiece {
                    cell: GRID.cell(square),
                    player: Some(player),
                    shape: shape_of(kind, player),
                }));
            }
        }
        drawing
    }

    /// The move as a change of the picture; `None` for a chick that becomes a hen.
    pub(super) fn picture_of_move(
        &self,
        position: DobutsuPosition,
        mv: DobutsuMove,
    ) -> Option<DrawnMove> {
        let to = 1 << mv.to;
        let is_chick = usize::from(mv.kind) == CHICK && mv.from.is_some();
        if is_chick && to & Forward::Up.last_row() != 0 {
            return None;
        }
        let to_cell = self.cell(position, mv.to);
        let is_capture = position.other.squares() & to != 0;
        Some(DrawnMove {
            from: mv.from.map(|from| self.cell(position, from)),
            to: Some(to_cell),
            removed: is_capture.then_some(to_cell).into_iter().collect(),
            ..DrawnMove::default()
        })
    }
}
