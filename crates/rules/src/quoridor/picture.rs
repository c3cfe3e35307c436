use alloc::format;
use alloc::string::{String, ToString};

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{
    BoardCell, Drawing, DrawnFence, DrawnMove, DrawnPiece, DrawnPlace, DrawnSetup, Notation,
    PieceKind, PieceShape, PlacedText, SetupKinds,
};

use super::position::{Fences, QuoridorPosition};
use super::{Quoridor, QuoridorMove};

/// Pawns of White and of Black.
const PAWNS: [PieceKind; 2] =
    [PieceKind::of(0, PieceShape::Pawn), PieceKind::of(1, PieceShape::Pawn)];

impl Quoridor {
    /// Place of a square in a picture.
    pub(super) fn cell(&self, square: u8) -> BoardCell {
        let width = self.setup().width;
        BoardCell { column: square % width, row: square / width }
    }

    pub(super) fn square_name(&self, square: u8) -> String {
        self.cell(square).name()
    }

    /// The square south-west of the middle of a fence, then `h` or `v`.
    pub(super) fn fence_name(&self, anchor: u8, is_vertical: bool) -> String {
        self.drawn_fence(anchor, is_vertical).name
    }

    fn drawn_fence(&self, anchor: u8, is_vertical: bool) -> DrawnFence {
        let corner = self.board.south_west_square(anchor);
        DrawnFence::new(self.cell(corner), is_vertical)
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
        let Fences { vertical, horizontal } = position.fences;
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
        DrawnMove { fence: Some(self.drawn_fence(anchor, is_vertical)), ..DrawnMove::default() }
    }
}

impl DrawnSetup for Quoridor {
    fn kinds(&self) -> SetupKinds {
        SetupKinds {
            pieces: PAWNS.into(),
            most_in_hand: Some(self.setup().stock),
            has_turn: true,
            ..SetupKinds::default()
        }
    }

    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = PlacedText::default();
        for kind in PAWNS {
            let pawns = drawing.pieces.iter().filter(|piece| piece.kind() == kind);
            let cells = pawns.map(|pawn| (pawn.cell.name(), DrawnPlace::Cell(pawn.cell)));
            text.push_list(cells);
            text.push(" ", None);
        }
        for (player, seat) in drawing.seats.iter().enumerate() {
            let number = seat.in_hand.map_or("-".into(), |number| number.to_string());
            text.push(number, Some(DrawnPlace::Hand(player)));
            text.push(if player == 0 { "," } else { " " }, None);
        }
        let fences = drawing.fences.iter().map(|fence| &fence.name);
        text.push_list(fences.map(|name| (name.clone(), DrawnPlace::Fence(name.clone()))));
        text.push_turn(drawing, ["white", "black"]);
        text
    }
}
