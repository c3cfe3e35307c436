use hindsight_core::{Material, leaves_piece_en_prise};

use super::{Bitboard, Onitama, OnitamaMove, OnitamaPosition, ThesisMoveOrder};

/// Description of a sacrifice, for both move orders.
const SACRIFICE: &str =
    "a move that takes nothing and leaves a student where the opponent can take it at once";

impl<W: Bitboard> Material for Onitama<W> {
    fn describe_sacrifice(&self) -> &'static str {
        SACRIFICE
    }

    fn piece_counts(&self, position: OnitamaPosition<W>) -> [u32; 2] {
        let player = position.player();
        [player, player.opponent()].map(|side| position.pieces(side).count_ones())
    }

    fn gives_up_piece(&self, position: OnitamaPosition<W>, mv: OnitamaMove) -> bool {
        leaves_piece_en_prise(self, position, mv)
    }
}

impl<W: Bitboard> Material for ThesisMoveOrder<W> {
    fn describe_sacrifice(&self) -> &'static str {
        self.0.describe_sacrifice()
    }

    fn piece_counts(&self, position: Self::Position) -> [u32; 2] {
        self.0.piece_counts(position.position)
    }

    fn gives_up_piece(&self, position: Self::Position, mv: OnitamaMove) -> bool {
        leaves_piece_en_prise(self, position, mv)
    }
}
