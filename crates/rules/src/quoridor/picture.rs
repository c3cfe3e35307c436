use alloc::format;

use hindsight_combinatorics::SetBits;
use hindsight_core::{BoardCell, Drawing, DrawnFence, DrawnMove, DrawnPiece, Notation, PieceShape};

use super::position::{Fences, QuoridorPosition};
use super::{Quoridor, QuoridorMove};

impl Quoridor {
    /// Place of a square in a picture.
    pub(super) fn cell(&self, square: u8) -> BoardCell {
        let width = self.setup().width;
        BoardCell {
            column: square % width,
            row: square / width,
        }
    }

    fn drawn_fence(&self, anchor: u8, is_vertical: bool) -> DrawnFence {
        DrawnFence {
            name: self.fence_name(anchor, is_vertical),
            cell: self.cell(self.board.south_west_square(anchor)),
            is_vertical,
        }
    }

    pub(super) fn picture(&self, position: QuoridorPosition) -> Drawing {
        let (width, height) = (self.setup().width, self.setup().height);
        let mut drawing = Drawing::empty(width, height, self.player_names());
        drawing.has_fences = true;
        for player in [0, 1] {
            drawing.pieces.push(DrawnPiece {
                cell: self.cell(position.pawns[player]),
                player: Some(player),
                shape: PieceShape::Pawn,
            });
            let hand = position.hands[player];
            let noun = if hand == 1 { "fence" } else { "fences" };
            let seat = &mut drawing.seats[player];
            (seat.stock, seat.in_hand) = (format!("{hand} {noun}"), Some(hand));
        }
        let Fences {
            vertical,
            horizontal,
        } = position.fences;
        for (set, is_vertical) in [(horizontal, false), (vertical, true)] {
            let fences = SetBits(set).map(|anchor| self.drawn_fence(anchor, is_vertical));
            drawing.fences.extend(fences);
        }
        drawing
    }

    pub(super) fn picture_of_move(
        &self,
        position: QuoridorPosition,
        mv: QuoridorMove,
    ) -> DrawnMove {
        let (anchor, is_vertical) = match mv {
            QuoridorMove::Pawn(to) => {
                return DrawnMove {
                    from: Some(self.cell(position.pawn(position.player))),
                    to: Some(self.cell(to)),
                    ..DrawnMove::default()
                };
            }
            QuoridorMove::Horizontal(anchor) => (anchor, false),
            QuoridorMove::Vertical(anchor) => (anchor, true),
        };
        DrawnMove {
            fence: Some(self.drawn_fence(anchor, is_vertical)),
            ..DrawnMove::default()
        }
    }
}
