use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{
    BoardCell, Drawing, DrawnCard, DrawnMark, DrawnMove, DrawnPiece, DrawnPlace, DrawnSetup,
    MarkKind, Notation, PieceKind, PieceShape, PlacedText, SetupKinds,
};

use super::{Bitboard, Onitama, OnitamaMove, OnitamaPlayer, OnitamaPosition};

/// Pieces with their signs in texts.
const PIECES: [(PieceKind, char); 4] = [
    (PieceKind::of(0, PieceShape::Leader), 'R'),
    (PieceKind::of(0, PieceShape::Pawn), 'r'),
    (PieceKind::of(1, PieceShape::Leader), 'B'),
    (PieceKind::of(1, PieceShape::Pawn), 'b'),
];

impl<W: Bitboard> Onitama<W> {
    /// Place of a square in a picture.
    pub(super) fn cell(&self, square: u8) -> BoardCell {
        let (width, height) = (self.setup().width, self.setup().height);
        BoardCell { column: square % width, row: height - 1 - square / width }
    }

    pub(super) fn square_name(&self, square: u8) -> String {
        self.cell(square).name()
    }

    /// Labels of the cards of a pile: 0 Red's hand, 1 Blue's hand, 2 the card aside.
    pub(super) fn pile_labels(&self, position: OnitamaPosition<W>, pile: usize) -> Vec<String> {
        self.pile_kinds(position.deal(), pile)
            .map(|kind| self.kinds()[usize::from(kind)].label())
            .collect()
    }

    /// Pictures of the cards of a pile, as for [`Onitama::pile_labels`].
    fn drawn_cards(&self, position: OnitamaPosition<W>, pile: usize) -> Vec<DrawnCard> {
        let cards = self.pile_kinds(position.deal(), pile);
        let cards = cards.map(|kind| &self.kinds()[usize::from(kind)]);
        let drawn =
            cards.map(|card| DrawnCard { name: card.label(), steps: card.offsets().to_vec() });
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
                    shape: if master == Some(square) {
                        PieceShape::Leader
                    } else {
                        PieceShape::Pawn
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
        let mut drawn = DrawnMove { card: Some(card), ..DrawnMove::default() };
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

impl<W: Bitboard> DrawnSetup for Onitama<W> {
    fn kinds(&self) -> SetupKinds {
        SetupKinds {
            pieces: PIECES.map(|(kind, _)| kind).into(),
            has_turn: true,
            ..SetupKinds::default()
        }
    }

    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut text = PlacedText::default();
        text.push_counted_rows(drawing, &PIECES);
        let [red, blue] =
            [0, 1].map(|player| (&drawing.seats[player].cards, DrawnPlace::Hand(player)));
        for (cards, place) in [red, blue, (&drawing.cards_aside, DrawnPlace::Aside)] {
            text.push(" ", None);
            text.push(written(cards), Some(place));
        }
        text.push_turn(drawing, ["red", "blue"]);
        text
    }
}

/// Returns the names of cards with commas between them; `-` for none.
fn written(cards: &[DrawnCard]) -> String {
    let names: Vec<&str> = cards.iter().map(|card| card.name.as_str()).collect();
    match names[..] {
        [] => String::from("-"),
        _ => names.join(","),
    }
}
