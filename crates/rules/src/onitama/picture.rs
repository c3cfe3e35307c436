use alloc::vec::Vec;

use hindsight_combinatorics::SetBits;
use hindsight_core::{
    BoardCell, Drawing, DrawnCard, DrawnMark, DrawnMove, DrawnPiece, MarkKind, Notation, PieceShape,
};

use super::{Bitboard, Onitama, OnitamaMove, OnitamaPlayer, OnitamaPosition};

impl<W: Bitboard> Onitama<W> {
    /// Place of a square in a picture.
    pub(super) fn cell(&self, square: u8) -> BoardCell {
        let (width, height) = (self.setup().width, self.setup().height);
        BoardCell {
            column: square % width,
            row: height - 1 - square / width,
        }
    }

    /// Pictures of the cards of a pile, as for [`Onitama::pile_labels`].
    fn drawn_cards(&self, position: OnitamaPosition<W>, pile: usize) -> Vec<DrawnCard> {
        let cards = self.pile_kinds(position.deal(), pile);
        let cards = cards.map(|kind| &self.kinds()[usize::from(kind)]);
        let drawn = cards.map(|card| DrawnCard {
            name: card.label(),
            steps: card.offsets().to_vec(),
        });
        drawn.collect()
    }

    pub(super) fn picture(&self, position: OnitamaPosition<W>) -> Drawing {
        let (width, height) = (self.setup().width, self.setup().height);
        let mut drawing = Drawing::empty(width, height, self.player_names());
        for player in [OnitamaPlayer::Red, OnitamaPlayer::Blue] {
            let master = position.master(player);
            for square in SetBits(position.pieces(player)) {
                drawing.pieces.push(DrawnPiece {
                    cell: self.cell(square),
                    player: Some(player as usize),
                    shape: match master == Some(square) {
                        true => PieceShape::Leader,
                        false => PieceShape::Pawn,
                    },
                });
            }
            drawing.marks.push(DrawnMark {
                cell: self.cell(self.board().arch(player)),
                kind: MarkKind::Home(player as usize),
            });
            let is_red = player == OnitamaPlayer::Red;
            let seat = &mut drawing.seats[player as usize];
            (seat.is_at_top, seat.is_dark) = (is_red, is_red);
            seat.cards = self.drawn_cards(position, player as usize);
        }
        drawing.cards_aside = self.drawn_cards(position, 2);
        drawing
    }

    pub(super) fn picture_of_move(
        &self,
        position: OnitamaPosition<W>,
        mv: OnitamaMove,
    ) -> DrawnMove {
        let card = self.kinds()[usize::from(mv.kind)].label();
        let mut drawn = DrawnMove {
            card: Some(card),
            ..DrawnMove::default()
        };
        if mv.from == OnitamaMove::PASS {
            return drawn;
        }
        let to = self.cell(mv.to);
        let other = position.pieces(position.player().opponent());
        if other >> mv.to & 1 == 1 {
            drawn.removed.push(to);
        }
        (drawn.from, drawn.to) = (Some(self.cell(mv.from)), Some(to));
        drawn
    }
}
