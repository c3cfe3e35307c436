use hindsight_core::{Game, Random, playout_by_moves};

use super::playout_table::{DrawnMove, PieceList, PlayoutTable};
use super::position::CAPTURED;
use super::{Bitboard, Onitama, OnitamaPosition};

impl<W: Bitboard> Onitama<W> {
    /// Implements [`hindsight_core::Heuristics::playout`]: by rejection sampling if there is a
    /// [`PlayoutTable`], else by lists of moves.
    #[inline]
    pub(super) fn random_game(
        &self,
        position: OnitamaPosition<W>,
        plies: u32,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<W>, u32) {
        let Some(table) = &self.playout_table else {
            return playout_by_moves(self, position, plies, random);
        };
        let (mut current, mut played) = (position, 0);
        while played < plies && self.terminal(current).is_none() {
            let more;
            (current, more) = self.play_drawn_moves(table, current, plies - played, random);
            played += more;
            if played < plies && self.terminal(current).is_none() {
                // All draws were rejected: few moves are legal here, or only passes.
                (current, _) = playout_by_moves(self, current, 1, random);
                played += 1;
            }
        }
        (current, played)
    }

    /// Plays drawn moves until the game is over, `plies` plies are played, or
    /// [`PlayoutTable::draw`] finds no move.
    ///
    /// Returns the last position and the number of plies played.
    #[inline]
    fn play_drawn_moves(
        &self,
        table: &PlayoutTable,
        position: OnitamaPosition<W>,
        plies: u32,
        random: &mut dyn Random,
    ) -> (OnitamaPosition<W>, u32) {
        let mut pieces = position.pieces.map(W::widen);
        let mut lists = [0, 1].map(|side| PieceList::new(pieces[side], position.masters[side]));
        let mut cards = position.cards;
        let mut captured = [false; 2];
        let mut played = 0;
        while played < plies {
            let player = usize::from(cards & 1);
            let Some(drawn) = table.draw(cards, &lists[player], pieces[player], random) else {
                break;
            };
            let DrawnMove {
                piece,
                to,
                next_deal,
            } = drawn;
            let from = core::mem::replace(&mut lists[player].squares[piece], to);
            pieces[player] = pieces[player] & !(1 << from) | 1 << to;
            let other = player ^ 1;
            if pieces[other] >> to & 1 == 1 {
                pieces[other] &= !(1 << to);
                captured[other] = lists[other].squares[0] == to;
                if !captured[other] {
                    lists[other].remove(to);
                }
            }
            cards = next_deal << 1 | other as u16;
            played += 1;
            if captured[other] || piece == 0 && to == self.arches[other] {
                break;
            }
        }
        let master = |side: usize| {
            if captured[side] {
                CAPTURED
            } else {
                lists[side].squares[0]
            }
        };
        let last = OnitamaPosition {
            pieces: pieces.map(W::narrow),
            masters: [master(0), master(1)],
            cards,
        };
        (last, played)
    }
}
