use hindsight_core::{Heuristics, PlayoutQueue, Random, playouts_in_turn};

use super::{Bitboard, Onitama, OnitamaPlayer, OnitamaPosition};
use hindsight_core::combinatorics::SetBits;

impl<W: Bitboard> Heuristics for Onitama<W> {
    /// 100 for each piece, and 4 for each move of a piece by a card in hand, less the opponent's.
    #[inline]
    fn evaluate(&self, position: OnitamaPosition<W>) -> Option<i32> {
        let player = position.player();
        let side = |player: OnitamaPlayer| {
            let own = position.pieces(player);
            let cards = &self.hands[usize::from(position.cards & !1) + player as usize];
            let mut squares = 0;
            for from in SetBits(own) {
                for card in cards {
                    let targets = self.free_targets(own, player, card.kind, from);
                    squares += targets.count_ones();
                }
            }
            100 * own.count_ones() as i32 + 4 * squares as i32
        };
        Some(side(player) - side(player.opponent()))
    }

    #[inline]
    fn safe_move_count(&self, position: OnitamaPosition<W>) -> Option<u32> {
        Some(self.count_safe_moves(position))
    }

    fn playout(
        &self,
        position: OnitamaPosition<W>,
        plies: u32,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<W>, u32) {
        self.random_game(position, plies, random)
    }
    fn playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<OnitamaPosition<W>>,
        random: &mut dyn Random,
    ) {
        match &self.lane_table {
            Some(table) => self.random_games(table, plies, queue, random),
            None => playouts_in_turn(queue, |at| self.random_game(at, plies, random)),
        }
    }
}
