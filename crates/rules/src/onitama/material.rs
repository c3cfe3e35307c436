use hindsight_core::{Material, leaves_to_be_taken};

use super::{InSlots, Move, Onitama, Position, SlottedPosition, Word};

/// What both have to say of a sacrifice.
const SACRIFICE: &str =
    "a move that takes nothing and leaves a student where the opponent can take it at once";

impl<W: Word> Material for Onitama<W> {
    fn sacrifice(&self) -> Option<&'static str> {
        Some(SACRIFICE)
    }

    fn pieces(&self, position: Position<W>) -> [u32; 2] {
        let player = position.player();
        [player, player.opponent()].map(|side| position.pieces(side).count_ones())
    }

    fn gives_up(&self, position: Position<W>, mv: Move) -> bool {
        leaves_to_be_taken(self, position, mv)
    }
}

impl<W: Word> Material for InSlots<W> {
    fn sacrifice(&self) -> Option<&'static str> {
        self.0.sacrifice()
    }

    fn pieces(&self, position: SlottedPosition<W>) -> [u32; 2] {
        self.0.pieces(position.position)
    }

    fn gives_up(&self, position: SlottedPosition<W>, mv: Move) -> bool {
        leaves_to_be_taken(self, position, mv)
    }
}
